import type { CellAddress } from '../../../protocol/grid-cells.ts';
import type { EditOutcome, UnsavedChange } from '../../../protocol/grid-edits.ts';
import { Backlog, type Block } from './backlog.ts';
import type { EditNews } from './edit-answers.ts';
import { EditAnswers } from './edit-answers.ts';
import { EditSending } from './edit-sending.ts';
import type { EditService } from './edit-service.ts';
import type { Journal, JournalEntry } from './journal.ts';
import type { Batch, Pending } from './pending.ts';
import { PendingEdits } from './pending-edits.ts';
import { UnsavedReporter } from './unsaved-reporter.ts';

export interface EditQueueOptions extends EditService, EditNews {
  readonly journal: Journal;
  readonly onUnsaved: (change: Omit<UnsavedChange, 'canUndo' | 'canRedo'>) => void;
  /** The journal could not be written; the edit is sent all the same. */
  readonly onFault: (error: unknown) => void;
}

/**
 * Cell edits on their way to the service, many in one request where it takes them. Each is on disk
 * until it is acknowledged; a value that changed on the service meanwhile is shown, not overwritten.
 *
 * `PendingEdits` holds them, `EditSending` sends them, `EditAnswers` does what an answer says, and the
 * `Backlog` keeps very many until it is their turn.
 */
export class EditQueue {
  readonly #edits: PendingEdits;
  readonly #backlog: Backlog;
  readonly #sending: EditSending;

  constructor(options: EditQueueOptions) {
    this.#backlog = new Backlog(options.journal);
    this.#edits = new PendingEdits({
      journal: options.journal,
      onFault: options.onFault,
      reporterOf: (pending) =>
        new UnsavedReporter(pending, options.onUnsaved, () => this.#backlog.size),
    });
    this.#sending = new EditSending({
      service: options,
      next: () => this.#next(),
      answered: (sent, all) => answers.take(sent, all),
      failed: (sent, error) => answers.fail(sent, error),
    });
    const send = (pendings: readonly Pending[]): void => this.send(pendings, 'urgent');
    const answers = new EditAnswers(this.#edits, this.#sending, { ...options, send });
  }

  get size(): number {
    return this.#edits.size + this.#backlog.size;
  }

  get reporter(): UnsavedReporter {
    return this.#edits.reporter;
  }

  get(address: CellAddress): Pending | undefined {
    return this.#edits.get(address);
  }

  all(): Iterable<Pending> {
    return this.#edits.all();
  }

  /** Takes an edit; it is sent by `send`. */
  keep(entry: JournalEntry, seenAt?: number): Pending {
    return this.#edits.keep(entry, seenAt);
  }

  /** Resolves at the end of the attempt, also when that is word that it has to wait. */
  outcomeOf(pending: Pending): Promise<EditOutcome> {
    return this.#edits.outcomeOf(pending);
  }

  send(pendings: Iterable<Pending>, how: 'urgent' | 'bulk'): void {
    for (const pending of pendings) {
      if (pending.isSent || !this.#edits.has(pending)) continue;
      if (pending.state !== 'sending') this.#edits.setState(pending, 'sending');
      this.#sending.add(pending, how);
    }
    // A person's new edit is a reason to try again at once.
    if (how === 'urgent') this.#sending.endPause();
    this.#sending.begin();
  }

  /** Very many edits of cells that have no other one: each is taken up when its turn comes. */
  addBlock(block: Block): void {
    this.#backlog.add(block);
    this.reporter.soon();
  }

  #next(): Pending | undefined {
    const due = this.#backlog.take();
    if (due === undefined) return undefined;
    const pending = this.#edits.keep(due.entry, due.seenAt);
    pending.batch = due.batch;
    return pending;
  }

  /** Calls off what is not under way of a batch, or of all. */
  async stop(batch?: Batch): Promise<void> {
    if (batch !== undefined) batch.isStopped = true;
    const behind = this.#backlog.remove(batch);
    const mine = [...this.#edits.all()].filter(
      (pending) => batch === undefined || pending.batch === batch,
    );
    await this.drop(mine);
    await this.#edits.dropFromDisk(behind.map(({ entry }) => entry));
    for (const one of behind) one.batch.drop(one.entry);
    this.reporter.soon();
  }

  /** Calls off what is not under way. */
  async drop(pendings: Iterable<Pending>): Promise<readonly Pending[]> {
    const dropped = [...pendings].filter((one) => !one.isSent);
    this.#sending.remove(dropped);
    await this.#edits.drop(dropped);
    return dropped;
  }

  /** The connection is well again: what waits is sent at once. */
  retry(): void {
    this.#sending.endPause();
    this.#sending.begin();
  }

  setWaiting(pending: Pending, message: string): void {
    this.#edits.setState(pending, 'waiting', message);
  }

  dispose(): void {
    this.#sending.dispose();
    this.reporter.dispose();
  }
}
