import path from 'node:path';
import * as vscode from 'vscode';
import type { Cell } from '../../api/cell.ts';
import type { Column } from '../../api/column.ts';
import { CancelledError, ValidationError } from '../../core/errors.ts';
import { parseJsonAsWritten, stringifyJson } from '../../core/http/json.ts';
import { writtenJson } from '../../core/tables/json-text.ts';
import type { Filling, RunVariable } from '../../protocol/run.ts';
import { refOf } from '../shell/address.ts';
import type { App } from '../shell/app.ts';
import { columnsOfSheet } from './column-places.ts';
import { pickSheet } from './pick.ts';
import { withProgress } from '../shell/progress.ts';
import { recordsIn } from '../shell/records-in-file.ts';
import type { Owner } from './run-variables.ts';
import { showOpenDialog } from '../shell/shown.ts';
import type { VariableSets } from './variable-sets.ts';
import { showInputBox, showQuickPick } from '../shell/questions.ts';
import { isMapping } from '../../core/mapping.ts';

const t = vscode.l10n.t;
/** Rows that are listed: the first ones of the sheet or file. Others are asked for by number. */
const mostRows = 200;
const largestFileBytes = 20 * 1024 * 1024;

type Values = Readonly<Record<string, unknown>>;

async function chosen<Item extends vscode.QuickPickItem>(
  items: readonly Item[],
  options: vscode.QuickPickOptions,
): Promise<Item> {
  const picked = await showQuickPick(items, {
    ...options,
    ...{ matchOnDescription: true, matchOnDetail: true },
  });
  if (picked === undefined) throw new CancelledError('The choice was dismissed.');
  return picked;
}

const asText = (value: unknown): string =>
  typeof value === 'string' ? value : stringifyJson(value ?? null);
export const oneLine = (value: unknown): string =>
  asText(value).replaceAll(/\s+/g, ' ').slice(0, 120);
export const summary = (values: Values): string =>
  Object.entries(values)
    .map(([name, value]) => `${name}: ${oneLine(value)}`)
    .join(' · ')
    .slice(0, 300);

const isLine = (value: unknown): value is string =>
  typeof value === 'string' && !value.includes('\n');

/** A variable with a value: as text where it is one, else as JSON. */
export function filled(variable: RunVariable, value: unknown): RunVariable {
  if (variable.as !== undefined && Array.isArray(value) && value.every(isLine)) {
    return { ...variable, kind: 'text', text: value.join('\n') };
  }
  if (typeof value !== 'string') return { ...variable, kind: 'json', text: asText(value) };
  return { ...variable, text: value };
}

/** Names are matched as they are, else without regard to capitals. */
const named = <Item>(items: readonly Item[], name: string, nameOf: (item: Item) => string) =>
  items.find((item) => nameOf(item) === name) ??
  items.find((item) => nameOf(item).toLowerCase() === name.toLowerCase());

/** Those of the variables that the values have; throws when there are none. */
function matching(variables: readonly RunVariable[], values: Values): readonly RunVariable[] {
  const entries = Object.entries(values);
  const found = variables.flatMap((variable) => {
    const entry = named(entries, variable.name, ([name]) => name);
    return entry === undefined ? [] : [filled(variable, entry[1])];
  });
  if (found.length > 0) return found;
  throw new ValidationError(t('None of the names matches a variable.'), {
    hint: t(
      'Names: {0}. Variables: {1}.',
      entries.map(([name]) => name).join(', '),
      variables.map(({ name }) => name).join(', '),
    ),
  });
}

interface OfferedRow<Row> {
  readonly row: Row;
  readonly values: Values;
}

interface OfferedRows<Row> {
  readonly first: readonly OfferedRow<Row>[];
  readonly total: number;
  /** One that is not among the first, by its number from 1. */
  readonly fetchRow: (number: number) => Promise<Row | undefined>;
}

/** One of the first rows, or another by its number. */
async function chosenRow<Row>(
  title: string,
  { first, total, fetchRow }: OfferedRows<Row>,
): Promise<{ readonly row: Row; readonly label: string }> {
  const labelOf = (number: number): string => t('Row {0}', number);
  const hasMore = total > first.length;
  const items: readonly (vscode.QuickPickItem & { readonly row?: Row })[] = [
    ...(hasMore ? [{ label: t('Another row…'), iconPath: new vscode.ThemeIcon('search') }] : []),
    ...first.map(({ row, values }, at) => ({
      ...{ label: labelOf(at + 1), detail: summary(values), row },
    })),
  ];
  const number = new Intl.NumberFormat(vscode.env.language);
  const placeHolder = t(
    'The first {0} of {1} rows are listed.',
    ...[first.length, total].map((count) => number.format(count)),
  );
  const { row, label } = await chosen(items, { title, ...(hasMore && { placeHolder }) });
  if (row !== undefined) return { row, label };
  const wanted = await askRowNumber(title, total);
  const fetched = first[wanted - 1]?.row ?? (await fetchRow(wanted));
  if (fetched !== undefined) return { row: fetched, label: labelOf(wanted) };
  throw new ValidationError(t('Row {0} no longer exists.', wanted), {
    hint: t('Rows were deleted in the meantime. Select another one.'),
  });
}

