import type { CellAddress } from '../../../protocol/grid-cells.ts';
import { el, setAttribute } from '../../common/dom.ts';
import { presentationOf, isFromRight, unreported, type ItemPresentation } from './cells.ts';
import { columnClass, ColumnPlaces } from '../columns/column-places.ts';
import type { SheetModel } from '../model/sheet-model.ts';
import type { StoredCell } from './store.ts';
import { includes } from '../cursor/selection.ts';

interface Badge {
  readonly element: HTMLElement;
  readonly text: Text;
}

interface CellView {
  readonly element: HTMLElement;
  readonly value: HTMLElement;
  readonly text: Text;
  /** Made for the first status: most cells of a sheet have none. */
  badge: Badge | undefined;
  look: string;
  badgeWord: string;
  label: string;
  isSelected: boolean;
}

interface RowView {
  readonly element: HTMLElement;
  readonly number: HTMLElement;
  readonly numberText: Text;
  readonly cells: Map<number, CellView>;
  readonly spare: CellView[];
  /** The columns that its cells are of. */
  placed: Slots | undefined;
  position: number;
  look: string;
}

export interface Slots {
  readonly pinned: number;
  readonly from: number;
  readonly to: number;
}

const viewOfCell = (element: HTMLElement, value: HTMLElement, text: Text): CellView => ({
  ...{ element, value, text },
  badge: undefined,
  look: 'cell',
  badgeWord: '',
  label: '',
  isSelected: false,
});

function makeCell(): CellView {
  const text = document.createTextNode('');
  const value = el('span', 'value', {}, [text]);
  return viewOfCell(el('div', 'cell', { role: 'gridcell' }, [value]), value, text);
}

function addBadge({ element }: CellView): Badge {
  const text = document.createTextNode('');
  const badge = el('span', 'badge', {}, [text]);
  element.prepend(badge);
  return { element: badge, text };
}

const viewOfRow = (element: HTMLElement, number: HTMLElement, numberText: Text): RowView => ({
  ...{ element, number, numberText },
  cells: new Map(),
  spare: [],
  placed: undefined,
  position: -1,
  look: 'row',
});

function makeRow(): RowView {
  const numberText = document.createTextNode('');
  const number = el('div', 'cell number', { role: 'rowheader', 'aria-colindex': '1' }, [
    numberText,
  ]);
  return viewOfRow(el('div', 'row', { role: 'row' }, [number]), number, numberText);
}

/** A copy of a row that shows nothing yet: much faster than to make all of its elements. */
function copyOf(pattern: RowView): RowView {
  const element = pattern.element.cloneNode(true) as HTMLElement;
  const number = element.firstChild as HTMLElement;
  const row = viewOfRow(element, number, number.firstChild as Text);
  let place: ChildNode = number;
  for (const [column, { look }] of pattern.cells) {
    place = place.nextSibling as HTMLElement;
    const value = place.firstChild as HTMLElement;
    const cell = viewOfCell(place as HTMLElement, value, value.firstChild as Text);
    cell.look = look;
    row.cells.set(column, cell);
  }
  row.placed = pattern.placed;
  return row;
}

/**
 * The rows on screen: a fixed number of elements, in the order of the sheet. When the view moves,
 * elements go from one end to the other, so that readers of the page always find rows in order.
 */
export class RowRing {
  readonly element = el('div', 'rows', { role: 'rowgroup' });
  readonly #model: SheetModel;
  readonly #places = new ColumnPlaces();
  #rows: RowView[] = [];
  #first = 0;
  #slots: Slots = { pinned: 0, from: 0, to: -1 };

  constructor(model: SheetModel) {
    this.#model = model;
  }

  /** Width of the narrowest letter of values, in pixels; until it is measured, of fonts for code. */
  letterWidth = 7;

  get first(): number {
    return this.#first;
  }

  get count(): number {
    return this.#rows.length;
  }

