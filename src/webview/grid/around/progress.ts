import type { OperationProgress } from '../../../protocol/grid-sheet.ts';
import { spellDecimals, t, spellNumber } from '../../common/language.ts';

/** Rate of one operation over the last seconds. */
export class ProgressRate {
  readonly #samples: { readonly at: number; readonly done: number }[] = [];

  add(at: number, done: number): void {
    const last = this.#samples.at(-1);
    if (last !== undefined && last.done === done && at - last.at < 500) return;
    this.#samples.push({ at, done });
    while ((this.#samples[0]?.at ?? at) < at - 15_000 && this.#samples.length > 2) {
      this.#samples.shift();
    }
  }

  /** Cells a second; undefined until it can be told. */
  perSecond(): number | undefined {
    const first = this.#samples[0];
    const last = this.#samples.at(-1);
    if (first === undefined || last === undefined || last.at - first.at < 700) return undefined;
    return ((last.done - first.done) * 1000) / (last.at - first.at);
  }
}

export function doneOf({ completed, failed, total, pending }: OperationProgress): number {
  return Math.min(total, Math.max(completed + failed, total - pending));
}

export function spellDuration(seconds: number): string {
  if (seconds < 1.5) return t('{0} s', 1);
  if (seconds < 90) return t('{0} s', Math.round(seconds));
  if (seconds < 5400) return t('{0} min', Math.round(seconds / 60));
  return t('{0} h', spellDecimals(seconds / 3600, 1));
}

/** One sentence of where an operation stands. */
export function spellProgress(operation: OperationProgress, perSecond: number | undefined): string {
  const done = doneOf(operation);
  const parts = [t('{0} of {1} cells', spellNumber(done), spellNumber(operation.total))];
  if (operation.failed > 0) parts.push(t('{0} failed', spellNumber(operation.failed)));
  if (perSecond !== undefined && perSecond > 0) {
    const rate = perSecond < 10 ? spellDecimals(perSecond, 1) : spellNumber(Math.round(perSecond));
    parts.push(t('{0} cells/s', rate));
    const left = (operation.total - done) / perSecond;
    if (left > 0) parts.push(t('{0} left', spellDuration(left)));
  }
  return parts.join(' · ');
}
