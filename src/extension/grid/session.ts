import { hasErrorCode, isCancellation } from '../../core/errors.ts';
import type { Handlers } from '../../protocol/channel.ts';
import type {
  CellDraft,
  GridLayout,
  GridSelection,
  GridSheet,
  HostRequests,
  OperationProgress,
  ViewEvents,
} from '../../protocol/grid.ts';
import type { RowsQuery, WorkRequests } from '../../protocol/grid-work.ts';
import { cellDetailOf } from './cell-detail.ts';
import type { Desk } from './desk.ts';
import type { EditsOptions } from './edits.ts';
import type { Journal } from './journal.ts';
import { Live } from './live.ts';
import type { LiveOptions } from './live.ts';
import { OperationBoard } from './operation-board.ts';
import { MovedRowsError } from './pages.ts';
import type { RowContext } from './row-changes.ts';
import { addRows, appendRows, deleteRows } from './row-changes.ts';
import { run } from './run.ts';
import { SheetPresence } from './sheet-presence.ts';
import { SheetSaving } from './sheet-saving.ts';
import { SheetState } from './sheet-state.ts';
import { SheetWork } from './sheet-work.ts';
import { spellCopied, spellDeleted } from './spelled.ts';
import { Tasks } from './tasks.ts';
import type { SheetSource } from './source.ts';
import type { Spool } from './spool.ts';
import type { ShownPart } from './shown-part.ts';
import { filteredRows, positionOf, selectedPart } from './shown-part.ts';
import { copyToClipboard, openInEditor } from './take-out.ts';

export interface SessionOptions {
  readonly tableId: string;
  readonly sheetId: string;
  readonly connection: GridSheet['connection'];
  readonly source: SheetSource;
  readonly desk: Desk;
  readonly journal: Journal;
  readonly spool?: Spool;
  readonly layout: GridLayout;
  readonly order?: GridSheet['order'];
  readonly systemColumns?: boolean;
  readonly query?: RowsQuery | null;
  /** What the editor around does with a column. */
  readonly columns: Pick<Handlers<WorkRequests>, 'columnAction' | 'moveColumn'>;
  /** To the view, while there is one. */
  readonly emit: <Name extends keyof ViewEvents>(name: Name, payload: ViewEvents[Name]) => void;
  /** The session before it of the same sheet has let go of its journal. */
  readonly before?: Promise<void> | undefined;
  /** What is under way has changed. */
  readonly onWork?: () => void;
  readonly editTiming?: Pick<EditsOptions, 'patienceMs' | 'firstPauseMs' | 'longestPauseMs'>;
  readonly timing?: Pick<LiveOptions, 'activeMs' | 'idleMs' | 'firstPauseMs' | 'patienceMs'>;
}

type OwnHandlers = Omit<
  Handlers<HostRequests>,
  keyof SheetSaving['handlers'] | keyof SheetWork['handlers']
>;

/** More pages than fit on any screen: what a view claims to see is not trusted beyond this. */
const maxVisiblePages = 6;
/** While an operation runs, totals and columns are read again no more often than this. */
const headPauseMs = 2000;

/** One open sheet: answers what the grid asks, and tells it what changes. Free of VS Code. */
export class Session {
  readonly #options: SessionOptions;
  readonly #state: SheetState;
  readonly #tasks: Tasks;
  readonly #saving: SheetSaving;
  readonly #presence: SheetPresence;
  readonly #live: Live;
  readonly #work: SheetWork;
  readonly #closing = new AbortController();
  #opening: Promise<void> | undefined;
  #renewing: Promise<void> | undefined;
  #layout: GridLayout;
  readonly #board: OperationBoard;
  #visible: readonly number[] = [];
  #wasActive = false;
  #headReadAt = -Infinity;
  #sentOperations = '';

  readonly handlers: Handlers<HostRequests>;

