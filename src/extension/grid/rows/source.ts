import type { Cell } from '../../../api/cell.ts';
import type { CancelAnswer, Operation } from '../../../api/operation.ts';
import type { RowsPage } from '../../../api/row.ts';
import type {
  AddedRows,
  CellWrite,
  Client,
  DeletedRows,
  OperationList,
  OperationRequest,
  OperationStart,
  Recalculation,
  SheetRef,
  UpdatedCell,
  WrittenCells,
} from '../../../core/index.ts';
import type { RowOrder } from '../../../protocol/grid-sheet.ts';

export interface SheetRowsQuery {
  readonly cursor?: string | undefined;
  readonly limit: number;
  readonly order: RowOrder;
  readonly columns: boolean;
  readonly systemColumns: boolean;
  readonly aggregates: boolean;
}

export interface SheetTitles {
  readonly sheet: string;
  readonly table: string;
  readonly rowCount: number | undefined;
}

/** What one sheet of a service offers to the grid. */
export interface SheetSource {
  titles(signal: AbortSignal): Promise<SheetTitles>;
  rows(query: SheetRowsQuery, signal: AbortSignal): Promise<RowsPage>;
  cell(cellId: string, signal: AbortSignal): Promise<Cell>;
  /** `text`: what is shown of the value. */
  writeCell(
    cellId: string,
    cell: { readonly value: unknown; readonly text: string | null },
    signal: AbortSignal,
  ): Promise<UpdatedCell>;
  /** Whether many cells are written with one request. */
  readonly takesMany: boolean;
  /** Undefined where the service writes one cell at a time only. */
  writeCells(cells: readonly CellWrite[], signal: AbortSignal): Promise<WrittenCells | undefined>;
  /** `values`: of TEXT columns by column id, one for each row. */
  addRows(
    count: number,
    signal: AbortSignal,
    values?: readonly Readonly<Record<string, unknown>>[],
  ): Promise<AddedRows>;
  deleteRows(rowIndices: readonly number[], signal: AbortSignal): Promise<DeletedRows>;
  recalculate(cellIds: readonly string[], signal: AbortSignal): Promise<Recalculation>;
  startOperation(request: OperationRequest, signal: AbortSignal): Promise<OperationStart>;
  operations(signal: AbortSignal): Promise<OperationList>;
  /** Also one that has ended. */
  operation(operationId: string, signal: AbortSignal): Promise<Operation>;
  cancelOperation(operationId: string, signal: AbortSignal): Promise<CancelAnswer>;
}

/**
 * `client` is asked for each time: a connection whose key or service changes gets a new one.
 * `takesMany`: many cells are written with one request, which the hosted service does not know.
 */
export function sheetSource(
  client: (signal: AbortSignal) => Promise<Client>,
  ref: SheetRef,
  takesMany = false,
): SheetSource {
  return {
    takesMany,
    async titles(signal) {
      const { tables } = await client(signal);
      const [sheet, table] = await Promise.all([
        tables.sheets.get(ref, { signal }),
        tables.get(ref.tableId, { signal }),
      ]);
      return { sheet: sheet.title, table: table.title, rowCount: sheet.row_count };
    },
    async rows({ cursor, limit, order, columns, systemColumns, aggregates }, signal) {
      const { tables } = await client(signal);
      const query = {
        cursor,
        limit,
        order,
        include_columns: columns,
        include_system_columns: systemColumns,
        include_execution_metadata_aggregates: aggregates,
      };
      return tables.rows.page(ref, query, { signal });
    },
    async cell(cellId, signal) {
      const { tables } = await client(signal);
      return tables.cells.get(ref, cellId, { signal });
    },
    async writeCell(cellId, { value, text }, signal) {
      const { tables } = await client(signal);
      // Both: some readers look at one, some at the other.
      return tables.cells.update(ref, cellId, { value, display_value: text }, { signal });
    },
    async writeCells(cells, signal) {
      if (!takesMany) return undefined;
      const { tables } = await client(signal);
      return tables.cells.write(ref, cells, { signal });
    },
    async addRows(count, signal, values) {
      const { tables } = await client(signal);
      const body = values === undefined ? { count } : { count, values: [...values] };
      return tables.rows.add(ref, body, { signal });
    },
    async deleteRows(rowIndices, signal) {
      const { tables } = await client(signal);
      return tables.rows.delete(ref, rowIndices, { signal });
    },
    async recalculate(cellIds, signal) {
      const { tables } = await client(signal);
      return tables.cells.recalculate(ref, cellIds, { signal });
    },
    async startOperation(request, signal) {
      const { tables } = await client(signal);
      return tables.operations.create(ref, request, { signal });
    },
    async operations(signal) {
      const { tables } = await client(signal);
      return tables.operations.list(ref, { signal });
    },
    async operation(operationId, signal) {
      const { tables } = await client(signal);
      return tables.operations.get(ref, operationId, { signal });
    },
    async cancelOperation(operationId, signal) {
      const { tables } = await client(signal);
      return tables.operations.cancel(ref, operationId, { signal });
    },
  };
}
