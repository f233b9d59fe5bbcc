import { createHash } from 'node:crypto';
import path from 'node:path';
import * as z from 'zod';
import { Records } from '../shell/records.ts';
import type { Conflict, ThreeWay } from './text/three-way.ts';
import { linesOf, mergeLines, openConflicts, withSide } from './text/three-way.ts';

/**
 * Two texts that are being brought together. It stays until a version holds the outcome, or the
 * draft is discarded; what was typed on either side is in it all that time.
 */
const Merge = z.object({
  /** Of the document that the outcome is for. */
  uri: z.string(),
  connectionId: z.string(),
  promptName: z.string(),
  baseVersion: z.number(),
  theirVersion: z.number(),
  /** The three texts, all with the version of theirs in their front matter. */
  base: z.string(),
  mine: z.string(),
  theirs: z.string(),
  /** What the document held when the merge began. */
  document: z.string(),
  /** As far as the merge has come; the outcome once it is complete. */
  result: z.string(),
  /** `complete`: all is decided, and the result is on its way into the document. */
  state: z.enum(['open', 'complete', 'applied']),
  startedAt: z.number(),
  savedAt: z.number(),
});
export type Merge = Readonly<z.output<typeof Merge>>;
export const mergeSides = ['base', 'theirs', 'mine', 'result'] as const;
export type MergeSide = (typeof mergeSides)[number];

export const mergeIdOf = (uri: string): string => createHash('sha256').update(uri).digest('hex');

const threeWayOf = ({ base, mine, theirs }: Merge): ThreeWay =>
  mergeLines(linesOf(base), linesOf(mine), linesOf(theirs));

export const openConflictsOf = (merge: Merge): readonly Conflict[] =>
  openConflicts(threeWayOf(merge), linesOf(merge.result));

/** The text of the merge with one side in what is still open. */
export const resultWith = (merge: Merge, side: 'mine' | 'theirs'): string =>
  withSide(threeWayOf(merge), linesOf(merge.result), side).join('\n');

/** Merges by their documents, each in a file that only this user may read. */
export class Merges {
  readonly folder: string;
  readonly #records: Records<Merge>;

  constructor(storage: string) {
    this.folder = path.join(storage, 'merges');
    this.#records = new Records<Merge>(this.folder, {
      read: (value) => Merge.parse(value),
      // Half of a merge would lose a side.
      lighter: (merge) => merge,
    });
  }

  read(id: string): Promise<Merge | undefined> {
    return this.#records.read(id);
  }

  of(uri: string): Promise<Merge | undefined> {
    return this.read(mergeIdOf(uri));
  }

  /** The result begins with what only one side has changed. */
  async begin(texts: Omit<Merge, 'result' | 'state' | 'startedAt' | 'savedAt'>): Promise<Merge> {
    const now = Date.now();
    const begun = { ...texts, result: '', state: 'open' as const, startedAt: now, savedAt: now };
    const merge = { ...begun, result: threeWayOf(begun).lines.join('\n') };
    await this.#records.write(mergeIdOf(merge.uri), merge);
    return merge;
  }

  async change(
    id: string,
    changes: Partial<Pick<Merge, 'result' | 'state'>>,
  ): Promise<Merge | undefined> {
    const merge = await this.read(id);
    if (merge === undefined) return undefined;
    // An editor takes a later time for a change: it must never stand still.
    const savedAt = Math.max(Date.now(), merge.savedAt + 1);
    const changed = { ...merge, ...changes, savedAt };
    await this.#records.write(id, changed);
    return changed;
  }

  remove(uri: string): Promise<void> {
    return this.#records.remove(mergeIdOf(uri));
  }
}
