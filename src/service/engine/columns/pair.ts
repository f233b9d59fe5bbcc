import { CellProblem } from '../problem.ts';
import type { NamedValue } from './sources.ts';

/** The config promises two sources; after a column was deleted there may be fewer. */
export function pair(values: readonly NamedValue[]): [NamedValue, NamedValue] {
  const [left, right] = values;
  if (left && right) return [left, right];
  throw new CellProblem(
    'source_missing',
    "One of the two source columns no longer exists. Select another one in the column's settings.",
  );
}
