import { el, setAttribute } from '../../common/dom.ts';
import { icon } from '../../common/icons.ts';
import { t } from '../../common/language.ts';
import type { ShownColumn } from './arrangement.ts';
import type { SheetModel } from '../rows/model.ts';
import { timeColumn } from '../../../protocol/request-log.ts';
import { revealOnLine } from '../../common/reveal.ts';
import type { Slots } from '../rows/rows.ts';
import { headerRow, includes } from '../cursor/selection.ts';

export interface HeaderActions {
  /** A title was clicked. */
  readonly pick: (column: number, event: PointerEvent) => void;
  readonly openMenu: (column: number, anchor: DOMRect) => void;
  /** While dragging its edge: the width so far; `isFinal` when let go. */
  readonly resize: (columnId: string, width: number, isFinal: boolean) => void;
  /** Dropped before another column (undefined: at the end). */
  readonly move: (columnId: string, beforeId: string | undefined) => void;
  readonly sort: () => void;
}

interface Drag {
  readonly move: (event: PointerEvent) => void;
  readonly end: (event: PointerEvent) => void;
}

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

/** The row of column titles. */
export class Header {
  readonly element = el('div', 'head row', { role: 'row', 'aria-rowindex': '1' });
  readonly #corner: HTMLElement;
  readonly #model: SheetModel;
  readonly #actions: HeaderActions;
  readonly #marker = el('div', 'drop-marker');
  #cells = new Map<number, HTMLElement>();
  #slots: Slots = { pinned: 0, from: 0, to: -1 };

  constructor(model: SheetModel, actions: HeaderActions, signal: AbortSignal) {
    this.#model = model;
    this.#actions = actions;
    this.#corner = el('div', 'cell number corner', {
      role: 'columnheader',
      id: 'head-number',
      'aria-colindex': '1',
    });
    this.element.append(this.#corner);
    this.element.addEventListener('pointerdown', (event) => this.#pressed(event), { signal });
    this.element.addEventListener('dblclick', (event) => this.#doubled(event), { signal });
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
        'data-vscode-context': JSON.stringify({
          webviewSection: 'column',
          columnId: column.id,
          computed: column.computed,
          editable: column.editable,
          pinned: isPinned,
        }),
      },
      [icon(column.icon), el('span', 'title-text', { dir: 'auto' }, [title])],
    );
    cell.title = `${title}\n${notes.join(' · ')}${sources}`;
    const { log, order } = this.#model.sheet;
    if (log !== undefined && log.sortColumn === column.id && column.id !== timeColumn) {
      const isAscending = order === 'asc';
      cell.setAttribute('aria-sort', isAscending ? 'ascending' : 'descending');
      const sign = icon(isAscending ? 'arrow-up' : 'arrow-down');
      cell.append(el('span', 'title-pin', { 'aria-hidden': 'true' }, [sign]));
    }
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

  #pressed(event: PointerEvent): void {
    const { target } = event;
    if (event.button !== 0 || !(target instanceof Element)) return;
    const index = this.columnOf(target);
    if (index === undefined) return;
    if (index === -1) {
      this.#actions.sort();
      return;
    }
    const shown = this.#model.shown[index];
    const cell = this.#cells.get(index);
    if (shown === undefined || cell === undefined) return;
    event.preventDefault();
    if (target.closest('.resizer')) this.#drag(event, this.#resizing(event, shown));
    else if (target.closest('.title-menu')) {
      // The press itself would close the menu again.
      setTimeout(() => this.#actions.openMenu(index, cell.getBoundingClientRect()));
    } else this.#drag(event, this.#moving(event, shown, index));
  }

  #doubled({ target }: Event): void {
    if (!(target instanceof Element) || !target.closest('.resizer')) return;
    const shown = this.#model.shown[this.columnOf(target) ?? -1];
    if (shown !== undefined)
      this.#actions.resize(shown.column.id, shown.width > 320 ? 180 : 420, true);
  }

  #drag(event: PointerEvent, handler: Drag): void {
    const { pointerId } = event;
    const stop = new AbortController();
    const { signal } = stop;
    this.element.setPointerCapture(pointerId);
    this.element.addEventListener('pointermove', handler.move, { signal });
    const end = (last: PointerEvent): void => {
      stop.abort();
      handler.end(last);
    };
    this.element.addEventListener('pointerup', end, { signal });
    this.element.addEventListener('pointercancel', end, { signal });
  }

  #resizing(begin: PointerEvent, { column, width }: ShownColumn): Drag {
    const widthAt = ({ clientX }: PointerEvent): number => width + clientX - begin.clientX;
    return {
      move: (event) => this.#actions.resize(column.id, widthAt(event), false),
      end: (event) => this.#actions.resize(column.id, widthAt(event), true),
    };
  }

  #moving(begin: PointerEvent, { column, isPinned }: ShownColumn, index: number): Drag {
    let isMoving = false;
    let drop: { beforeId: string | undefined } | undefined;
    return {
      move: (event) => {
        if (!isMoving && Math.abs(event.clientX - begin.clientX) < 6) return;
        isMoving = true;
        drop = this.#dropAt(event.clientX, isPinned);
      },
      end: (event) => {
        this.#marker.remove();
        if (!isMoving) this.#actions.pick(index, event);
        else if (drop !== undefined && event.type === 'pointerup') {
          this.#actions.move(column.id, drop.beforeId);
        }
      },
    };
  }

  /** The gap nearest to the pointer, within the pinned or the other columns. */
  #dropAt(clientX: number, isPinned: boolean): { beforeId: string | undefined } | undefined {
    const { shown } = this.#model;
    const origin = this.element.getBoundingClientRect().left;
    for (const [index, cell] of this.#cells) {
      const column = shown[index];
      if (column === undefined || column.isPinned !== isPinned) continue;
      const box = cell.getBoundingClientRect();
      const isLast = index === this.#slots.to || shown[index + 1]?.isPinned !== isPinned;
      if (clientX > box.right && !isLast) continue;
      const isAfter = clientX > (box.left + box.right) / 2;
      const next = shown[index + 1];
      this.#marker.style.left = `${(isAfter ? box.right : box.left) - origin}px`;
      this.element.append(this.#marker);
      return { beforeId: isAfter ? (next?.column.id ?? undefined) : column.column.id };
    }
    return undefined;
  }
}
