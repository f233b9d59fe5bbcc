import type { OperationRequest } from '../../../core/index.ts';
import type { CellAddress, GridSelection, RowRange } from '../../../protocol/grid-cells.ts';
import { canRun, type GridColumn } from '../../../protocol/grid-sheet.ts';
import type { RunScope } from '../../../protocol/grid.ts';
import { rowsIn, settleRanges } from '../rows/positions.ts';

/** The sheet as far as planning a run needs it. */
export interface RunSheet {
  readonly columns: readonly GridColumn[];
  readonly rowCount: number | undefined;
  /** Fewer when a filter hides rows. */
  readonly shownCount?: number | undefined;
  /** A filter or a sort decides which rows are shown: a run is of these. */
  readonly isFiltered?: boolean;
  readonly statusCounts: Readonly<Record<string, number>>;
}

/** What is to be run, and how many cells that is. */
export type RunPlan =
  | { readonly kind: 'cell'; readonly cell: CellAddress; readonly cells: 1 }
  | {
      readonly kind: 'operation';
      readonly request: OperationRequest;
      /** Rows to be named in the request; undefined: all rows. */
      readonly rows: readonly RowRange[] | undefined;
      readonly cells: number;
      /** Some of these cells may turn out not to need it. */
      readonly isUpperLimit: boolean;
    }
  /** No cell that could be run. */
  | {
      readonly kind: 'nothing';
      readonly why: 'noComputedColumn' | 'noStale' | 'noFailed' | 'noRows' | 'noShownRows';
    };

/** Sent as an empty list of statuses: cells whatever their state. Leaving it out means stale only. */
const whateverStatus = { statuses: [] };

function rowsPlan(
  rows: readonly RowRange[],
  columns: readonly GridColumn[],
  { rowCount, shownCount = rowCount, columns: all }: RunSheet,
): RunPlan {
  const computed = columns.filter(canRun);
  if (computed.length === 0) return { kind: 'nothing', why: 'noComputedColumn' };
  const settled = settleRanges(rows, shownCount);
  const count = rowsIn(settled);
  if (count === 0) return { kind: 'nothing', why: 'noRows' };
  const isEveryColumn = computed.length === all.filter(canRun).length;
  return {
    kind: 'operation',
    request: {
      ...whateverStatus,
      ...(!isEveryColumn && { column_ids: computed.map(({ id }) => id) }),
    },
    rows: count === rowCount ? undefined : settled,
    cells: count * computed.length,
    isUpperLimit: false,
  };
}

function selectionPlan({ rows, columnIds }: GridSelection, sheet: RunSheet): RunPlan {
  const chosen = new Set(columnIds);
  return rowsPlan(
    rows,
    sheet.columns.filter(({ id }) => chosen.has(id)),
    sheet,
  );
}

/** The rows of a filter; undefined: all rows, or none is in force. */
function filteredRows(sheet: RunSheet): readonly RowRange[] | undefined {
  const { isFiltered = false, shownCount = 0, rowCount } = sheet;
  if (!isFiltered || shownCount === rowCount) return undefined;
  return shownCount === 0 ? [] : [{ from: 0, to: shownCount - 1 }];
}

function columnPlan(columnId: string, onlyStale: boolean, sheet: RunSheet): RunPlan {
  const column = sheet.columns.find(({ id }) => id === columnId);
  if (column === undefined || !canRun(column)) return { kind: 'nothing', why: 'noComputedColumn' };
  const { rowCount = 0, statusCounts } = sheet;
  const stale = statusCounts['stale'] ?? rowCount;
  const shown = filteredRows(sheet);
  if (shown !== undefined) {
    const request = { column_ids: [columnId], ...(!onlyStale && whateverStatus) };
    return statusPlan(shown, sheet, {
      ...{ cells: onlyStale ? stale : Infinity, columns: 1 },
      ...{ request, isUpperLimit: onlyStale },
    });
  }
  return {
    kind: 'operation',
    request: { column_ids: [columnId], ...(!onlyStale && whateverStatus) },
    rows: undefined,
    cells: onlyStale ? Math.min(stale, rowCount) : rowCount,
    isUpperLimit: onlyStale,
  };
}

interface Planned {
  /** In the whole sheet. */
  readonly cells: number;
  /** That have such cells. */
  readonly columns?: number;
  readonly request: OperationRequest;
  readonly isUpperLimit?: boolean;
}

/** Cells by their status, among these rows or all. */
function statusPlan(
  rows: readonly RowRange[] | undefined,
  sheet: RunSheet,
  { cells, columns, request, isUpperLimit = false }: Planned,
): RunPlan {
  if (rows === undefined) return { kind: 'operation', request, rows, cells, isUpperLimit };
  if (rows.length === 0) return { kind: 'nothing', why: 'noShownRows' };
  const most = rowsIn(rows) * (columns ?? sheet.columns.filter(canRun).length);
  return {
    ...{ kind: 'operation', request, rows, cells: Math.min(cells, most) },
    isUpperLimit: isUpperLimit || columns === undefined,
  };
}

export function planRun(scope: RunScope, sheet: RunSheet): RunPlan {
  switch (scope.kind) {
    case 'cell': {
      const column = sheet.columns.find(({ id }) => id === scope.cell.columnId);
      return column !== undefined && canRun(column)
        ? { kind: 'cell', cell: scope.cell, cells: 1 }
        : { kind: 'nothing', why: 'noComputedColumn' };
    }
    case 'selection':
      return selectionPlan(scope.selection, sheet);
    case 'column':
      return columnPlan(scope.columnId, scope.onlyStale, sheet);
    case 'rows':
      return rowsPlan(scope.rows, sheet.columns, sheet);
    case 'stale': {
      const count = sheet.statusCounts['stale'] ?? 0;
      // Those that wait for people are among them.
      const isUpperLimit = sheet.columns.some((column) => column.computed && !canRun(column));
      return count === 0
        ? { kind: 'nothing', why: 'noStale' }
        : statusPlan(filteredRows(sheet), sheet, { cells: count, request: {}, isUpperLimit });
    }
    case 'failed': {
      const count = sheet.statusCounts['error'] ?? 0;
      return count === 0
        ? { kind: 'nothing', why: 'noFailed' }
        : statusPlan(filteredRows(sheet), sheet, {
            ...{ cells: count, request: { statuses: ['FAILED'] } },
          });
    }
  }
}
