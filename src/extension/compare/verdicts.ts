import * as z from 'zod';
import type { ComparisonTarget, Verdict, VerdictCounts } from '../../protocol/compare.ts';
import { verdicts } from '../../protocol/compare.ts';
import type { Memory } from '../grid/columns/layouts.ts';

const Kept = z.array(z.object({ key: z.string(), rows: z.record(z.string(), z.enum(verdicts)) }));
const memoryKey = 'promptTables.comparisons';
const mostComparisons = 50;

const keyOf = (target: ComparisonTarget): string =>
  [target.connectionId, target.sheetId, target.leftId, target.rightId].join('/');

/** Which column a person found better, row by row; comparisons not touched for longest are forgotten. */
export class Verdicts {
  readonly #memory: Memory;
  readonly #key: string;

  constructor(memory: Memory, target: ComparisonTarget) {
    this.#memory = memory;
    this.#key = keyOf(target);
  }

  of(rowIndex: number): Verdict | null {
    return this.#rows[String(rowIndex)] ?? null;
  }

  get counts(): VerdictCounts {
    const counts = { left: 0, right: 0, tie: 0 };
    for (const verdict of Object.values(this.#rows)) counts[verdict] += 1;
    return counts;
  }

  async decide(rowIndex: number, verdict: Verdict | null): Promise<void> {
    const { [String(rowIndex)]: _before, ...others } = this.#rows;
    const rows = verdict === null ? others : { ...others, [String(rowIndex)]: verdict };
    const rest = this.#all.filter(({ key }) => key !== this.#key);
    const all = [{ key: this.#key, rows }, ...rest].slice(0, mostComparisons);
    await this.#memory.update(memoryKey, all);
  }

  get #rows(): Readonly<Record<string, Verdict>> {
    return this.#all.find(({ key }) => key === this.#key)?.rows ?? {};
  }

  /** What another version of the extension wrote may not fit: then nothing is known. */
  get #all(): z.infer<typeof Kept> {
    const read = Kept.safeParse(this.#memory.get(memoryKey));
    return read.success ? read.data : [];
  }
}
