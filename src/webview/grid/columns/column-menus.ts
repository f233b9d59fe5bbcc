import { timeColumn } from '../../../protocol/request-log.ts';
import type { ColumnAction } from '../../../protocol/grid-work.ts';
import { t, spellNumber } from '../../common/language.ts';
import { withHidden, withPinned } from './arrangement.ts';
import type { GridActions } from '../commands.ts';
import type { Menu, MenuItem } from '../around/menu.ts';
import type { SheetModel } from '../rows/model.ts';
import { headerRow, sizeOf } from '../cursor/selection.ts';
import { shortened } from '../../common/shortened.ts';

const spell = (text: string): string => shortened(text, 28);

/** What the grid's own menus offer: of the Run button, of a column, and everything else. */
export class ColumnMenus {
  readonly #model: SheetModel;
  readonly #actions: GridActions;
  readonly #menu: Menu;
  readonly #focusGrid: () => void;

  constructor(model: SheetModel, actions: GridActions, menu: Menu, focusGrid: () => void) {
    this.#model = model;
    this.#actions = actions;
    this.#menu = menu;
    this.#focusGrid = focusGrid;
  }

  openRun(button: HTMLElement): void {
    this.#menu.open(t('Run'), this.#runItems(), button.getBoundingClientRect(), () =>
      button.focus(),
    );
  }

  openMore(button: HTMLElement, isDetailsOpen: boolean): void {
    const items = this.#moreItems(isDetailsOpen);
    this.#menu.open(t('More actions'), items, button.getBoundingClientRect(), () => button.focus());
  }

  openColumn(index: number, anchor: DOMRect): void {
    const column = this.#model.shown[index]?.column;
    if (column === undefined) return;
    this.#menu.open(column.title, this.#columnItems(index), anchor, this.#focusGrid);
  }

  #runItems(): readonly MenuItem[] {
    const { run } = this.#actions;
    const model = this.#model;
    const { selection } = model;
    const column = model.cursorColumn?.column;
    const cell = model.cursorCell;
    const isComputed = column?.computed === true;
    const computed = model.sheet.columns.some(({ computed: is }) => is);
    const rows = sizeOf(selection).rows;
    const failed =
      (model.sheet.statusCounts['failed'] ?? 0) + (model.sheet.statusCounts['error'] ?? 0);
    const name = column ? `“${spell(column.title)}”` : '';
    return [
      {
        label: t('Run this cell'),
        keys: 'Ctrl+Enter',
        icon: 'play',
        isDisabled: !isComputed || cell === undefined,
        run: () => {
          if (cell)
            run({ kind: 'cell', cell: { columnId: cell.columnId, rowIndex: cell.rowIndex } });
        },
      },
      {
        label: t('Run selected cells'),
        keys: 'Ctrl+Shift+Enter',
        isDisabled: selection.cursor.row === headerRow,
        run: () => run({ kind: 'selection', selection: model.selected() }),
      },
      {
        label: rows === 1 ? t('Run this row') : t('Run {0} selected rows', spellNumber(rows)),
        isDisabled: rows === 0 || !computed,
        run: () => run({ kind: 'rows', rows: selection.rows }),
      },
      ...this.#columnRuns(name, column?.id, isComputed),
      {
        label: t('Run all stale cells'),
        icon: 'refresh',
        isApart: true,
        isDisabled: !computed,
        run: () => run({ kind: 'stale' }),
      },
      {
        label: failed > 0 ? t('Run {0} failed cells', spellNumber(failed)) : t('Run failed cells'),
        icon: 'warning',
        isDisabled: failed === 0,
        run: () => run({ kind: 'failed' }),
      },
    ];
  }

  #columnRuns(
    name: string,
    columnId: string | undefined,
    isComputed: boolean,
  ): readonly MenuItem[] {
    const runColumn = (onlyStale: boolean) => (): void => {
      if (columnId !== undefined) this.#actions.run({ kind: 'column', columnId, onlyStale });
    };
    return [
      {
        label: t('Run column {0}', name),
        isApart: true,
        isDisabled: !isComputed,
        run: runColumn(false),
      },
      { label: t('Run stale cells of {0}', name), isDisabled: !isComputed, run: runColumn(true) },
    ];
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
      ...(column.computed ? this.#columnRuns(`“${spell(column.title)}”`, column.id, true) : []),
      {
        label: isPinned ? t('Unpin column') : t('Pin column'),
        icon: 'pinned',
        isApart: column.computed,
        run: () => setLayout(pinned),
      },
      {
        label: t('Hide column'),
        icon: 'eye-closed',
        isDisabled: model.shown.length < 2,
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

  #logItems(): readonly MenuItem[] {
    const { take } = this.#actions;
    const isDisabled = this.#model.rowCount === 0;
    return [
      {
        label: t('Open request'),
        icon: 'go-to-file',
        keys: 'Enter',
        isApart: true,
        isDisabled,
        run: () => take('open'),
      },
      { label: t('Replay request'), icon: 'play', isDisabled, run: () => take('replay') },
      { label: t('Add to sheet'), icon: 'table', isDisabled, run: () => take('import') },
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

  #moreItems(isDetailsOpen: boolean): readonly MenuItem[] {
    const model = this.#model;
    const actions = this.#actions;
    const { layout, sheet } = model;
    const hidden = new Set(layout.hidden);
    const byTime = sheet.log === undefined ? undefined : timeColumn;
    const isByRow = sheet.log?.sortColumn === byTime;
    return [
      { label: t('Copy'), icon: 'copy', keys: 'Ctrl+C', run: () => actions.copy('tsv', false) },
      { label: t('Copy with titles'), keys: 'Ctrl+Shift+C', run: () => actions.copy('tsv', true) },
      { label: t('Copy as CSV'), run: () => actions.copy('csv', true) },
      { label: t('Copy as JSON'), run: () => actions.copy('json', true) },
      { label: t('Copy as Markdown'), run: () => actions.copy('markdown', true) },
      ...(sheet.log === undefined ? [] : this.#logItems()),
      ...(sheet.log === undefined
        ? [
            { label: t('Fill down'), keys: 'Ctrl+D', isApart: true, run: actions.fillDown },
            { label: t('Set to null'), run: actions.setNull },
          ]
        : []),
      {
        label: sheet.log === undefined ? t('First rows first') : t('Oldest first'),
        isApart: true,
        isChecked: isByRow && sheet.order === 'asc',
        run: () => actions.sort('asc', byTime),
      },
      {
        label: sheet.log === undefined ? t('Last rows first') : t('Newest first'),
        isChecked: isByRow && sheet.order === 'desc',
        run: () => actions.sort('desc', byTime),
      },
      ...(sheet.log === undefined
        ? [
            {
              label: t('Cost and latency columns'),
              isChecked: sheet.systemColumns,
              isApart: true,
              run: () => actions.showSystemColumns(!sheet.systemColumns),
            },
          ]
        : []),
      {
        label: t('Details of the cell'),
        keys: 'Ctrl+I',
        isChecked: isDetailsOpen,
        run: actions.toggleDetails,
      },
      ...sheet.columns.map((column, index) => ({
        label: spell(column.title),
        isChecked: !hidden.has(column.id),
        isApart: index === 0,
        isDisabled: !hidden.has(column.id) && model.shown.length < 2,
        run: () => actions.setLayout(withHidden(layout, column.id, !hidden.has(column.id))),
      })),
      {
        label: t('Reset columns'),
        isApart: true,
        run: () => actions.setLayout({ widths: {}, hidden: [], pinned: [], order: [] }),
      },
      { label: t('Reload'), icon: 'refresh', run: actions.reload },
    ];
  }
}