  /** Shows `count` rows from `first` on, and the columns of `slots`. */
  show(first: number, count: number, slots: Slots): void {
    const old = this.#slots;
    const isSameColumns =
      old.pinned === slots.pinned && old.from === slots.from && old.to === slots.to;
    if (!isSameColumns) this.#slots = slots;
    this.#fit(count);
    this.#turn(first - this.#first);
    this.#first = first;
    for (const [index, row] of this.#rows.entries()) {
      const isNew = row.position !== first + index;
      if (row.placed !== this.#slots) this.#placeCells(row);
      if (isNew || !isSameColumns) this.#bind(row, first + index);
    }
  }

  /** Everything is drawn anew: columns, widths or the whole sheet changed. */
  rebuild(): void {
    this.#places.show(this.#model.shown);
    for (const { element } of this.#rows) element.remove();
    this.#rows = [];
  }

  repaint(): void {
    for (const row of this.#rows) this.#bind(row, row.position);
  }

  repaintRow(position: number): void {
    const row = this.#row(position);
    if (row !== undefined) this.#bind(row, position);
  }

  repaintCell(position: number, column: number): void {
    const row = this.#row(position);
    const cell = row?.cells.get(column);
    if (row !== undefined && cell !== undefined) this.#paint(row, cell, column);
  }

  cellElement(position: number, column: number): HTMLElement | undefined {
    return this.#row(position)?.cells.get(column)?.element;
  }

  /** Row and column of an element inside; column -1 is the row's number. */
  placeOf(target: Element): { readonly row: number; readonly column: number } | undefined {
    const element = target.closest('.cell');
    const rowElement = element?.parentElement;
    const row = this.#rows.find((each) => each.element === rowElement);
    if (row === undefined || element === null) return undefined;
    if (element === row.number) return { row: row.position, column: -1 };
    for (const [column, cell] of row.cells) {
      if (cell.element === element) return { row: row.position, column };
    }
    return undefined;
  }

  /** Letters that can be seen at a width: more would only cost layout. */
  #lettersAt(width: number): number {
    return Math.ceil(width / this.letterWidth) + 4;
  }

  #presentationOf(stored: StoredCell, address: CellAddress, width: number): ItemPresentation {
    const model = this.#model;
    if (model.sheet.log !== undefined && stored.kind === 'missing') return unreported;
    return presentationOf(stored, model.unsavedAt(address), this.#lettersAt(width));
  }

  #row(position: number): RowView | undefined {
    return this.#rows[position - this.#first];
  }

  #fit(count: number): void {
    const missing = count - this.#rows.length;
    if (missing > 0) {
      const pattern = makeRow();
      this.#placeCells(pattern);
      const rows = Array.from({ length: missing }, () => copyOf(pattern));
      this.element.append(...rows.map(({ element }) => element));
      this.#rows.push(...rows);
    }
    while (this.#rows.length > count) this.#rows.pop()?.element.remove();
  }

  #turn(step: number): void {
    if (Math.abs(step) >= this.#rows.length) return;
    for (let turn = 0; turn < step; turn++) {
      const row = this.#rows.shift();
      if (row === undefined) return;
      this.element.append(row.element);
      this.#rows.push(row);
    }
    for (let turn = 0; turn > step; turn--) {
      const row = this.#rows.pop();
      if (row === undefined) return;
      this.element.prepend(row.element);
      this.#rows.unshift(row);
    }
  }

  /** Gives the row exactly the cells of the columns in view, in their order. */
  #placeCells(row: RowView): void {
    const { pinned, from, to } = this.#slots;
    const isShown = (column: number): boolean =>
      column < pinned || (column >= from && column <= to);
    for (const [column, cell] of row.cells) {
      if (isShown(column)) continue;
      cell.element.remove();
      row.cells.delete(column);
      row.spare.push(cell);
    }
    let before = row.number;
    for (let column = 0; column <= to; column++) {
      if (column >= pinned && column < from) column = Math.max(column, from);
      if (!isShown(column)) continue;
      let cell = row.cells.get(column);
      if (cell === undefined) {
        cell = row.spare.pop() ?? makeCell();
        row.cells.set(column, cell);
        this.#dress(cell, column);
        before.after(cell.element);
      }
      before = cell.element;
    }
    row.placed = this.#slots;
  }

