import type { Retraced } from '../../../protocol/grid-edits.ts';
import type { Progress } from '../../shell/progress.ts';
import { isCancellation } from '../../../core/errors.ts';
import type { ChangeContext, ChangeWork } from './change.ts';
import { carryOutChange } from './change.ts';
import type { Desk } from '../desk.ts';
import type { Edits } from './edits.ts';
import type { Journal, JournalWork, WorkAdvance } from './journal.ts';
import { separatedText } from './left-text.ts';
import type { BatchOutcome } from './pending.ts';
import type { RowContext } from './row-changes.ts';
import { carryOutAdding, carryOutDeleting } from './row-changes.ts';
import { spellChange, spellDeleted, spellError, spellMany, type Spelled } from '../spelled.ts';
import type { Tasks } from '../tasks.ts';

export interface SavingOptions {
  readonly desk: Desk;
  readonly journal: Journal;
  readonly journalFault: (error: unknown) => void;
  readonly edits: Edits;
  readonly tasks: Tasks;
  readonly change: () => ChangeContext;
  readonly rows: () => RowContext;
  readonly closing: AbortSignal;
  readonly changed: () => void;
}

/** What was confirmed longer ago is not carried out without asking: the rows may be others by now. */
const longAgoMs = 10 * 60_000;

/** Many edits under a progress display, and what earlier windows have left. */
export class Saving {
  readonly #options: SavingOptions;
  /** Works of earlier windows that are not settled. */
  readonly #left = new Map<string, JournalWork>();

  constructor(options: SavingOptions) {
    this.#options = options;
  }

  get left(): number {
    return this.#left.size;
  }

  retrace(direction: 'undo' | 'redo'): Promise<Retraced | null> {
    const { edits, desk, tasks } = this.#options;
    const { t } = desk;
    const count = edits.next(direction);
    return tasks.run(direction === 'undo' ? t('Undoing') : t('Redoing'), (stop, progress) =>
      edits.retrace(direction, { stop, onProgress: this.#report(progress, count) }),
    );
  }

  settleAll(
    state: 'conflict' | 'refused',
    keep: 'mine' | 'theirs',
    count: number,
  ): Promise<BatchOutcome> {
    const { edits, desk, tasks } = this.#options;
    return tasks.run(desk.t('Saving cells'), async (stop, progress) => {
      const onProgress = this.#report(progress, count);
      return edits.resolveAll(state, keep, { stop, onProgress });
    });
  }

  /** Takes over what windows that are gone have left, and goes on with it. */
  async takeUp(): Promise<void> {
    const { journal, journalFault, edits, desk, tasks } = this.#options;
    const { t } = desk;
    const left = await journal.adopt().catch((error: unknown) => {
      journalFault(error);
      return undefined;
    });
    if (left === undefined) return;
    const { entries, works } = left;
    if (entries.length > 0) {
      const title = t('Saving cells that were typed or pasted earlier');
      this.#announced(
        tasks.run(title, (stop, progress) =>
          edits.restore(entries, { stop, onProgress: this.#report(progress, entries.length) }),
        ),
        (outcome) => (outcome.open + outcome.dropped > 0 ? spellMany(outcome, t) : undefined),
      );
    }
    for (const [work] of works) this.#left.set(work.id, work);
    for (const [work, advance] of works) {
      void this.#resume(work, advance).finally(() => this.#options.changed());
    }
  }

  async discard(): Promise<void> {
    const { journal } = this.#options;
    for (const id of this.#left.keys()) await journal.end(id);
    this.#left.clear();
  }

  async #resume(work: JournalWork, advance: WorkAdvance | undefined): Promise<void> {
    const { desk, closing, journal, journalFault } = this.#options;
    const { t } = desk;
    try {
      if (work.kind === 'change') await this.#resumeChange(work, advance);
      else if (work.kind === 'addRows') await carryOutAdding(work, advance, this.#options.rows());
      else {
        const outcome = await carryOutDeleting(work, this.#options.rows());
        announce(desk, spellDeleted(outcome, t));
      }
      this.#left.delete(work.id);
    } catch (error) {
      if (closing.aborted || isCancellation(error)) return;
      desk.announce(spellError(desk, error), true);
      this.#left.delete(work.id);
      await journal.end(work.id).catch(journalFault);
    }
  }

  async #resumeChange(work: ChangeWork, advance: WorkAdvance | undefined): Promise<void> {
    const { desk, journal } = this.#options;
    const { t } = desk;
    const context = this.#options.change();
    const canGoOn = await isWhereItWas(work, context);
    const isRecent = Date.now() - Date.parse(work.since) < longAgoMs;
    if (!canGoOn || !isRecent) {
      const cells = work.change.kind === 'paste' ? separatedText(work.change.block) : undefined;
      const what = {
        paste: t("A confirmed paste wasn't completed before the window closed."),
        fill: t("Filling cells wasn't completed before the window closed."),
        clear: t("Clearing cells wasn't completed before the window closed."),
      }[work.change.kind];
      const answer = await desk.askLeftBehind(what, canGoOn);
      // Not answered: it stays, and is asked about the next time.
      if (answer === undefined) return;
      if (answer === 'copy' && cells !== undefined) await desk.writeClipboard(cells);
      if (answer !== 'go') {
        await journal.end(work.id);
        return;
      }
    }
    announce(desk, spellChange(await carryOutChange(work, advance, context), t));
  }

  #report(progress: Progress, count: number): (done: number) => void {
    const { t } = this.#options.desk;
    return (done) =>
      progress.report({
        message: t('{0} of {1} cells', done, count),
        percent: (done / Math.max(1, count)) * 100,
      });
  }

  #announced<Result>(work: Promise<Result>, spell: (result: Result) => Spelled | undefined): void {
    const { desk } = this.#options;
    work.then(
      (result) => announce(desk, spell(result)),
      (error: unknown) => {
        if (!isCancellation(error)) desk.announce(spellError(desk, error), true);
      },
    );
  }
}

function announce(desk: Desk, told: Spelled | undefined): void {
  if (told !== undefined) desk.announce(told.text, told.isTrouble);
}

/** The row at the first place is the one that was there: nothing before it has moved. */
async function isWhereItWas(
  { anchor, isPlain }: ChangeWork,
  context: ChangeContext,
): Promise<boolean> {
  const { state, closing } = context;
  if (anchor === undefined || !isPlain) return false;
  if (state.shown.view !== undefined || state.order !== 'asc') return false;
  const place = { from: anchor.position, to: anchor.position };
  const [rowIndex] = await state.shown.rowIndices([place], closing);
  return rowIndex === anchor.rowIndex;
}
