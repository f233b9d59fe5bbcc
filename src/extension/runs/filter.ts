import { readTime } from '../shell/read-time.ts';
import type { RunEntry } from '../kept-runs/run-history.ts';
import { percentile } from '../shell/percentile.ts';

/** What runs are shown; what is absent is not asked for. */
export interface RunFilter {
  /** In the name, the model, the problem, or anywhere in what was given and what came. */
  readonly text?: string | undefined;
  /** Of the prompt or workflow. */
  readonly name?: string | undefined;
  readonly state?: RunEntry['state'] | undefined;
  readonly model?: string | undefined;
  /** That it was started by. */
  readonly label?: string | undefined;
  /** When it began, in milliseconds since the epoch. */
  readonly time?: Range | undefined;
  /** US dollars. A run with an unknown cost matches no range. */
  readonly cost?: Range | undefined;
}

/** Both ends are in it; one that is absent is open. `text`: as it was typed. */
export interface Range {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly text: string;
}

const isIn = (value: number | undefined, range: Range | undefined): boolean => {
  if (range === undefined) return true;
  const { from = -Infinity, to = Infinity } = range;
  return value !== undefined && value >= from && value <= to;
};

/** `a..b`, `a..` or `..b`; undefined: it is none. */
function readRange(
  text: string,
  read: (end: string, isLast: boolean) => number | undefined,
): Range | undefined {
  const [, first = '', last = ''] = /^(.*?)\.\.(.*)$/.exec(text.trim()) ?? [];
  const from = first.trim() === '' ? undefined : read(first.trim(), false);
  const to = last.trim() === '' ? undefined : read(last.trim(), true);
  const isWrong =
    (first.trim() !== '' && from === undefined) || (last.trim() !== '' && to === undefined);
  if (isWrong || (from === undefined && to === undefined)) return undefined;
  return { from, to, text: text.trim() };
}

const day = /^\d{4}-\d{2}-\d{2}$/;

/**
 * Days, times, or how long ago; the day at its end is in it. A single day is that day, another single
 * one is where it begins.
 */
export function readTimes(text: string, now: number = Date.now()): Range | undefined {
  const isOneDay = day.test(text.trim());
  const whole = isOneDay ? `${text}..${text}` : text.includes('..') ? text : `${text}..`;
  const range = readRange(whole, (end, isLast) => {
    const isDay = day.test(end);
    // A day without a time is one of this place, not of Greenwich.
    const time = readTime(isDay ? `${end} 00:00` : end, now);
    if (time === undefined) return undefined;
    const date = new Date(time);
    if (isDay && isLast) date.setDate(date.getDate() + 1);
    return date.getTime() - (isDay && isLast ? 1 : 0);
  });
  return range && { ...range, text: text.trim() };
}

/** Amounts of US dollars. A single one is where it begins. */
export function readCosts(text: string): Range | undefined {
  const plain = text.replaceAll('$', '');
  const range = readRange(plain.includes('..') ? plain : `${plain}..`, (end) =>
    /^\d*\.?\d+$|^\d+\.$/.test(end) ? Number(end) : undefined,
  );
  return range && { ...range, text: text.trim() };
}

/** By all but the text, which is looked for in more than the entry: see `TextSearch`. */
export function fits(entry: RunEntry, filter: RunFilter): boolean {
  const { name, state, model, label, time, cost } = filter;
  if (name !== undefined && entry.name !== name) return false;
  if (model !== undefined && entry.model !== model) return false;
  if (label !== undefined && labelOf(entry) !== label) return false;
  if (!isIn(entry.startedAt, time) || !isIn(entry.priceUsd, cost)) return false;
  return state === undefined || entry.state === state;
}

/** The release label that a run was started by. */
export const labelOf = ({ choice }: RunEntry): string | undefined =>
  choice.kind === 'label' ? choice.label : undefined;

export interface RunSums {
  readonly runs: number;
  readonly failed: number;
  /** US dollars of those whose price is known, and how many those are. */
  readonly priceUsd: number;
  readonly priced: number;
  /** Milliseconds; of those that are done: the time that half of them, and 95 of 100, do not pass. */
  readonly medianMs: number | null;
  readonly p95Ms: number | null;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

export function sumsOf(entries: readonly RunEntry[]): RunSums {
  const total = (valueOf: (entry: RunEntry) => number | undefined): number =>
    entries.reduce((sum, entry) => sum + (valueOf(entry) ?? 0), 0);
  const times = entries
    .filter(({ state }) => state === 'done')
    .map(({ elapsedMs }) => elapsedMs)
    .sort((left, right) => left - right);
  return {
    runs: entries.length,
    failed: entries.filter(({ state }) => state === 'failed').length,
    priceUsd: total(({ priceUsd }) => priceUsd),
    priced: entries.filter(({ priceUsd }) => priceUsd !== undefined).length,
    medianMs: percentile(times, 0.5),
    p95Ms: percentile(times, 0.95),
    inputTokens: total(({ inputTokens }) => inputTokens),
    outputTokens: total(({ outputTokens }) => outputTokens),
  };
}
