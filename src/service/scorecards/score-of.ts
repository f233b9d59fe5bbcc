import type { Verdict } from './records.ts';
import { excerpt, isObject, type Json } from '../engine/columns/json.ts';
import { numberOf, readDecimal } from '../engine/columns/decimal.ts';

/** How a value becomes a score from 0 to 1. */
export interface ScoreAdapter {
  /** The values that count as 0 and as 1. */
  readonly min?: number | null | undefined;
  readonly max?: number | null | undefined;
  /** Less is better. */
  readonly invert?: boolean | null | undefined;
  readonly true_values?: readonly string[] | null | undefined;
  readonly false_values?: readonly string[] | null | undefined;
  readonly assertion_aggregation?: 'all' | 'any' | 'mean' | null | undefined;
}

export class ScoreProblem extends Error {
  override readonly name = 'ScoreProblem';
}

const TRUE = ['true', 'yes', 'pass', 'passed'];
const FALSE = ['false', 'no', 'fail', 'failed'];

/** Words that say yes or no; undefined for any other. */
export function asBoolean(
  value: Json,
  { true_values: yes, false_values: no }: Pick<ScoreAdapter, 'true_values' | 'false_values'>,
): boolean | undefined {
  if (typeof value === 'boolean') return value;
  if (typeof value !== 'string') return undefined;
  const word = value.trim().toLowerCase();
  const among = (words: readonly string[]): boolean =>
    words.some((one) => one.trim().toLowerCase() === word);
  if (among(yes ?? TRUE)) return true;
  return among(no ?? FALSE) ? false : undefined;
}

/** One number of several answers: a share, or whether all or any of them are true. */
export function combine(scores: readonly number[], how: 'all' | 'any' | 'mean'): number {
  if (how === 'all') return Math.min(...scores);
  if (how === 'any') return Math.max(...scores);
  return scores.reduce((total, one) => total + one, 0) / scores.length;
}

/** Undefined for null: there is nothing to judge. */
export function scoreOf(value: Json, adapter: ScoreAdapter): number | undefined {
  const score = plainScore(value, adapter);
  return score !== undefined && adapter.invert === true ? 1 - score : score;
}

function plainScore(value: Json, adapter: ScoreAdapter): number | undefined {
  if (value === null) return undefined;
  const word = asBoolean(value, adapter);
  if (word !== undefined) return word ? 1 : 0;
  if (typeof value === 'object' && isObject(value)) return ofObject(value, adapter);
  const number = numberOf(value) ?? readDecimal(value)?.toNumber();
  if (number === undefined) {
    throw new ScoreProblem(`${excerpt(value)} is neither true or false nor a number.`);
  }
  const least = adapter.min ?? 0;
  const most = adapter.max ?? 1;
  const isScaled = (adapter.min ?? adapter.max ?? undefined) !== undefined;
  if (!isScaled && (number < 0 || number > 1)) {
    throw new ScoreProblem(
      `${excerpt(value)} is not between 0 and 1. Say in score_adapter which min and max the values have.`,
    );
  }
  if (most === least) return number >= most ? 1 : 0;
  return Math.min(1, Math.max(0, (number - least) / (most - least)));
}

function ofObject(
  value: { readonly [key: string]: Json },
  adapter: ScoreAdapter,
): number | undefined {
  if (value['score'] !== undefined) return plainScore(value['score'], adapter);
  const answers = Object.values(value).map((one) => asBoolean(one, adapter));
  const known = answers.filter((one) => one !== undefined);
  if (known.length === 0 || known.length < answers.length) {
    throw new ScoreProblem(
      'An object is evaluated by its field "score", or by its Boolean values.',
    );
  }
  return combine(known.map(Number), adapter.assertion_aggregation ?? 'mean');
}

export interface Thresholds {
  readonly pass: number;
  readonly warn: number;
}

/** Rounding must not turn a score that is just enough into one that is not. */
const ROUNDING = 1e-9;

export function verdictOf(score: number, { pass, warn }: Thresholds): Verdict {
  if (score >= pass - ROUNDING) return 'pass';
  return score >= warn - ROUNDING ? 'warn' : 'fail';
}
