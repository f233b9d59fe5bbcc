import { hasErrorCode } from '../../../core/errors.ts';
import { connectFaultOf } from '../../../core/http/reach.ts';
import type { CellAddress } from '../../../protocol/grid-cells.ts';
import type { EditOutcome, UnsavedChange } from '../../../protocol/grid-edits.ts';
import type { Translate } from '../../shell/translate.ts';
import type { Journal, JournalEntry } from './journal.ts';
import { Backlog, type Block } from './backlog.ts';
import { CellMap } from '../rows/cell-map.ts';
import type { Batch, EditState, Pending } from './pending.ts';
import { UnsavedReporter } from './unsaved-reporter.ts';

/** A text cell as the service holds it now. Null: it holds null, or nothing yet. */
export interface FoundText {
  readonly cellId: string;
  readonly text: string | null;
}

export interface SavedEdit extends CellAddress {
  readonly text: string | null;
  readonly version: number | undefined;
  readonly staleCount: number;
}

export interface ManyWrite extends CellAddress {
  readonly text: string | null;
  /** Absent: whatever is there is overwritten. */
  readonly base?: string | null;
}

/** `alone`: to be tried by itself, for example because the cell does not hold `base`. */
export type ManyResult =
  | { readonly outcome: 'saved' | 'alone' }
  | { readonly outcome: 'refused'; readonly message: string };

export interface EditQueueOptions {
  readonly journal: Journal;
  readonly t: Translate;
  /** Reads the cell from the service. `cellId` when it is known from an earlier time. */
  readonly read: (
    address: CellAddress,
    cellId: string | undefined,
    signal: AbortSignal,
  ) => Promise<FoundText>;
  readonly write: (
    cellId: string,
    text: string | null,
    signal: AbortSignal,
    address: CellAddress,
  ) => Promise<{ readonly version: number | undefined; readonly staleCount: number }>;
  /** Many with one request. Answers undefined where the service has no such request. */
  readonly writeMany?: (
    writes: readonly ManyWrite[],
    signal: AbortSignal,
  ) => Promise<readonly ManyResult[] | undefined>;
  readonly onUnsaved: (change: Omit<UnsavedChange, 'canUndo' | 'canRedo'>) => void;
  readonly onSaved: (edits: readonly SavedEdit[]) => void;
  /** The service is away: nothing is sent for a while; undefined: it is back. */
  readonly onPause?: (reason: string | undefined) => void;
  /** The journal could not be written; the edit is sent all the same. */
  readonly onFault: (error: unknown) => void;
  /** First pause before a new attempt; it doubles up to `longestPauseMs`. */
  readonly firstPauseMs?: number;
  readonly longestPauseMs?: number;
}

const singleLanes = 6;
/** One at work while the next one is made ready. */
const manyLanes = 2;
const cellsPerRequest = 500;
const lettersPerRequest = 1_000_000;
/** Cells that are made ready to be sent, of very many. */
const mostReady = 2 * manyLanes * cellsPerRequest;
/** A base that was read from the service so lately is not read again before a cell is written. */
const freshMs = 10_000;

const isSameText = (one: string | null, other: string | null): boolean =>
  (one ?? '') === (other ?? '');

/**
 * Cell edits on their way to the service, many in one request where it takes them. Each is on disk
 * until it is acknowledged; a value that changed on the service meanwhile is shown, not overwritten.
 */
