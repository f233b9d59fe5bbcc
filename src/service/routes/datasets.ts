import { addTrace } from '../../api/dataset.ts';
import { jsonObject } from '../http/json-text.ts';
import { invalid, notFound } from '../http/problem.ts';
import type { Route } from '../http/route.ts';
import { created, route } from '../http/route.ts';
import { stringifyJson } from '../../core/http/json.ts';
import { appendRows, insertInputs } from '../store/insert-rows.ts';
import { cleanText } from '../store/clean-json.ts';
import { insertTextColumns } from '../store/create-sheet.ts';
import type { Session } from '../store/database.ts';
import { COLUMN_LIMIT } from '../store/limits.ts';
import type { ColumnRecord, SheetRecord } from '../store/records.ts';
import { findSheetForUpdate, listColumns, raiseVersion } from '../store/scope.ts';
import { settledId } from '../traces/span.ts';
import { folded } from '../store/folded.ts';
import { spanJson } from '../traces/span-json.ts';
import { traceTree } from '../traces/trace-tree.ts';
import type { SpanRecord } from '../traces/store.ts';
import { spansOfTrace } from '../traces/store.ts';
import { writeTraceMetrics } from './trace-metrics.ts';

const MOST_CHARACTERS = 1_000_000;
/** For a tree, and the names of the fields around it and the list of spans. */
const MOST_TREE_CHARACTERS = MOST_CHARACTERS / 2;
const LEAST_REST = 1000;
const MOST_CHILDREN = 50;
const LONGEST_TITLE = 255;

/** Values of a row, JSON text by the title of their column. */
type RowValues = ReadonlyMap<string, string>;

/** A title that none has yet: a number distinguishes spans with the same name. */
function freeName(name: string, taken: ReadonlyMap<string, string>): string {
  const short = name.trim().slice(0, LONGEST_TITLE - 10) || 'span';
  for (let count = 1; ; count += 1) {
    const title = count === 1 ? short : `${short} ${String(count)}`;
    if (!taken.has(title)) return title;
  }
}

/**
 * The whole trace in one column: all spans, and as a tree with the answers of models, as clients that
 * evaluate by traces read it. The tree has what room the spans, and what is beside them, leave in a row.
 */
async function wholeTrace(
  session: Session,
  spans: readonly SpanRecord[],
  { traceId, beside }: { readonly traceId: string; readonly beside: number },
): Promise<RowValues> {
  const fields = { trace_id: traceId, spans: spans.map(spanJson) };
  const left = MOST_CHARACTERS - jsonObject(fields).length - beside - LEAST_REST;
  const tree = await traceTree(session, spans, Math.min(MOST_TREE_CHARACTERS, Math.max(left, 0)));
  return new Map([['trace', jsonObject({ ...fields, ...tree }).text]]);
}

/** A span in one column, and each of its children in one of its own. */
function spanWithChildren(spans: readonly SpanRecord[], spanId: string): RowValues {
  const span = spans.find(({ span_id: id }) => id === spanId);
  if (span === undefined) throw notFound('This span');
  const children = spans.filter(({ parent_id: id }) => id === spanId);
  if (children.length > MOST_CHILDREN) {
    throw invalid(
      `The span has ${String(children.length)} children; a row takes ${String(MOST_CHILDREN)}.`,
    );
  }
  const values = new Map([['span', spanJson(span).text]]);
  for (const child of children) values.set(freeName(child.name, values), spanJson(child).text);
  return values;
}

/** `Trace`, as clients call the column that they make for it, is `trace`. */
const sameTitle = (one: string, other: string): boolean => folded(one) === folded(other);

/** The TEXT columns of these titles, in their order; made at the end where there are none. */
async function columnsFor(
  session: Session,
  sheet: SheetRecord,
  titles: readonly string[],
): Promise<ColumnRecord[]> {
  const before = await listColumns(session, sheet.key, { withSystem: true });
  const isThere = (title: string): boolean =>
    before.some((column) => sameTitle(column.title, title));
  const missing = titles.filter((title) => !isThere(title));
  if (before.length + missing.length > COLUMN_LIMIT) {
    throw invalid(`A sheet has at most ${String(COLUMN_LIMIT)} columns.`);
  }
  if (missing.length > 0) {
    const rank = Math.max(0, ...before.map(({ position_rank: place }) => place)) + 1;
    await insertTextColumns(session, sheet.key, sheet.next_column_key, missing, rank);
    await session.run('update sheets set next_column_key = next_column_key + ? where key = ?', [
      missing.length,
      sheet.key,
    ]);
  }
  const after = await listColumns(session, sheet.key, { withSystem: true });
  return titles.map((title) => {
    const column =
      after.find((one) => one.title === title) ?? after.find((one) => sameTitle(one.title, title));
    if (column?.type === 'TEXT') return column;
    throw invalid(`The column "${title}" is computed: rename it, so that the trace has its own.`);
  });
}

const add = route(addTrace, async ({ body, workspaceId, services }) => {
  const { smart_table_id: table, sheet_id: id } = body;
  if (table === undefined || id === undefined) {
    throw invalid(
      'There are no data sets here. Name a sheet to add the trace to, with smart_table_id and sheet_id.',
    );
  }
  const scope = { workspaceId, tableId: table.toLowerCase(), sheetId: id.toLowerCase() };
  const traceId = cleanText(settledId(body.trace_id));
  const spanId = body.span_id ?? undefined;
  const answer = await services.database.transaction(async (session) => {
    const sheet = await findSheetForUpdate(services.database, session, scope);
    const spans = await spansOfTrace(session, workspaceId, traceId);
    if (spans.length === 0) throw notFound('This trace');
    const metadata = body.metadata ? stringifyJson(body.metadata) : '';
    const values = new Map(
      spanId === undefined
        ? await wholeTrace(session, spans, { traceId, beside: metadata.length })
        : spanWithChildren(spans, cleanText(settledId(spanId))),
    );
    if (metadata !== '') values.set(freeName('metadata', values), metadata);
    const size = [...values.values()].reduce((sum, value) => sum + value.length, 0);
    if (size > MOST_CHARACTERS) {
      throw invalid('The row would have more than 1,000,000 characters. Add a span of the trace.');
    }
    const columns = await columnsFor(session, sheet, [...values.keys()]);
    const [row] = await appendRows(session, sheet, 1);
    const rowIndex = row?.row_index ?? sheet.next_row_index;
    const cells = [...values.values()].map((value, at) => ({
      rowIndex,
      columnKey: columns[at]?.key ?? 0,
      value,
      number: null,
    }));
    await insertInputs(session, sheet.key, cells);
    if (spanId === undefined && columns[0] !== undefined) {
      await writeTraceMetrics(session, columns[0], { rowIndex, spans });
    }
    return jsonObject({
      success: true,
      mode: spanId === undefined ? 'trace' : 'span',
      smart_table_id: scope.tableId,
      sheet_id: sheet.id,
      row_index: rowIndex,
      column_ids: columns.map((column) => column.id),
      version: await raiseVersion(session, sheet.key),
    });
  });
  return created(answer);
});

export const datasetRoutes: readonly Route[] = [add];
