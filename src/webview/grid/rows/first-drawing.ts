import type { GridState } from '../../../protocol/grid.ts';
import type { Cursor } from '../cursor/cursor.ts';
import { atSpot } from '../cursor/selection.ts';
import type { EditFlow } from '../edit/edit-flow.ts';
import type { SheetModel } from '../model/sheet-model.ts';
import type { Timers } from '../timers.ts';
import { rowHeightForFont } from './row-height.ts';
import type { Viewport } from './viewport.ts';
import type { PageWindow } from './window.ts';

export interface FirstDrawingParts {
  readonly model: SheetModel;
  readonly viewport: Viewport;
  readonly cursor: Cursor;
  readonly pages: PageWindow;
  readonly timers: Timers;
  readonly edits: EditFlow;
  /** Where the user was. */
  readonly saved: GridState | undefined;
}

/** How long the first drawing waits for rows before it shows empty ones. */
const patienceMs = 80;

/** The first drawing of a sheet, where the user was; it waits a little for its rows. */
export class FirstDrawing {
  readonly #parts: FirstDrawingParts;
  #isWaiting = false;

  constructor(parts: FirstDrawingParts) {
    this.#parts = parts;
    parts.model.changes.atOnce(['rows'], () => this.#draw());
  }

  start(): void {
    const { model, viewport, pages, timers, saved } = this.#parts;
    const first = saved?.firstPosition ?? 0;
    viewport.beginAt(first, rowHeightForFont());
    this.#isWaiting = true;
    // Rows that come at once are drawn at once: empty ones before them would cost a second layout.
    if (model.store.rowIndex(first) === undefined && model.rowCount > 0) {
      pages.move(first, first, model.rowCount);
      timers.later('begin', patienceMs, () => this.#draw());
    } else this.#draw();
  }

  /** Once. */
  #draw(): void {
    if (!this.#isWaiting) return;
    this.#isWaiting = false;
    const { model, viewport, cursor, edits, saved } = this.#parts;
    viewport.relayout();
    if (saved !== undefined) {
      if (saved.scrollLeft > 0) viewport.scrollSideways(saved.scrollLeft);
      const column = model.columnIndex(saved.cursor?.columnId ?? '');
      const row = saved.cursor?.position ?? 0;
      if (column >= 0 && row < model.rowCount) cursor.select(atSpot({ row, column }));
    }
    cursor.show();
    const { changes } = model;
    changes.mark('sheet', 'selection', 'edits', 'operations', 'saving', 'details');
    changes.drawNow();
    if (saved?.draft === undefined) edits.offerDraft(model.sheet.draft ?? null);
    else edits.resume(saved.draft);
  }
}
