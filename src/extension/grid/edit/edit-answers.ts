import { hasErrorCode } from '../../../core/errors.ts';
import { connectFaultOf } from '../../../core/http/reach.ts';
import type { CellAddress } from '../../../protocol/grid-cells.ts';
import type { Translate } from '../../shell/translate.ts';
import type { EditAnswer, EditSending } from './edit-sending.ts';
import type { JournalEntry } from './journal.ts';
import type { Pending } from './pending.ts';
import type { PendingEdits } from './pending-edits.ts';

export interface SavedEdit extends CellAddress {
  readonly text: string | null;
  readonly version: number | undefined;
  readonly staleCount: number;
}

/** What a user of edits hears of their way. */
export interface EditNews {
  readonly t: Translate;
  readonly onSaved: (edits: readonly SavedEdit[]) => void;
  /** The service is away: nothing is sent for a while; undefined: it is back. */
  readonly onPause?: (reason: string | undefined) => void;
  /** First pause before a new attempt; it doubles up to `longestPauseMs`. */
  readonly firstPauseMs?: number;
  readonly longestPauseMs?: number;
}

export interface EditAnswersOptions extends EditNews {
  /** Sends those at once that were edited again meanwhile. */
  readonly send: (pendings: readonly Pending[]) => void;
}

interface Saved {
  readonly pending: Pending;
  readonly entry: JournalEntry;
  readonly version: number | undefined;
  readonly staleCount: number;
}

const defaultFirstPauseMs = 2000;

/** What becomes of edits that were sent: saved, in conflict, refused, sent again, or waiting. */
export class EditAnswers {
  readonly #edits: PendingEdits;
  readonly #sending: EditSending;
  readonly #options: EditAnswersOptions;
  #pauseMs: number;

  constructor(edits: PendingEdits, sending: EditSending, options: EditAnswersOptions) {
    this.#edits = edits;
    this.#sending = sending;
    this.#options = options;
    this.#pauseMs = this.#firstPauseMs;
  }

  get #firstPauseMs(): number {
    return this.#options.firstPauseMs ?? defaultFirstPauseMs;
  }

  /** An answer for each of these, which were sent together. */
  async take(sent: readonly Pending[], answers: readonly EditAnswer[]): Promise<void> {
    const saved: Saved[] = [];
    const alone: Pending[] = [];
    const again: Pending[] = [];
    this.#hasAnswered();
    for (const [at, pending] of sent.entries()) {
      const answer = answers[at];
      const { sent: entry } = pending;
      if (answer?.outcome === 'saved' && entry !== undefined) {
        saved.push({ pending, entry, version: answer.version, staleCount: answer.staleCount ?? 0 });
      } else if (answer?.outcome === 'refused') this.#refuse(pending, answer.message);
      else if (answer?.outcome === 'conflict') this.#conflict(pending, answer.text);
      else (answer?.outcome === 'again' ? again : alone).push(pending);
    }
    if (saved.length > 0) await this.#acknowledge(saved);
    this.#again(again, false);
    this.#again(alone, true);
  }

  /** There is no answer. */
  async fail(sent: readonly Pending[], error: unknown): Promise<void> {
    for (const pending of sent) pending.isSent = false;
    if (this.#sending.isStopped) return;
    const { t } = this.#options;
    const reason = error instanceof Error ? error.message : String(error);
    if (hasErrorCode(error, 'validation', 'not_found')) {
      for (const pending of sent) this.#refuse(pending, reason);
      return;
    }
    // A request that has gone out may have taken effect, whatever became of its answer.
    const isUnsure = ({ batch }: Pending): boolean =>
      batch?.isStopped === true && connectFaultOf(error) === undefined;
    for (const pending of sent.filter(isUnsure)) {
      this.#refuse(
        pending,
        t('Stopped while the cell was being saved. It may have been changed. {0}', reason),
      );
    }
    this.#again(
      sent.filter((pending) => pending.state !== 'refused'),
      false,
    );
    this.#wait(reason);
  }

  /** The service is away: what is ready waits until it may be back. */
  #wait(reason: string): void {
    const { t, onPause, longestPauseMs = 60_000 } = this.#options;
    const message = t('Not saved yet; the text is kept and sent again. {0}', reason);
    for (const pending of this.#sending.ready) {
      if (pending.state === 'sending') this.#edits.wait(pending, message);
    }
    if (this.#sending.isPaused) return;
    this.#sending.pause(this.#pauseMs);
    this.#pauseMs = Math.min(this.#pauseMs * 2, longestPauseMs);
    onPause?.(reason);
  }

  /** The service answers: the next pause is a short one again. */
  #hasAnswered(): void {
    if (this.#pauseMs === this.#firstPauseMs) return;
    this.#pauseMs = this.#firstPauseMs;
    this.#options.onPause?.(undefined);
  }

  #conflict(pending: Pending, text: string | null): void {
    pending.isSent = false;
    const current = text ?? '';
    const message = this.#options.t('Someone else changed the cell while you were editing it.');
    this.#edits.setState(pending, 'conflict', message, current);
    this.#edits.settle(pending, { outcome: 'conflict', current });
  }

  #refuse(pending: Pending, reason: string): void {
    pending.isSent = false;
    if (pending.sent !== pending.entry) {
      // It was another text that was refused.
      this.#again([pending], false);
      return;
    }
    // Whoever shows it says that the text was not accepted.
    this.#edits.setState(pending, 'refused', reason);
    this.#edits.settle(pending, { outcome: 'refused', message: reason });
  }

  /** To be sent once more: each in a request of its own, where told. */
  #again(pendings: readonly Pending[], isAlone: boolean): void {
    const stopped: Pending[] = [];
    for (const pending of pendings) {
      pending.isSent = false;
      pending.isAlone = isAlone;
      if (pending.batch?.isStopped === true) stopped.push(pending);
      else this.#sending.add(pending, 'bulk');
    }
    if (stopped.length > 0) void this.#edits.drop(stopped);
  }

  async #acknowledge(saved: readonly Saved[]): Promise<void> {
    const done: Saved[] = [];
    const newer: Pending[] = [];
    for (const one of saved) {
      const { pending, entry } = one;
      pending.isSent = false;
      if (pending.entry === entry) done.push(one);
      else {
        // Edited again while this text was on its way: now that one is what the user saw.
        pending.entry = { ...pending.entry, base: entry.text };
        newer.push(pending);
      }
    }
    await this.#edits.forget(done.map(({ pending }) => pending));
    if (newer.length > 0) {
      await this.#edits.keepOnDisk(newer.map(({ entry }) => entry));
      this.#options.send(newer);
    }
    if (done.length > 0) {
      this.#options.onSaved(
        done.map(({ entry, version, staleCount }) => {
          const { columnId, rowIndex, text } = entry;
          return { columnId, rowIndex, text, version, staleCount };
        }),
      );
    }
    for (const { pending, version, staleCount } of done) {
      this.#edits.settle(pending, { outcome: 'saved', version, staleCount });
    }
  }
}
