import { ChannelError } from '../../protocol/channel.ts';
import type { CopyFormat, RunScope } from '../../protocol/grid.ts';
import type { GridLayout } from '../../protocol/grid-sheet.ts';
import type { ManyRetraced } from '../../protocol/grid-edits.ts';
import type { Announcer } from '../common/announcer.ts';
import { t, spellNumber } from '../common/language.ts';
import { neighbour, withMoved, withWidth } from './columns/arrangement.ts';
import type { GridActions } from './commands.ts';
import { explain, type Host } from './connection.ts';
import type { Cursor } from './cursor/cursor.ts';
import type { SheetModel } from './rows/model.ts';
import type { Work } from './work.ts';

export interface ActionsOptions {
  readonly host: Host;
  readonly model: SheetModel;
  readonly cursor: () => Cursor;
  readonly announcer: Announcer;
  readonly notify: (look: 'info' | 'error', problem: { message: string; hint?: string }) => void;
  /** What was told of the last action. */
  readonly clearNotice: () => void;
  readonly edit: () => void;
  readonly toggleDetails: () => void;
  readonly work: () => Work;
  /** Columns or the number of rows changed here. */
  readonly relayout: () => void;
  readonly retryPages: () => void;
  readonly signal: AbortSignal;
}

const cells = (number: number): string =>
  number === 1 ? t('1 cell') : t('{0} cells', spellNumber(number));

export interface AllActions extends GridActions {
  /** `isFinal`: not while a column is being dragged wider. */
  readonly arrange: (layout: GridLayout, isFinal: boolean) => void;
  /** Keeps a column's new place on the service, where that can be. */
  readonly keepMove: (columnId: string, beforeId: string | undefined) => void;
  /** Stops the work on many cells that is under way. */
  readonly stopSaving: () => void;
  /** False when it could not be asked for. */
  readonly cancelOperation: (operationId: string) => Promise<boolean>;
}

