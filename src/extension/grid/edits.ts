import { hasErrorCode } from '../../core/errors.ts';
import type { CellAddress, EditOutcome, UnsavedEdit } from '../../protocol/grid.ts';
import type { Journal, JournalEntry } from './journal.ts';
import type { Translate } from '../translate.ts';
import type { EditStep } from './undo-stack.ts';
import { UndoStack } from './undo-stack.ts';

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

export interface EditsOptions {
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
  readonly knownCellId: (address: CellAddress) => string | undefined;
  readonly onChange: () => void;
  readonly onSaved: (edit: SavedEdit) => void;
  /** The journal could not be written; the edit is sent all the same. */
  readonly onFault: (error: unknown) => void;
  /** How long an edit is waited for before the user is told that it is on its way. */
  readonly patienceMs?: number;
  /** First pause before a new attempt; it doubles up to `longestPauseMs`. */
  readonly firstPauseMs?: number;
  readonly longestPauseMs?: number;
}

export interface CellChange extends CellAddress {
  readonly text: string | null;
  /** What was there when the change was decided. */
  readonly base: string | null;
  readonly cellId?: string;
}

/** `open`: not accepted, in conflict or not sent yet; `dropped`: called off before it was sent. */
export interface ManyOutcome {
  readonly saved: number;
  readonly open: number;
  readonly dropped: number;
}

type State = UnsavedEdit['state'];

interface Pending {
  entry: JournalEntry;
  state: State;
  message: string | undefined;
  current: string | undefined;
  /** Overwrite whatever is there: the user has seen it and decided. */
  overwrites: boolean;
  running: Promise<EditOutcome> | undefined;
  pauseMs: number;
  timer: NodeJS.Timeout | undefined;
}

const sentAtOnce = 6;
const quietMs = 400;

const keyOf = ({ columnId, rowIndex }: CellAddress): string => `${columnId} ${rowIndex}`;
const isSameText = (one: string | null, other: string | null): boolean =>
  (one ?? '') === (other ?? '');

/**
 * Cell edits on their way to the service. Each is on disk before it is sent and until it is
 * acknowledged; a value that changed on the service in the meantime is shown, not overwritten.
 */
export class Edits {
  readonly #options: EditsOptions;
  readonly #pending = new Map<string, Pending>();
  readonly #undo = new UndoStack();
  /** Above 0 while many edits are being sent. */
  #quiet = 0;
  #lastWrite: Promise<void> = Promise.resolve();
  #nextWrite: Promise<void> | undefined;
  readonly #stopping = new AbortController();

  constructor(options: EditsOptions) {
    this.#options = options;
  }

  get canUndo(): boolean {
    return this.#undo.canUndo;
  }

  get canRedo(): boolean {
    return this.#undo.canRedo;
  }

