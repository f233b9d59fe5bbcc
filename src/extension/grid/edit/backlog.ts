import type { Journal, JournalEntry } from './journal.ts';
import type { Batch } from './pending.ts';

/** Edits that were made at once, all on disk. */
export interface Block {
  readonly entries: readonly JournalEntry[];
  /** When the service was last known to hold the base of each; absent: nobody asks. */
  readonly seenAts?: readonly (number | undefined)[];
  readonly batch: Batch;
}

interface Due {
  readonly entry: JournalEntry;
  readonly seenAt: number | undefined;
  readonly batch: Batch;
}

/**
 * What waits to be sent behind the cells that are on their way: very many of them cost no more than
 * their texts. What the journal does not hold any more was replaced or given up meanwhile.
 */
export class Backlog {
  readonly #journal: Pick<Journal, 'holds'>;
  #blocks: { readonly block: Block; next: number }[] = [];

  constructor(journal: Pick<Journal, 'holds'>) {
    this.#journal = journal;
  }

  get size(): number {
    return this.#blocks.reduce((sum, { block, next }) => sum + block.entries.length - next, 0);
  }

  add(block: Block): void {
    if (block.entries.length > 0) this.#blocks.push({ block, next: 0 });
  }

  /** The next one; undefined when there is none. */
  take(): Due | undefined {
    for (let [first] = this.#blocks; first !== undefined; [first] = this.#blocks) {
      const { block } = first;
      const at = first.next;
      const entry = block.entries[at];
      if (entry === undefined) {
        this.#blocks.shift();
        continue;
      }
      first.next += 1;
      if (this.#journal.holds(entry)) {
        return { entry, seenAt: block.seenAts?.[at], batch: block.batch };
      }
      // Its text has been replaced by the person who gave it.
      block.batch.settle('saved');
    }
    return undefined;
  }

  /** What is left of a batch, or of all. */
  remove(batch?: Batch): Due[] {
    const removed: Due[] = [];
    this.#blocks = this.#blocks.filter((one) => {
      if (batch !== undefined && one.block.batch !== batch) return true;
      for (const entry of one.block.entries.slice(one.next)) {
        if (this.#journal.holds(entry)) {
          removed.push({ entry, seenAt: undefined, batch: one.block.batch });
        } else one.block.batch.settle('saved');
      }
      return false;
    });
    return removed;
  }
}
