import { orderOf } from '../../../core/comparison.ts';
import { CellProblem } from '../problem.ts';
import { excerpt, type Json } from './json.ts';

/**
 * Whether two values stand in an order. Null comes neither before nor after anything. Throws a
 * CellProblem for what has no order, because every answer would be a guess: "N/A" is neither above
 * nor below 3.
 */
export function orderIs(left: Json, right: Json, test: (order: number) => boolean): boolean {
  const order = orderOf(left, right);
  if (order === 'nothing') return false;
  if (order !== 'mixed') return test(order);
  throw new CellProblem(
    'invalid_input',
    `${excerpt(left)} and ${excerpt(right)} have no order: compare two numbers or two strings.`,
  );
}
