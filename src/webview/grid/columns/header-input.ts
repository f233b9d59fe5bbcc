import { timeColumn } from '../../../protocol/request-log.ts';
import type { GridActions } from '../actions/grid-actions.ts';
import { el } from '../../common/dom.ts';
import type { Cursor } from '../cursor/cursor.ts';
import { atSpot, headerRow, selectColumns } from '../cursor/selection.ts';
import type { SheetModel } from '../model/sheet-model.ts';
import { withMoved, withWidth, type ShownColumn } from './arrangement.ts';
import type { ColumnMenus } from './column-menus.ts';
import type { Header } from './header.ts';

export interface HeaderInputOptions {
  readonly model: SheetModel;
  readonly header: Header;
  readonly cursor: Cursor;
  readonly menus: ColumnMenus;
  readonly actions: GridActions;
  readonly signal: AbortSignal;
}

interface Drag {
  readonly move: (event: PointerEvent) => void;
  readonly end: (event: PointerEvent) => void;
}

/** The mouse on the row of titles: select, sort, open the menu, drag wider, drag elsewhere. */
export class HeaderInput {
  readonly #options: HeaderInputOptions;
  readonly #marker = el('div', 'drop-marker');

  constructor(options: HeaderInputOptions) {
    this.#options = options;
    const { header, signal } = options;
    header.element.addEventListener('pointerdown', (event) => this.#pressed(event), { signal });
    header.element.addEventListener('dblclick', (event) => this.#doubled(event), { signal });
  }

  #pressed(event: PointerEvent): void {
    const { model, header } = this.#options;
    const { target } = event;
    if (event.button !== 0 || !(target instanceof Element)) return;
    const index = header.columnOf(target);
    if (index === undefined) return;
    if (index === -1) {
      this.#sort();
      return;
    }
    const shown = model.shown[index];
    const cell = header.cellElement(index);
    if (shown === undefined || cell === undefined) return;
    event.preventDefault();
    if (target.closest('.resizer')) this.#drag(event, this.#resizing(event, shown));
    else if (target.closest('.title-menu')) {
      // The press itself would close the menu again.
      setTimeout(() => this.#openMenu(index));
    } else this.#drag(event, this.#moving(event, shown, index));
  }

  #sort(): void {
    const { model, actions } = this.#options;
    const { order, log } = model.sheet;
    if (log === undefined) actions.sort(order === 'asc' ? 'desc' : 'asc');
    else {
      const isByTime = log.sortColumn === timeColumn;
      actions.sort(isByTime && order === 'desc' ? 'asc' : 'desc', timeColumn);
    }
  }

  #openMenu(column: number): void {
    const { header, cursor, menus } = this.#options;
    cursor.select(atSpot({ row: headerRow, column }));
    const cell = header.cellElement(column);
    if (cell !== undefined) menus.openColumn(column, cell.getBoundingClientRect());
  }

  #pick(column: number, { shiftKey, ctrlKey, metaKey }: PointerEvent): void {
    const { model, cursor } = this.#options;
    cursor.focus();
    const how = { extend: shiftKey, add: ctrlKey || metaKey };
    cursor.select(selectColumns(model.selection, column, model.extent, how));
  }

  #doubled({ target }: Event): void {
    const { model, header, actions } = this.#options;
    if (!(target instanceof Element) || !target.closest('.resizer')) return;
    const shown = model.shown[header.columnOf(target) ?? -1];
    if (shown === undefined) return;
    const width = shown.width > 320 ? 180 : 420;
    actions.arrange(withWidth(model.layout, shown.column.id, width), true);
  }

  #drag(event: PointerEvent, handler: Drag): void {
    const { element } = this.#options.header;
    const stop = new AbortController();
    const { signal } = stop;
    element.setPointerCapture(event.pointerId);
    element.addEventListener('pointermove', handler.move, { signal });
    const end = (last: PointerEvent): void => {
      stop.abort();
      handler.end(last);
    };
    element.addEventListener('pointerup', end, { signal });
    element.addEventListener('pointercancel', end, { signal });
  }

  #resizing(begin: PointerEvent, { column, width }: ShownColumn): Drag {
    const { model, actions } = this.#options;
    const resize = ({ clientX }: PointerEvent, isFinal: boolean): void => {
      const now = width + clientX - begin.clientX;
      actions.arrange(withWidth(model.layout, column.id, now), isFinal);
    };
    return { move: (event) => resize(event, false), end: (event) => resize(event, true) };
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
        if (!isMoving) this.#pick(index, event);
        else if (drop !== undefined && event.type === 'pointerup') {
          this.#move(column.id, drop.beforeId);
        }
      },
    };
  }

  #move(columnId: string, beforeId: string | undefined): void {
    const { model, actions } = this.#options;
    actions.setLayout(withMoved(model.sheet.columns, model.layout, { columnId, beforeId }));
    actions.keepMove(columnId, beforeId);
  }

  /** The gap nearest to the pointer, within the pinned or the other columns. */
  #dropAt(clientX: number, isPinned: boolean): { beforeId: string | undefined } | undefined {
    const { model, header } = this.#options;
    const { shown } = model;
    const origin = header.element.getBoundingClientRect().left;
    for (const [index, cell] of header.cells) {
      const column = shown[index];
      if (column === undefined || column.isPinned !== isPinned) continue;
      const box = cell.getBoundingClientRect();
      const isLast = index === header.slots.to || shown[index + 1]?.isPinned !== isPinned;
      if (clientX > box.right && !isLast) continue;
      const isAfter = clientX > (box.left + box.right) / 2;
      const next = shown[index + 1];
      this.#marker.style.left = `${(isAfter ? box.right : box.left) - origin}px`;
      header.element.append(this.#marker);
      return { beforeId: isAfter ? (next?.column.id ?? undefined) : column.column.id };
    }
    return undefined;
  }
}
