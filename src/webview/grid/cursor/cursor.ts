import { setAttribute } from '../../common/dom.ts';
import type { Header } from '../columns/header.ts';
import type { MoveKey } from './keyboard.ts';
import type { SheetModel } from '../model/sheet-model.ts';
import { moved, numberColumn } from './moves.ts';
import {
  atSpot,
  extendTo,
  headerRow,
  isSingle,
  selectRows,
  type Selection,
  type Spot,
} from './selection.ts';
import type { Viewport } from '../rows/viewport.ts';

export interface CursorOptions {
  readonly model: SheetModel;
  readonly viewport: Viewport;
  readonly header: Header;
}

let lastId = 0;

/**
 * Cursor and selection on screen: moves them, draws them, keeps them in view. What it does is seen
 * at once: a frame later would be a frame more from the key to what it shows.
 */
export class Cursor {
  readonly #options: CursorOptions;

  constructor(options: CursorOptions) {
    this.#options = options;
    // Elements under the cursor are others when rows or columns have moved.
    options.model.changes.eachFrame(['layout', 'window'], () => this.#markActive());
  }

  get #model(): SheetModel {
    return this.#options.model;
  }

  select(selection: Selection): void {
    const { model, viewport } = this.#options;
    const before = model.selection;
    model.selection = selection;
    if (isSingle(before) && isSingle(selection)) {
      viewport.ring.repaintRow(before.cursor.row);
      viewport.ring.repaintRow(selection.cursor.row);
    } else viewport.ring.repaint();
    this.show();
  }

  goTo(spot: Spot, how: { readonly extend?: boolean } = {}): void {
    const { viewport } = this.#options;
    const { selection } = this.#model;
    // Scrolling first: after the cells have changed it would wait for their layout.
    if (spot.row !== headerRow) viewport.scrollToRow(spot.row);
    viewport.scrollToColumn(spot.column);
    this.select(how.extend ? extendTo(selection, spot) : atSpot(spot));
  }

  move(to: MoveKey, extend: boolean): void {
    const { viewport } = this.#options;
    const { selection, extent } = this.#model;
    const spot = moved(extend ? selection.head : selection.cursor, to, {
      ...extent,
      page: viewport.rowsPerPage,
      firstVisible: viewport.firstRow,
    });
    if (!extend || spot.row !== headerRow) this.goTo(spot, { extend });
  }

  focus(): void {
    this.#options.viewport.grid.focus({ preventScroll: true });
  }

  /** Focus stays on the grid; this names the element that the cursor is on. */
  show(): void {
    this.#options.header.paint();
    this.#markActive();
  }

  #markActive(): void {
    const { viewport, header } = this.#options;
    const { row, column } = this.#model.selection.cursor;
    const element =
      row === headerRow ? header.cellElement(column) : viewport.ring.cellElement(row, column);
    // Of all the cells only this one needs a name.
    if (element?.id === '') element.id = `cell-${++lastId}`;
    setAttribute(viewport.grid, 'aria-activedescendant', element?.id);
  }

  /** The pointer went down on a cell; column -1 is the row's number. */
  press(row: number, column: number, event: PointerEvent): void {
    event.preventDefault();
    this.focus();
    const { selection, extent, isMultiple } = this.#model;
    const isInside =
      selection.rows.some(({ from, to }) => row >= from && row <= to) &&
      (column < 0 || selection.columns.some(({ from, to }) => column >= from && column <= to));
    // A context menu is for the whole selection when it opens on it.
    if (event.button === 2 && isInside && isMultiple) return;
    if (column !== numberColumn) {
      this.goTo({ row, column }, { extend: event.shiftKey });
      return;
    }
    const isControl = event.ctrlKey || event.metaKey;
    this.select(selectRows(selection, row, extent, { extend: event.shiftKey, add: isControl }));
  }

  dragTo(row: number, column: number): void {
    const { selection, extent } = this.#model;
    if (column !== numberColumn) {
      this.goTo({ row, column }, { extend: true });
      return;
    }
    this.select(selectRows(selection, row, extent, { extend: true }));
    this.#options.viewport.scrollToRow(row);
  }
}
