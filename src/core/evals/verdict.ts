import type { Cell } from '../../api/cell.ts';
import { cellError, isCutOff } from '../../api/cell.ts';
import type { Column } from '../../api/column.ts';
import { ExactNumber } from '../../api/exact-number.ts';
import { stringifyJson } from '../http/json.ts';
import type { Mapping } from '../mapping.ts';
import { isMapping } from '../mapping.ts';
import { shortened } from '../shortened.ts';

/** `skipped`: there is nothing to judge, because the cell has not run or is empty. */
export type Verdict = 'pass' | 'fail' | 'error' | 'skipped';

/** What one column says of one row. */
export interface CheckResult {
  readonly columnId: string;
  readonly title: string;
  readonly verdict: Verdict;
  /** Of a column of numbers. */
  readonly score: number | undefined;
  /** Why, in words; empty for a plain pass. */
  readonly evidence: string;
  /** The two values that a COMPARE column found different. */
  readonly compared?: { readonly actual: string; readonly expected: string };
}

export interface RowResult {
  /** The key of the row: it stays when rows before it are deleted. */
  readonly rowIndex: number;
  /** The place of the row among all, from 1, as views of the sheet number it. */
  readonly rowNumber: number;
  /** The worst of its checks: error, then fail, then pass; skipped when nothing could be judged. */
  readonly verdict: Verdict;
  readonly checks: readonly CheckResult[];
  /** First text of the row, to tell it from others. */
  readonly label: string;
  /** Titles of columns whose answers were cut off at their limit of tokens: half of them was judged. */
  readonly cutOff: readonly string[];
}

/** Types that give true, false or a score whatever is computed: checks before they hold anything. */
const judgingTypes: ReadonlySet<string> = new Set([
  'ASSERT_VALID',
  'COMPARE',
  'CONDITION',
  'CONTAINS',
  'COSINE_SIMILARITY',
  'LLM_ASSERTION',
  'MATH_OPERATOR',
  'REGEX',
]);

/**
 * Whether a column judges its rows: it is computed, and holds nothing but true and false. What
 * holds other numbers than similarities does so only when it is chosen. `values`: some of its own.
 */
export function isCheck(column: Column, values: readonly unknown[]): boolean {
  if (column.is_system === true || column.type === 'TEXT') return false;
  if (judgingTypes.has(column.type)) return true;
  const held = values.filter((value) => value !== null && value !== undefined);
  return held.length > 0 && held.every(isBooleans);
}

const isBooleans = (value: unknown): value is boolean | Mapping =>
  typeof value === 'boolean' ||
  (isMapping(value) &&
    Object.keys(value).length > 0 &&
    Object.values(value).every((part) => typeof part === 'boolean'));

const evidenceLength = 500;

const textOfValue = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined ? '' : stringifyJson(value);

function shortText(value: unknown): string {
  return shortened(textOfValue(value), evidenceLength);
}

/** `threshold`: the lowest score that passes. */
export function judgeCell(
  { id, title }: Column,
  cell: Cell | undefined,
  threshold: number,
): CheckResult {
  const result = (verdict: Verdict, evidence = '', score?: number): CheckResult => ({
    ...{ columnId: id, title, verdict, score, evidence },
  });
  if (cell === undefined) return result('skipped', 'has no cell');
  if (cell.status === 'error') return result('error', cellError(cell) ?? 'has failed');
  if (cell.status !== 'completed') return result('skipped', `is ${cell.status}`);
  const { value } = cell;
  if (value === null || value === undefined) return result('skipped', 'is empty');
  if (typeof value === 'boolean') return value ? result('pass') : result('fail', 'is false');
  if (typeof value === 'number' || value instanceof ExactNumber) {
    const score = Number(value);
    const isEnough = score >= threshold;
    return result(isEnough ? 'pass' : 'fail', `${String(value)} of ${String(threshold)}`, score);
  }
  if (isBooleans(value)) {
    const failed = Object.entries(value).filter(([, part]) => part === false);
    const names = failed.map(([name]) => name).join('; ');
    return failed.length === 0 ? result('pass') : result('fail', `is false for: ${names}`);
  }
  return result('error', `is neither true, false nor a number: ${shortText(value)}`);
}

/** What was compared when a COMPARE column says no: its first source is taken for the actual one. */
export function withCompared(
  result: CheckResult,
  { type, dependencies }: Column,
  cells: Readonly<Record<string, Cell>>,
): CheckResult {
  const [actual, expected, ...others] = dependencies ?? [];
  if (result.verdict !== 'fail' || type !== 'COMPARE' || others.length > 0) return result;
  if (actual === undefined || expected === undefined) return result;
  const textOf = (id: string): string => textOfValue(cells[id]?.value);
  const compared = { actual: textOf(actual.column_id), expected: textOf(expected.column_id) };
  return { ...result, compared };
}

/** The columns of a row that hold half an answer. */
export const cutOffIn = (
  columns: readonly Column[],
  cells: Readonly<Record<string, Cell>>,
): readonly string[] =>
  columns.flatMap(({ id, title }) => {
    const cell = cells[id];
    return cell !== undefined && isCutOff(cell) ? [title] : [];
  });

const order: readonly Verdict[] = ['error', 'fail', 'pass'];

export const worstOf = (checks: readonly CheckResult[]): Verdict =>
  order.find((verdict) => checks.some((check) => check.verdict === verdict)) ?? 'skipped';

const labelLength = 80;

/** The first text of the row in the order of the columns. */
export function labelOf(columns: readonly Column[], cells: Readonly<Record<string, Cell>>): string {
  for (const { id, type } of columns) {
    const value = type === 'TEXT' ? cells[id]?.value : undefined;
    if (typeof value !== 'string' || value.trim() === '') continue;
    const line = value.replace(/\s+/g, ' ').trim();
    return shortened(line, labelLength);
  }
  return '';
}