  #dress(cell: CellView, column: number): void {
    const { element } = cell;
    element.setAttribute('aria-colindex', String(column + 2));
    const isEditable = this.#model.shown[column]?.column.editable === true;
    setAttribute(element, 'aria-readonly', isEditable ? undefined : 'true');
    cell.look = `cell ${columnClass(column)}`;
    element.className = cell.look;
  }

  #bind(row: RowView, position: number): void {
    const { model, isSkeleton } = this.#stateOf(position);
    if (row.position !== position) {
      row.position = position;
      row.element.setAttribute('aria-rowindex', String(position + 2));
      row.numberText.data = String(position + 1);
    }
    const { selection } = model;
    const isWhole = includes(selection.rows, position);
    const look =
      `row${position % 2 ? ' odd-row' : ''}${isSkeleton ? ' skeleton' : ''}` +
      `${selection.cursor.row === position ? ' current' : ''}${isWhole ? ' in-selection' : ''}`;
    if (row.look !== look) {
      row.look = look;
      row.element.className = look;
    }
    if (isSkeleton) return;
    for (const [column, cell] of row.cells) this.#paint(row, cell, column);
  }

  #stateOf(position: number): { readonly model: SheetModel; readonly isSkeleton: boolean } {
    return { model: this.#model, isSkeleton: this.#model.store.rowIndex(position) === undefined };
  }

  #paint(row: RowView, cell: CellView, column: number): void {
    const model = this.#model;
    const shown = model.shown[column];
    const stored = model.cellAt(row.position, column);
    if (shown === undefined || stored === undefined) return;
    const address = { rowIndex: stored.rowIndex, columnId: shown.column.id };
    this.#dressPresentation(cell, this.#presentationOf(stored, address, shown.width), {
      column,
      isNumeric: shown.column.numeric || stored.kind === 'number',
      row: row.position,
      isPinned: column < this.#slots.pinned,
      isHit: model.view.hits?.get(shown.column.id)?.has(row.position) === true,
    });
  }

  #dressPresentation(
    cell: CellView,
    presentation: ItemPresentation,
    at: { row: number; column: number; isNumeric: boolean; isPinned: boolean; isHit: boolean },
  ): void {
    const { selection, isMultiple } = this.#model;
    const isCursor = selection.cursor.row === at.row && selection.cursor.column === at.column;
    const isSelected =
      isCursor || (includes(selection.rows, at.row) && includes(selection.columns, at.column));
    const look =
      `cell ${columnClass(at.column)} ${presentation.look}${at.isNumeric ? ' numeric' : ''}${at.isPinned ? ' pinned' : ''}` +
      `${isSelected && isMultiple ? ' selected' : ''}${isCursor ? ' cursor' : ''}${at.isHit ? ' hit' : ''}`;
    if (cell.look !== look) {
      cell.look = look;
      cell.element.className = look;
    }
    if (cell.text.data !== presentation.text) {
      cell.text.data = presentation.text;
      // Only where it matters: the browser looks for the direction again at each change.
      setAttribute(cell.value, 'dir', isFromRight(presentation.text) ? 'auto' : undefined);
    }
    if (cell.badgeWord !== presentation.badge) {
      const badge = (cell.badge ??= addBadge(cell));
      if ((presentation.badge === '') !== (cell.badgeWord === ''))
        badge.element.hidden = presentation.badge === '';
      cell.badgeWord = presentation.badge;
      // The space keeps badge and value apart for those who get the text only.
      badge.text.data = `${presentation.badge} `;
    }
    if (cell.label !== presentation.label) {
      cell.label = presentation.label;
      setAttribute(
        cell.element,
        'aria-label',
        presentation.label === '' ? undefined : presentation.label,
      );
    }
    if (cell.isSelected !== isSelected) {
      cell.isSelected = isSelected;
      setAttribute(cell.element, 'aria-selected', isSelected ? 'true' : undefined);
    }
  }
}