  readonly #own: OwnHandlers = {
    ready: async ({ page }) => {
      await this.#open();
      const rows = await this.#state.shown.atHand(page);
      return { sheet: this.sheet(), rows: rows ?? null };
    },
    rows: async ({ page, generation }, signal) => {
      const { t } = this.#options.desk;
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
      const { desk } = this.#options;
      const copying = copyToClipboard(this.#state, { desk, tasks: this.#tasks }, request);
      return this.#work.outliving(signal, copying, spellCopied);
    },
    openValue: async (address, signal) =>
      openInEditor(this.#state, this.#options.desk, address, signal),
    run: async (scope, signal) => {
      this.#presence.check();
      const { desk, source } = this.#options;
      const state = this.#state;
      const { statusCounts } = this.#board;
      const sheetTitle = this.title ?? '';
      const outcome = await run(scope, { state, source, desk, statusCounts, sheetTitle }, signal);
      this.#live.poke();
      return outcome;
    },
    cancelOperation: async ({ operationId }, signal) => {
      const answer = await this.#options.source.cancelOperation(operationId, signal);
      this.#options.desk.changed({ operationId });
      this.#live.poke();
      return { cancelled: answer.cancelled_cell_count };
    },
    setOrder: async ({ order }, signal) => {
      if (order !== this.#state.order) {
        const query = this.#state.shown.view?.query;
        this.#state.setOrder(order);
        await this.#work.restore(query, signal);
        this.#emitSheet();
      }
      return null;
    },
    showSystemColumns: async ({ show }) => {
      this.#state.systemColumns = show;
      await this.#renew('rows');
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
    const { source, desk, journal, spool, order, systemColumns, timing } = options;
    const journalFault = (error: unknown): void =>
      desk.note(error, 'Keeping an unsaved edit on disk');
    this.#tasks = new Tasks(this.#closing.signal, () => {
      options.emit('saving', this.#tasks.face);
      options.onWork?.();
    });
    this.#state = new SheetState({
      source,
      t: desk.t,
      ...(spool !== undefined && { spool }),
      ...(order !== undefined && { order }),
      ...(systemColumns !== undefined && { systemColumns }),
      onWalk: (walk) => options.emit('walk', walk),
      onFigures: () => this.#emitOperations(),
      onHeader: () => this.#emitSheet(),
      onMoved: () => void this.#renewQuietly(),
    });
    this.#presence = new SheetPresence({ source, desk, changed: () => this.#presenceChanged() });
    this.#saving = new SheetSaving({
      ...{ state: this.#state, source, desk, journal, journalFault, tasks: this.#tasks },
      closing: this.#closing.signal,
      timing: options.editTiming ?? {},
      unsaved: (change) => {
        options.emit('unsaved', change);
        options.onWork?.();
      },
      patched: (patches) => options.emit('cells', { generation: this.#state.generation, patches }),
      changed: () => this.#live.poke(),
      change: () => this.#work.context,
      rows: () => this.#rowContext(),
      outliving: (signal, work, spell) => this.#work.outliving(signal, work, spell),
    });
    this.#work = new SheetWork({
      ...{ state: this.#state, desk, journal, journalFault, tasks: this.#tasks },
      closing: this.#closing.signal,
      takesMany: source.takesMany,
      edits: this.#saving.edits,
      addRows: (rows, progress) => appendRows(this.#rowContext(), rows, progress),
      shown: () => this.#emitSheet(),
      changed: () => this.#live.poke(),
    });
    this.#live = new Live({
      ...timing,
      look: (signal) => this.#look(signal),
      onProblem: (error) => this.#emitProblem(error),
      onRecovered: () => {
        options.emit('problem', null);
        this.#saving.edits.retry();
      },
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
      saving: this.#tasks.face,
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

  /** Pages on screen; the view has them, or is about to ask for them. */
  seePages(first: number, last: number): void {
    const count = Math.min(last - first + 1, maxVisiblePages);
    this.#visible = Array.from({ length: Math.max(0, count) }, (_, index) => first + index);
    // A page that comes back from memory or disk may be older than the sheet.
    const { version } = this.#state;
    const isOld = this.#pagesOnScreen().some((page) => {
      const kept = this.#state.pages.inMemory(page);
      return kept !== undefined && kept.version !== version;
    });
    if (isOld) this.#live.poke();
  }

  /** As pages of the sheet; none while it is not open yet. */
  #pagesOnScreen(): readonly number[] {
    return this.#state.generation > 0 ? this.#state.shown.pagesBelow(this.#visible) : [];
  }

  show(): void {
    this.#live.show();
  }

  hide(): void {
    this.#live.hide();
  }

  /** Another view of this window changed something. */
  poke(): void {
    this.#presence.expire();
    this.#saving.edits.retry();
    this.#live.poke();
  }

  async reload(): Promise<void> {
    await this.#presence.read(this.#closing.signal);
    await this.#renew('nothing');
    this.#live.poke();
  }

  /** What is under way, for those who show it when no view does. */
  get saving(): GridSheet['saving'] {
    return this.#tasks.face;
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
    await this.#open();
    await this.#saving.takeUp();
  }

  async discard(): Promise<void> {
    await this.#saving.discard();
  }

  /** What is not saved stays in the journal. */
  async close(): Promise<void> {
    this.#closing.abort();
    this.#live.hide();
    this.#state.dispose();
    this.#saving.edits.dispose();
    await Promise.all([this.#options.journal.close(), this.#options.spool?.close()]);
  }

  /** Once; again only when it failed. */
  async #open(): Promise<void> {
    this.#opening ??= this.#openNow();
    try {
      await this.#opening;
    } catch (error) {
      this.#opening = undefined;
      this.#presence.problemOf(error);
      throw this.named(error);
    }
  }

  async #openNow(): Promise<void> {
    const { source } = this.#options;
    const { signal } = this.#closing;
    const [operations] = await Promise.all([
      source.operations(signal),
      this.#presence.read(signal),
      this.#state.renew(signal),
      this.#options.before,
    ]);
    await this.#work.restore(this.#options.query ?? undefined, signal);
    this.#headReadAt = performance.now();
    await this.#board.take(operations, signal);
    this.#wasActive = this.isRunning;
    this.#sentOperations = this.#operationsText();
    await this.#saving.takeUp();
  }

  get title(): string | undefined {
    return this.#presence.titles?.sheet;
  }

  get tableTitle(): string | undefined {
    return this.#presence.titles?.table;
  }

  async #renew(keeps: 'nothing' | 'rows' | 'start'): Promise<void> {
    const query = this.#state.shown.view?.query;
    await this.#state.renew(this.#closing.signal, keeps);
    await this.#work.restore(query, this.#closing.signal);
    this.#headReadAt = performance.now();
    this.#emitSheet();
  }

  /** For changes that nobody waits for. Several at a time are one. */
  async #renewQuietly(): Promise<void> {
    this.#renewing ??= this.#renew('nothing').finally(() => (this.#renewing = undefined));
    try {
      await this.#renewing;
    } catch (error) {
      if (!isCancellation(error)) this.#emitProblem(error);
    }
  }

  async #look(signal: AbortSignal): Promise<{ readonly isActive: boolean }> {
    await this.#open();
    const operations = await this.#options.source.operations(signal);
    await Promise.all([this.#board.take(operations, signal), this.#presence.follow(signal)]);
    signal.throwIfAborted();
    const isActive = operations.active_operations.length > 0;
    const hasEnded = this.#wasActive && !isActive;
    const version = operations.version ?? undefined;
    const isNewer = version === undefined ? isActive : version !== this.#state.version;
    const isHeadDue = !isActive || performance.now() - this.#headReadAt >= headPauseMs;
    if ((isNewer || hasEnded) && isHeadDue) {
      this.#headReadAt = performance.now();
      if (!(await this.#state.look(signal))) await this.#renewQuietly();
    }
    if (version !== undefined) this.#state.version = version;
    const patches = await this.#state.refresh(this.#visible, signal, hasEnded);
    signal.throwIfAborted();
    this.#wasActive = isActive;
    const { generation } = this.#state;
    if (patches.length > 0) this.#options.emit('cells', { generation, patches });
    this.#emitOperations();
    return { isActive };
  }

  #operationsText(): string {
    const { totals, version } = this.#state;
    return JSON.stringify([this.#board.operations, this.#board.statusCounts, totals, version]);
  }

  #emitOperations(): void {
    const text = this.#operationsText();
    if (text === this.#sentOperations) return;
    this.#sentOperations = text;
    const { totals, version } = this.#state;
    this.#options.emit('operations', {
      operations: this.#board.operations,
      statusCounts: this.#board.statusCounts,
      totals,
      ...(version !== undefined && { version }),
    });
  }

  #emitSheet(): void {
    this.#sentOperations = this.#operationsText();
    this.#options.emit('sheet', this.sheet());
  }

  #presenceChanged(): void {
    if (this.#state.generation > 0) this.#emitSheet();
  }

  /** An error of a request, in words that fit a sheet that may have been deleted meanwhile. */
  named(error: unknown): unknown {
    const named = this.#presence.named(error);
    if (named === error && hasErrorCode(error, 'not_found')) this.#live.poke();
    return named;
  }

  #emitProblem(error: unknown): void {
    const { desk, emit } = this.#options;
    if (error === undefined) {
      emit('problem', {
        message: desk.t('The service has not answered for a while.'),
        hint: desk.t('Your changes are kept, and sent when it responds.'),
        retry: false,
      });
      return;
    }
    desk.note(error, 'Following the sheet');
    const gone = this.#presence.problemOf(error);
    emit('problem', gone ?? { ...desk.describe(error), retry: true });
  }

  #rowContext(): RowContext {
    const { source, desk, journal } = this.#options;
    return {
      ...{ state: this.#state, source, desk, journal, tasks: this.#tasks },
      journalFault: (error) => desk.note(error, 'Keeping an unsaved edit on disk'),
      closing: this.#closing.signal,
      renew: (keeps) => this.#renew(keeps),
    };
  }
}
