import type { Handlers } from '../../../protocol/channel.ts';
import type { CellAddress, CellPatch } from '../../../protocol/grid-cells.ts';
import type {
  CellDraft,
  Retraced,
  UnsavedChange,
  UnsavedCounts,
  UnsavedEdit,
} from '../../../protocol/grid-edits.ts';
import type { SheetRequests } from '../../../protocol/grid.ts';
import { presentationOf } from '../cells/cell-presentation.ts';
import { enteredText, inputFault, sentValue } from '../cells/cell-input.ts';
import type { ChangeContext } from './change.ts';
import type { EditsOptions, SavedEdit } from './edits.ts';
import { Edits } from './edits.ts';
import type { RowContext } from './row-changes.ts';
import { Saving } from './saving.ts';
import type { SheetWork } from '../sheet-work.ts';
import { spellMany } from '../spelled.ts';
import { writeMany } from './write-many.ts';

export interface SheetSavingOptions extends Omit<RowContext, 'renew'> {
  readonly timing: Pick<EditsOptions, 'patienceMs' | 'firstPauseMs' | 'longestPauseMs'>;
  readonly unsaved: (change: UnsavedChange) => void;
  /** Cells that hold what was saved. */
  readonly patched: (patches: readonly CellPatch[]) => void;
  readonly changed: () => void;
  readonly change: () => ChangeContext;
  readonly rows: () => RowContext;
  readonly outliving: SheetWork['outliving'];
}

type SavingRequests = Pick<
  SheetRequests,
  'edit' | 'resolveEdit' | 'resolveAll' | 'undo' | 'redo' | 'stopSaving'
>;

/** What is typed into one sheet, from the first draft to the word of the service. */
export class SheetSaving {
  readonly edits: Edits;
  readonly #options: SheetSavingOptions;
  readonly #saving: Saving;

  readonly handlers: Handlers<SavingRequests> = {
    edit: async ({ columnId, rowIndex, text, base }) => {
      const { state, editorHost } = this.#options;
      const column = state.columnOf(columnId);
      const entered = enteredText(column, text);
      const message = column.editable
        ? inputFault(column, entered, editorHost.t)
        : editorHost.t("Cells of this column are computed and can't be edited.");
      if (message !== undefined) return { outcome: 'refused', message };
      // The draft goes when the text is an edit, in the same breath.
      this.#dropDraftOf({ columnId, rowIndex });
      return this.edits.edit({ columnId, rowIndex }, entered, base);
    },
    resolveEdit: async ({ columnId, rowIndex, keep }) => {
      if (keep === 'theirs') this.#dropDraftOf({ columnId, rowIndex });
      const outcome = await this.edits.resolve({ columnId, rowIndex }, keep);
      this.#options.changed();
      return outcome;
    },
    resolveAll: async ({ state, keep }, signal) => {
      const { editorHost, outliving } = this.#options;
      const count = this.edits.counts[state];
      if (keep === 'theirs' && !(await editorHost.confirmDiscard(count))) return null;
      await outliving(signal, this.#saving.settleAll(state, keep, count), spellMany);
      return null;
    },
    undo: async (_nothing, signal) => this.#retrace('undo', signal),
    redo: async (_nothing, signal) => this.#retrace('redo', signal),
    stopSaving: () => {
      this.#options.tasks.stop();
      return null;
    },
  };

  constructor(options: SheetSavingOptions) {
    this.#options = options;
    const { state, source, editorHost, journal, journalFault, tasks, closing } = options;
    this.edits = new Edits({
      journal,
      t: editorHost.t,
      read: async (address, cellId, signal) => {
        const cell = await state.cell(address, cellId, signal);
        const { kind, text } = presentationOf(cell, { computed: false, system: false }, Infinity);
        return { cellId: cell.id, text: kind === 'null' || kind === 'missing' ? null : text };
      },
      write: async (cellId, text, signal, { columnId }) => {
        const value = sentValue(state.columnOf(columnId), text);
        const cell = { value, text };
        const { version, stale_count: staleCount } = await source.writeCell(cellId, cell, signal);
        return { version: version ?? undefined, staleCount: staleCount ?? 0 };
      },
      writeMany: (writes, signal) => writeMany(state, source, writes, signal),
      knownCellId: (address) => state.knownCellId(address),
      onUnsaved: options.unsaved,
      onSaved: (saved) => this.#showSaved(saved),
      onFault: journalFault,
      closing,
      ...options.timing,
    });
    this.#saving = new Saving({
      ...{ editorHost, journal, journalFault, edits: this.edits, tasks, closing },
      ...{ change: options.change, rows: options.rows, changed: options.changed },
    });
  }

  get unsaved(): readonly UnsavedEdit[] {
    return this.edits.unsaved;
  }

  get counts(): UnsavedCounts {
    return this.edits.counts;
  }

  /** Edits and works that are neither saved nor given up. */
  get unsavedCount(): number {
    const { sending, waiting, conflict, refused } = this.edits.counts;
    return sending + waiting + conflict + refused + this.#saving.left;
  }

  get needsUser(): number {
    const { conflict, refused } = this.edits.counts;
    return conflict + refused;
  }

  get isBusy(): boolean {
    return !this.#options.tasks.isIdle || this.edits.underWay > 0 || this.#saving.left > 0;
  }

  get draft(): CellDraft | null {
    const { draft } = this.#options.journal;
    if (draft === null) return null;
    const { columnId, rowIndex, position, text, base } = draft;
    return { columnId, rowIndex, position, text, base };
  }

  /** Text that is being typed: kept beside the edits until it is one, or given up. */
  keepDraft(draft: CellDraft | null): void {
    const { journal, editorHost } = this.#options;
    const kept = draft === null ? null : { ...draft, since: new Date().toISOString() };
    journal
      .keepDraft(kept)
      .catch((error: unknown) => editorHost.note(error, 'Keeping a draft on disk'));
  }

  /** Takes over what windows that are gone have left of it. */
  async takeUp(): Promise<void> {
    await this.#saving.takeUp();
  }

  /** At the user's request: nothing of it is sent any more. */
  async discard(): Promise<void> {
    this.#options.tasks.stopAll();
    await this.edits.discard();
    await this.#saving.discard();
    this.keepDraft(null);
  }

  #dropDraftOf({ columnId, rowIndex }: CellAddress): void {
    const { draft } = this.#options.journal;
    if (draft?.columnId === columnId && draft.rowIndex === rowIndex) this.keepDraft(null);
  }

  #showSaved(saved: readonly SavedEdit[]): void {
    const { state, patched, changed } = this.#options;
    const patches = state.showTexts(saved);
    if (patches.length > 0) patched(patches);
    changed();
  }

  async #retrace(direction: 'undo' | 'redo', signal: AbortSignal): Promise<Retraced | null> {
    if (this.edits.next(direction) < 2) return this.edits.retrace(direction);
    const { outliving, changed } = this.#options;
    const retraced = await outliving(signal, this.#saving.retrace(direction), (done, t) =>
      done?.many === undefined ? undefined : spellMany(done.many, t),
    );
    changed();
    return retraced;
  }
}
