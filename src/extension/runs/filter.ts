import type { RunEntry } from '../run-history.ts';

/** What runs are shown; what is absent is not asked for. */
export interface RunFilter {
  /** In the name, the model, the problem, or anywhere in what was given and what came. */
  readonly text?: string | undefined;
  /** Of the prompt or workflow. */
  readonly name?: string | undefined;
  readonly state?: RunEntry['state'] | undefined;
}

/** By all but the text, which is looked for in more than the entry: see `TextSearch`. */
export function fits(entry: RunEntry, { name, state }: RunFilter): boolean {
  if (name !== undefined && entry.name !== name) return false;
  return state === undefined || entry.state === state;
}

export interface RunSums {
  readonly runs: number;
  readonly failed: number;
  /** US dollars of those whose price is known, and how many those are. */
  readonly priceUsd: number;
  readonly priced: number;
  /** Milliseconds; of those that are done. */
  readonly averageMs: number | undefined;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

export function sumsOf(entries: readonly RunEntry[]): RunSums {
  const total = (valueOf: (entry: RunEntry) => number | undefined): number =>
    entries.reduce((sum, entry) => sum + (valueOf(entry) ?? 0), 0);
  const done = entries.filter(({ state }) => state === 'done');
  return {
    runs: entries.length,
    failed: entries.filter(({ state }) => state === 'failed').length,
    priceUsd: total(({ priceUsd }) => priceUsd),
    priced: entries.filter(({ priceUsd }) => priceUsd !== undefined).length,
    averageMs:
      done.length === 0
        ? undefined
        : done.reduce((sum, { elapsedMs }) => sum + elapsedMs, 0) / done.length,
    inputTokens: total(({ inputTokens }) => inputTokens),
    outputTokens: total(({ outputTokens }) => outputTokens),
  };
}

/** US dollars as a person reads them: small amounts keep their digits. */
export function spellPrice(usd: number): string {
  if (usd === 0) return '$0';
  return usd < 0.01 ? `$${usd.toPrecision(2)}` : `$${usd.toFixed(usd < 1 ? 4 : 2)}`;
}

export function spellTime(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  return ms < 60_000
    ? `${(ms / 1000).toFixed(1)} s`
    : `${Math.floor(ms / 60_000)} min ${Math.floor((ms % 60_000) / 1000)} s`;
}
