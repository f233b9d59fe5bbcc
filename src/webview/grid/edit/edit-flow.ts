import { pageSize } from '../../../protocol/grid-cells.ts';
import type { CellDraft, UnsavedEdit } from '../../../protocol/grid-edits.ts';
import type { GridState } from '../../../protocol/grid.ts';
import { t } from '../../common/language.ts';
import type { Banners } from '../around/banners.ts';
import { explain, type Host } from '../connection.ts';
import type { Cursor } from '../cursor/cursor.ts';
import { CellEditor, type AfterEdit, type EditPlace, type EditStart } from './editor.ts';
import { DraftReporter } from './draft-reporter.ts';
import { Edits } from './edits.ts';
import type { Menu } from '../around/menu.ts';
import type { SheetModel } from '../model/sheet-model.ts';
import { atSpot } from '../cursor/selection.ts';
import type { Viewport } from '../rows/viewport.ts';

export interface EditFlowOptions {
  readonly host: Host;
  readonly model: SheetModel;
  readonly viewport: Viewport;
  readonly cursor: Cursor;
  readonly banners: Banners;
  /** Where the choices of a column are offered. */
  readonly menu: Menu;
  readonly signal: AbortSignal;
}

/** Editing from the first key to the acknowledged text: editor, journal marks, banner. */
export class EditFlow {
  readonly #options: EditFlowOptions;
  readonly #editor: CellEditor;
  readonly #edits: Edits;
  readonly #drafts: DraftReporter;
  /** Row of an edit that was told to be gone. */
  #gone: number | undefined;

