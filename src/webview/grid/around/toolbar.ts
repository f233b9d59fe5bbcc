import type { GridSheet } from '../../../protocol/grid-sheet.ts';
import { el } from '../../common/dom.ts';
import { icon } from '../../common/icons.ts';
import { asToolbar, button } from '../../common/buttons.ts';
import { t } from '../../common/language.ts';
import { revealOnLine } from '../../common/reveal.ts';

export interface ToolbarActions {
  readonly openRunMenu: (button: HTMLElement) => void;
  readonly openMoreMenu: (button: HTMLElement) => void;
  readonly addRow: () => void;
  readonly undo: () => void;
  readonly redo: () => void;
  readonly toggleDetails: () => void;
  readonly find: () => void;
  readonly filterRows: () => void;
}

/** The bar above the rows. */
export interface Bar {
  readonly element: HTMLElement;
  show(sheet: GridSheet): void;
  showUndo(canUndo: boolean, canRedo: boolean): void;
  showDetailsOpen(isOpen: boolean): void;
  focus(): void;
}

/** Shows the workspace that the rows are of. */
export function showConnection(
  element: HTMLElement,
  { name, local }: GridSheet['connection'],
  note: string,
): void {
  const where = local ? t('Local workspace') : t('Hosted workspace');
  const shown = revealOnLine(name).text;
  element.replaceChildren(
    icon(local ? 'server-environment' : 'cloud'),
    el('span', 'connection-name', { dir: 'auto' }, [shown]),
  );
  element.title = `${where}: ${shown}. ${note}`;
}

/** Opens and closes the details. */
export const detailsButton = (run: () => void): HTMLButtonElement =>
  button({
    label: t('Details of the cell'),
    icon: 'layout-sidebar-right',
    keys: 'Ctrl+I',
    isIconOnly: true,
    run,
  });

const tool = (label: string, icon: string, run: () => void, keys?: string): HTMLButtonElement =>
  button({ label, icon, isIconOnly: true, run, ...(keys !== undefined && { keys }) });

/** Whose sheet this is, and what can be done with it. */
export class Toolbar implements Bar {
  readonly element = el('div', 'toolbar');
  readonly #connection = el('span', 'connection');
  readonly #title = el('h1', 'sheet-title');
  readonly #undo: HTMLButtonElement;
  readonly #redo: HTMLButtonElement;
  readonly #details: HTMLButtonElement;
  readonly #buttons = el('div', 'buttons');

  constructor(actions: ToolbarActions) {
    this.#undo = button({
      label: t('Undo edit'),
      icon: 'discard',
      keys: 'Ctrl+Z',
      isIconOnly: true,
      run: actions.undo,
    });
    this.#redo = button({
      label: t('Redo edit'),
      icon: 'redo',
      keys: 'Ctrl+Y',
      isIconOnly: true,
      run: actions.redo,
    });
    this.#details = detailsButton(actions.toggleDetails);
    this.#buttons.append(
      button({
        label: t('Run'),
        icon: 'play',
        look: 'primary',
        opensMenu: true,
        run: actions.openRunMenu,
      }),
      button({ label: t('Add row'), icon: 'add', run: actions.addRow }),
      this.#undo,
      this.#redo,
      tool(t('Find in sheet'), 'search', actions.find, 'Ctrl+F'),
      tool(t('Filter and sort rows'), 'filter', actions.filterRows),
      this.#details,
      button({
        label: t('More actions'),
        icon: 'ellipsis',
        isIconOnly: true,
        opensMenu: true,
        run: actions.openMoreMenu,
      }),
    );
    this.element.append(el('div', 'identity', {}, [this.#connection, this.#title]), this.#buttons);
    asToolbar(this.#buttons, t('Sheet'));
  }

  show({ connection, tableTitle, title }: GridSheet): void {
    const note = t('This sheet keeps the connection it was opened with.');
    showConnection(this.#connection, connection, note);
    this.#title.replaceChildren(
      el('span', 'table-title', { dir: 'auto' }, [revealOnLine(tableTitle).text]),
      icon('chevron-right'),
      el('span', 'sheet-name', { dir: 'auto' }, [revealOnLine(title).text]),
    );
    this.#title.title = `${tableTitle} › ${title}`;
  }

  showUndo(canUndo: boolean, canRedo: boolean): void {
    this.#undo.disabled = !canUndo;
    this.#redo.disabled = !canRedo;
  }

  showDetailsOpen(isOpen: boolean): void {
    this.#details.setAttribute('aria-pressed', String(isOpen));
  }

  focus(): void {
    this.#buttons.querySelector<HTMLElement>('button[tabindex="0"]')?.focus();
  }
}