async function askRowNumber(title: string, total: number): Promise<number> {
  const range = t('A whole number from 1 to {0}', total);
  const entered = await showInputBox({
    title,
    prompt: range,
    validateInput: (text) => {
      const isOne = /^\s*\d{1,15}\s*$/.test(text) && Number(text) >= 1 && Number(text) <= total;
      return isOne ? undefined : range;
    },
  });
  if (entered === undefined) throw new CancelledError('The input was dismissed.');
  return Number(entered);
}

type Cells = Readonly<Record<string, Cell>>;

/** A cell's value as a prompt is given it; undefined: it has none. */
export function valueOf(cell: Cell | undefined): unknown {
  const value = cell?.value ?? cell?.display_value ?? undefined;
  const isText = typeof value === 'string' || cell === undefined || value === undefined;
  return isText ? value : parseJsonAsWritten(writtenJson(cell));
}

async function fromSheet(
  app: App,
  { connectionId }: Owner,
  variables: readonly RunVariable[],
): Promise<Filling> {
  const title = t('Fill from a row of a sheet');
  const address = await pickSheet(app, title, { connectionId });
  const { signal } = app;
  const client = await app.connections.client(address.connectionId, { signal });
  const ref = refOf(address);
  const columns = await columnsOfSheet(client, ref, signal);
  const first: OfferedRow<Cells>[] = [];
  const query = { limit: 100, include_columns: false };
  let total = 0;
  for await (const page of client.tables.rows.pages(ref, query, { signal })) {
    if (page.restarted) first.length = 0;
    for (const { cells } of page.items) {
      const values = columns.flatMap(({ id, title: column }) => {
        const value = valueOf(cells[id]);
        return value === undefined ? [] : [[column, value] as const];
      });
      first.push({ row: cells, values: Object.fromEntries(values) });
    }
    total = page.rowCount ?? first.length;
    if (first.length >= mostRows) break;
  }
  if (first.length === 0) {
    throw new ValidationError(t('{0} has no rows.', address.sheet.title));
  }
  const fetchRow = (number: number): Promise<Cells | undefined> =>
    withProgress(
      app,
      { title: t('Loading row {0}…', number), where: 'notification' },
      async (stop) => {
        let before = 0;
        const pages = client.tables.rows.pages(ref, query, { signal: stop });
        for await (const { items, restarted } of pages) {
          if (restarted) before = 0;
          const row = items[number - 1 - before];
          if (row !== undefined) return row.cells;
          before += items.length;
        }
        return undefined;
      },
    );
  const { row, label } = await chosenRow(title, { first, total, fetchRow });
  const result: RunVariable[] = [];
  for (const variable of variables) {
    const column =
      named(columns, variable.name, ({ title: name }) => name) ??
      (await columnFor(variable.name, columns));
    const value = column === undefined ? undefined : valueOf(row[column.id]);
    if (value !== undefined) result.push(filled(variable, value));
  }
  return { variables: result, source: `${address.sheet.title}, ${label}` };
}

/** For a variable that no column has the name of. */
async function columnFor(name: string, columns: readonly Column[]): Promise<Column | undefined> {
  const items: readonly (vscode.QuickPickItem & { readonly column?: Column })[] = [
    { label: t('Leave it as it is'), iconPath: new vscode.ThemeIcon('dash') },
    ...columns.map((column) => ({ label: column.title, description: column.type, column })),
  ];
  const title = t('Column for the variable {0}', name);
  return (await chosen(items, { title })).column;
}

async function fromFile(variables: readonly RunVariable[]): Promise<Filling> {
  const title = t('Fill from a file');
  const filters = { [t('JSON or CSV')]: ['json', 'jsonl', 'ndjson', 'csv'] };
  const [uri] = (await showOpenDialog({ title, filters })) ?? [];
  if (uri === undefined) throw new CancelledError('The choice was dismissed.');
  const name = path.posix.basename(uri.path);
  const { size } = await vscode.workspace.fs.stat(uri);
  if (size > largestFileBytes) {
    throw new ValidationError(t('{0} is larger than 20 MB.', name), {
      hint: t('Copy the rows that you need to a separate file.'),
    });
  }
  const bytes = await vscode.workspace.fs.readFile(uri);
  const records = recordsIn(name, new TextDecoder('utf-8', { ignoreBOM: false }).decode(bytes), t);
  return { variables: matching(variables, await oneOf(records, title)), source: name };
}

