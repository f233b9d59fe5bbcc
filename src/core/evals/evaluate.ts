import type { Column } from '../../api/column.ts';
import type { Operation } from '../../api/operation.ts';
import type { RowsPage } from '../../api/row.ts';
import { ValidationError } from '../errors.ts';
import type { CallOptions } from '../http/call.ts';
import { columnNamed } from '../tables/find.ts';
import type { SheetRef } from '../tables/ref.ts';
import type { Tables } from '../tables/tables.ts';
import type { RowResult } from './verdict.ts';
import { cutOffIn, isCheck, judgeCell, labelOf, withCompared, worstOf } from './verdict.ts';

/** Rows whose values tell what a column holds. */
const sampleRows = 20;
const usualThreshold = 0.8;

export interface JudgeOptions extends CallOptions {
  /** Titles of the columns that judge. Default: those that hold only true and false, and similarities. */
  readonly checks?: readonly string[] | undefined;
  /** Titles of columns of numbers that judge besides those, in sheets that have them. */
  readonly scores?: readonly string[] | undefined;
  /** The lowest score that passes. Default 0.8. */
  readonly threshold?: number | undefined;
  /** Row indices to judge. Default: all. */
  readonly rowIndices?: ReadonlySet<number> | undefined;
}

export interface RunOptions extends CallOptions {
  /** `all` runs cells that are up to date too. Default `stale`. */
  readonly scope?: 'stale' | 'all' | undefined;
  readonly rowIndices?: readonly number[] | undefined;
  /** Asked when the service wants a confirmation for so many cells. Default: they are run. */
  readonly confirm?: ((cellCount: number) => boolean | Promise<boolean>) | undefined;
  readonly progress?: ((operation: Operation) => void) | undefined;
}

/** The columns that judge the rows of a sheet, in its order. Empty: it is no evaluation. */
export async function findChecks(
  tables: Tables,
  ref: SheetRef,
  options: JudgeOptions = {},
): Promise<{ readonly checks: readonly Column[]; readonly rowCount: number | undefined }> {
  const page = await tables.rows.page(ref, { limit: sampleRows, include_columns: true }, options);
  return { checks: checksAmong(page, options), rowCount: page.rowCount };
}

function checksAmong(
  { columns, items }: RowsPage,
  { checks, scores = [] }: Pick<JudgeOptions, 'checks' | 'scores'>,
): Column[] {
  if (checks !== undefined) return checks.map((title) => columnNamed(columns, title));
  const valuesOf = ({ id }: Column) => items.map(({ cells }) => cells[id]?.value);
  return columns.filter(
    (column) => scores.includes(column.title) || isCheck(column, valuesOf(column)),
  );
}

/**
 * Runs cells of the sheet and waits for the end. Aborting the signal cancels the operation on the
 * service as well. Answers false when the confirmation was declined.
 */
export async function runSheet(
  tables: Tables,
  ref: SheetRef,
  { scope = 'stale', rowIndices, confirm, progress, ...options }: RunOptions = {},
): Promise<boolean> {
  const request = {
    ...(rowIndices !== undefined && { row_ids: [...rowIndices] }),
    // No statuses means stale ones, an empty list means all.
    ...(scope === 'all' && { statuses: [] }),
  };
  let start = await tables.operations.create(ref, request, options);
  if (start.kind === 'confirmation') {
    const { affectedCellCount, confirmationToken } = start;
    if (confirm !== undefined && !(await confirm(affectedCellCount))) return false;
    const confirmed = { ...request, confirmation_token: confirmationToken };
    start = await tables.operations.create(ref, confirmed, options);
  }
  if (start.kind !== 'queued') return true;
  const { operationId } = start;
  try {
    for await (const { operation } of tables.operations.watch(ref, operationId, options)) {
      progress?.(operation);
    }
  } catch (error) {
    // Nobody waits for it any more. The reason for that is what the caller has to know.
    if (options.signal?.aborted) {
      await tables.operations.cancel(ref, operationId).catch(() => undefined);
    }
    throw error;
  }
  return true;
}

/**
 * What the columns of a sheet that give true, false or a score say of each row, in the order of
 * the rows: a page at a time is in memory. Errors: ValidationError (no such column, no column that
 * judges), and those of every call.
 */
export async function* judgeSheet(
  tables: Tables,
  ref: SheetRef,
  { checks: titles, scores, threshold = usualThreshold, rowIndices, ...options }: JudgeOptions = {},
): AsyncGenerator<RowResult, void, undefined> {
  let checks: readonly Column[] | undefined;
  // Later pages come without.
  let columns: readonly Column[] | undefined;
  let rowNumber = 0;
  for await (const page of tables.rows.pages(ref, {}, options)) {
    checks ??= checksAmong(page, { checks: titles, scores });
    if (checks.length === 0) {
      throw new ValidationError({ kind: 'nothing-evaluates' });
    }
    for (const { row_index: rowIndex, cells } of page.items) {
      rowNumber += 1;
      if (rowIndices?.has(rowIndex) === false) continue;
      const results = checks.map((column) =>
        withCompared(judgeCell(column, cells[column.id], threshold), column, cells),
      );
      columns ??= page.columns;
      yield {
        ...{ rowIndex, rowNumber, verdict: worstOf(results), checks: results },
        label: labelOf(page.columns, cells),
        cutOff: cutOffIn(columns, cells),
      };
    }
  }
}
