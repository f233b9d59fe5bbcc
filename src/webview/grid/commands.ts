import type { CopyFormat, RunScope } from '../../protocol/grid.ts';
import type { GridLayout, GridSheet } from '../../protocol/grid-sheet.ts';
import type { ViewCommand } from '../../protocol/grid-commands.ts';
import type { LogAction } from '../../protocol/request-log.ts';
import type { ColumnAction, SortKey } from '../../protocol/grid-work.ts';
import { withHidden, withPinned } from './columns/arrangement.ts';
import type { Clip } from './edit/clipboard.ts';
import type { SheetModel } from './rows/model.ts';

/** What menus, buttons, keys and commands can set in motion. */
export interface GridActions {
  readonly copy: (format: CopyFormat, headers: boolean) => void;
  readonly cut: () => void;
  /** Without a clip: what VS Code reads from the clipboard. */
  readonly paste: (clip?: Clip) => void;
  /** Asks what it is, whatever it is. */
  readonly pasteAs: () => void;
  readonly edit: () => void;
  readonly run: (scope: RunScope) => void;
  readonly openValue: () => void;
  readonly toggleDetails: () => void;
  /** Row by position. */
  readonly goToRow: (row: number) => void;
  readonly goToColumn: (columnId: string) => void;
  readonly addRow: () => void;
  readonly deleteRows: () => void;
  readonly undo: () => void;
  readonly redo: () => void;
  readonly setLayout: (layout: GridLayout) => void;
  readonly moveColumn: (step: -1 | 1) => void;
  readonly widen: (step: number) => void;
  /** `columnId`: of the log of requests. */
  readonly sort: (order: GridSheet['order'], columnId?: string) => void;
  readonly showSystemColumns: (show: boolean) => void;
  readonly reload: () => void;
  /** Of the log of requests. */
  readonly take: (action: LogAction) => void;
  readonly search: (text: string) => void;
  /** Place of the filter to change; null: a new one. */
  readonly filter: (at: number | null) => void;
  /** Null: all of them. */
  readonly dropFilter: (at: number | null) => void;
  readonly more: (all: boolean) => void;
  readonly find: () => void;
  readonly filterRows: () => void;
  readonly clearFilter: () => void;
  readonly filterBy: (columnId: string) => void;
  readonly sortBy: (key: SortKey) => void;
  readonly fillDown: () => void;
  readonly setNull: () => void;
  readonly columnAction: (action: ColumnAction, columnId: string) => void;
}

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
    resetLayout: () => actions.setLayout({ widths: {}, hidden: [], pinned: [], order: [] }),
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
