import type { GridActions } from '../actions/grid-actions.ts';
import { readClip } from '../edit/clipboard.ts';
import { writeContext, writeTooltip } from '../details/cell-notes.ts';
import type { ColumnMenus } from '../columns/column-menus.ts';
import type { Cursor } from './cursor.ts';
import type { Details } from '../details/details.ts';
import type { EditFlow } from '../edit/edit-flow.ts';
import type { Header } from '../columns/header.ts';
import { performKey } from './key-actions.ts';
import { readKey } from './keyboard.ts';
import type { SheetModel } from '../model/sheet-model.ts';
import { numberColumn } from './moves.ts';
import { watchPointer } from './pointer.ts';
import { goToNextRegion } from './regions.ts';
import { atSpot, headerRow } from './selection.ts';
import type { Bar } from '../around/toolbar.ts';
import type { Viewport } from '../rows/viewport.ts';

export interface SheetInputOptions {
  /** The whole view. */
  readonly element: HTMLElement;
  readonly model: SheetModel;
  readonly viewport: Viewport;
  readonly header: Header;
  readonly cursor: Cursor;
  readonly edits: EditFlow;
  readonly actions: GridActions;
  readonly menus: ColumnMenus;
  readonly details: Details;
  readonly toolbar: Bar;
  readonly signal: AbortSignal;
}

/** Keys, pointer, clipboard and menus: what the user does, brought to the part it is for. */
export class SheetInput {
  readonly #options: SheetInputOptions;

  constructor(options: SheetInputOptions) {
    this.#options = options;
    const { element, model, viewport, cursor, edits, signal } = options;
    const { grid, ring } = viewport;
    grid.addEventListener('keydown', (event) => this.#keyPressed(event), { signal });
    element.addEventListener('keydown', (event) => this.#regionKeyPressed(event), { signal });
    grid.addEventListener('copy', (event) => this.#copied(event), { signal });
    grid.addEventListener('cut', (event) => this.#cut(event), { signal });
    grid.addEventListener('paste', (event) => this.#pasted(event), { signal });
    const early = { signal, capture: true };
    element.addEventListener('contextmenu', ({ target }) => this.#menuAsked(target), early);
    const tooltip = ({ target }: Event): void => writeTooltip(ring, model, target);
    ring.element.addEventListener('pointerover', tooltip, { signal, passive: true });
    const pointer = {
      press: (row: number, column: number, event: PointerEvent) => {
        edits.commit();
        cursor.press(row, column, event);
      },
      dragTo: (row: number, column: number) => cursor.dragTo(row, column),
      open: () => this.#activate(),
    };
    watchPointer(viewport, model, pointer, signal);
  }

  #keyPressed(event: KeyboardEvent): void {
    const { model, cursor, actions, edits, toolbar } = this.#options;
    const action = readKey(event);
    if (action === undefined) return;
    const isDone = performKey(action, {
      model,
      cursor,
      actions,
      edit: (typed) => edits.begin(typed),
      activate: () => this.#activate(),
      openMenu: () => this.#openMenu(),
      leave: () => toolbar.focus(),
    });
    if (isDone) take(event);
  }

  #regionKeyPressed(event: KeyboardEvent): void {
    const { cursor, actions, details } = this.#options;
    const { key, shiftKey, altKey } = event;
    const isControl = event.ctrlKey || event.metaKey;
    const isTyping = event.target instanceof HTMLTextAreaElement;
    const isInDetails = details.element.contains(document.activeElement);
    if (isControl && key.toLowerCase() === 'i' && !shiftKey && !altKey && !isTyping) {
      actions.toggleDetails();
      take(event);
    } else if (key === 'Escape' && isInDetails) {
      cursor.focus();
      take(event);
    } else if (key === 'F6' && this.#goToRegion(shiftKey ? -1 : 1)) take(event);
  }

  #goToRegion(step: -1 | 1): boolean {
    const { model, viewport, cursor, details, toolbar } = this.#options;
    const { element } = details;
    return goToNextRegion(
      [
        { element: toolbar.element, focus: () => toolbar.focus() },
        { element: viewport.element, focus: () => cursor.focus() },
        ...(model.view.details.isOpen ? [{ element, focus: () => details.focus() }] : []),
      ],
      step,
    );
  }

  #activate(): void {
    const { model, edits, actions, details } = this.#options;
    if (model.selection.cursor.row === headerRow) this.#openMenu();
    else if (model.sheet.log !== undefined) actions.take('open');
    else if (model.cursorColumn?.column.editable) edits.begin();
    else if (model.view.details.isOpen) details.focus();
    else actions.toggleDetails();
  }

  /** Of a title the grid's own menu, of a cell VS Code's. */
  #openMenu(): void {
    const { model, viewport, header, actions, menus } = this.#options;
    const { row, column } = model.selection.cursor;
    if (row === headerRow && column === numberColumn) {
      actions.sort(model.sheet.order === 'asc' ? 'desc' : 'asc');
      return;
    }
    if (row === headerRow) {
      const title = header.cellElement(column);
      if (title) menus.openColumn(column, title.getBoundingClientRect());
      return;
    }
    const cell = viewport.ring.cellElement(row, column);
    if (cell === undefined) return;
    const { left, bottom } = cell.getBoundingClientRect();
    const at = { button: 2, clientX: left + 12, clientY: bottom - 4 };
    cell.dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true, ...at }));
  }

  #menuAsked(target: EventTarget | null): void {
    const { model, viewport, header, cursor } = this.#options;
    if (writeContext(viewport.ring, model, target)) return;
    const column = target instanceof Element ? header.columnOf(target) : undefined;
    if (column !== undefined) cursor.select(atSpot({ row: headerRow, column }));
  }

  #copied(event: ClipboardEvent): void {
    event.preventDefault();
    this.#options.actions.copy('tsv', false);
  }

  #cut(event: ClipboardEvent): void {
    event.preventDefault();
    this.#options.actions.cut();
  }

  #pasted(event: ClipboardEvent): void {
    const { model, actions } = this.#options;
    const clip = event.clipboardData && readClip(event.clipboardData);
    if (clip === null || model.selection.cursor.row === headerRow) return;
    event.preventDefault();
    actions.paste(clip);
  }
}

/** The key was for the grid: neither the browser nor VS Code shall act on it too. */
function take(event: KeyboardEvent): void {
  event.preventDefault();
  event.stopPropagation();
}
