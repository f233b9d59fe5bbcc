import * as vscode from 'vscode';
import * as z from 'zod';
import type { Client } from '../../core/index.ts';
import type { SheetAddress } from '../address.ts';
import { refOf } from '../address.ts';
import type { App } from '../app.ts';
import { runCommand } from '../commands.ts';
import { importFile } from '../import-file.ts';
import type { Progress } from '../progress.ts';
import { withProgress } from '../progress.ts';

const connectionId = 'local';

const SampleSheetFacts = z.object({
  title: z.string(),
  file: z.string(),
  columns: z.array(
    z.object({
      title: z.string(),
      type: z.string(),
      /** Title of the column that it stands behind; without one it is the last. */
      after: z.string().optional(),
      /** Sources by title, as the service accepts them. */
      config: z.record(z.string(), z.unknown()),
    }),
  ),
});
type SampleSheetFacts = z.output<typeof SampleSheetFacts>;

/** The first of the sheets is the one that is shown. */
const Sample = z.object({ table: z.string(), sheets: z.array(SampleSheetFacts).min(1) });
type Sample = z.output<typeof Sample>;

async function readSample(folder: vscode.Uri): Promise<Sample> {
  const bytes = await vscode.workspace.fs.readFile(vscode.Uri.joinPath(folder, 'sample.json'));
  return Sample.parse(JSON.parse(new TextDecoder().decode(bytes)));
}

type Tables = Client['tables'];
interface Options {
  readonly signal: AbortSignal;
}

/** The table may be there from an earlier time; its existence is all that is remembered. */
async function findOrCreateTable(tables: Tables, title: string, options: Options): Promise<string> {
  for await (const table of tables.list({ name: title }, options)) {
    if (table.title === title) return table.id;
  }
  const { table } = await tables.create({ title, create_default_sheet: false }, options);
  return table.id;
}

async function findSheet(
  tables: Tables,
  tableId: string,
  title: string,
  options: Options,
): Promise<SheetAddress | undefined> {
  for await (const sheet of tables.sheets.list(tableId, {}, options)) {
    // Without rows it is left over from an import that was broken off.
    if (sheet.title === title && (sheet.row_count ?? 0) > 0) {
      return { connectionId, tableId, sheetId: sheet.id };
    }
  }
  return undefined;
}

/** Half-way to the column behind; undefined: the last place. */
function rankAfter(ranks: ReadonlyMap<string, number>, title = ''): number | undefined {
  const rank = ranks.get(title);
  if (rank === undefined) return undefined;
  const behind = Math.min(...[...ranks.values()].filter((other) => other > rank));
  return Number.isFinite(behind) ? (rank + behind) / 2 : undefined;
}

/** Also completes a sheet whose set-up was interrupted. */
async function addMissingColumns(
  tables: Tables,
  sheet: SheetAddress,
  { columns }: SampleSheetFacts,
  options: Options,
): Promise<number> {
  const ranks = new Map<string, number>();
  for await (const column of tables.columns.list(refOf(sheet), {}, options)) {
    ranks.set(column.title, column.position_rank ?? ranks.size);
  }
  const missing = columns.filter(({ title }) => !ranks.has(title));
  // One after the other: later ones read earlier ones.
  for (const { title, type, config, after } of missing) {
    const position_rank = rankAfter(ranks, after);
    const body = { title, type, config, position_rank };
    const { column } = await tables.columns.create(refOf(sheet), body, options);
    ranks.set(title, column.position_rank ?? ranks.size);
  }
  return missing.length;
}

interface Preparation {
  readonly app: App;
  readonly folder: vscode.Uri;
  readonly tables: Tables;
  readonly tableId: string;
  readonly signal: AbortSignal;
  readonly progress: Progress;
}

/** Imports a sheet unless it is there, and completes it. */
async function prepareSheet(
  { app, folder, tables, tableId, signal, progress }: Preparation,
  facts: SampleSheetFacts,
): Promise<SheetAddress> {
  const options = { signal };
  const { title, file: fileName } = facts;
  const known = await findSheet(tables, tableId, title, options);
  const content = async () => vscode.workspace.fs.readFile(vscode.Uri.joinPath(folder, fileName));
  const sheet =
    known ??
    (await importFile(
      app,
      { connectionId, tableId, fileName, content: await content(), title },
      signal,
      progress,
    ));
  const added = await addMissingColumns(tables, sheet, facts, options);
  if (added > 0) app.changes.tell({ connectionId, what: 'tables' });
  return sheet;
}

async function prepare(app: App, signal: AbortSignal, progress: Progress): Promise<SheetAddress> {
  const folder = vscode.Uri.joinPath(app.context.extensionUri, 'media', 'sample');
  const sample = await readSample(folder);
  progress.report({ message: vscode.l10n.t('starting the local service') });
  const { tables } = await app.connections.client(connectionId, { signal });
  const tableId = await findOrCreateTable(tables, sample.table, { signal });
  const preparation = { app, folder, tables, tableId, signal, progress };
  const sheets: SheetAddress[] = [];
  for (const facts of sample.sheets) sheets.push(await prepareSheet(preparation, facts));
  const [first] = sheets;
  if (first === undefined) throw new Error('The sample has no sheet.');
  return first;
}

/** Imports the shipped file once, then shows its sheet. Calling it again just shows it. */
export class SampleSheet {
  readonly #app: App;
  #preparing: Promise<SheetAddress> | undefined;

  constructor(app: App) {
    this.#app = app;
  }

  async open(): Promise<SheetAddress> {
    await this.#app.connections.use(connectionId);
    const sheet = await (this.#preparing ??= this.#prepare());
    await runCommand('promptTables.openSheet', sheet);
    return sheet;
  }

  /** Two clicks share one import. */
  async #prepare(): Promise<SheetAddress> {
    const title = vscode.l10n.t('Preparing the sample sheet');
    try {
      return await withProgress(this.#app, { title, where: 'notification' }, (signal, progress) =>
        prepare(this.#app, signal, progress),
      );
    } finally {
      this.#preparing = undefined;
    }
  }
}
