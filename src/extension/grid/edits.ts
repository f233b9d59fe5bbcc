import type { CellAddress } from '../../protocol/grid-cells.ts';
import type {
  EditOutcome,
  Retraced,
  UnsavedChange,
  UnsavedEdit,
} from '../../protocol/grid-edits.ts';
import type { EditQueueOptions } from './edit-queue.ts';
import { EditQueue } from './edit-queue.ts';
import type { Journal, JournalEntry } from './journal.ts';
import type { BatchOutcome, Pending } from './pending.ts';
import { Batch } from './pending.ts';
import type { EditStep } from './undo-stack.ts';
import { UndoStack } from './undo-stack.ts';
import { CellMap } from './cell-map.ts';

export type { FoundText, ManyResult, ManyWrite, SavedEdit } from './edit-queue.ts';

export interface EditsOptions extends Omit<EditQueueOptions, 'onUnsaved'> {
  readonly journal: Journal;
  readonly knownCellId: (address: CellAddress) => string | undefined;
  readonly onUnsaved: (change: UnsavedChange) => void;
  /** The window closes. */
  readonly closing?: AbortSignal;
  /** How long an edit is waited for before the user is told that it is on its way. */
  readonly patienceMs?: number;
}

export interface CellChange extends CellAddress {
  readonly text: string | null;
  /** What was there when the change was decided. */
  readonly base: string | null;
  readonly cellId?: string;
  /** When `base` was read from the service (`performance.now`). */
  readonly seenAt?: number;
}

export interface ManyOptions {
  /** What has not been begun when it is aborted is not sent any more. */
  readonly stop: AbortSignal;
  readonly onProgress?: (done: number) => void;
  /** All of them are on disk. */
  readonly onKept?: () => Promise<void>;
  /** What was done in another way belongs to the same step. */
  readonly alsoDone?: readonly EditStep[];
}

const never = new AbortController().signal;
const saved: EditOutcome = { outcome: 'saved', version: undefined, staleCount: 0 };

/**
 * The cell edits of one sheet, from the key that confirmed them to the acknowledged text. They do
 * not belong to a view: hiding, closing and crashing one changes nothing of them.
 */
export class Edits {
  readonly #options: EditsOptions;
  readonly #queue: EditQueue;
  readonly #undo = new UndoStack();

