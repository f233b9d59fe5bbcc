import { timeColumn } from '../../../protocol/request-log.ts';
import { canRun } from '../../../protocol/grid-sheet.ts';
import type { ColumnAction } from '../../../protocol/grid-work.ts';
import { t } from '../../common/language.ts';
import { withHidden, withPinned } from './arrangement.ts';
import { moreItems, whyNotHidden } from './more-items.ts';
import { columnRuns, runItems } from './run-items.ts';
import type { GridActions } from '../actions/grid-actions.ts';
import type { Cursor } from '../cursor/cursor.ts';
import type { Menu, MenuItem } from '../around/menu.ts';
import type { SheetModel } from '../model/sheet-model.ts';

export interface ColumnMenusOptions {
  readonly model: SheetModel;
  readonly actions: GridActions;
  readonly menu: Menu;
  readonly cursor: Cursor;
}

/** What the grid's own menus offer: of the Run button, of a column, and everything else. */
export class ColumnMenus {
  readonly #model: SheetModel;
  readonly #actions: GridActions;
  readonly #menu: Menu;
  readonly #cursor: Cursor;

  constructor(options: ColumnMenusOptions) {
    this.#model = options.model;
    this.#actions = options.actions;
    this.#menu = options.menu;
    this.#cursor = options.cursor;
  }

  openRun(button: HTMLElement): void {
    this.#menu.open(
      t('Run'),
      runItems(this.#model, this.#actions),
      button.getBoundingClientRect(),
      () => button.focus(),
    );
  }

  openMore(button: HTMLElement): void {
    const items = moreItems(this.#model, this.#actions);
    this.#menu.open(t('More actions'), items, button.getBoundingClientRect(), () => button.focus());
  }

  openColumn(index: number, anchor: DOMRect): void {
    const column = this.#model.shown[index]?.column;
    if (column === undefined) return;
    this.#menu.open(column.title, this.#columnItems(index), anchor, () => this.#cursor.focus());
  }

  #columnItems(index: number): readonly MenuItem[] {
    const model = this.#model;
    const { layout } = model;
    const shown = model.shown[index];
    if (shown === undefined) return [];
    const { column, isPinned } = shown;
    const { setLayout, moveColumn, widen } = this.#actions;
    const isLog = model.sheet.log !== undefined;
    const pinned = withPinned(layout, column.id, !isPinned);
    return [
      ...(canRun(column) ? columnRuns(column, model, this.#actions) : []),
      {
        label: isPinned ? t('Unpin column') : t('Pin column'),
        icon: 'pinned',
        isApart: canRun(column),
        run: () => setLayout(pinned),
      },
      {
        label: t('Hide column'),
        icon: 'eye-closed',
        reason: whyNotHidden(model),
        run: () => setLayout(withHidden(layout, column.id, true)),
      },
      ...(isLog ? this.#logOrderItems(column.id) : this.#orderItems(column.id)),
      ...(isLog || column.system ? [] : this.#changeItems(column.id)),
      { label: t('Move left'), keys: 'Alt+Left', isApart: true, run: () => moveColumn(-1) },
      { label: t('Move right'), keys: 'Alt+Right', run: () => moveColumn(1) },
      { label: t('Wider'), keys: 'Alt+Shift+Right', run: () => widen(48) },
      { label: t('Narrower'), keys: 'Alt+Shift+Left', run: () => widen(-48) },
    ];
  }

  /** Only by what the service sorts by: what is loaded is a part of all. */
  #logOrderItems(columnId: string): readonly MenuItem[] {
    const { log, order } = this.#model.sheet;
    if (log?.sortable.includes(columnId) !== true) return [];
    const isTime = columnId === timeColumn;
    const isSorted = log.sortColumn === columnId;
    const item = (label: string, as: typeof order): MenuItem => ({
      ...{ label, icon: as === 'asc' ? 'arrow-up' : 'arrow-down', isApart: as === 'asc' },
      isChecked: isSorted && order === as,
      run: () => this.#actions.sort(as, columnId),
    });
    return [
      item(isTime ? t('Oldest first') : t('Sort smallest first'), 'asc'),
      item(isTime ? t('Newest first') : t('Sort largest first'), 'desc'),
    ];
  }

  #orderItems(columnId: string): readonly MenuItem[] {
    const { sortBy, filterBy } = this.#actions;
    return [
      {
        label: t('Sort smallest first'),
        icon: 'arrow-up',
        isApart: true,
        run: () => sortBy({ columnId, direction: 'asc' }),
      },
      {
        label: t('Sort largest first'),
        icon: 'arrow-down',
        run: () => sortBy({ columnId, direction: 'desc' }),
      },
      { label: t('Filter by this column…'), icon: 'filter', run: () => filterBy(columnId) },
    ];
  }

  #changeItems(columnId: string): readonly MenuItem[] {
    const act = (action: ColumnAction) => (): void => this.#actions.columnAction(action, columnId);
    return [
      { label: t('Add column left…'), icon: 'add', isApart: true, run: act('addLeft') },
      { label: t('Add column right…'), icon: 'add', run: act('addRight') },
      { label: t('Edit column…'), icon: 'edit', run: act('edit') },
      { label: t('Rename…'), run: act('rename') },
      { label: t('Duplicate'), run: act('duplicate') },
      { label: t('Compare with another column…'), icon: 'diff', run: act('compare') },
      { label: t('Delete…'), icon: 'trash', run: act('delete') },
    ];
  }
}
