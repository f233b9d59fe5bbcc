import { el, setAttribute } from '../../common/dom.ts';
import { icon } from '../../common/icons.ts';
import { t } from '../../common/language.ts';
import { cellKeys } from '../details/cell-notes.ts';
import type { ShownColumn } from './arrangement.ts';
import type { SheetModel } from '../model/sheet-model.ts';
import type { GridColumn } from '../../../protocol/grid-sheet.ts';
import { timeColumn } from '../../../protocol/request-log.ts';
import { revealOnLine } from '../../common/reveal.ts';
import type { Slots } from '../rows/rows.ts';
import { headerRow, includes } from '../cursor/selection.ts';

function orderHint(isAscending: boolean, isLog: boolean): string {
  if (isAscending) {
    return isLog
      ? t('Rows in ascending order. Select to show the newest first.')
      : t('Rows in ascending order. Select to show the last rows first.');
  }
  return isLog
    ? t('Rows in descending order. Select to show the oldest first.')
    : t('Rows in descending order. Select to show the first rows first.');
}

/** What VS Code needs to show its own menu for a column. */
const contextOf = (column: GridColumn, isPinned: boolean): string =>
  JSON.stringify({
    webviewSection: 'column',
    columnId: column.id,
    ...cellKeys(column),
    pinned: isPinned,
  });

/** The row of column titles. */
export class Header {
  readonly element = el('div', 'head row', { role: 'row', 'aria-rowindex': '1' });
  readonly #corner: HTMLElement;
  readonly #model: SheetModel;
  #cells = new Map<number, HTMLElement>();
  #slots: Slots = { pinned: 0, from: 0, to: -1 };

  constructor(model: SheetModel) {
    this.#model = model;
    this.#corner = el('div', 'cell number corner', {
      role: 'columnheader',
      id: 'head-number',
      'aria-colindex': '1',
    });
    this.element.append(this.#corner);
  }

  /** The columns whose titles are drawn. */
  get slots(): Slots {
    return this.#slots;
  }

  /** Those that are drawn, by their places. */
  get cells(): ReadonlyMap<number, HTMLElement> {
    return this.#cells;
  }

  /** Draws the titles of these columns. */
  show(slots: Slots): void {
    this.#slots = slots;
    const { shown, sheet } = this.#model;
    const isAscending = sheet.order === 'asc';
    const isCornerSorted = (sheet.log?.sortColumn ?? timeColumn) === timeColumn;
    setAttribute(
      this.#corner,
      'aria-sort',
      isCornerSorted ? (isAscending ? 'ascending' : 'descending') : 'none',
    );
    this.#corner.replaceChildren(
      el('span', 'visually-hidden', {}, [t('Row')]),
      el('span', 'corner-sign', { 'aria-hidden': 'true' }, ['#']),
      ...(isCornerSorted ? [icon(isAscending ? 'arrow-up' : 'arrow-down')] : []),
    );
    this.#corner.title = isCornerSorted
      ? orderHint(isAscending, sheet.log !== undefined)
      : t('Select to show the newest first.');
    const cells = new Map<number, HTMLElement>();
    for (let index = 0; index <= Math.max(slots.to, slots.pinned - 1); index++) {
      if (index >= slots.pinned && index < slots.from) continue;
      const column = shown[index];
      if (column !== undefined) cells.set(index, this.#cell(column, index, index < slots.pinned));
    }
    for (const cell of this.#cells.values()) cell.remove();
    this.#cells = cells;
    this.#corner.after(...cells.values());
    this.paint();
  }

  /** Which titles are under the cursor or selected. */
  paint(): void {
    const { selection, rowCount } = this.#model;
    const isWhole = selection.rows.some(({ from, to }) => from === 0 && to >= rowCount - 1);
    const isHere = selection.cursor.row === headerRow;
    for (const [index, cell] of this.#cells) {
      const isCursor = isHere && selection.cursor.column === index;
      cell.classList.toggle('cursor', isCursor);
      cell.classList.toggle('selected', isWhole && includes(selection.columns, index));
      cell.classList.toggle('current', selection.cursor.column === index);
    }
    this.#corner.classList.toggle('cursor', isHere && selection.cursor.column === -1);
  }

  cellElement(column: number): HTMLElement | undefined {
    return column === -1 ? this.#corner : this.#cells.get(column);
  }

  /** Column of an element inside; -1 for the row numbers. */
  columnOf(target: Element): number | undefined {
    const cell = target.closest('.cell');
    if (cell === this.#corner) return -1;
    for (const [index, element] of this.#cells) if (element === cell) return index;
    return undefined;
  }

  #cell(
    { column, left, width, isPinned }: ShownColumn,
    index: number,
    isSticky: boolean,
  ): HTMLElement {
    const title = revealOnLine(column.title).text;
    const notes = [
      column.type,
      column.computed ? t('computed') : column.editable ? t('editable') : t('read-only'),
      ...(isPinned ? [t('pinned')] : []),
      ...(column.output ? [t('output')] : []),
    ];
    const sources =
      column.sources.length > 0 ? `\n${t('Computed from {0}', column.sources.join(', '))}` : '';
    const cell = el(
      'div',
      `cell title${isSticky ? ' pinned' : ''}${column.numeric ? ' numeric' : ''}`,
      {
        role: 'columnheader',
        id: `head-${index}`,
        'aria-colindex': String(index + 2),
        'aria-label': `${title}, ${notes.join(', ')}`,
        'data-vscode-context': contextOf(column, isPinned),
      },
      [icon(column.icon), el('span', 'title-text', { dir: 'auto' }, [title])],
    );
    cell.title = `${title}\n${notes.join(' · ')}${sources}`;
    this.#markSorted(cell, column.id);
    if (isPinned) {
      const pin = el('span', 'title-pin', { 'aria-hidden': 'true' }, [icon('pinned')]);
      cell.append(pin);
    }
    cell.append(
      el('span', 'title-menu', { 'aria-hidden': 'true' }, [icon('chevron-down')]),
      el('span', 'resizer', { 'aria-hidden': 'true' }),
    );
    cell.style.left = `${left}px`;
    cell.style.setProperty('--at', `${left}px`);
    cell.style.width = `${width}px`;
    return cell;
  }

  /** Of the log, which the service sorts by one of its columns. */
  #markSorted(cell: HTMLElement, columnId: string): void {
    const { log, order } = this.#model.sheet;
    if (log === undefined || log.sortColumn !== columnId || columnId === timeColumn) return;
    const isAscending = order === 'asc';
    cell.setAttribute('aria-sort', isAscending ? 'ascending' : 'descending');
    const sign = icon(isAscending ? 'arrow-up' : 'arrow-down');
    cell.append(el('span', 'title-pin', { 'aria-hidden': 'true' }, [sign]));
  }
}
