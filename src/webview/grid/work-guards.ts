/** Checks of what comes with work on many rows. */
import type { Block, FindResult, SelectionSummary } from '../../protocol/grid-work.ts';
import { conditionOperators } from '../../protocol/grid-work.ts';
import {
  flag,
  listOf,
  nullable,
  number,
  oneOf,
  optional,
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
export const rowsView: Check = nullable(shape({ query, scanned: whole, total: optional(whole) }));

export const cellInput: Check = shape({
  kind: oneOf(['text', 'number', 'choice']),
  options: optional(listOf(text)),
  min: optional(number),
  max: optional(number),
});

const hit: Check = (value) => listOf(whole)(value) && (value as unknown[]).length === 2;
const findResult = shape({
  hits: listOf(hit),
  count: whole,
  scanned: whole,
  total: optional(whole),
});

export function asFindResult(value: unknown): FindResult {
  if (!findResult(value))
    throw new MisfitError(t("The search results that were received aren't valid."));
  return value as FindResult;
}

const summary = shape({
  ...{ values: whole, numbers: whole, sum: text, min: nullable(text), max: nullable(text) },
  ...{ nulls: whole, empties: whole, distinct: whole, isDistinctAtLeast: flag },
  ...{ scanned: whole, rows: whole },
});

export function asSummary(value: unknown): SelectionSummary {
  if (!summary(value)) throw new MisfitError(t("The summary that was received isn't valid."));
  return value as SelectionSummary;
}

const block = listOf(listOf(nullable(text)));

export function asBlock(value: unknown): Block | null {
  if (value !== null && !block(value))
    throw new MisfitError(t("The cells that were received aren't valid."));
  return value as Block | null;
}