/** What the grid asks of the extension on the user's behalf, and how it tells the outcome. */
export function makeActions(options: ActionsOptions): AllActions {
  const { host, model, announcer, notify, signal } = options;

  async function attempt<Value>(asked: Promise<Value>): Promise<Value | undefined> {
    try {
      return await asked;
    } catch (error) {
      // A question of the extension that was dismissed is no error.
      const isDismissed = error instanceof ChannelError && error.code === 'cancelled';
      if (!signal.aborted && !isDismissed) notify('error', explain(error));
      return undefined;
    }
  }

  async function copy(format: CopyFormat, headers: boolean): Promise<void> {
    const selection = model.selected();
    if (selection.rows.length === 0 || selection.columnIds.length === 0) return;
    const done = await attempt(host.ask('copy', { selection, format, headers }));
    if (done) notify('info', { message: t('Copied {0}.', cells(done.cells)) });
  }

  /** Taken away only once it is on the clipboard. */
  async function cut(): Promise<void> {
    const selection = model.selected();
    if (selection.rows.length === 0 || model.sheet.log !== undefined) return;
    const request = { selection, format: 'tsv', headers: false } as const;
    const done = await attempt(host.ask('copy', request));
    if (done) await options.work().blocks.clear('empty', selection);
  }

  async function run(scope: RunScope): Promise<void> {
    const outcome = await attempt(host.ask('run', scope));
    if (outcome?.outcome === 'nothing') notify('info', { message: outcome.message });
    if (outcome?.outcome === 'started') {
      announcer.say(t('Running {0}', cells(outcome.cellCount)));
    }
  }

  async function addRow(): Promise<void> {
    const added = await attempt(host.ask('addRows', { count: 1 }));
    if (added === undefined) return;
    if (model.sheet.view !== null) {
      notify('info', {
        message: t('A row was added at the end of the sheet; the filter hides it.'),
      });
      return;
    }
    model.sheet = { ...model.sheet, rowCount: added.rowCount };
    options.relayout();
    const row = model.sheet.order === 'asc' ? Math.max(0, added.rowCount - 1) : 0;
    const column = model.shown.findIndex((shown) => shown.column.editable);
    options.cursor().goTo({ row, column: Math.max(0, column) });
    options.cursor().focus();
    announcer.say(t('Row {0} added', row + 1));
  }

  async function deleteRows(): Promise<void> {
    const { rows } = model.selection;
    if (rows.length === 0) return;
    const done = await attempt(host.ask('deleteRows', { rows }));
    if (done && done.deleted > 0) {
      const { deleted, left = 0 } = done;
      const message =
        deleted === 1 ? t('Deleted 1 row.') : t('Deleted {0} rows.', spellNumber(deleted));
      const rest = left === 0 ? '' : ` ${t('Stopped. Rows left: {0}.', spellNumber(left))}`;
      notify('info', { message: `${message}${rest}` });
    }
  }

  async function retrace(direction: 'undo' | 'redo'): Promise<void> {
    options.clearNotice();
    const done = await attempt(host.ask(direction, null));
    if (!done) return;
    if (done.many !== undefined) tellMany(direction, done.many);
    const cell = done.at;
    const row = model.store.position(cell.rowIndex);
    const column = model.columnIndex(cell.columnId);
    if (row !== undefined && column >= 0) options.cursor().goTo({ row, column });
  }

  function tellMany(direction: 'undo' | 'redo', { saved, open, dropped }: ManyRetraced): void {
    const total = saved + open + dropped;
    const parts = [
      direction === 'undo'
        ? t('Undid the changes of {0} of {1} cells.', spellNumber(saved), spellNumber(total))
        : t('Redid the changes of {0} of {1} cells.', spellNumber(saved), spellNumber(total)),
    ];
    if (open > 0)
      parts.push(t('{0} of {1} cells are not saved.', spellNumber(open), spellNumber(total)));
    if (dropped > 0) {
      parts.push(t('Stopped. Cells left as they were: {0}.', spellNumber(dropped)));
    }
    notify(open > 0 ? 'error' : 'info', { message: parts.join(' ') });
  }

  function arrange(layout: GridLayout, isFinal: boolean): void {
    model.layout = layout;
    model.arrange();
    options.relayout();
    if (isFinal) host.tell('layout', layout);
  }

  let hasSaidMove = false;
  async function keepMove(columnId: string, before: string | undefined): Promise<void> {
    if (model.sheet.log !== undefined) return;
    const moved = await attempt(host.ask('moveColumn', { columnId, beforeId: before ?? null }));
    if (moved === undefined || moved.kept || hasSaidMove) return;
    hasSaidMove = true;
    notify('info', { message: moved.message });
  }

  function moveColumn(step: -1 | 1): void {
    const id = model.cursorColumn?.column.id;
    const to = id === undefined ? undefined : neighbour(model.shown, id, step);
    if (id === undefined || to === undefined) return;
    arrange(withMoved(model.sheet.columns, model.layout, { columnId: id, ...to }), true);
    void keepMove(id, to.beforeId);
    announcer.say(t('Column moved to position {0}', model.columnIndex(id) + 1));
  }

  function widen(step: number): void {
    const shown = model.cursorColumn;
    if (shown === undefined) return;
    arrange(withWidth(model.layout, shown.column.id, shown.width + step), true);
    announcer.say(t('{0} pixels wide', model.cursorColumn?.width ?? 0));
  }

  return {
    copy: (format, headers) => void copy(format, headers),
    cut: () => void cut(),
    paste: (clip = { text: null, table: null }) => void options.work().blocks.paste(clip),
    pasteAs: () => void options.work().blocks.paste({ text: null, table: null }, true),
    edit: options.edit,
    run: (scope) => void run(scope),
    openValue: () => {
      const cell = model.cursorCell;
      if (cell === undefined) return;
      const { columnId, rowIndex } = cell;
      void attempt(host.ask('openValue', { columnId, rowIndex }));
    },
    toggleDetails: options.toggleDetails,
    goToRow: (row) => {
      const { column } = model.selection.cursor;
      options
        .cursor()
        .goTo({ row: Math.max(0, Math.min(model.rowCount - 1, row)), column: Math.max(0, column) });
      options.cursor().focus();
    },
    goToColumn: (columnId) => {
      const column = model.columnIndex(columnId);
      if (column < 0) return;
      options.cursor().goTo({ row: model.selection.cursor.row, column });
      options.cursor().focus();
    },
    addRow: () => void addRow(),
    deleteRows: () => void deleteRows(),
    stopSaving: () => void attempt(host.ask('stopSaving', null)),
    undo: () => void retrace('undo'),
    redo: () => void retrace('redo'),
    setLayout: (layout) => arrange(layout, true),
    arrange,
    moveColumn,
    keepMove: (columnId, beforeId) => void keepMove(columnId, beforeId),
    widen,
    // The log of requests has a search of its own, which the service carries out.
    find: () => {
      if (model.sheet.log === undefined) options.work().find();
    },
    filterRows: () => options.work().filter(),
    clearFilter: () => void options.work().clear(),
    filterBy: (columnId) => options.work().filterBy(columnId),
    sortBy: (key) => void options.work().sortBy(key),
    fillDown: () => void options.work().blocks.fillDown(),
    setNull: () => void options.work().blocks.clear('null'),
    columnAction: (action, columnId) =>
      void attempt(host.ask('columnAction', { action, columnId })),
    sort: (order, columnId) => {
      const { order: before, log } = model.sheet;
      const isSame = order === before && (columnId ?? log?.sortColumn) === log?.sortColumn;
      const asked = columnId === undefined ? { order } : { order, columnId };
      if (!isSame) void attempt(host.ask('setOrder', asked));
    },
    showSystemColumns: (show) => void attempt(host.ask('showSystemColumns', { show })),
    reload: () => {
      options.retryPages();
      void attempt(host.ask('reload', null));
    },
    take: (action) => void attempt(host.ask('take', { action, selection: model.selected() })),
    search: (text) => void attempt(host.ask('search', { text })),
    filter: (at) => void attempt(host.ask('filter', { at })),
    dropFilter: (at) => void attempt(host.ask('dropFilter', { at })),
    more: (all) => void attempt(host.ask('more', { all })),
    cancelOperation: async (operationId) => {
      const done = await attempt(host.ask('cancelOperation', { operationId }));
      if (done === undefined) return false;
      const message =
        done.cancelled === 1
          ? t('Canceled. 1 cell kept its previous value.')
          : t('Canceled. {0} cells kept their previous values.', spellNumber(done.cancelled));
      notify('info', { message });
      return true;
    },
  };
}
