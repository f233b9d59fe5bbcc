import { canRun } from '../../../protocol/grid-sheet.ts';
import type { GridActions } from '../actions/grid-actions.ts';
import { button } from '../../common/buttons.ts';
import { el } from '../../common/dom.ts';
import { icon } from '../../common/icons.ts';
import { t } from '../../common/language.ts';
import { explain, type Host } from '../connection.ts';
import type { Cursor } from '../cursor/cursor.ts';
import { headerRow } from '../cursor/selection.ts';
import type { SheetModel } from '../model/sheet-model.ts';
import type { Viewport } from '../rows/viewport.ts';
import { detailParts, type Subject } from './detail-parts.ts';
import { DetailsEdge } from './details-edge.ts';
import { revealed } from './json-tree.ts';

export interface DetailsOptions {
  readonly host: Host;
  readonly model: SheetModel;
  readonly viewport: Viewport;
  readonly cursor: Cursor;
  readonly actions: GridActions;
  readonly signal: AbortSignal;
}

const waitMs = 60;

/** Beside the rows: everything known of the cell under the cursor. */
export class Details {
  readonly element = el('aside', 'details', {
    'aria-label': t('Cell details'),
    tabindex: '-1',
  });
  readonly edge: DetailsEdge;
  readonly #options: DetailsOptions;
  readonly #title = el('h2', 'detail-title', { dir: 'auto' });
  readonly #body = el('div', 'detail-body', {
    tabindex: '0',
    role: 'region',
    'aria-label': t('Value and details'),
  });
  #subject: Subject | undefined;
  #request: AbortController | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isMakingRoom = false;

  constructor(options: DetailsOptions) {
    this.#options = options;
    const { model, actions, signal } = options;
    this.edge = new DetailsEdge(model, this.element, signal);
    this.element.append(
      el('div', 'detail-bar', {}, [
        this.#title,
        button({
          label: t('Close details'),
          icon: 'close',
          isIconOnly: true,
          run: actions.toggleDetails,
        }),
      ]),
      this.#body,
    );
    this.element.hidden = this.edge.element.hidden = !model.view.details.isOpen;
    const { changes } = model;
    // Where the focus is must not wait for a frame.
    changes.atOnce(['details'], () => this.#toggle());
    changes.eachFrame(['selection', 'edits', 'rows', 'layout', 'details'], () => this.#show());
    changes.eachFrame(['subject'], () => this.#refresh());
    changes.eachFrame(['size'], () => this.#keepCursorInView());
    signal.addEventListener('abort', () => {
      clearTimeout(this.#timer);
      this.#request?.abort();
    });
  }

  focus(): void {
    this.#body.focus();
  }

  get #isOpen(): boolean {
    return this.#options.model.view.details.isOpen;
  }

  #toggle(): void {
    const isOpen = this.#isOpen;
    if (isOpen === !this.element.hidden) return;
    const hadFocus = this.element.contains(document.activeElement);
    this.element.hidden = !isOpen;
    this.edge.element.hidden = !isOpen;
    this.#isMakingRoom = isOpen;
    if (!isOpen) this.#request?.abort();
    if (!isOpen && hadFocus) this.#options.cursor.focus();
  }

  /** Details that open must not cover the cell they are of. */
  #keepCursorInView(): void {
    if (!this.#isMakingRoom) return;
    this.#isMakingRoom = false;
    const { model, viewport } = this.#options;
    const { row, column } = model.selection.cursor;
    if (row !== headerRow) viewport.scrollToRow(row);
    viewport.scrollToColumn(column);
  }

  /** The cursor moved, or the cell under it changed. */
  #show(): void {
    const { model } = this.#options;
    const cell = model.cursorCell;
    const column = model.cursorColumn?.column;
    const before = this.#subject;
    const subject =
      cell === undefined || column === undefined
        ? undefined
        : { ...cell, canRun: canRun(column), unsaved: model.unsavedAt(cell) };
    this.#subject = subject;
    if (!this.#isOpen) return;
    this.#title.replaceChildren(
      ...(subject
        ? [revealed(column?.title ?? ''), ' · ', t('row {0}', subject.position + 1)]
        : [t('No cell')]),
    );
    const isSame = subject?.rowIndex === before?.rowIndex && subject?.columnId === before?.columnId;
    if (!isSame) this.#body.setAttribute('aria-busy', 'true');
    this.#refresh();
  }

  #refresh(): void {
    clearTimeout(this.#timer);
    if (!this.#isOpen) return;
    this.#timer = setTimeout(() => void this.#load(), waitMs);
  }

  async #load(): Promise<void> {
    this.#request?.abort();
    const subject = this.#subject;
    if (subject === undefined) {
      this.#body.replaceChildren(el('p', 'hint', {}, [t('Move to a cell to see its value.')]));
      return;
    }
    const request = new AbortController();
    this.#request = request;
    const { host, actions } = this.#options;
    const { columnId, rowIndex } = subject;
    try {
      const detail = await host.cell({ columnId, rowIndex }, request.signal);
      if (!request.signal.aborted) this.#draw(detailParts(detail, subject, actions));
    } catch (error) {
      if (!request.signal.aborted) this.#drawError(error);
    }
    if (!request.signal.aborted) this.#body.removeAttribute('aria-busy');
  }

  #drawError(error: unknown): void {
    const { message, hint } = explain(error);
    this.#body.replaceChildren(
      el('div', 'banner error', { role: 'alert' }, [
        icon('warning'),
        el('span', 'banner-text', {}, [hint ? `${message} ${hint}` : message]),
        button({ label: t('Retry'), look: 'secondary', run: () => void this.#load() }),
      ]),
    );
  }

  /** The same place of the same value stays in view, and the keys where they were. */
  #draw(parts: readonly HTMLElement[]): void {
    const { scrollTop } = this.#body;
    const hadTree = this.#body.querySelector('.json-tree')?.contains(document.activeElement);
    this.#body.replaceChildren(...parts);
    this.#body.scrollTop = scrollTop;
    if (hadTree) this.#body.querySelector<HTMLElement>('.json-tree [tabindex="0"]')?.focus();
  }
}