/** The one there is, or the one that is chosen. */
async function oneOf(records: readonly Values[], title: string): Promise<Values> {
  const [only] = records;
  if (only === undefined) throw new ValidationError(t('The file has no values.'));
  if (records.length === 1) return only;
  const first = records.slice(0, mostRows).map((record) => ({ row: record, values: record }));
  const fetchRow = (number: number): Promise<Values | undefined> =>
    Promise.resolve(records[number - 1]);
  return (await chosenRow(title, { first, total: records.length, fetchRow })).row;
}

/** The text that is selected in an editor on screen, or undefined. */
function selectedText(): string | undefined {
  const { activeTextEditor, visibleTextEditors } = vscode.window;
  const editors = activeTextEditor ? [activeTextEditor, ...visibleTextEditors] : visibleTextEditors;
  const editor = editors.find(({ selection }) => !selection.isEmpty);
  return editor?.document.getText(editor.selection);
}

async function fromSelection(variables: readonly RunVariable[], text: string): Promise<Filling> {
  const source = t('the selection');
  const values = objectIn(text);
  if (values !== undefined) {
    const isNamed = variables.some(({ name }) => Object.hasOwn(values, name));
    if (isNamed) return { variables: matching(variables, values), source };
  }
  const items = variables.map((variable) => ({ label: variable.name, variable }));
  const [only] = items;
  const title = t('Variable to fill with the selection');
  const { variable } = items.length === 1 && only ? only : await chosen(items, { title });
  return { variables: [filled(variable, text)], source };
}

function objectIn(text: string): Values | undefined {
  try {
    const value = parseJsonAsWritten(text);
    return isMapping(value) ? value : undefined;
  } catch {
    return undefined; // a text that is no JSON is just a text
  }
}

async function askName(title: string): Promise<string> {
  const name = await showInputBox({
    title,
    validateInput: (text) => (text.trim() === '' ? t('Enter a name.') : undefined),
  });
  if (name === undefined) throw new CancelledError('The input was dismissed.');
  return name.trim();
}

/** Asks where values are to come from, and gets them. Also keeps and removes named sets of them. */
export async function fillVariables(
  app: App,
  sets: VariableSets,
  owner: Owner,
  variables: readonly RunVariable[],
): Promise<Filling> {
  if (variables.length === 0) throw new ValidationError(t('There are no variables to fill.'));
  interface Way extends vscode.QuickPickItem {
    readonly take: () => Promise<Filling>;
  }
  const kept = sets.of(owner);
  const selection = selectedText();
  const same = (source: string): Filling => ({ variables: [], source });
  const way = (label: string, icon: string, take: Way['take'], description = ''): Way => ({
    ...{ label, description, take, iconPath: new vscode.ThemeIcon(icon) },
  });
  const separator = (label: string): Way => ({
    ...{ label, kind: vscode.QuickPickItemKind.Separator, take: () => Promise.resolve(same('')) },
  });
  const ways: readonly Way[] = [
    way(t('Row of a sheet…'), 'table', () => fromSheet(app, owner, variables)),
    way(t('File…'), 'file', () => fromFile(variables), t('JSON, JSON lines or CSV')),
    ...(selection === undefined
      ? []
      : [
          way(
            t('Selection in the editor'),
            'selection',
            () => fromSelection(variables, selection),
            oneLine(selection),
          ),
        ]),
    separator(t('Sets')),
    ...kept.map((set) =>
      way(
        set.title,
        'bookmark',
        () => Promise.resolve({ variables: set.variables, source: set.title }),
        summary(Object.fromEntries(set.variables.map(({ name, text }) => [name, text]))),
      ),
    ),
    way(t('Keep these values as a set…'), 'save', async () => {
      const title = await askName(t('Name of the set'));
      await sets.keep(owner, { title, variables });
      return same(t('kept as {0}', title));
    }),
    ...(kept.length === 0
      ? []
      : [
          way(t('Remove a set…'), 'trash', async () => {
            const items = kept.map(({ title: label }) => ({ label }));
            const { label } = await chosen(items, { title: t('Remove a set') });
            await sets.remove(owner, label);
            return same(t('{0} was removed', label));
          }),
        ]),
  ];
  const picked = await chosen(ways, { title: t('Fill the variables of {0}', owner.name) });
  return picked.take();
}