  get unsaved(): readonly UnsavedEdit[] {
    return [...this.#pending.values()].map(({ entry, state, message, current }) => ({
      columnId: entry.columnId,
      rowIndex: entry.rowIndex,
      text: entry.text,
      state,
      ...(message !== undefined && { message }),
      ...(current !== undefined && { current }),
    }));
  }

  /** Takes over what an earlier window left unsent, and sends it. */
  async restore(): Promise<void> {
    for (const entry of await this.#options.journal.adopt()) {
      if (!this.#pending.has(keyOf(entry))) void this.#send(this.#keep(entry));
    }
    if (this.#pending.size > 0) this.#options.onChange();
  }

  async edit(address: CellAddress, text: string | null, base: string | null): Promise<EditOutcome> {
    this.#undo.push([{ ...address, before: base, after: text }]);
    return this.#submit({ ...address, text, base });
  }

  /** Many cells at once: on disk together before the first is sent, and one step to undo. */
  async editMany(
    changes: readonly CellChange[],
    signal: AbortSignal,
    onProgress: (done: number) => void,
  ): Promise<ManyOutcome> {
    this.#undo.push(
      changes.map(({ columnId, rowIndex, base, text }) => ({
        columnId,
        rowIndex,
        before: base,
        after: text,
      })),
    );
    return this.#submitAll(changes, signal, onProgress);
  }

  /** The cell that was changed back (the first of several), or null when there is nothing to undo. */
  async undo(): Promise<CellAddress | null> {
    return this.#retrace(this.#undo.undo(), ({ before, after }) => ({ text: before, base: after }));
  }

  async redo(): Promise<CellAddress | null> {
    return this.#retrace(this.#undo.redo(), ({ before, after }) => ({ text: after, base: before }));
  }

  async #retrace(
    steps: readonly EditStep[] | undefined,
    turn: (step: EditStep) => Pick<CellChange, 'text' | 'base'>,
  ): Promise<CellAddress | null> {
    const [first, ...others] = steps ?? [];
    if (first === undefined) return null;
    const at = { columnId: first.columnId, rowIndex: first.rowIndex };
    if (others.length === 0) await this.#submit({ ...at, ...turn(first) });
    else {
      const changes = (steps ?? []).map((step) => ({
        columnId: step.columnId,
        rowIndex: step.rowIndex,
        ...turn(step),
      }));
      await this.#submitAll(changes, this.#stopping.signal, () => undefined);
    }
    return at;
  }

  /** Settles an edit in conflict or refused. */
  async resolve(address: CellAddress, keep: 'mine' | 'theirs'): Promise<EditOutcome> {
    const pending = this.#pending.get(keyOf(address));
    if (pending === undefined) return { outcome: 'saved', version: undefined, staleCount: 0 };
    if (keep === 'mine') {
      pending.overwrites = pending.state === 'conflict';
      return this.#outcome(pending);
    }
    this.#undo.forget(address);
    await this.#forget(pending);
    return { outcome: 'saved', version: undefined, staleCount: 0 };
  }

  /** The connection is well again: what waits is sent at once. */
  retry(): void {
    for (const pending of this.#pending.values()) {
      if (pending.state === 'waiting') void this.#send(pending);
    }
  }

  /** Unsent edits stay in the journal. */
  async dispose(): Promise<void> {
    this.#stopping.abort();
    for (const { timer } of this.#pending.values()) clearTimeout(timer);
    await this.#options.journal.close();
  }

  async #submit(change: CellChange): Promise<EditOutcome> {
    const pending = this.#accept(change);
    await this.#writeJournal();
    this.#options.onChange();
    return this.#outcome(pending);
  }

  #accept({ text, base, cellId: id, ...address }: CellChange): Pending {
    const earlier = this.#pending.get(keyOf(address));
    const cellId = earlier?.entry.cellId ?? id ?? this.#options.knownCellId(address);
    const entry: JournalEntry = {
      columnId: address.columnId,
      rowIndex: address.rowIndex,
      text,
      base: earlier === undefined ? base : this.#baseOver(earlier, base),
      since: new Date().toISOString(),
      ...(cellId !== undefined && { cellId }),
    };
    return this.#keep(entry, earlier);
  }

  /** What has not been begun when the signal is aborted is not sent any more. */
  async #submitAll(
    changes: readonly CellChange[],
    signal: AbortSignal,
    onProgress: (done: number) => void,
  ): Promise<ManyOutcome> {
    const waiting = changes.map((change) => this.#accept(change));
    const count = { saved: 0, open: 0, dropped: 0 };
    await this.#writeJournal();
    this.#quiet += 1;
    const told = setInterval(() => this.#options.onChange(), quietMs);
    this.#options.onChange();
    const sendNext = async (): Promise<void> => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        if (signal.aborted) {
          this.#pending.delete(keyOf(next.entry));
          count.dropped += 1;
          continue;
        }
        const { outcome } = await this.#send(next);
        count[outcome === 'saved' ? 'saved' : 'open'] += 1;
        onProgress(count.saved + count.open);
      }
    };
    try {
      await Promise.all(Array.from({ length: sentAtOnce }, sendNext));
    } finally {
      clearInterval(told);
      this.#quiet -= 1;
    }
    if (count.dropped > 0) await this.#writeJournal();
    this.#options.onChange();
    return count;
  }

  /** Editing over an unsent edit keeps its base, unless the newer value has been seen by now. */
  #baseOver({ entry, current }: Pending, base: string | null): string | null {
    return current !== undefined && isSameText(current, base) ? current : entry.base;
  }

  #keep(entry: JournalEntry, earlier?: Pending): Pending {
    if (earlier !== undefined) {
      earlier.entry = entry;
      earlier.overwrites = false;
      return earlier;
    }
    const pending: Pending = {
      entry,
      state: 'sending',
      message: undefined,
      current: undefined,
      overwrites: false,
      running: undefined,
      pauseMs: this.#options.firstPauseMs ?? 2000,
      timer: undefined,
    };
    this.#pending.set(keyOf(entry), pending);
    return pending;
  }

  /** The end of the attempt, or word that it takes longer. */
  async #outcome(pending: Pending): Promise<EditOutcome> {
    const { t, patienceMs = 4000 } = this.#options;
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<EditOutcome>((resolve) => {
      timer = setTimeout(() => {
        const message = t('The service has not answered yet. The text is kept and sent again.');
        if (pending.state === 'sending') this.#setState(pending, 'waiting', message);
        resolve({ outcome: 'waiting', message });
      }, patienceMs);
    });
    try {
      const ending = await Promise.race([this.#send(pending), patience]);
      return { ...ending, text: pending.entry.text };
    } finally {
      clearTimeout(timer);
    }
  }

  /** One attempt at a time for each cell; a second caller waits for the same one. */
  async #send(pending: Pending): Promise<EditOutcome> {
    clearTimeout(pending.timer);
    pending.running ??= this.#attempt(pending).finally(() => {
      pending.running = undefined;
    });
    return pending.running;
  }

  async #attempt(pending: Pending): Promise<EditOutcome> {
    this.#setState(pending, 'sending');
    try {
      for (;;) {
        const { entry } = pending;
        const result = await this.#sendOnce(pending, entry);
        if (result.outcome !== 'saved') return result;
        if (pending.entry === entry) return await this.#acknowledge(pending, result);
        // Edited again while this text was on its way: now that one is what the user saw.
        pending.entry = { ...pending.entry, base: entry.text };
        await this.#writeJournal();
      }
    } catch (error) {
      return this.#failed(pending, error);
    }
  }

  async #sendOnce(pending: Pending, entry: JournalEntry): Promise<EditOutcome> {
    const { signal } = this.#stopping;
    const found = await this.#options.read(entry, entry.cellId, signal);
    if (found.text === entry.text) {
      // It is there already: an earlier answer was lost, or somebody typed the same.
      return { outcome: 'saved', version: undefined, staleCount: 0 };
    }
    if (!pending.overwrites && !isSameText(found.text, entry.base)) {
      const current = found.text ?? '';
      const { t } = this.#options;
      const message = t('The cell was changed by somebody else while it was edited here.');
      this.#setState(pending, 'conflict', message, current);
      return { outcome: 'conflict', current };
    }
    const saved = await this.#options.write(found.cellId, entry.text, signal, entry);
    return { outcome: 'saved', version: saved.version, staleCount: saved.staleCount };
  }

  async #acknowledge(
    pending: Pending,
    saved: Extract<EditOutcome, { outcome: 'saved' }>,
  ): Promise<EditOutcome> {
    const { columnId, rowIndex, text } = pending.entry;
    await this.#forget(pending);
    const { version, staleCount } = saved;
    this.#options.onSaved({ columnId, rowIndex, text, version, staleCount });
    return saved;
  }

  #failed(pending: Pending, error: unknown): EditOutcome {
    const { t, longestPauseMs = 60_000 } = this.#options;
    const reason = error instanceof Error ? error.message : String(error);
    if (hasErrorCode(error, 'validation', 'not_found')) {
      const message = t('The service refused the text: {0}', reason);
      this.#setState(pending, 'refused', message);
      return { outcome: 'refused', message };
    }
    const message = t('Not saved yet; the text is kept and sent again. {0}', reason);
    this.#setState(pending, 'waiting', message);
    if (!this.#stopping.signal.aborted) {
      pending.timer = setTimeout(() => void this.#send(pending), pending.pauseMs).unref();
      pending.pauseMs = Math.min(pending.pauseMs * 2, longestPauseMs);
    }
    return { outcome: 'waiting', message };
  }

  #setState(pending: Pending, state: State, message?: string, current?: string): void {
    pending.state = state;
    pending.message = message;
    pending.current = current;
    if (this.#pending.has(keyOf(pending.entry))) this.#tell();
  }

  async #forget(pending: Pending): Promise<void> {
    clearTimeout(pending.timer);
    this.#pending.delete(keyOf(pending.entry));
    await this.#writeJournal();
    this.#tell();
  }

  /** While many are sent, the whole list is told from time to time only. */
  #tell(): void {
    if (this.#quiet === 0) this.#options.onChange();
  }

  /** Those who ask while one is being written share the next one. */

  async #writeJournal(): Promise<void> {
    this.#nextWrite ??= this.#lastWrite.then(async () => {
      this.#nextWrite = undefined;
      await this.#writeNow();
    });
    this.#lastWrite = this.#nextWrite;
    return this.#nextWrite;
  }

  async #writeNow(): Promise<void> {
    try {
      await this.#options.journal.write([...this.#pending.values()].map(({ entry }) => entry));
    } catch (error) {
      this.#options.onFault(error);
    }
  }
}
