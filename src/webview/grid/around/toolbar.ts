import type { GridSheet } from '../../../protocol/grid-sheet.ts';
import type { GridActions } from '../actions/grid-actions.ts';
import type { ColumnMenus } from '../columns/column-menus.ts';
import type { SheetModel } from '../model/sheet-model.ts';
import { el } from '../../common/dom.ts';
import { icon } from '../../common/icons.ts';
import { asToolbar, button } from '../../common/buttons.ts';
import { t } from '../../common/language.ts';
import { revealOnLine } from '../../common/reveal.ts';

/** The bar above the rows. */
export interface Bar {
  readonly element: HTMLElement;
  focus(): void;
}

export interface BarOptions {
  readonly model: SheetModel;
  readonly actions: GridActions;
  readonly menus: ColumnMenus;
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
export function detailsButton({ changes, view }: SheetModel, run: () => void): HTMLButtonElement {
  const element = button({
    label: t('Cell details'),
    icon: 'layout-sidebar-right',
    keys: 'Ctrl+I',
    isIconOnly: true,
    run,
  });
  const show = (): void => element.setAttribute('aria-pressed', String(view.details.isOpen));
  show();
  changes.eachFrame(['details'], show);
  return element;
}

export const moreButton = (menus: ColumnMenus): HTMLButtonElement =>
  button({
    label: t('More actions'),
    icon: 'ellipsis',
    isIconOnly: true,
    opensMenu: true,
    run: (element) => menus.openMore(element),
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
  readonly #buttons = el('div', 'buttons');

  constructor({ model, actions, menus }: BarOptions) {
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
    this.#buttons.append(
      button({
        label: t('Run'),
        icon: 'play',
        look: 'primary',
        opensMenu: true,
        run: (element) => menus.openRun(element),
      }),
      button({ label: t('Add row'), icon: 'add', run: actions.addRow }),
      this.#undo,
      this.#redo,
      tool(t('Find in sheet'), 'search', actions.find, 'Ctrl+F'),
      tool(t('Filter and sort rows'), 'filter', actions.filterRows),
      detailsButton(model, actions.toggleDetails),
      moreButton(menus),
    );
    this.element.append(el('div', 'identity', {}, [this.#connection, this.#title]), this.#buttons);
    asToolbar(this.#buttons, t('Sheet'));
    const { changes } = model;
    changes.eachFrame(['sheet'], () => this.#show(model.sheet));
    changes.eachFrame(['sheet', 'edits'], () => {
      this.#undo.disabled = !model.sheet.canUndo;
      this.#redo.disabled = !model.sheet.canRedo;
    });
  }

  focus(): void {
    this.#buttons.querySelector<HTMLElement>('button[tabindex="0"]')?.focus();
  }

  #show({ connection, tableTitle, title }: GridSheet): void {
    const note = t('This sheet keeps the connection it was opened with.');
    showConnection(this.#connection, connection, note);
    this.#title.replaceChildren(
      el('span', 'table-title', { dir: 'auto' }, [revealOnLine(tableTitle).text]),
      icon('chevron-right'),
      el('span', 'sheet-name', { dir: 'auto' }, [revealOnLine(title).text]),
    );
    this.#title.title = `${tableTitle} › ${title}`;
  }
}
