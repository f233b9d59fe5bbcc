import * as vscode from 'vscode';
import { CancelledError, ValidationError } from '../../core/errors.ts';
import { mostCases } from '../../protocol/matrix.ts';
import { columnsOfSheet } from '../ask/column-places.ts';
import { oneLine, summary, valueOf } from '../ask/fill-variables.ts';
import { pickSheet } from '../ask/pick.ts';
import { valuesOf } from '../ask/run-variables.ts';
import { VariableSets } from '../ask/variable-sets.ts';
import { spellDate } from '../shell/amounts.ts';
import { refOf } from '../shell/address.ts';
import type { App } from '../shell/app.ts';
import { withProgress } from '../shell/progress.ts';
import { showInputBox, showQuickPick } from '../shell/questions.ts';
import { showInformationMessage, showOpenDialog } from '../shell/shown.ts';
import type { Case, Plan } from './plan.ts';

const t = vscode.l10n.t;
const dismissed = (): CancelledError => new CancelledError('The choice was dismissed.');
const number = (value: number): string => new Intl.NumberFormat(vscode.env.language).format(value);

export type NewCase = Omit<Case, 'id'>;

interface Asked {
  readonly app: App;
  readonly plan: Plan;
  /** So many more there is room for. */
  readonly room: number;
}

/** What was left out is said: a comparison of the first rows is not one of all. */
function tellOfRest(source: string, taken: number, total: number): void {
  if (taken >= total) return;
  void showInformationMessage(
    t('{0} of the {1} rows of {2} were added.', number(taken), number(total), source),
  );
}

async function fromSheet(asked: Asked): Promise<readonly NewCase[]> {
  const { app, plan, room } = asked;
  const { connectionId } = plan;
  const address = await pickSheet(app, t('Compare for the rows of a sheet'), { connectionId });
  const title = t('Reading {0}', address.sheet.title);
  return withProgress(app, { title, where: 'notification' }, async (signal) => {
    const client = await app.connections.client(connectionId, { signal });
    const columns = await columnsOfSheet(client, refOf(address), signal);
    let cases: NewCase[] = [];
    let total = 0;
    const query = { limit: 100, include_columns: false };
    for await (const page of client.tables.rows.pages(refOf(address), query, { signal })) {
      if (page.restarted) cases = [];
      for (const { cells } of page.items) {
        const values = columns.flatMap(({ id, title: name }) => {
          const value = valueOf(cells[id]);
          return value === undefined ? [] : [[name, value] as const];
        });
        const at = t('Row {0}', number(cases.length + 1));
        cases.push({ title: at, values: Object.fromEntries(values) });
      }
      total = page.rowCount ?? cases.length;
      if (cases.length >= room) break;
    }
    if (cases.length === 0) {
      throw new ValidationError(t('{0} has no rows.', address.sheet.title));
    }
    tellOfRest(address.sheet.title, Math.min(cases.length, room), total);
    return cases.slice(0, room);
  });
}

async function fromFile({ app, room }: Asked): Promise<readonly NewCase[]> {
  const { importEndings, readFileRows } = await import('../import-parts.ts');
  const filters = { [t('Tables')]: Object.values(importEndings).flat() };
  const title = t('Compare for the rows of a file');
  const [uri] = (await showOpenDialog({ title, filters })) ?? [];
  if (uri === undefined) throw dismissed();
  const { name, rows, total } = await readFileRows(app, uri, room);
  if (rows.length === 0) throw new ValidationError(t('The file has no values.'));
  tellOfRest(name, rows.length, total);
  return rows.map((values, at) => ({ title: t('Row {0}', number(at + 1)), values }));
}

/** One value after the other; those that look like JSON lists and objects are these. */
async function typed({ plan }: Asked, taken: number): Promise<readonly NewCase[]> {
  const variables = new Map(
    plan.columns.flatMap((column) => column.variables.map((variable) => [variable.name, variable])),
  );
  const entered = [];
  for (const variable of variables.values()) {
    const text = await showInputBox({
      title: t('Value of {0}', variable.name),
      prompt: variable.kind === 'json' ? t('JSON') : '',
    });
    if (text === undefined) throw dismissed();
    entered.push({ ...variable, text });
  }
  return [{ title: t('Case {0}', number(taken + 1)), values: valuesOf(entered, t) }];
}

/** Asks where cases are to come from, and gets them. Errors: CancelledError. */
export async function askCases(asked: Asked, taken: number): Promise<readonly NewCase[]> {
  const { app, plan, room } = asked;
  if (room <= 0) {
    throw new ValidationError(t('At most {0} cases can be compared.', number(mostCases)), {
      hint: t('Remove the cases first.'),
    });
  }
  interface Way extends vscode.QuickPickItem {
    readonly take: () => Promise<readonly NewCase[]>;
  }
  const way = (label: string, icon: string, take: Way['take'], detail = ''): Way => ({
    ...{ label, take, iconPath: new vscode.ThemeIcon(icon) },
    ...(detail !== '' && { detail }),
  });
  const sets = new VariableSets(app.context.workspaceState, 'prompt');
  const names = [...new Set(plan.columns.map(({ source }) => source.promptName))];
  const kept = names.flatMap((name) => sets.of({ connectionId: plan.connectionId, name }));
  const caseOf = ({ title, variables }: (typeof kept)[number]): NewCase => ({
    title,
    values: valuesOf(variables, t),
  });
  const runs = await runsOf(app, plan, names);
  const ways: readonly Way[] = [
    way(t('Rows of a sheet…'), 'table', () => fromSheet(asked)),
    way(t('Rows of a file…'), 'file', () => fromFile(asked)),
    way(t('Enter values…'), 'edit', () => typed(asked, taken)),
    ...(kept.length < 2
      ? []
      : [
          way(t('All {0} sets that were kept', kept.length), 'library', () =>
            Promise.resolve(kept.map(caseOf)),
          ),
        ]),
    ...kept.map((set) =>
      way(
        set.title,
        'bookmark',
        () => Promise.resolve([caseOf(set)]),
        summary(Object.fromEntries(set.variables.map(({ name, text }) => [name, text]))),
      ),
    ),
    ...runs.map(({ title, inputs, read }) =>
      way(t('Run of {0}', title), 'history', read, oneLine(inputs)),
    ),
  ];
  const picked = await showQuickPick(ways, { title: t('Add cases'), matchOnDetail: true });
  if (picked === undefined) throw dismissed();
  return (await picked.take()).slice(0, room);
}

const mostRuns = 20;

/** What the last runs of these prompts were given. */
async function runsOf(app: App, { connectionId }: Plan, names: readonly string[]) {
  const history = await app.history();
  const entries = await history.list((error) => app.errors.note(error, 'Reading the runs'));
  return entries
    .filter((entry) => {
      const { kind, name, inputs } = entry;
      const isOurs = entry.connectionId === connectionId && names.includes(name);
      return kind === 'prompt' && isOurs && inputs !== '';
    })
    .slice(0, mostRuns)
    .map((entry) => ({
      title: spellDate(entry.startedAt),
      inputs: entry.inputs,
      read: async (): Promise<readonly NewCase[]> => {
        const detail = await history.detail(entry.id);
        if (detail === undefined)
          throw new ValidationError(t('What this run was given is not kept.'));
        return [{ title: entry.name, values: valuesOf(detail.variables, t) }];
      },
    }));
}
