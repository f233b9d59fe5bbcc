import type { ViewCommand } from '../../protocol/grid-commands.ts';
import type { GridActions } from './actions/grid-actions.ts';
import { emptyLayout, withHidden, withPinned } from './columns/arrangement.ts';
import type { SheetModel } from './model/sheet-model.ts';

type Commands = Readonly<Record<ViewCommand, (argument?: string) => void>>;

/** Carries out every command of palette, keys and native menus. */
export function commandsOf(actions: GridActions, model: SheetModel): Commands {
  const column = (named: string | undefined): string | undefined =>
    named ?? model.cursorColumn?.column.id;
  const withColumn =
    (action: (columnId: string) => void) =>
    (named?: string): void => {
      const columnId = column(named);
      if (columnId !== undefined) action(columnId);
    };
  return {
    copy: () => actions.copy('tsv', false),
    copyWithHeaders: () => actions.copy('tsv', true),
    copyAsCsv: () => actions.copy('csv', true),
    copyAsJson: () => actions.copy('json', true),
    copyAsMarkdown: () => actions.copy('markdown', true),
    cut: actions.cut,
    paste: () => actions.paste(),
    pasteAs: actions.pasteAs,
    editCell: actions.edit,
    openValue: actions.openValue,
    runCell: () => {
      const cell = model.cursorCell;
      if (cell === undefined) return;
      const { columnId, rowIndex } = cell;
      actions.run({ kind: 'cell', cell: { columnId, rowIndex } });
    },
    runSelection: () => actions.run({ kind: 'selection', selection: model.selected() }),
    runColumn: withColumn((columnId) =>
      actions.run({ kind: 'column', columnId, onlyStale: false }),
    ),
    runRows: () => actions.run({ kind: 'rows', rows: model.selection.rows }),
    runStale: () => actions.run({ kind: 'stale' }),
    runFailed: () => actions.run({ kind: 'failed' }),
    toggleDetails: actions.toggleDetails,
    goToRow: (row) => {
      const number = Number(row);
      if (Number.isSafeInteger(number)) actions.goToRow(number - 1);
    },
    goToColumn: withColumn(actions.goToColumn),
    addRow: actions.addRow,
    deleteRows: actions.deleteRows,
    undo: actions.undo,
    redo: actions.redo,
    pinColumn: withColumn((columnId) => {
      const isPinned = model.layout.pinned.includes(columnId);
      actions.setLayout(withPinned(model.layout, columnId, !isPinned));
    }),
    hideColumn: withColumn((columnId) => {
      // A sheet without a column on screen has no way back but this menu.
      if (model.shown.length > 1) actions.setLayout(withHidden(model.layout, columnId, true));
    }),
    showColumns: () => actions.setLayout({ ...model.layout, hidden: [] }),
    resetLayout: () => actions.setLayout(emptyLayout),
    sortAscending: () => actions.sort('asc'),
    sortDescending: () => actions.sort('desc'),
    toggleSystemColumns: () => actions.showSystemColumns(!model.sheet.systemColumns),
    reload: actions.reload,
    openRequest: () => actions.take('open'),
    replayRequest: () => actions.take('replay'),
    importRequests: () => actions.take('import'),
    filterRequests: () => actions.filter(null),
    moreRequests: () => actions.more(false),
    find: actions.find,
    filter: actions.filterRows,
    clearFilter: actions.clearFilter,
    fillDown: actions.fillDown,
    setNull: actions.setNull,
  };
}
