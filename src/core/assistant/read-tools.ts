import * as z from 'zod';
import type { Column } from '../../api/column.ts';
import type { Row, RowsPage } from '../../api/row.ts';
import { cellError } from '../../api/cell.ts';
import { NotFoundError, ValidationError } from '../errors.ts';
import { stringifyJson } from '../http/json.ts';
import { columnNamed, tableNamed } from '../tables/find.ts';
import type { SheetRef } from '../tables/ref.ts';
import { withinTokens, tokensIn } from './budget.ts';
import { presentationOf, textOfCell } from './cell-text.ts';
import { sheetFields, tokensField, workspaceField } from './fields.ts';
import { findPlace } from './place.ts';
import type { ToolCall } from './tool.ts';
import { survey, tool } from './tool.ts';

const mostSheets = 100;
/** What is spent on everything around the rows. */
const frameTokens = 150;
const fewestCharacters = 40;
/** Rows that are walked through for a cell that is not named by its id. */
const pagesForCell = 50;

export const listWorkspaces = survey({
  name: 'list_prompt_workspaces',
  title: 'List workspaces',
  description:
    'Lists the Prompt Tables workspaces (local, and hosted on PromptLayer) that can be used, and which one is in use. Call it when the user names a workspace, or when another tool finds nothing. The other tools take the name in "workspace".',
  effect: 'reads',
  input: z.strictObject({}),
  survey: (_, { workspaces, currentId }) => ({
    workspaces: workspaces.map(({ id, name, address }) => ({
      ...{ name, id, address },
      in_use: id === currentId,
    })),
  }),
});

export const listTables = tool({
  name: 'list_smart_tables',
  title: 'List tables',
  description:
    'Lists the tables of a workspace, newest first; with "table", the sheets of that table and how many rows each has. Tables hold sheets of prompt inputs, outputs and evaluations. Start here before reading rows. Returns ids, titles and counts.',
  effect: 'reads',
  input: z.strictObject({
    ...workspaceField,
    table: z.string().min(1).optional().describe('Title or id of a table whose sheets are wanted.'),
    name: z.string().min(1).optional().describe('Only tables with this text in their title.'),
    limit: z.int().min(1).max(100).default(50).describe('How many tables at most.'),
    cursor: z.string().optional().describe('The next_cursor of the answer before.'),
  }),
  async run({ table: wanted, name, limit, cursor }, { client, options }) {
    if (wanted !== undefined) {
      const table = await tableNamed(client.tables, wanted, options);
      const page = await client.tables.sheets.page(table.id, { limit: mostSheets }, options);
      return {
        table: { id: table.id, title: table.title },
        sheets: page.items.map(({ id, title, row_count: rows }) => ({ id, title, rows })),
        more_sheets: page.hasMore,
      };
    }
    const page = await client.tables.page({ name, limit, cursor }, options);
    return {
      tables: page.items.map(({ id, title, sheet_count: sheets, updated_at: updated }) => ({
        ...{ id, title, sheets, updated_at: updated },
      })),
      next_cursor: page.hasMore ? page.nextCursor : null,
    };
  },
});

/** Titles may repeat, and keys of an object may not. */
function namesOf(columns: readonly Column[]): ReadonlyMap<string, string> {
  const seen = new Map<string, number>();
  for (const { title } of columns) seen.set(title, (seen.get(title) ?? 0) + 1);
  return new Map(
    columns.map(({ id, title }) => [id, seen.get(title) === 1 ? title : `${title} (${id})`]),
  );
}

function rowsWithin(
  page: RowsPage,
  columns: readonly Column[],
  { limit, tokens }: { readonly limit: number; readonly tokens: number },
): readonly object[] {
  const names = namesOf(columns);
  const presentationOfRow = ({ row_index, cells }: Row, characters: number): object => ({
    row_index,
    cells: Object.fromEntries(
      columns.map(({ id }) => [names.get(id) ?? id, presentationOf(cells[id], characters)]),
    ),
  });
  const rows: object[] = [];
  let left = tokens;
  for (const row of page.items) {
    let presentation = presentationOfRow(row, limit);
    let needed = tokensIn(stringifyJson(presentation));
    if (needed > left && rows.length > 0) break;
    // One row has to fit, whatever it holds.
    for (let shorter = limit; needed > left && shorter > fewestCharacters;) {
      shorter = Math.floor(shorter / 2);
      presentation = presentationOfRow(row, shorter);
      needed = tokensIn(stringifyJson(presentation));
    }
    left -= needed;
    rows.push(presentation);
  }
  return rows;
}

