import type { SqlValue } from './database.ts';
import type { Dialect } from './dialect.ts';

/** A condition on `row_index` with its parameters. */
export interface RowsIn {
  readonly sql: string;
  readonly params: readonly SqlValue[];
}

/**
 * Whether a row is one of these. Rows that follow one another, as those of a claim mostly do, are a
 * range: it is scanned once, where a list is taken apart and each of its rows looked for.
 */
export function rowsIn(dialect: Dialect, rowIndices: readonly number[]): RowsIn {
  const first = rowIndices[0] ?? 0;
  const isRange =
    rowIndices.length > 0 && rowIndices.every((rowIndex, offset) => rowIndex === first + offset);
  return isRange
    ? { sql: 'row_index between ? and ?', params: [first, first + rowIndices.length - 1] }
    : { sql: `row_index ${dialect.isOneOf}`, params: [JSON.stringify(rowIndices)] };
}