export class EditQueue {
  readonly #options: EditQueueOptions;
  readonly #pending = new CellMap<Pending>();
  readonly #reporter: UnsavedReporter;
  /** What a person waits for right now comes before blocks. */
  readonly #urgent = new Set<Pending>();
  readonly #bulk = new Set<Pending>();
  readonly #backlog: Backlog;
  readonly #stopping = new AbortController();
  #canSendMany: boolean;
  #lanes = 0;
  #pauseMs: number;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: EditQueueOptions) {
    this.#options = options;
    this.#canSendMany = options.writeMany !== undefined;
    this.#pauseMs = this.#firstPauseMs;
    this.#backlog = new Backlog(options.journal);
    this.#reporter = new UnsavedReporter(
      this.#pending,
      (change) => options.onUnsaved(change),
      () => this.#backlog.size,
    );
  }

  get #firstPauseMs(): number {
    return this.#options.firstPauseMs ?? 2000;
  }

  get size(): number {
    return this.#pending.size + this.#backlog.size;
  }

  get reporter(): UnsavedReporter {
    return this.#reporter;
  }

  get(address: CellAddress): Pending | undefined {
    return this.#pending.get(address);
  }

  all(): Iterable<Pending> {
    return this.#pending.values();
  }

  /** Takes an edit; it is sent by `send`. */
  keep(entry: JournalEntry, seenAt?: number): Pending {
    const earlier = this.#pending.get(entry);
    if (earlier !== undefined) {
      earlier.entry = entry;
      earlier.overwrites = false;
      earlier.isAlone = false;
      earlier.seenAt = seenAt;
      this.#setState(earlier, 'sending');
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
    this.#reporter.note(entry, undefined, 'sending');
    return pending;
  }

  /** Resolves at the end of the attempt, also when that is word that it has to wait. */
  outcomeOf(pending: Pending): Promise<EditOutcome> {
    return new Promise((resolve) => (pending.waiters ??= []).push(resolve));
  }

  send(pendings: Iterable<Pending>, how: 'urgent' | 'bulk'): void {
    for (const pending of pendings) {
      if (pending.isSent || !this.#pending.has(pending.entry)) continue;
      if (pending.state !== 'sending') this.#setState(pending, 'sending');
      if (how === 'urgent') this.#bulk.delete(pending);
      if (how === 'urgent' || !this.#urgent.has(pending)) {
        (how === 'urgent' ? this.#urgent : this.#bulk).add(pending);
      }
    }
    // A person's new edit is a reason to try again at once.
    if (how === 'urgent') this.#endPause();
    this.#pump();
  }

  /** Very many edits of cells that have no other one: each is taken up when its turn comes. */
  addBlock(block: Block): void {
    this.#backlog.add(block);
    this.#reporter.soon();
  }

  /** Calls off what is not under way of a batch, or of all. */
  async stop(batch?: Batch): Promise<void> {
    if (batch !== undefined) batch.isStopped = true;
    const behind = this.#backlog.remove(batch);
    const mine = [...this.#pending.values()].filter(
      (pending) => batch === undefined || pending.batch === batch,
    );
    await this.drop(mine);
    await this.#dropFromDisk(behind.map(({ entry }) => entry));
    for (const one of behind) one.batch.drop(one.entry);
    this.#reporter.soon();
  }

  /** Calls off what is not under way. */
  async drop(pendings: Iterable<Pending>): Promise<readonly Pending[]> {
    const dropped = [...pendings].filter((one) => !one.isSent);
    await this.#forget(dropped);
    for (const { batch, entry } of dropped) batch?.drop(entry);
    return dropped;
  }

  /** The connection is well again: what waits is sent at once. */
  retry(): void {
    this.#endPause();
    this.#pump();
  }

  setWaiting(pending: Pending, message: string): void {
    this.#setState(pending, 'waiting', message);
  }

  dispose(): void {
    this.#stopping.abort();
    clearTimeout(this.#timer);
    this.#reporter.dispose();
  }

  #endPause(): void {
    if (this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #pump(): void {
    if (this.#stopping.signal.aborted || this.#timer !== undefined) return;
    const most = this.#canSendMany ? manyLanes : singleLanes;
    this.#fill();
    while (this.#lanes < most && this.#urgent.size + this.#bulk.size > 0) {
      this.#lanes += 1;
      void this.#lane();
    }
  }

  async #lane(): Promise<void> {
    try {
      while (!this.#stopping.signal.aborted && this.#timer === undefined) {
        const part = this.#take();
        if (part.length === 0) return;
        for (const pending of part) {
          pending.isSent = true;
          pending.sent = pending.entry;
        }
        await (part.length === 1 && part[0] !== undefined
          ? this.#sendOne(part[0])
          : this.#sendMany(part));
      }
    } finally {
      this.#lanes -= 1;
    }
  }

  #fill(): void {
    while (this.#bulk.size < mostReady) {
      const due = this.#backlog.take();
      if (due === undefined) return;
      const pending = this.keep(due.entry, due.seenAt);
      pending.batch = due.batch;
      if (!pending.isSent) this.#bulk.add(pending);
    }
  }

  #take(): Pending[] {
    this.#fill();
    for (const queue of [this.#urgent, this.#bulk]) {
      const part: Pending[] = [];
      let letters = 0;
      for (const pending of queue) {
        const { text, base } = pending.entry;
        letters += (text?.length ?? 0) + (base?.length ?? 0);
        const isFull = part.length >= cellsPerRequest || letters > lettersPerRequest;
        if (part.length > 0 && (isFull || pending.isAlone || !this.#canSendMany)) break;
        queue.delete(pending);
        part.push(pending);
        if (pending.isAlone) break;
      }
      if (part.length > 0) return part;
    }
    return [];
  }

  async #sendOne(pending: Pending): Promise<void> {
    const { entry } = pending;
    try {
      const found = await this.#find(pending, entry);
      if (found === 'same') await this.#acknowledge([[pending, entry]]);
      else if (found.text !== undefined) this.#conflict(pending, found.text);
      else {
        const { signal } = this.#stopping;
        const saved = await this.#options.write(found.cellId, entry.text, signal, entry);
        await this.#acknowledge([[pending, entry]], saved);
      }
    } catch (error) {
      pending.isSent = false;
      await this.#failed([pending], error);
    }
  }

  /** `text`: what is there in place of the base. */
  async #find(
    { overwrites, seenAt }: Pending,
    entry: JournalEntry,
  ): Promise<'same' | { readonly cellId: string; readonly text?: string | null }> {
    const isFresh = seenAt !== undefined && performance.now() - seenAt < freshMs;
    if (isFresh && entry.cellId !== undefined) return { cellId: entry.cellId };
    const { text, cellId } = await this.#options.read(entry, entry.cellId, this.#stopping.signal);
    // It is there already: an earlier answer was lost, or somebody typed the same.
    if (text === entry.text) return 'same';
    return overwrites || isSameText(text, entry.base) ? { cellId } : { cellId, text };
  }

  #conflict(pending: Pending, text: string | null): void {
    pending.isSent = false;
    const current = text ?? '';
    const message = this.#options.t('Someone else changed the cell while you were editing it.');
    this.#setState(pending, 'conflict', message, current);
    this.#settle(pending, { outcome: 'conflict', current });
  }

  async #sendMany(part: readonly Pending[]): Promise<void> {
    const sent = part.map((pending) => [pending, pending.entry] as const);
    const writes = sent.map(([{ overwrites }, { columnId, rowIndex, text, base }]): ManyWrite => ({
      ...{ columnId, rowIndex, text },
      ...(!overwrites && { base }),
    }));
    let results: readonly ManyResult[] | undefined;
    try {
      results = await this.#options.writeMany?.(writes, this.#stopping.signal);
      if (results === undefined) {
        this.#canSendMany = false;
        this.#again(part);
        return;
      }
    } catch (error) {
      for (const pending of part) pending.isSent = false;
      // One of them does not fit, or the sheet is gone: each is told its own reason.
      if (hasErrorCode(error, 'validation', 'not_found')) this.#again(part, true);
      else await this.#failed(part, error);
      return;
    }
    const saved: (readonly [Pending, JournalEntry])[] = [];
    const alone: Pending[] = [];
    for (const [at, one] of sent.entries()) {
      const result = results[at];
      if (result?.outcome === 'saved') saved.push(one);
      else if (result?.outcome === 'refused') this.#refuse(one[0], result.message);
      else alone.push(one[0]);
    }
    await this.#acknowledge(saved);
    this.#again(alone, true);
  }

  /** To be sent once more: each in a request of its own, where told. */
  #again(pendings: readonly Pending[], isAlone = false): void {
    const stopped: Pending[] = [];
    for (const pending of pendings) {
      pending.isSent = false;
      pending.isAlone = isAlone;
      if (pending.batch?.isStopped === true) stopped.push(pending);
      else this.#bulk.add(pending);
    }
    if (stopped.length > 0) void this.drop(stopped);
  }

  async #acknowledge(
    sent: readonly (readonly [Pending, JournalEntry])[],
    one?: { readonly version: number | undefined; readonly staleCount: number },
  ): Promise<void> {
    this.#hasAnswered();
    const { version, staleCount = 0 } = one ?? { version: undefined };
    const done: Pending[] = [];
    const newer: Pending[] = [];
    for (const [pending, entry] of sent) {
      pending.isSent = false;
      if (pending.entry === entry) done.push(pending);
      else {
        // Edited again while this text was on its way: now that one is what the user saw.
        pending.entry = { ...pending.entry, base: entry.text };
        newer.push(pending);
      }
    }
    await this.#forget(done);
    if (newer.length > 0) {
      await this.#keepOnDisk(newer.map(({ entry }) => entry));
      this.send(newer, 'urgent');
    }
    if (done.length > 0) {
      this.#options.onSaved(
        done.map(({ entry: { columnId, rowIndex, text } }) => ({
          ...{ columnId, rowIndex, text, version, staleCount },
        })),
      );
    }
    for (const pending of done) this.#settle(pending, { outcome: 'saved', version, staleCount });
  }

  #refuse(pending: Pending, reason: string): void {
    pending.isSent = false;
    if (pending.sent !== pending.entry) {
      // It was another text that was refused.
      this.#again([pending]);
      return;
    }
    // Whoever shows it says that the text was not accepted.
    this.#setState(pending, 'refused', reason);
    this.#settle(pending, { outcome: 'refused', message: reason });
  }

  async #failed(part: readonly Pending[], error: unknown): Promise<void> {
    if (this.#stopping.signal.aborted) return;
    const { t, longestPauseMs = 60_000 } = this.#options;
    const reason = error instanceof Error ? error.message : String(error);
    if (hasErrorCode(error, 'validation', 'not_found')) {
      for (const pending of part) this.#refuse(pending, reason);
      return;
    }
    const message = t('Not saved yet; the text is kept and sent again. {0}', reason);
    // A request that has gone out may have taken effect, whatever became of its answer.
    const isUnsure = ({ batch }: Pending): boolean =>
      batch?.isStopped === true && connectFaultOf(error) === undefined;
    for (const pending of part.filter(isUnsure)) {
      this.#refuse(
        pending,
        t('Stopped while the cell was being saved. It may have been changed. {0}', reason),
      );
    }
    this.#again(part.filter((pending) => pending.state !== 'refused'));
    const waiting = [...this.#urgent, ...this.#bulk].filter(({ state }) => state === 'sending');
    for (const pending of waiting) {
      this.#setState(pending, 'waiting', message);
      const { waiters = [], entry } = pending;
      pending.waiters = undefined;
      for (const resolve of waiters) resolve({ outcome: 'waiting', message, text: entry.text });
    }
    if (this.#timer !== undefined) return;
    this.#timer = setTimeout(() => this.retry(), this.#pauseMs).unref();
    this.#pauseMs = Math.min(this.#pauseMs * 2, longestPauseMs);
    this.#options.onPause?.(reason);
  }

  /** The service answers: the next pause is a short one again. */
  #hasAnswered(): void {
    if (this.#pauseMs === this.#firstPauseMs) return;
    this.#pauseMs = this.#firstPauseMs;
    this.#options.onPause?.(undefined);
  }

  #settle(pending: Pending, outcome: EditOutcome): void {
    const how = outcome.outcome === 'saved' ? 'saved' : 'open';
    const { batch, waiters = [], entry } = pending;
    pending.batch = undefined;
    pending.waiters = undefined;
    batch?.settle(how);
    for (const resolve of waiters) resolve({ ...outcome, text: entry.text });
  }

  #setState(pending: Pending, state: EditState, message?: string, current?: string): void {
    const before = pending.state;
    pending.state = state;
    pending.message = message;
    pending.current = current;
    if (this.#pending.has(pending.entry)) this.#reporter.note(pending.entry, before, state);
  }

  async #forget(pendings: readonly Pending[]): Promise<void> {
    const gone = pendings.filter(({ entry }) => this.#pending.delete(entry));
    for (const pending of gone) {
      this.#urgent.delete(pending);
      this.#bulk.delete(pending);
      this.#reporter.note(pending.entry, pending.state, undefined);
    }
    await this.#dropFromDisk(gone.map(({ entry }) => entry));
  }

  async #dropFromDisk(entries: readonly JournalEntry[]): Promise<void> {
    try {
      await this.#options.journal.drop(entries);
    } catch (error) {
      this.#options.onFault(error);
    }
  }

  async #keepOnDisk(entries: readonly JournalEntry[]): Promise<void> {
    try {
      await this.#options.journal.put(entries);
    } catch (error) {
      this.#options.onFault(error);
    }
  }
}