async function findCell(
  { client, options }: ToolCall,
  ref: SheetRef,
  { rowIndex, column: wanted }: { readonly rowIndex: number; readonly column: string },
): Promise<string> {
  let pages = 0;
  for await (const page of client.tables.rows.pages(ref, {}, options)) {
    const { id } = columnNamed(page.columns, wanted);
    const row = page.items.find(({ row_index: index }) => index === rowIndex);
    const cell = row?.cells[id];
    if (cell !== undefined) return cell.id;
    pages += 1;
    if (row !== undefined || pages >= pagesForCell) break;
  }
  throw new NotFoundError(
    { kind: 'tool-call', words: `No cell was found at row_index ${String(rowIndex)}.` },
    {
      hint: {
        kind: 'call-again',
        words: 'Read the rows around it with read_sheet_rows, and give the cell_id of a cut cell.',
      },
    },
  );
}

/** Names one cell, in place of rows. */
const cellFields = {
  cell_id: z
    .string()
    .min(1)
    .optional()
    .describe('Of one cell, as read_sheet_rows has answered it: reads it whole.'),
  row_index: z.int().min(0).optional().describe('Of the row of one cell; together with column.'),
  column: z
    .string()
    .min(1)
    .optional()
    .describe('Title or id of the column of one cell; together with row_index.'),
  offset: z.int().min(0).default(0).describe('Character of the value of one cell to begin with.'),
};

const cellInput = z.strictObject({ ...sheetFields, ...cellFields, ...tokensField });

async function readCell(input: z.output<typeof cellInput>, call: ToolCall): Promise<object> {
  const { client, options, tokens } = call;
  const { ref } = await findPlace(call, input);
  const { cell_id: given, row_index: rowIndex, column, offset } = input;
  if (given === undefined && (rowIndex === undefined || column === undefined)) {
    throw new ValidationError({
      kind: 'tool-call',
      words: 'The cell is not named: give cell_id, or row_index and column.',
    });
  }
  const named = { rowIndex: rowIndex ?? 0, column: column ?? '' };
  const id = given ?? (await findCell(call, ref, named));
  const cell = await client.tables.cells.get(ref, id, options);
  const text = textOfCell(cell);
  const part = withinTokens(text.slice(offset), tokens - frameTokens);
  const end = offset + part.length;
  const { price, latency_ms, request_ids } = cell.request_metrics ?? {};
  return {
    ...{ row_index: cell.row_index, column_id: cell.column_id, status: cell.status },
    error: cellError(cell) ?? null,
    ...(cell.request_metrics && { cost_usd: price, latency_ms, request_ids }),
    value: part,
    characters: text.length,
    next_offset: end < text.length ? end : null,
  };
}

export const getCell = tool({
  name: 'get_sheet_cell',
  title: 'Read one cell',
  description: 'The same as read_sheet_rows with cell_id, or with row_index and column.',
  effect: 'reads',
  input: cellInput,
  run: readCell,
});

export const readRows = tool({
  name: 'read_sheet_rows',
  title: 'Read rows of a sheet',
  description:
    'Reads rows of a sheet as JSON: the columns with their types, then each row as {row_index, cells by column title}. A cell is its plain value, or an object when it is long (cell_id: call again with it to read the cell whole), not up to date (status: stale, queued, running, error, cancelled) or failed (error). The answer is kept within max_tokens: when rows are left, call again with next_cursor. Name only the columns that are needed. With cell_id, or row_index and column: that one cell with its full value, status, error and what its requests to models have cost; a long value comes in parts, go on with next_offset.',
  effect: 'reads',
  input: z.strictObject({
    ...sheetFields,
    columns: z
      .array(z.string())
      .min(1)
      .max(100)
      .optional()
      .describe('Titles or ids. Default: all.'),
    limit: z.int().min(1).max(100).default(20).describe('How many rows at most.'),
    cursor: z.string().optional().describe('The next_cursor of the answer before.'),
    max_cell_characters: z
      .int()
      .min(fewestCharacters)
      .max(20_000)
      .default(400)
      .describe('Longer cells are cut.'),
    ...cellFields,
    ...tokensField,
  }),
  async run(input, call) {
    const { client, options, tokens } = call;
    const { cell_id: cellId, row_index: rowIndex, column } = input;
    if ([cellId, rowIndex, column].some((each) => each !== undefined)) return readCell(input, call);
    const { ref, sheet } = await findPlace({ client, options }, input);
    const query = { include_columns: true, cursor: input.cursor };
    const read = (limit: number) => client.tables.rows.page(ref, { ...query, limit }, options);
    let page = await read(input.limit);
    const columns = input.columns?.map((name) => columnNamed(page.columns, name)) ?? page.columns;
    const heads = columns.map(({ id, title, type }) => ({ id, title, type }));
    const left = tokens - frameTokens - tokensIn(JSON.stringify(heads));
    const room = { limit: input.max_cell_characters, tokens: Math.max(left, frameTokens) };
    const rows = rowsWithin(page, columns, room);
    // A cursor continues behind the page it came with, so the page has to end where the answer ends.
    if (rows.length < page.items.length) page = await read(rows.length);
    const next = page.hasMore ? page.nextCursor : undefined;
    return {
      sheet: { title: sheet.title, id: sheet.id, rows: page.rowCount },
      columns: heads,
      rows,
      next_cursor: next ?? null,
    };
  },
});
