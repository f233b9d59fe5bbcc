import * as z from 'zod';
import type { GridLayout } from '../../protocol/grid-sheet.ts';
import type { HostEvents, RowsRequests, SheetRequests } from '../../protocol/grid.ts';
import { copyFormats } from '../../protocol/grid.ts';
import type { RowsQuery } from '../../protocol/grid-work.ts';
import { columnActions, conditionOperators } from '../../protocol/grid-work.ts';
import { checkMessage } from '../panels/check-message.ts';

/** Bounds that no honest grid reaches: a message beyond them is refused, not worked on. */
const mostColumns = 2000;
const mostRanges = 10_000;
const longestText = 20_000_000;
const mostBlockRows = 100_000;

const id = z.string().min(1).max(500);
const position = z.int().min(0);
const address = z.object({ columnId: id, rowIndex: position });
const ranges = z
  .array(z.object({ from: position, to: position }).readonly())
  .max(mostRanges)
  .readonly();
const columnIds = z.array(id).max(mostColumns).readonly();
export const selectionSchema = z.object({
  cursor: z.object({ position, columnId: id }).readonly().exactOptional(),
  rows: ranges,
  columnIds,
});
const nothing = z.null();
const scope = z.enum(['loaded', 'all']);

type Checked<Value> = z.ZodType<Value>;

export const rowsQuerySchema: Checked<RowsQuery> = z.object({
  conditions: z
    .array(
      z.object({
        columnId: z.string().max(500),
        operator: z.enum(conditionOperators),
        operand: z.string().max(100_000),
      }),
    )
    .max(100)
    .readonly(),
  match: z.enum(['all', 'any']),
  sort: z
    .array(z.object({ columnId: id, direction: z.enum(['asc', 'desc']) }))
    .max(20)
    .readonly(),
});

type Block = readonly (readonly (string | null)[])[];

const isBlockText = (text: unknown): boolean =>
  text === null || (typeof text === 'string' && text.length <= longestText);

/** Looked at as it is: a schema for each of its parts would make all of it once more. */
const isBlock = (block: unknown): boolean =>
  Array.isArray(block) &&
  block.length <= mostBlockRows &&
  block.every(
    (row: unknown) => Array.isArray(row) && row.length <= mostColumns && row.every(isBlockText),
  );

/** One schema for each request: a name without one does not compile. */
export const rowsRequestSchemas: {
  readonly [Name in keyof RowsRequests]: Checked<RowsRequests[Name]['params']>;
} = {
  ready: z.object({ page: position }),
  rows: z.object({ page: position, generation: z.int() }),
  cell: address,
  copy: z.object({ selection: selectionSchema, format: z.enum(copyFormats), headers: z.boolean() }),
  openValue: address,
  setOrder: z.object({
    order: z.enum(['asc', 'desc']),
    columnId: z.string().max(100).exactOptional(),
  }),
  reload: nothing,
};

export const requestSchemas: {
  readonly [Name in keyof SheetRequests]: Checked<SheetRequests[Name]['params']>;
} = {
  ...rowsRequestSchemas,
  edit: address.extend({
    text: z.string().max(longestText).nullable(),
    base: z.string().max(longestText).nullable(),
  }),
  resolveEdit: address.extend({ keep: z.enum(['mine', 'theirs']) }),
  resolveAll: z.object({
    state: z.enum(['conflict', 'refused']),
    keep: z.enum(['mine', 'theirs']),
  }),
  undo: nothing,
  redo: nothing,
  stopSaving: nothing,
  addRows: z.object({ count: z.int().min(1).max(1000) }),
  deleteRows: z.object({ rows: ranges }),
  run: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('cell'), cell: address }),
    z.object({ kind: z.literal('selection'), selection: selectionSchema }),
    z.object({ kind: z.literal('column'), columnId: id, onlyStale: z.boolean() }),
    z.object({ kind: z.literal('rows'), rows: ranges }),
    z.object({ kind: z.literal('stale') }),
    z.object({ kind: z.literal('failed') }),
  ]),
  cancelOperation: z.object({ operationId: id }),
  showSystemColumns: z.object({ show: z.boolean() }),
  setView: z.object({ query: rowsQuerySchema.nullable(), scope }),
  find: z.object({
    text: z.string().min(1).max(10_000),
    isPattern: z.boolean(),
    matchCase: z.boolean(),
    columnIds,
    scope,
  }),
  summary: z.object({ selection: selectionSchema }),
  change: z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('paste'),
      position,
      columnIds,
      block: z.custom<Block>(isBlock),
      selection: selectionSchema,
    }),
    z.object({ kind: z.literal('fill'), selection: selectionSchema }),
    z.object({
      kind: z.literal('clear'),
      selection: selectionSchema,
      to: z.enum(['empty', 'null']),
    }),
  ]),
  readPaste: z.object({
    text: z.string().max(longestText).nullable(),
    table: z
      .object({
        block: z
          .array(z.array(z.string().max(longestText)).max(mostColumns).readonly())
          .max(mostBlockRows)
          .readonly(),
        isAll: z.boolean(),
        isExact: z.boolean(),
      })
      .nullable(),
    isAsked: z.boolean(),
  }),
  columnAction: z.object({ action: z.enum(columnActions), columnId: id }),
  moveColumn: z.object({ columnId: id, beforeId: id.nullable() }),
};

export const layoutSchema: Checked<GridLayout> = z.object({
  widths: z.record(z.string(), z.number().min(0).max(100_000)),
  hidden: columnIds,
  pinned: columnIds,
  order: columnIds,
});

export const eventSchemas: {
  readonly [Name in keyof HostEvents]: Checked<HostEvents[Name]>;
} = {
  close: nothing,
  visiblePages: z.object({ first: position, last: position }),
  layout: layoutSchema,
  cursor: z
    .object({ position, columnId: id, editing: z.boolean(), canRun: z.boolean() })
    .nullable(),
  draft: address
    .extend({
      position,
      text: z.string().max(longestText),
      base: z.string().max(longestText).nullable(),
    })
    .nullable(),
};

/** The message as its schema has it; throws when it is none of ours or does not fit. */
export const checkFromGrid = checkMessage('The grid', {
  request: requestSchemas,
  event: eventSchemas,
});
