import type { CellAddress } from '../../../protocol/grid-cells.ts';
import type {
  EditOutcome,
  Retraced,
  UnsavedChange,
  UnsavedEdit,
} from '../../../protocol/grid-edits.ts';
import type { Block } from './backlog.ts';
import type { EditQueueOptions } from './edit-queue.ts';
import { EditQueue } from './edit-queue.ts';
import type { Journal, JournalEntry } from './journal.ts';
import type { BatchOutcome, Pending } from './pending.ts';
import { Batch } from './pending.ts';
import type { EditStep } from './undo-stack.ts';
import { UndoStack } from './undo-stack.ts';
import { CellMap } from '../rows/cell-map.ts';

export type { SavedEdit } from './edit-answers.ts';
export type { FoundText, ManyResult, ManyWrite } from './edit-service.ts';

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
  /** ISO 8601; when it is given the change is kept as it is, without a copy. */
  readonly since?: string;
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

/** Edits that were made at once: of cells that have another edit, and all others. */
interface Parts {
  readonly batch: Batch;
  readonly pendings?: readonly Pending[];
  readonly block?: Block;
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
    return this.#queue.reporter.reported;
  }

  get counts(): UnsavedChange['counts'] {
    return this.#queue.reporter.counts;
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
    const batch = new Batch(mine.length, onProgress);
    return this.#carryOut({ batch, block: { entries: mine, batch } }, stop);
  }

  async edit(address: CellAddress, text: string | null, base: string | null): Promise<EditOutcome> {
    this.#undo.push([{ ...address, base, text }]);
    return this.#submit({ ...address, text, base });
  }

  /** Many cells at once: on disk together before the first is sent, and one step to undo. */
  async editMany(changes: readonly CellChange[], options: ManyOptions): Promise<BatchOutcome> {
    this.#undo.push([...(options.alsoDone ?? []), ...changes]);
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
    const since = new Date().toISOString();
    const changes = steps.map(({ columnId, rowIndex, ...step }): CellChange => {
      const isUndo = direction === 'undo';
      const [text, base] = isUndo ? [step.base, step.text] : [step.text, step.base];
      return { columnId, rowIndex, text, base, since };
    });
    if (changes.length === 1 && changes[0] !== undefined) {
      await this.#submit(changes[0]);
      return { at };
    }
    const left = new CellMap<true>();
    const many = await this.#submitAll(changes, options, (dropped) => {
      for (const entry of dropped) left.set(entry, true);
    });
    if (left.size > 0) this.#undo.giveBack(direction, (step) => left.has(step));
    this.#queue.reporter.flush();
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
    this.#queue.reporter.flush();
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
    this.#queue.reporter.flush();
    return { saved: 0, open: 0, dropped: dropped.length };
  }

  /** Everything that is not saved is given up, at the user's request. */
  async discard(): Promise<void> {
    await this.#queue.stop();
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
    await this.#putOnDisk([pending.entry]);
    this.#queue.reporter.flush();
    const outcome = await this.#outcome(pending);
    this.#queue.reporter.flush();
    return outcome;
  }

  async #submitAll(
    changes: readonly CellChange[],
    { stop, onProgress = () => undefined, onKept }: ManyOptions,
    onDropped?: (dropped: readonly JournalEntry[]) => void,
  ): Promise<BatchOutcome> {
    const since = new Date().toISOString();
    const batch = new Batch(changes.length, onProgress);
    const entries: JournalEntry[] = [];
    const seenAts: (number | undefined)[] = [];
    const over: Pending[] = [];
    for (const change of changes) {
      const entry = this.#entryOf(change, since);
      // What stands in place of an edit that is not settled is that edit from now on.
      if (this.#queue.get(change) !== undefined) {
        over.push(this.#queue.keep(entry, change.seenAt));
        continue;
      }
      entries.push(entry);
      if (change.seenAt !== undefined) seenAts[entries.length - 1] = change.seenAt;
    }
    await this.#putOnDisk(over.length === 0 ? entries : [...over.map(entryIn), ...entries]);
    await onKept?.();
    const block = { entries, batch, ...(seenAts.length > 0 && { seenAts }) };
    return this.#carryOut({ batch, pendings: over, block }, stop, onDropped);
  }

  async #sendMany(
    pendings: readonly Pending[],
    stop: AbortSignal,
    onProgress: (done: number) => void,
  ): Promise<BatchOutcome> {
    const batch = new Batch(pendings.length, onProgress);
    return this.#carryOut({ batch, pendings }, stop);
  }

  async #carryOut(
    { batch, pendings = [], block }: Parts,
    stop: AbortSignal,
    onDropped?: (dropped: readonly JournalEntry[]) => void,
  ): Promise<BatchOutcome> {
    let dropping: Promise<void> | undefined;
    const drop = (): void => {
      // A window that closes stops nothing: what is not sent stays in the journal for the next one.
      if (this.#options.closing?.aborted === true) return;
      dropping = this.#queue.stop(batch);
    };
    stop.addEventListener('abort', drop, { once: true });
    for (const pending of pendings) pending.batch = batch;
    if (block !== undefined) this.#queue.addBlock(block);
    if (stop.aborted) drop();
    else this.#queue.send(pendings, 'bulk');
    try {
      return await batch.ended;
    } finally {
      stop.removeEventListener('abort', drop);
      await dropping;
      onDropped?.(batch.dropped);
      this.#queue.reporter.flush();
    }
  }

  #entryOf(change: CellChange, since = new Date().toISOString()): JournalEntry {
    const { columnId, rowIndex, text, base, cellId: id } = change;
    const earlier = this.#queue.get(change);
    // Of a block whose turn has not come.
    const behind = earlier === undefined ? this.#options.journal.entry(change) : undefined;
    if (earlier === undefined && behind === undefined && isEntry(change)) return change;
    const cellId = earlier?.entry.cellId ?? id ?? this.#options.knownCellId(change);
    return {
      ...{ columnId, rowIndex, text },
      base: earlier === undefined ? (behind?.base ?? base) : baseOver(earlier, base),
      since,
      ...(cellId !== undefined && { cellId }),
    };
  }

  async #putOnDisk(entries: readonly JournalEntry[]): Promise<void> {
    try {
      await this.#options.journal.put(entries);
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

/** Nothing of it is of use only now. */
const isEntry = (change: CellChange): change is CellChange & JournalEntry =>
  change.since !== undefined && change.seenAt === undefined;

const entryIn = ({ entry }: Pending): JournalEntry => entry;

const isSameText = (one: string | null, other: string | null): boolean =>
  (one ?? '') === (other ?? '');

/** Editing over an unsent edit keeps its base, unless the newer value has been seen by now. */
function baseOver({ entry, current }: Pending, base: string | null): string | null {
  return current !== undefined && isSameText(current, base) ? current : entry.base;
}
