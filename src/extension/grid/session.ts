import type { Handlers } from '../../protocol/channel.ts';
import type { CellDraft } from '../../protocol/grid-edits.ts';
import {
  runnableOf,
  type GridLayout,
  type GridSheet,
  type OperationProgress,
  type Runnable,
} from '../../protocol/grid-sheet.ts';
import type { GridSelection } from '../../protocol/grid-cells.ts';
import type { SheetRequests } from '../../protocol/grid.ts';
import type { RowsQuery, WorkRequests } from '../../protocol/grid-work.ts';
import { cellDetailOf } from './cells/cell-detail.ts';
import type { EditorHost } from './editor-host.ts';
import type { EditsOptions } from './edit/edits.ts';
import type { Journal } from './edit/journal.ts';
import type { Emit, FollowerOptions } from './sheet-follower.ts';
import { SheetFollower } from './sheet-follower.ts';
import { OperationBoard } from './run/operation-board.ts';
import { MovedRowsError } from './rows/pages.ts';
import type { RowContext } from './edit/row-changes.ts';
import { addRows, appendRows, deleteRows } from './edit/row-changes.ts';
import { run } from './run/run.ts';
import { SheetPresence } from './sheet-presence.ts';
import { SheetSaving } from './edit/sheet-saving.ts';
import { SheetState } from './rows/sheet-state.ts';
import { SheetWork } from './sheet-work.ts';
import { spellCopied, spellDeleted } from './spelled.ts';
import { Tasks } from './tasks.ts';
import type { SheetSource } from './rows/source.ts';
import type { Spool } from './rows/spool.ts';
import type { ShownPart } from './rows/shown-part.ts';
import { filteredRows, positionOf, selectedPart } from './rows/shown-part.ts';
import { copyToClipboard, openInEditor } from './copy/take-out.ts';

export interface SessionOptions {
  readonly tableId: string;
  readonly sheetId: string;
  readonly connection: GridSheet['connection'];
  readonly source: SheetSource;
  readonly editorHost: EditorHost;
  readonly journal: Journal;
  readonly spool?: Spool;
  readonly layout: GridLayout;
  readonly order?: GridSheet['order'];
  readonly systemColumns?: boolean;
  readonly query?: RowsQuery | null;
  /** What the editor around does with a column. */
  readonly columns: Pick<Handlers<WorkRequests>, 'columnAction' | 'moveColumn'>;
  /** To the view, while there is one. */
  readonly emit: Emit;
  /** The session before it of the same sheet has let go of its journal. */
  readonly before?: Promise<void> | undefined;
  /** What is under way has changed. */
  readonly onWork?: () => void;
  readonly editTiming?: Pick<EditsOptions, 'patienceMs' | 'firstPauseMs' | 'longestPauseMs'>;
  readonly timing?: FollowerOptions['timing'];
}

type OwnHandlers = Omit<
  Handlers<SheetRequests>,
  keyof SheetSaving['handlers'] | keyof SheetWork['handlers']
>;

/** One open sheet: answers what the grid asks, and tells it what changes. Free of VS Code. */
export class Session {
  readonly #options: SessionOptions;
  readonly #state: SheetState;
  readonly #tasks: Tasks;
  readonly #saving: SheetSaving;
  readonly #presence: SheetPresence;
  readonly #follower: SheetFollower;
  readonly #work: SheetWork;
  readonly #closing = new AbortController();
  #layout: GridLayout;
  readonly #board: OperationBoard;

  readonly handlers: Handlers<SheetRequests>;

