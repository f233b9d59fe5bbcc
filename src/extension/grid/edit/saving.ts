import type { Retraced } from '../../../protocol/grid-edits.ts';
import type { Progress } from '../../shell/progress.ts';
import { isCancellation } from '../../../core/errors.ts';
import type { ChangeContext, ChangeWork } from './change.ts';
import { carryOutChange } from './change.ts';
import type { EditorHost } from '../editor-host.ts';
import type { Edits } from './edits.ts';
import type { Journal, JournalWork, WorkAdvance } from './journal.ts';
import { separatedText } from './left-text.ts';
import type { BatchOutcome } from './pending.ts';
import type { RowContext } from './row-changes.ts';
import { carryOutAdding, carryOutDeleting } from './row-changes.ts';
import { spellChange, spellDeleted, spellError, spellMany, type Spelled } from '../spelled.ts';
import type { Tasks } from '../tasks.ts';

export interface SavingOptions {
  readonly editorHost: EditorHost;
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
    const { edits, editorHost, tasks } = this.#options;
    const { t } = editorHost;
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
    const { edits, editorHost, tasks } = this.#options;
    return tasks.run(editorHost.t('Saving cells'), async (stop, progress) => {
      const onProgress = this.#report(progress, count);
      return edits.resolveAll(state, keep, { stop, onProgress });
    });
  }

  /** Takes over what windows that are gone have left, and goes on with it. */
  async takeUp(): Promise<void> {
    const { journal, journalFault, edits, editorHost, tasks } = this.#options;
    const { t } = editorHost;
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
    const { editorHost, closing, journal, journalFault } = this.#options;
    const { t } = editorHost;
    try {
      if (work.kind === 'change') await this.#resumeChange(work, advance);
      else if (work.kind === 'addRows') await carryOutAdding(work, advance, this.#options.rows());
      else {
        const outcome = await carryOutDeleting(work, this.#options.rows());
        announce(editorHost, spellDeleted(outcome, t));
      }
      this.#left.delete(work.id);
    } catch (error) {
      if (closing.aborted || isCancellation(error)) return;
      editorHost.announce(spellError(editorHost, error), true);
      this.#left.delete(work.id);
      await journal.end(work.id).catch(journalFault);
    }
  }

  async #resumeChange(work: ChangeWork, advance: WorkAdvance | undefined): Promise<void> {
    const { editorHost, journal } = this.#options;
    const { t } = editorHost;
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
      const answer = await editorHost.askLeftBehind(what, canGoOn);
      // Not answered: it stays, and is asked about the next time.
      if (answer === undefined) return;
      if (answer === 'copy' && cells !== undefined) await editorHost.writeClipboard(cells);
      if (answer !== 'go') {
        await journal.end(work.id);
        return;
      }
    }
    announce(editorHost, spellChange(await carryOutChange(work, advance, context), t));
  }

  #report(progress: Progress, count: number): (done: number) => void {
    const { t } = this.#options.editorHost;
    return (done) =>
      progress.report({
        message: t('{0} of {1} cells', done, count),
        percent: (done / Math.max(1, count)) * 100,
      });
  }

  #announced<Result>(work: Promise<Result>, spell: (result: Result) => Spelled | undefined): void {
    const { editorHost } = this.#options;
    work.then(
      (result) => announce(editorHost, spell(result)),
      (error: unknown) => {
        if (!isCancellation(error)) editorHost.announce(spellError(editorHost, error), true);
      },
    );
  }
}

function announce(editorHost: EditorHost, reported: Spelled | undefined): void {
  if (reported !== undefined) editorHost.announce(reported.text, reported.isTrouble);
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