  constructor(options: EditsOptions) {
    this.#options = options;
    this.#queue = new EditQueue({
      ...options,
      onUnsaved: (change) =>
        options.onUnsaved({ ...change, canUndo: this.canUndo, canRedo: this.canRedo }),
    });
  }

  get canUndo(): boolean {
    return this.#undo.canUndo;
  }

  get canRedo(): boolean {
    return this.#undo.canRedo;
  }

  /** Of very many only the first: `counts` counts them all. */
  get unsaved(): readonly UnsavedEdit[] {
    return this.#queue.teller.told;
  }

  get counts(): UnsavedChange['counts'] {
    return this.#queue.teller.counts;
  }

  /** Edits that are sent by themselves, now or when the service is back. */
  get underWay(): number {
    const { sending, waiting } = this.counts;
    return sending + waiting;
  }

  /** Cells that the next undo or redo changes. */
  next(direction: 'undo' | 'redo'): number {
    return this.#undo.next(direction);
  }

  /** Takes over what an earlier window left unsent, and sends it. */
  async restore(
    entries: readonly JournalEntry[],
    { stop, onProgress = () => undefined }: ManyOptions,
  ): Promise<BatchOutcome> {
    const mine = entries.filter((entry) => this.#queue.get(entry) === undefined);
    return this.#sendMany(
      mine.map((entry) => this.#queue.keep(entry)),
      stop,
      onProgress,
    );
  }

  async edit(address: CellAddress, text: string | null, base: string | null): Promise<EditOutcome> {
    this.#undo.push([{ ...address, before: base, after: text }]);
    return this.#submit({ ...address, text, base });
  }

  /** Many cells at once: on disk together before the first is sent, and one step to undo. */
  async editMany(changes: readonly CellChange[], options: ManyOptions): Promise<BatchOutcome> {
    const steps = changes.map(({ columnId, rowIndex, base, text }): EditStep => ({
      ...{ columnId, rowIndex },
      before: base,
      after: text,
    }));
    this.#undo.push([...(options.alsoDone ?? []), ...steps]);
    return this.#submitAll(changes, options);
  }

  async retrace(
    direction: 'undo' | 'redo',
    options: ManyOptions = { stop: never },
  ): Promise<Retraced | null> {
    const steps = this.#undo[direction]() ?? [];
    const [first] = steps;
    if (first === undefined) return null;
    const at = { columnId: first.columnId, rowIndex: first.rowIndex };
    const changes = steps.map(({ columnId, rowIndex, before, after }): CellChange => {
      const [text, base] = direction === 'undo' ? [before, after] : [after, before];
      return { columnId, rowIndex, text, base };
    });
    if (changes.length === 1 && changes[0] !== undefined) {
      await this.#submit(changes[0]);
      return { at };
    }
    const left = new CellMap<true>();
    const many = await this.#submitAll(changes, options, (dropped) => {
      for (const { entry } of dropped) left.set(entry, true);
    });
    if (left.size > 0) this.#undo.giveBack(direction, (step) => left.has(step));
    this.#queue.teller.flush();
    return { at, many };
  }

  /** Settles an edit in conflict or refused. */
  async resolve(address: CellAddress, keep: 'mine' | 'theirs'): Promise<EditOutcome> {
    const pending = this.#queue.get(address);
    if (pending === undefined) return saved;
    if (keep === 'mine') {
      pending.overwrites = pending.state === 'conflict';
      return this.#outcome(pending);
    }
    this.#undo.forget(address);
    await this.#queue.drop([pending]);
    this.#queue.teller.flush();
    return saved;
  }

  /** All edits in conflict, or all that were refused. */
  async resolveAll(
    state: 'conflict' | 'refused',
    keep: 'mine' | 'theirs',
    { stop, onProgress = () => undefined }: ManyOptions,
  ): Promise<BatchOutcome> {
    const those = [...this.#queue.all()].filter((pending) => pending.state === state);
    if (keep === 'mine') {
      for (const pending of those) pending.overwrites = state === 'conflict';
      return this.#sendMany(those, stop, onProgress);
    }
    const gone = new CellMap<true>();
    for (const { entry } of those) gone.set(entry, true);
    this.#undo.forgetAll((step) => gone.has(step));
    const dropped = await this.#queue.drop(those);
    this.#queue.teller.flush();
    return { saved: 0, open: 0, dropped: dropped.length };
  }

  /** Everything that is not saved is given up, by its person's wish. */
  async discard(): Promise<void> {
    await this.#queue.drop([...this.#queue.all()]);
  }

  /** The connection is well again: what waits is sent at once. */
  retry(): void {
    this.#queue.retry();
  }

  /** Unsent edits stay in the journal, which is closed by whoever opened it. */
  dispose(): void {
    this.#queue.dispose();
  }

  async #submit(change: CellChange): Promise<EditOutcome> {
    const pending = this.#queue.keep(this.#entryOf(change));
    await this.#putOnDisk([pending]);
    this.#queue.teller.flush();
    const outcome = await this.#outcome(pending);
    this.#queue.teller.flush();
    return outcome;
  }

  async #submitAll(
    changes: readonly CellChange[],
    { stop, onProgress = () => undefined, onKept }: ManyOptions,
    onDropped?: (dropped: readonly Pending[]) => void,
  ): Promise<BatchOutcome> {
    const since = new Date().toISOString();
    const pendings = changes.map((change) =>
      this.#queue.keep(this.#entryOf(change, since), change.seenAt),
    );
    await this.#putOnDisk(pendings);
    await onKept?.();
    return this.#sendMany(pendings, stop, onProgress, onDropped);
  }

  async #sendMany(
    pendings: readonly Pending[],
    stop: AbortSignal,
    onProgress: (done: number) => void,
    onDropped?: (dropped: readonly Pending[]) => void,
  ): Promise<BatchOutcome> {
    const batch = new Batch(pendings.length, onProgress);
    for (const pending of pendings) pending.batch = batch;
    let dropping: Promise<void> | undefined;
    const drop = (): void => {
      // A window that closes stops nothing: what is not sent stays in the journal for the next one.
      if (this.#options.closing?.aborted === true) return;
      const mine = pendings.filter((pending) => pending.batch === batch);
      dropping = this.#queue.drop(mine).then(onDropped);
    };
    stop.addEventListener('abort', drop, { once: true });
    if (stop.aborted) drop();
    else this.#queue.send(pendings, 'bulk');
    try {
      return await batch.ended;
    } finally {
      stop.removeEventListener('abort', drop);
      await dropping;
      this.#queue.teller.flush();
    }
  }

  #entryOf(change: CellChange, since = new Date().toISOString()): JournalEntry {
    const { columnId, rowIndex, text, base, cellId: id } = change;
    const earlier = this.#queue.get(change);
    const cellId = earlier?.entry.cellId ?? id ?? this.#options.knownCellId(change);
    return {
      ...{ columnId, rowIndex, text },
      base: earlier === undefined ? base : baseOver(earlier, base),
      since,
      ...(cellId !== undefined && { cellId }),
    };
  }

  async #putOnDisk(pendings: readonly Pending[]): Promise<void> {
    try {
      await this.#options.journal.put(pendings.map(({ entry }) => entry));
    } catch (error) {
      this.#options.onFault(error);
    }
  }

  /** The end of the attempt, or word that it takes longer. */
  async #outcome(pending: Pending): Promise<EditOutcome> {
    const { t, patienceMs = 4000 } = this.#options;
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<EditOutcome>((resolve) => {
      timer = setTimeout(() => {
        const message = t('The service has not answered yet. The text is kept and sent again.');
        if (pending.state === 'sending') this.#queue.setWaiting(pending, message);
        resolve({ outcome: 'waiting', message, text: pending.entry.text });
      }, patienceMs);
    });
    const ending = this.#queue.outcomeOf(pending);
    this.#queue.send([pending], 'urgent');
    try {
      return await Promise.race([ending, patience]);
    } finally {
      clearTimeout(timer);
    }
  }
}

const isSameText = (one: string | null, other: string | null): boolean =>
  (one ?? '') === (other ?? '');

/** Editing over an unsent edit keeps its base, unless the newer value has been seen by now. */
function baseOver({ entry, current }: Pending, base: string | null): string | null {
  return current !== undefined && isSameText(current, base) ? current : entry.base;
}
