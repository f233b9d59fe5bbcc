/** Checks of what comes with work on many rows. */
import type {
  Block,
  CellInput,
  FindResult,
  RowsView,
  SelectionSummary,
} from '../../protocol/grid-work.ts';
import { conditionOperators } from '../../protocol/grid-work.ts';
import {
  anyOf,
  flag,
  listOf,
  nullable,
  number,
  oneOf,
  optional,
  orUndefined,
  pairOf,
  shape,
  text,
  whole,
  type Check,
} from '../common/checks.ts';
import { t } from '../common/language.ts';
import { MisfitError } from './misfit.ts';

const direction = oneOf(['asc', 'desc']);
const query = shape({
  conditions: listOf(shape({ columnId: text, operator: oneOf(conditionOperators), operand: text })),
  match: oneOf(['all', 'any']),
  sort: listOf(shape({ columnId: text, direction })),
});
export const rowsView: Check<RowsView | null> = nullable(
  shape({ query, scanned: whole, total: orUndefined(whole) }),
);

export const cellInput: Check<CellInput> = anyOf(
  shape({ kind: oneOf(['text']) }),
  shape({ kind: oneOf(['number']), min: optional(number), max: optional(number) }),
  shape({ kind: oneOf(['choice']), options: listOf(text) }),
);

const findResult: Check<FindResult> = shape({
  hits: listOf(pairOf(whole)),
  count: whole,
  scanned: whole,
  total: orUndefined(whole),
});

const summary: Check<SelectionSummary> = shape({
  ...{ values: whole, numbers: whole, sum: text, min: nullable(text), max: nullable(text) },
  ...{ nulls: whole, empties: whole, distinct: whole, isDistinctAtLeast: flag },
  ...{ scanned: whole, rows: whole },
});

const block: Check<Block> = listOf(listOf(nullable(text)));

const read =
  <Value>(check: Check<Value>, misfit: () => string) =>
  (value: unknown): Value => {
    if (check(value)) return value;
    throw new MisfitError(misfit());
  };

export const asFindResult = read(findResult, () =>
  t("The search results that were received aren't valid."),
);
export const asSummary = read(summary, () => t("The summary that was received isn't valid."));
export const asBlock = read(nullable(block), () => t("The cells that were received aren't valid."));
