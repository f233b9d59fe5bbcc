import * as vscode from 'vscode';
import type { Client } from '../../core/index.ts';
import type { SheetAddress } from '../shell/address.ts';
import { refOf } from '../shell/address.ts';
import type { App } from '../shell/app.ts';
import { importFile } from '../ask/import-file.ts';
import type { Progress } from '../shell/progress.ts';
import type { SampleSheetFacts } from './sample.ts';
import { connectionId } from './sample.ts';

type Tables = Client['tables'];
interface Options {
  readonly signal: AbortSignal;
}

/** The table may be there from an earlier time; its existence is all that is remembered. */
export async function findOrCreateTable(
  tables: Tables,
  title: string,
  options: Options,
): Promise<string> {
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

async function addScorecard(
  { columns, scorecards }: Tables,
  sheet: SheetAddress,
  scorecard: NonNullable<SampleSheetFacts['scorecard']>,
  options: Options,
): Promise<void> {
  const ref = refOf(sheet);
  const ids = new Map<string, string>();
  for await (const { title, id } of columns.list(ref, {}, options)) ids.set(title, id);
  const idsOf = (titles: readonly string[]) => titles.flatMap((title) => ids.get(title) ?? []);
  const { name, aggregation, evaluated, steps } = scorecard;
  await scorecards.configure(
    ref,
    {
      name,
      aggregation,
      evaluated_column_ids: idsOf(evaluated),
      steps: steps.map(({ source, ...step }) =>
        source === undefined ? step : { ...step, source_column_ids: idsOf([source]) },
      ),
    },
    options,
  );
}

export interface Preparation {
  readonly app: App;
  readonly folder: vscode.Uri;
  readonly tables: Tables;
  readonly tableId: string;
  readonly signal: AbortSignal;
  readonly progress: Progress;
}

/** Adds what the sheet lacks. Answers how many columns it lacked. */
async function complete(
  tables: Tables,
  sheet: SheetAddress,
  facts: SampleSheetFacts,
  options: Options,
): Promise<number> {
  const { scorecard } = facts;
  const [columns, known] = await Promise.all([
    addMissingColumns(tables, sheet, facts, options),
    scorecard && tables.scorecards.get(refOf(sheet), options),
  ]);
  if (scorecard !== undefined && known?.scorecard === null)
    await addScorecard(tables, sheet, scorecard, options);
  return columns;
}

/** Imports the sheets that aren't there, one after the other, and completes all of them. */
export async function prepareSheets(
  { app, folder, tables, tableId, signal, progress }: Preparation,
  sheets: readonly SampleSheetFacts[],
): Promise<readonly SheetAddress[]> {
  const options = { signal };
  const known = await Promise.all(
    sheets.map(({ title }) => findSheet(tables, tableId, title, options)),
  );
  const prepared: { readonly sheet: SheetAddress; readonly facts: SampleSheetFacts }[] = [];
  for (const [at, facts] of sheets.entries()) {
    const { title, file: fileName } = facts;
    const read = async () => vscode.workspace.fs.readFile(vscode.Uri.joinPath(folder, fileName));
    const sheet =
      known[at] ??
      (await importFile(
        app,
        { connectionId, tableId, fileName, content: await read(), title },
        signal,
        progress,
      ));
    prepared.push({ sheet, facts });
  }
  const added = await Promise.all(
    prepared.map(async ({ sheet, facts }) => complete(tables, sheet, facts, options)),
  );
  if (added.some((columns) => columns > 0)) app.changes.tell({ connectionId, what: 'tables' });
  return prepared.map(({ sheet }) => sheet);
}