  constructor(options: EditFlowOptions) {
    this.#options = options;
    const { host, model, viewport, banners, signal } = options;
    this.#edits = new Edits({ host, model, banners, signal });
    this.#editor = new CellEditor({
      viewport,
      columnIndex: (columnId) => model.columnIndex(columnId),
      committed: (edit) => {
        // The edit takes the place of the draft, there as here.
        this.#drafts.forget();
        void this.#edits.send(edit);
      },
      failed: (error) => banners.notify('error', explain(error)),
      closed: (after) => this.#closed(after),
      drafted: (draft) => {
        model.view.draft = draft;
        if (draft !== undefined) this.#drafts.type(draft);
      },
      leftAlone: () => this.#drafts.end(),
      signal,
    });
    this.#drafts = new DraftReporter(host, signal);
    viewport.element.append(this.#editor.element);
    const { changes } = model;
    // What is typed next must not go to another row.
    changes.atOnce(['rows'], () => this.#followRow());
    changes.eachFrame(['window', 'layout'], () => this.#editor.reposition());
    changes.eachFrame(['edits', 'sheet'], () => this.#showAttention());
  }

  /** Opens the editor on the cell under the cursor; `typed` replaces what is there. */
  begin(typed?: string): void {
    const { model, viewport } = this.#options;
    const start = this.#edits.start(typed);
    if (start === undefined) return;
    viewport.scrollToRow(start.place.position);
    viewport.scrollToColumn(model.columnIndex(start.place.columnId));
    const input = model.cursorColumn?.column.input;
    if (input?.kind === 'choice') {
      this.#choose(start, input.options);
      return;
    }
    this.#edit(start);
  }

  #edit(start: EditStart): void {
    void this.#editor.begin(start);
    this.#options.model.view.editing = this.#editor.place;
  }

  commit(): void {
    this.#editor.commit('stay');
  }

  /** Rows have come anew: an open editor stays with its row, and the cursor with it. */
  #followRow(): void {
    const { model, cursor } = this.#options;
    const { place } = this.#editor;
    if (place === undefined) return;
    const { store, selection } = model;
    const row = store.position(place.rowIndex);
    if (row === undefined || row === place.position) {
      this.#tellGone(place, row);
      return;
    }
    this.#editor.moveTo(row);
    model.view.editing = this.#editor.place;
    if (selection.cursor.row === place.position && !model.isMultiple) {
      cursor.select(atSpot({ ...selection.cursor, row }));
    }
  }

  /** Another row is where the row of the edit was, and it is on none of the pages around. */
  #tellGone({ position, rowIndex, columnTitle }: EditPlace, row: number | undefined): void {
    const { store } = this.#options.model;
    const page = Math.floor(position / pageSize);
    const isKnown = store.isFresh(page) && (page === 0 || store.isFresh(page - 1));
    const isGone = row === undefined && isKnown;
    if (isGone && this.#gone !== rowIndex) {
      this.#options.banners.notify('error', {
        message: t(
          'The row you are editing no longer exists ({0}). Copy your text before you close the editor.',
          columnTitle,
        ),
      });
    }
    this.#gone = isGone ? rowIndex : undefined;
  }

  /** Empties the cell under the cursor. */
  clear(): void {
    void this.#edits.clear();
  }

  /** A menu of what the cell may hold. */
  #choose({ place, base }: EditStart, options: readonly string[]): void {
    const { model, viewport, cursor, menu, banners } = this.#options;
    const cell = viewport.ring.cellElement(place.position, model.columnIndex(place.columnId));
    if (cell === undefined) return;
    const now = model.store.cell(place)?.text;
    const send = (text: string) => (): void => {
      base.then(
        (before) => this.#edits.send({ place, text, base: before }),
        (error: unknown) => banners.notify('error', explain(error)),
      );
    };
    const items = options.map((text) => ({
      label: text,
      isChecked: text === now,
      run: send(text),
    }));
    const none = { label: t('No answer'), isApart: true, run: send('') };
    const title = t('Answer of {0}', place.columnTitle);
    menu.open(title, [...items, none], cell.getBoundingClientRect(), () => cursor.focus());
  }

  /** Takes up the text that was being typed when the view went away. */
  resume(draft: GridState['draft']): void {
    const { model } = this.#options;
    const title = model.shown[model.columnIndex(draft?.columnId ?? '')]?.column.title;
    if (draft === undefined || title === undefined) return;
    const { base, text, ...place } = draft;
    this.#edit({ place: { ...place, columnTitle: title }, text, base: Promise.resolve(base) });
  }

  /** A text that was being typed when its view was closed. */
  offerDraft(draft: CellDraft | null): void {
    const { model, banners } = this.#options;
    if (draft === null) return;
    const column = model.sheet.columns.find(({ id }) => id === draft.columnId)?.title;
    const close = (): void => banners.showDraft(undefined);
    banners.showDraft({
      where: t('row {0}, {1}', draft.position + 1, column ?? t('A removed column')),
      text: draft.text,
      restore: () => {
        close();
        const columnIndex = Math.max(0, model.columnIndex(draft.columnId));
        this.#options.cursor.goTo({ row: draft.position, column: columnIndex });
        this.resume(draft);
      },
      discard: () => {
        close();
        this.#options.host.tell('draft', null);
      },
    });
  }

  /** Edits that need the user. */
  #showAttention(): void {
    const { model, banners } = this.#options;
    banners.showAttention(model.unsaved, {
      columnTitle: (columnId) =>
        model.sheet.columns.find(({ id }) => id === columnId)?.title ?? t('A removed column'),
      rowName: ({ rowIndex }) => {
        const position = model.store.position(rowIndex);
        return position === undefined ? t('row index {0}', rowIndex) : t('row {0}', position + 1);
      },
      goTo: (edit) => this.#goTo(edit),
      resolve: (edit, keep) => void this.#edits.resolve(edit, keep),
      resolveAll: (state, keep) => void this.#edits.resolveAll(state, keep),
      counts: model.sheet.unsavedCounts,
      editAgain: (edit) => {
        this.#goTo(edit);
        this.begin();
      },
    });
  }

  #goTo({ rowIndex, columnId }: UnsavedEdit): void {
    const { model, cursor } = this.#options;
    const row = model.store.position(rowIndex) ?? rowIndex;
    cursor.goTo({ row, column: Math.max(0, model.columnIndex(columnId)) });
    cursor.focus();
  }

  #closed(after: AfterEdit): void {
    const { model, cursor } = this.#options;
    model.view.editing = undefined;
    const active = document.activeElement;
    const isElsewhere =
      active !== null && active !== document.body && active !== this.#editor.element;
    // A click elsewhere ended the edit: the focus stays where the click took it.
    if (after === 'stay' && isElsewhere) return;
    cursor.focus();
    if (after !== 'stay') cursor.move(after, false);
  }
}
