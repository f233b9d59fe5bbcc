import type { Row, RowsPage } from '../../../../src/api/row.ts';
import type { GridColumn } from '../../../../src/protocol/grid-sheet.ts';
import type { FetchRows, RowsRequest } from '../../../../src/extension/grid/rows/pages.ts';
import { InvalidCursorError } from '../../../../src/core/errors.ts';

export const textColumn: GridColumn = {
  id: 'c-text',
  title: 'Text',
  type: 'TEXT',
  icon: 'symbol-string',
  editable: true,
  computed: false,
  system: false,
  output: false,
  sources: [],
  numeric: false,
};

export const rowAt = (position: number): Row => ({
  row_index: position * 2,
  cells: {
    'c-text': {
      id: `cell-${position}`,
      column_id: 'c-text',
      row_index: position * 2,
      status: 'completed',
      value: `row ${position}`,
    },
  },
});

export interface FakeRows {
  readonly fetch: FetchRows;
  readonly requests: RowsRequest[];
  rows: Row[];
  version: number;
}

/** A list of rows behind cursors, which are bound to the order as the service binds them. */
export function fakeRows(
  count: number,
  { sendsRowCount = true, mostRows = 100, cursorsEndAfter = Infinity } = {},
): FakeRows {
  const fake: FakeRows = {
    rows: Array.from({ length: count }, (_, position) => rowAt(position)),
    version: 1,
    requests: [],
    async fetch(request, signal) {
      signal.throwIfAborted();
      await new Promise((resolve) => setImmediate(resolve));
      signal.throwIfAborted();
      fake.requests.push(request);
      const ordered = request.order === 'asc' ? fake.rows : fake.rows.toReversed();
      let start = 0;
      if (request.cursor !== undefined) {
        const [order, after] = request.cursor.split(':');
        if (order !== request.order || fake.requests.length > cursorsEndAfter) {
          throw new InvalidCursorError('no such cursor');
        }
        start = ordered.findIndex((row) =>
          order === 'asc' ? row.row_index > Number(after) : row.row_index < Number(after),
        );
        if (start === -1) start = ordered.length;
      }
      const items = ordered.slice(start, start + Math.min(request.limit, mostRows));
      const hasMore = start + items.length < ordered.length;
      const page: RowsPage = {
        items,
        hasMore,
        nextCursor: hasMore ? `${request.order}:${items.at(-1)!.row_index}` : undefined,
        columns: [],
        rowCount: sendsRowCount ? fake.rows.length : undefined,
        version: fake.version,
        aggregates: undefined,
      };
      return page;
    },
  };
  return fake;
}
