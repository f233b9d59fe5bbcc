import type { CellAddress } from '../../../protocol/grid-cells.ts';
import type { EditOutcome } from '../../../protocol/grid-edits.ts';
import { CellMap } from '../rows/cell-map.ts';
import type { Journal, JournalEntry } from './journal.ts';
import type { EditState, Pending } from './pending.ts';
import type { UnsavedReporter } from './unsaved-reporter.ts';

export interface PendingEditsOptions {
  readonly journal: Pick<Journal, 'drop' | 'put'>;
  /** The journal could not be written; the edit is sent all the same. */
  readonly onFault: (error: unknown) => void;
  readonly reporterOf: (pending: CellMap<Pending>) => UnsavedReporter;
}

/** The edits that the service has not acknowledged: their state, who waits for them, and their place on disk. */
export class PendingEdits {
  readonly reporter: UnsavedReporter;
  readonly #pending = new CellMap<Pending>();
  readonly #options: PendingEditsOptions;

  constructor(options: PendingEditsOptions) {
    this.#options = options;
    this.reporter = options.reporterOf(this.#pending);
  }

  get size(): number {
    return this.#pending.size;
  }

  get(address: CellAddress): Pending | undefined {
    return this.#pending.get(address);
  }

  has({ entry }: Pending): boolean {
    return this.#pending.has(entry);
  }

  all(): Iterable<Pending> {
    return this.#pending.values();
  }

  /** Takes an edit, in place of an earlier one of its cell. */
  keep(entry: JournalEntry, seenAt?: number): Pending {
    const earlier = this.#pending.get(entry);
    if (earlier !== undefined) {
      earlier.entry = entry;
      earlier.overwrites = false;
      earlier.isAlone = false;
      earlier.seenAt = seenAt;
      this.setState(earlier, 'sending');
      // Its text has been replaced by the person who gave it.
      earlier.batch?.settle('saved');
      earlier.batch = undefined;
      return earlier;
    }
    const pending: Pending = {
      entry,
      state: 'sending',
      message: undefined,
      current: undefined,
      overwrites: false,
      isSent: false,
      sent: undefined,
      isAlone: false,
      seenAt,
      batch: undefined,
      waiters: undefined,
    };
    this.#pending.set(entry, pending);
    this.reporter.note(entry, undefined, 'sending');
    return pending;
  }

  /** Resolves at the end of the attempt, also when that is word that it has to wait. */
  outcomeOf(pending: Pending): Promise<EditOutcome> {
    return new Promise((resolve) => (pending.waiters ??= []).push(resolve));
  }

  setState(pending: Pending, state: EditState, message?: string, current?: string): void {
    const before = pending.state;
    pending.state = state;
    pending.message = message;
    pending.current = current;
    if (this.has(pending)) this.reporter.note(pending.entry, before, state);
  }

  /** It stays, to be sent later: whoever waits for it hears so. */
  wait(pending: Pending, message: string): void {
    this.setState(pending, 'waiting', message);
    this.#answer(pending, { outcome: 'waiting', message });
  }

  /** Its attempt has ended. */
  settle(pending: Pending, outcome: EditOutcome): void {
    const { batch } = pending;
    pending.batch = undefined;
    batch?.settle(outcome.outcome === 'saved' ? 'saved' : 'open');
    this.#answer(pending, outcome);
  }

  #answer(pending: Pending, outcome: EditOutcome): void {
    const { waiters = [], entry } = pending;
    pending.waiters = undefined;
    for (const resolve of waiters) resolve({ ...outcome, text: entry.text });
  }

  /** Given up, never sent. */
  async drop(pendings: readonly Pending[]): Promise<void> {
    await this.forget(pendings);
    for (const { batch, entry } of pendings) batch?.drop(entry);
  }

  async forget(pendings: readonly Pending[]): Promise<void> {
    const gone = pendings.filter(({ entry }) => this.#pending.delete(entry));
    for (const pending of gone) this.reporter.note(pending.entry, pending.state, undefined);
    await this.dropFromDisk(gone.map(({ entry }) => entry));
  }

  async dropFromDisk(entries: readonly JournalEntry[]): Promise<void> {
    try {
      await this.#options.journal.drop(entries);
    } catch (error) {
      this.#options.onFault(error);
    }
  }

  async keepOnDisk(entries: readonly JournalEntry[]): Promise<void> {
    try {
      await this.#options.journal.put(entries);
    } catch (error) {
      this.#options.onFault(error);
    }
  }
}
