import { hasErrorCode } from '../../../core/errors.ts';
import type { EditService, ManyWrite } from './edit-service.ts';
import type { Pending } from './pending.ts';

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

/** What the service says of one edit. */
export type EditAnswer =
  | {
      readonly outcome: 'saved';
      readonly version?: number | undefined;
      readonly staleCount?: number;
    }
  | { readonly outcome: 'refused'; readonly message: string }
  /** `text` is there in place of the base. */
  | { readonly outcome: 'conflict'; readonly text: string | null }
  /** To be sent once more, in a request of its own if it is `alone`. */
  | { readonly outcome: 'again' | 'alone' };

export interface EditSendingOptions {
  readonly service: EditService;
  /** The next of very many edits; undefined when there are no more. */
  readonly next: () => Pending | undefined;
  /** An answer for each of these, which were sent together. */
  readonly answered: (sent: readonly Pending[], answers: readonly EditAnswer[]) => Promise<void>;
  /** There is no answer. */
  readonly failed: (sent: readonly Pending[], error: unknown) => Promise<void>;
}

/** Sends edits: which is next, how many in one request, how many requests at a time. */
export class EditSending {
  readonly #options: EditSendingOptions;
  /** What a person waits for right now comes before blocks. */
  readonly #urgent = new Set<Pending>();
  readonly #bulk = new Set<Pending>();
  readonly #stopping = new AbortController();
  #canSendMany: boolean;
  #lanes = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: EditSendingOptions) {
    this.#options = options;
    this.#canSendMany = options.service.writeMany !== undefined;
  }

  get isStopped(): boolean {
    return this.#stopping.signal.aborted;
  }

  get isPaused(): boolean {
    return this.#timer !== undefined;
  }

  /** Those that wait for their turn. */
  get ready(): readonly Pending[] {
    return [...this.#urgent, ...this.#bulk];
  }

  add(pending: Pending, how: 'urgent' | 'bulk'): void {
    if (how === 'urgent') this.#bulk.delete(pending);
    else if (this.#urgent.has(pending)) return;
    (how === 'urgent' ? this.#urgent : this.#bulk).add(pending);
  }

  remove(pendings: Iterable<Pending>): void {
    for (const pending of pendings) {
      this.#urgent.delete(pending);
      this.#bulk.delete(pending);
    }
  }

  /** Nothing is sent for a while. */
  pause(ms: number): void {
    if (this.isPaused) return;
    this.#timer = setTimeout(() => {
      this.endPause();
      this.begin();
    }, ms).unref();
  }

  endPause(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  dispose(): void {
    this.#stopping.abort();
    clearTimeout(this.#timer);
  }

  begin(): void {
    if (this.isStopped || this.isPaused) return;
    const most = this.#canSendMany ? manyLanes : singleLanes;
    this.#fill();
    while (this.#lanes < most && this.#urgent.size + this.#bulk.size > 0) {
      this.#lanes += 1;
      void this.#lane();
    }
  }

  async #lane(): Promise<void> {
    try {
      while (!this.isStopped && !this.isPaused) {
        const part = this.#take();
        if (part.length === 0) return;
        for (const pending of part) {
          pending.isSent = true;
          pending.sent = pending.entry;
        }
        await this.#send(part);
      }
    } finally {
      this.#lanes -= 1;
    }
  }

  #fill(): void {
    while (this.#bulk.size < mostReady) {
      const pending = this.#options.next();
      if (pending === undefined) return;
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

  async #send(part: readonly Pending[]): Promise<void> {
    const [only, ...others] = part;
    let answers: readonly EditAnswer[];
    try {
      answers =
        only !== undefined && others.length === 0
          ? [await this.#sendOne(only)]
          : await this.#sendMany(part);
    } catch (error) {
      await this.#options.failed(part, error);
      return;
    }
    await this.#options.answered(part, answers);
  }

  async #sendOne({ entry, overwrites, seenAt }: Pending): Promise<EditAnswer> {
    const { service } = this.#options;
    const { signal } = this.#stopping;
    const { text, base } = entry;
    let { cellId } = entry;
    const isFresh = seenAt !== undefined && performance.now() - seenAt < freshMs;
    if (!isFresh || cellId === undefined) {
      const found = await service.read(entry, cellId, signal);
      // It is there already: an earlier answer was lost, or somebody typed the same.
      if (found.text === text) return { outcome: 'saved' };
      if (!overwrites && !isSameText(found.text, base)) {
        return { outcome: 'conflict', text: found.text };
      }
      ({ cellId } = found);
    }
    return { outcome: 'saved', ...(await service.write(cellId, text, signal, entry)) };
  }

  async #sendMany(part: readonly Pending[]): Promise<readonly EditAnswer[]> {
    const writes = part.map(({ overwrites, entry }): ManyWrite => {
      const { columnId, rowIndex, text, base } = entry;
      return { columnId, rowIndex, text, ...(!overwrites && { base }) };
    });
    try {
      const results = await this.#options.service.writeMany?.(writes, this.#stopping.signal);
      this.#canSendMany &&= results !== undefined;
      if (results === undefined) return part.map(() => ({ outcome: 'again' }));
      return part.map((_, at) => results[at] ?? { outcome: 'alone' });
    } catch (error) {
      // One of them does not fit, or the sheet is gone: each is told its own reason.
      if (!hasErrorCode(error, 'validation', 'not_found')) throw error;
      return part.map(() => ({ outcome: 'alone' }));
    }
  }
}
