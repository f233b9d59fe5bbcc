import type { EditOutcome, UnsavedEdit } from '../../../protocol/grid-edits.ts';
import type { JournalEntry } from './journal.ts';

export type EditState = UnsavedEdit['state'];

/** One cell whose text the service has not acknowledged. */
export interface Pending {
  entry: JournalEntry;
  state: EditState;
  message: string | undefined;
  current: string | undefined;
  /** Overwrite whatever is there: the user has seen it and decided. */
  overwrites: boolean;
  /** Its request is under way. */
  isSent: boolean;
  /** What was sent last. */
  sent: JournalEntry | undefined;
  /** Sent by itself, read first: a request for many did not tell enough. */
  isAlone: boolean;
  /** When the service was last known to hold `base` (`performance.now`). */
  seenAt: number | undefined;
  /** Edits of which it is one. */
  batch: Batch | undefined;
  waiters: ((outcome: EditOutcome) => void)[] | undefined;
}

export interface BatchOutcome {
  readonly saved: number;
  /** In conflict or refused: each says so itself. */
  readonly open: number;
  /** Called off before they were sent. */
  readonly dropped: number;
}

/** Edits that were made at once. It ends when each of them has: saved, in conflict, refused, dropped. */
export class Batch {
  readonly total: number;
  readonly onProgress: (done: number) => void;
  readonly ended: Promise<BatchOutcome>;
  #end!: (outcome: BatchOutcome) => void;
  /** Nothing of it is sent any more: what was on its way and is known not to have arrived is dropped, too. */
  isStopped = false;
  readonly dropped: JournalEntry[] = [];
  readonly #counts = { saved: 0, open: 0, dropped: 0 };
  #isTelling = false;

  constructor(total: number, onProgress: (done: number) => void) {
    this.total = total;
    this.onProgress = onProgress;
    this.ended = new Promise((resolve) => (this.#end = resolve));
    if (total === 0) this.#end(this.#counts);
  }

  get done(): number {
    const { saved, open, dropped } = this.#counts;
    return saved + open + dropped;
  }

  drop(entry: JournalEntry): void {
    this.dropped.push(entry);
    this.settle('dropped');
  }

  settle(how: keyof BatchOutcome): void {
    this.#counts[how] += 1;
    if (this.done === this.total) {
      this.onProgress(this.done);
      this.#end({ ...this.#counts });
      return;
    }
    // Hundreds are settled by one answer: their progress is one step.
    if (this.#isTelling) return;
    this.#isTelling = true;
    queueMicrotask(() => {
      this.#isTelling = false;
      if (this.done < this.total) this.onProgress(this.done);
    });
  }
}