  readonly #own: OwnHandlers = {
    ready: async ({ page }) => {
      await this.#follower.open();
      const rows = await this.#state.shown.atHand(page);
      return { sheet: this.sheet(), rows: rows ?? null };
    },
    rows: async ({ page, generation }, signal) => {
      const { t } = this.#options.editorHost;
      if (generation !== this.#state.generation) {
        throw new MovedRowsError(t('These rows belong to an earlier state of the sheet.'));
      }
      return (await this.#state.shown.page(page, signal)).grid;
    },
    cell: async (address, signal) => {
      const cell = await this.#state.cell(address, undefined, signal);
      return cellDetailOf(
        cell,
        this.#state.columnOf(address.columnId),
        address,
        this.#state.version,
      );
    },
    addRows: async ({ count }, signal) => {
      this.#presence.check();
      return this.#work.outliving(signal, addRows(this.#rowContext(), count), () => undefined);
    },
    columnAction: (params, signal) => this.#options.columns.columnAction(params, signal),
    moveColumn: (params, signal) => this.#options.columns.moveColumn(params, signal),
    deleteRows: async ({ rows }, signal) => {
      this.#presence.check();
      const deleting = deleteRows(this.#rowContext(), rows, signal);
      return this.#work.outliving(signal, deleting, spellDeleted);
    },
    copy: async (request, signal) => {
      const { editorHost } = this.#options;
      const copying = copyToClipboard(this.#state, { editorHost, tasks: this.#tasks }, request);
      return this.#work.outliving(signal, copying, spellCopied);
    },
    openValue: async (address, signal) =>
      openInEditor(this.#state, this.#options.editorHost, address, signal),
    run: async (scope, signal) => {
      this.#presence.check();
      const { editorHost, source } = this.#options;
      const state = this.#state;
      const { statusCounts } = this.#board;
      const sheetTitle = this.title ?? '';
      const outcome = await run(
        scope,
        { state, source, editorHost, statusCounts, sheetTitle },
        signal,
      );
      this.#follower.poke();
      return outcome;
    },
    cancelOperation: async ({ operationId }, signal) => {
      const answer = await this.#options.source.cancelOperation(operationId, signal);
      this.#options.editorHost.changed({ operationId });
      this.#follower.poke();
      return { cancelled: answer.cancelled_cell_count };
    },
    setOrder: async ({ order }, signal) => {
      if (order !== this.#state.order) {
        const query = this.#state.shown.view?.query;
        this.#state.setOrder(order);
        await this.#work.restore(query, signal);
        this.#follower.emitSheet();
      }
      return null;
    },
    showSystemColumns: async ({ show }) => {
      this.#state.systemColumns = show;
      await this.#follower.renew('rows');
      return null;
    },
    reload: async () => {
      await this.reload();
      return null;
    },
  };

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#layout = options.layout;
    this.#board = new OperationBoard(options.source, () => this.#state);
    const { source, editorHost, journal, spool, order, systemColumns, timing } = options;
    const journalFault = (error: unknown): void =>
      editorHost.note(error, 'Keeping an unsaved edit on disk');
    this.#tasks = new Tasks(this.#closing.signal, () => {
      options.emit('saving', this.#tasks.presentation);
      options.onWork?.();
    });
    this.#state = new SheetState({
      source,
      t: editorHost.t,
      ...(spool !== undefined && { spool }),
      ...(order !== undefined && { order }),
      ...(systemColumns !== undefined && { systemColumns }),
      onWalk: (walk) => options.emit('walk', walk),
      onFigures: () => this.#follower.emitOperations(),
      onHeader: () => this.#follower.emitSheet(),
      onMoved: () => void this.#follower.renewQuietly(),
    });
    this.#presence = new SheetPresence({
      source,
      editorHost,
      changed: () => this.#presenceChanged(),
    });
    this.#saving = new SheetSaving({
      ...{ state: this.#state, source, editorHost, journal, journalFault, tasks: this.#tasks },
      closing: this.#closing.signal,
      timing: options.editTiming ?? {},
      unsaved: (change) => {
        options.emit('unsaved', change);
        options.onWork?.();
      },
      patched: (patches) => options.emit('cells', { generation: this.#state.generation, patches }),
      changed: () => this.#follower.poke(),
      change: () => this.#work.context,
      rows: () => this.#rowContext(),
      outliving: (signal, work, spell) => this.#work.outliving(signal, work, spell),
    });
    this.#work = new SheetWork({
      ...{ state: this.#state, editorHost, journal, journalFault, tasks: this.#tasks },
      closing: this.#closing.signal,
      takesMany: source.takesMany,
      edits: this.#saving.edits,
      addRows: (rows, progress) => appendRows(this.#rowContext(), rows, progress),
      shown: () => this.#follower.emitSheet(),
      changed: () => this.#follower.poke(),
    });
    this.#follower = new SheetFollower({
      ...{ source, editorHost, state: this.#state, board: this.#board, presence: this.#presence },
      emit: options.emit,
      sheet: () => this.sheet(),
      closing: this.#closing.signal,
      before: options.before,
      query: options.query ?? undefined,
      restore: (query, signal) => this.#work.restore(query, signal),
      takeUp: () => this.#saving.takeUp(),
      recovered: () => this.#saving.edits.retry(),
      ...(timing !== undefined && { timing }),
    });
    const { edit } = this.#saving.handlers;
    const { change } = this.#work.handlers;
    this.handlers = {
      ...this.#saving.handlers,
      ...this.#work.handlers,
      ...this.#own,
      edit: async (params, signal) => {
        this.#presence.check();
        return edit(params, signal);
      },
      change: async (params, signal) => {
        this.#presence.check();
        return change(params, signal);
      },
    };
  }

  /** What there is to run. */
  get runnable(): Runnable {
    const { statusCounts } = this.#board;
    return runnableOf({ columns: this.#presence.columns(this.#state.columns), statusCounts });
  }

  get isRunning(): boolean {
    return this.#board.isRunning;
  }

  get operations(): readonly OperationProgress[] {
    return this.#board.operations;
  }

  column(columnId: string): GridSheet['columns'][number] | undefined {
    return this.#state.columns.find(({ id }) => id === columnId);
  }

  sheet(): GridSheet {
    const { tableId, sheetId, connection } = this.#options;
    const { columns, shown, version, generation, order, systemColumns, totals } = this.#state;
    return {
      tableId,
      sheetId,
      connection,
      title: this.title ?? '',
      tableTitle: this.tableTitle ?? '',
      columns: this.#presence.columns(columns),
      rowCount: shown.count,
      version,
      view: this.#work.view,
      generation,
      order,
      systemColumns,
      layout: this.#layout,
      operations: this.#board.operations,
      statusCounts: this.#board.statusCounts,
      totals,
      unsaved: this.#saving.unsaved,
      unsavedCounts: this.#saving.counts,
      saving: this.#tasks.presentation,
      draft: this.draft,
      canUndo: this.#saving.edits.canUndo,
      canRedo: this.#saving.edits.canRedo,
    };
  }

  /**
   * Where a row stands on screen, the nearest one when it is gone; undefined: filter or sort leave
   * it out.
   */
  async placeOf(rowIndex: number, signal: AbortSignal): Promise<number | undefined> {
    const position = await positionOf(this.#state, rowIndex, signal);
    const { view } = this.#state.shown;
    if (view === undefined) return position;
    const place = view.positions.indexOf(position);
    return place < 0 ? undefined : place;
  }

  /** Rows of a filter; undefined: all rows are shown. */
  filteredRows(signal: AbortSignal): Promise<readonly number[] | undefined> {
    return filteredRows(this.#state, signal);
  }

  /** A selection, for what is done with it outside of the grid. */
  selected(selection: GridSelection, signal: AbortSignal): Promise<ShownPart> {
    return selectedPart(this.#state, selection, signal);
  }

  set layout(layout: GridLayout) {
    this.#layout = layout;
  }

  seePages(first: number, last: number): void {
    this.#follower.see(first, last);
  }

  show(): void {
    this.#follower.show();
  }

  hide(): void {
    this.#follower.hide();
  }

  /** Another view of this window changed something. */
  poke(): void {
    this.#presence.expire();
    this.#saving.edits.retry();
    this.#follower.poke();
  }

  async reload(): Promise<void> {
    await this.#presence.read(this.#closing.signal);
    await this.#follower.renew('nothing');
    this.#follower.poke();
  }

  /** What is under way, for those who show it when no view does. */
  get saving(): GridSheet['saving'] {
    return this.#tasks.presentation;
  }

  get unsavedCount(): number {
    return this.#saving.unsavedCount;
  }

  get needsUser(): number {
    return this.#saving.needsUser;
  }

  /** Work goes on without a view. */
  get isBusy(): boolean {
    return this.#saving.isBusy;
  }

  stopSaving(): void {
    this.#tasks.stop();
  }

  get draft(): CellDraft | null {
    return this.#saving.draft;
  }

  keepDraft(draft: CellDraft | null): void {
    this.#saving.keepDraft(draft);
  }

  /** Opens the sheet and takes up what windows that are gone have left of it. */
  async takeUp(): Promise<void> {
    await this.#follower.open();
    await this.#saving.takeUp();
  }

  async discard(): Promise<void> {
    await this.#saving.discard();
  }

  /** What is not saved stays in the journal. */
  async close(): Promise<void> {
    this.#closing.abort();
    this.#follower.hide();
    this.#state.dispose();
    this.#saving.edits.dispose();
    await Promise.all([this.#options.journal.close(), this.#options.spool?.close()]);
  }

  get title(): string | undefined {
    return this.#presence.titles?.sheet;
  }

  get tableTitle(): string | undefined {
    return this.#presence.titles?.table;
  }

  #presenceChanged(): void {
    if (this.#state.generation > 0) this.#follower.emitSheet();
  }

  /** An error of a request, in words that fit a sheet that may have been deleted meanwhile. */
  named(error: unknown): unknown {
    return this.#follower.named(error);
  }

  #rowContext(): RowContext {
    const { source, editorHost, journal } = this.#options;
    return {
      ...{ state: this.#state, source, editorHost, journal, tasks: this.#tasks },
      journalFault: (error) => editorHost.note(error, 'Keeping an unsaved edit on disk'),
      closing: this.#closing.signal,
      renew: (keeps) => this.#follower.renew(keeps),
    };
  }
}
