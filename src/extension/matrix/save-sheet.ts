import * as vscode from 'vscode';
import { CancelledError, ValidationError } from '../../core/errors.ts';
import { stringifyJson } from '../../core/http/json.ts';
import { importFile } from '../ask/import-file.ts';
import { pickTable } from '../ask/pick.ts';
import { vscodeProvider } from '../language-models/models.ts';
import type { SheetAddress } from '../shell/address.ts';
import { refOf } from '../shell/address.ts';
import type { App } from '../shell/app.ts';
import { runCommand } from '../shell/commands.ts';
import type { Progress } from '../shell/progress.ts';
import { withProgress } from '../shell/progress.ts';
import { showInputBox, showQuickPick } from '../shell/questions.ts';
import type { MatrixCells } from './cells.ts';
import { shownColumn } from './columns.ts';
import type { Column, Plan } from './plan.ts';
import { valueIn } from './plan.ts';

const t = vscode.l10n.t;
const dismissed = (): CancelledError => new CancelledError('The choice was dismissed.');

/** Titles of columns of a sheet, each of its own. */
export function distinctTitles(titles: readonly string[]): readonly string[] {
  const taken = new Set<string>();
  return titles.map((title) => {
    let own = title;
    for (let at = 2; taken.has(own); at += 1) own = `${title} (${at})`;
    taken.add(own);
    return own;
  });
}

/** What a sheet's column of a prompt needs to run what a variant has run. */
export function columnConfig(column: Column, titles: ReadonlySet<string>) {
  const { source, model, provider, modelName, parameters, variables } = column;
  const prompt =
    source.kind === 'version'
      ? { template: { name: source.promptName, version_number: source.version } }
      : {
          inline_template: {
            inline: true,
            prompt_template: source.blueprint.prompt_template,
            ...(source.blueprint.metadata !== undefined && { metadata: source.blueprint.metadata }),
          },
        };
  const names = [...titles];
  const mappings = variables.flatMap(({ name }) => {
    const title = valueIn(Object.fromEntries(names.map((one) => [one, one])), name)?.value;
    return typeof title === 'string' ? [[name, title] as const] : [];
  });
  const isOther = model !== undefined || parameters !== undefined;
  const engine = { provider, model: modelName, ...(parameters !== undefined && { parameters }) };
  return {
    ...prompt,
    prompt_template_variable_mappings: Object.fromEntries(mappings),
    ...(isOther && { engine }),
  };
}

type Kind = 'prompts' | 'answers';

async function recordsOf(
  { columns }: Plan,
  cells: MatrixCells,
  kind: Kind,
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const fields = [...new Set(cells.cases.flatMap(({ values }) => Object.keys(values)))];
  const titles = distinctTitles([...fields, ...columns.map(titleOf)]).slice(fields.length);
  const records: Record<string, unknown>[] = [];
  for (const { id, values } of cells.cases) {
    const record: Record<string, unknown> = {};
    for (const field of fields) record[field] = values[field] ?? null;
    if (kind === 'answers') {
      for (const [at, column] of columns.entries()) {
        const cell = cells.cell(column.id, id);
        // Nothing in the place of an answer that there is not.
        record[titles[at] ?? column.id] = cell.state === 'done' ? await cells.textOf(cell) : null;
      }
    }
    records.push(record);
  }
  return records;
}

const titleOf = (column: Column): string => {
  const { title, detail } = shownColumn(column);
  return `${title} · ${detail}`;
};

async function addColumns(
  app: App,
  address: SheetAddress,
  plan: Plan,
  cells: MatrixCells,
): Promise<void> {
  const { signal } = app;
  const client = await app.connections.client(address.connectionId, { signal });
  const fields = new Set(cells.cases.flatMap(({ values }) => Object.keys(values)));
  const titles = distinctTitles([...fields, ...plan.columns.map(titleOf)]).slice(fields.size);
  for (const [at, column] of plan.columns.entries()) {
    await client.tables.columns.create(
      refOf(address),
      {
        title: titles[at] ?? column.id,
        type: 'PROMPT_TEMPLATE',
        config: columnConfig(column, fields),
      },
      { signal },
    );
  }
  app.changes.tell({ ...address, what: 'columns' });
}

/** What the sheet is to have, and whether it can. */
async function askKind({ columns }: Plan): Promise<Kind> {
  const picked = await showQuickPick(
    [
      {
        label: t('Prompt columns'),
        detail: t(
          'Values as text, and a prompt column for each variant, which you run in the sheet.',
        ),
        kind: 'prompts' as const,
      },
      {
        label: t('Answers as text'),
        detail: t('Values as text, and the answers of each variant as they are here.'),
        kind: 'answers' as const,
      },
    ].map(({ kind, ...item }) => ({ ...item, as: kind })),
    { title: t('Save as sheet') },
  );
  if (picked === undefined) throw dismissed();
  const isOfEditor = columns.some(({ provider }) => provider === vscodeProvider);
  if (picked.as === 'prompts' && isOfEditor) {
    throw new ValidationError(t("Columns of sheets can't use models of VS Code."), {
      hint: t('Save the answers as text, or remove these variants.'),
    });
  }
  return picked.as;
}

/** A new sheet out of cases and variants. */
export async function saveAsSheet(app: App, plan: Plan, cells: MatrixCells): Promise<void> {
  if (cells.cases.length === 0) throw new ValidationError(t('Add cases first.'));
  const kind = await askKind(plan);
  const { connectionId } = plan;
  const table = await pickTable(app, t('Table for the new sheet'), connectionId);
  const title = await showInputBox({
    title: t('Title of the new sheet'),
    value: t('Comparison of {0}', plan.title).slice(0, 200),
    validateInput: (text) => (text.trim() === '' ? t('Enter a title.') : undefined),
  });
  if (title === undefined) throw dismissed();
  const save = async (signal: AbortSignal, progress: Progress): Promise<SheetAddress> => {
    const content = Buffer.from(stringifyJson(await recordsOf(plan, cells, kind)));
    const file = {
      ...{ connectionId, tableId: table.id, title: title.trim(), content },
      fileName: 'comparison.json',
    };
    const address = await importFile(app, file, signal, progress);
    if (kind === 'prompts') await addColumns(app, address, plan, cells);
    return address;
  };
  const address = await withProgress(
    app,
    { title: t('Saving {0}', title.trim()), where: 'notification' },
    save,
  );
  await runCommand('promptTables.openSheet', address);
}
