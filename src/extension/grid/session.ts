import { isCancellation } from '../../core/errors.ts';
import type { Handlers } from '../../protocol/channel.ts';
import type {
  CellAddress,
  CellDraft,
  GridLayout,
  GridSelection,
  GridSheet,
  HostRequests,
  OperationProgress,
  Retraced,
  ViewEvents,
} from '../../protocol/grid.ts';
import type { RowsQuery, WorkRequests } from '../../protocol/grid-work.ts';
import { cellDetailOf } from './cell-detail.ts';
import { faceOf } from './cell-face.ts';
import type { Desk } from './desk.ts';
import type { EditsOptions, SavedEdit } from './edits.ts';
import { Edits } from './edits.ts';
import type { Journal } from './journal.ts';
import { Live } from './live.ts';
import type { LiveOptions } from './live.ts';
import { OperationBoard } from './operation-board.ts';
import { MovedRowsError } from './pages.ts';
import type { RowContext } from './row-changes.ts';
import { addRows, appendRows, deleteRows } from './row-changes.ts';
import { enteredText, inputFault, sentValue } from './cell-input.ts';
import { run } from './run.ts';
import { Saving } from './saving.ts';
import { SheetState } from './sheet-state.ts';
import { SheetWork } from './sheet-work.ts';
import { spellCopied, spellDeleted, spellMany } from './spelled.ts';
import { Tasks } from './tasks.ts';
import { writeMany } from './write-many.ts';
import type { SheetSource, SheetTitles } from './source.ts';
import type { Spool } from './spool.ts';
import type { ShownPart } from './shown-part.ts';
import { positionOf, selectedPart } from './shown-part.ts';
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

/** More pages than fit on any screen: what a view claims to see is not trusted beyond this. */
const maxVisiblePages = 6;
/** While an operation runs, totals and columns are read again no more often than this. */
const headPauseMs = 2000;

/** One open sheet: answers what the grid asks, and tells it what changes. Free of VS Code. */
export class Session {
  readonly #options: SessionOptions;
  readonly #state: SheetState;
  readonly #edits: Edits;
  readonly #tasks: Tasks;
  readonly #saving: Saving;
  readonly #live: Live;
  readonly #work: SheetWork;
  readonly #closing = new AbortController();
  #titles: SheetTitles | undefined;
  #opening: Promise<void> | undefined;
  #renewing: Promise<void> | undefined;
  #layout: GridLayout;
  readonly #board: OperationBoard;
  #visible: readonly number[] = [];
  #wasActive = false;
  #headReadAt = -Infinity;
  #sentOperations = '';

  readonly handlers: Handlers<HostRequests> = {
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
    edit: async ({ columnId, rowIndex, text, base }) => {
      const { t } = this.#options.desk;
      const column = this.#state.columnOf(columnId);
      const entered = enteredText(column, text);
      const message = column.editable
        ? inputFault(column, entered, t)
        : t('Cells of this column are computed, not typed in.');
      if (message !== undefined) return { outcome: 'refused', message };
      // The draft goes when the text is an edit, in the same breath.
      this.#dropDraftOf({ columnId, rowIndex });
      return this.#edits.edit({ columnId, rowIndex }, entered, base);
    },
    resolveEdit: async ({ columnId, rowIndex, keep }) => {
      if (keep === 'theirs') this.#dropDraftOf({ columnId, rowIndex });
      const outcome = await this.#edits.resolve({ columnId, rowIndex }, keep);
      this.#live.poke();
      return outcome;
    },
    resolveAll: async ({ state, keep }, signal) => {
      const count = this.#edits.counts[state];
      if (keep === 'theirs' && !(await this.#options.desk.confirmDiscard(count))) return null;
      await this.#work.outliving(signal, this.#saving.settleAll(state, keep, count), spellMany);
      return null;
    },
    undo: async (_nothing, signal) => this.#retrace('undo', signal),
    redo: async (_nothing, signal) => this.#retrace('redo', signal),
    stopSaving: () => {
      this.#tasks.stop();
      return null;
    },
    addRows: async ({ count }, signal) =>
      this.#work.outliving(signal, addRows(this.#rowContext(), count), () => undefined),
    setView: (params, signal) => this.#work.handlers.setView(params, signal),
    find: (params, signal) => this.#work.handlers.find(params, signal),
    summary: (params, signal) => this.#work.handlers.summary(params, signal),
    change: (params, signal) => this.#work.handlers.change(params, signal),
    columnAction: (params, signal) => this.#options.columns.columnAction(params, signal),
    moveColumn: (params, signal) => this.#options.columns.moveColumn(params, signal),
    deleteRows: async ({ rows }, signal) =>
      this.#work.outliving(signal, deleteRows(this.#rowContext(), rows, signal), spellDeleted),
    copy: async (request, signal) => {
      const { desk } = this.#options;
      const copying = copyToClipboard(this.#state, { desk, tasks: this.#tasks }, request);
      return this.#work.outliving(signal, copying, spellCopied);
    },
    openValue: async (address, signal) =>
      openInEditor(this.#state, this.#options.desk, address, signal),
    run: async (scope, signal) => {
      const { desk, source } = this.#options;
      const state = this.#state;
      const { statusCounts } = this.#board;
      const sheetTitle = this.#titles?.sheet ?? '';
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
    this.#board = new OperationBoard(options.source);
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
    this.#edits = new Edits({
      journal,
      t: desk.t,
      read: async (address, cellId, signal) => {
        const cell = await this.#state.cell(address, cellId, signal);
        const { kind, text } = faceOf(cell, { computed: false, system: false }, Infinity);
        return { cellId: cell.id, text: kind === 'null' || kind === 'missing' ? null : text };
      },
      write: async (cellId, text, signal, { columnId }) => {
        const value = sentValue(this.#state.columnOf(columnId), text);
        const cell = { value, text };
        const { version, stale_count: staleCount } = await source.writeCell(cellId, cell, signal);
        return { version: version ?? undefined, staleCount: staleCount ?? 0 };
      },
      writeMany: (writes, signal) => writeMany(this.#state, source, writes, signal),
      knownCellId: (address) => this.#state.knownCellId(address),
      onUnsaved: (change) => {
        options.emit('unsaved', change);
        options.onWork?.();
      },
      onSaved: (saved) => this.#showSaved(saved),
      onFault: journalFault,
      closing: this.#closing.signal,
      ...options.editTiming,
    });
    this.#work = new SheetWork({
      ...{ state: this.#state, desk, journal, journalFault, tasks: this.#tasks },
      closing: this.#closing.signal,
      takesMany: source.takesMany,
      edits: this.#edits,
      addRows: (rows, progress) => appendRows(this.#rowContext(), rows, progress),
      shown: () => this.#emitSheet(),
      changed: () => this.#live.poke(),
    });
    this.#saving = new Saving({
      ...{ desk, journal, journalFault, edits: this.#edits, tasks: this.#tasks },
      change: () => this.#work.context,
      rows: () => this.#rowContext(),
      closing: this.#closing.signal,
      changed: () => this.#live.poke(),
    });
    this.#live = new Live({
      ...timing,
      look: (signal) => this.#look(signal),
      onProblem: (error) => this.#emitProblem(error),
      onRecovered: () => {
        options.emit('problem', null);
        this.#edits.retry();
      },
    });
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
      title: this.#titles?.sheet ?? '',
      tableTitle: this.#titles?.table ?? '',
      columns,
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
      unsaved: this.#edits.unsaved,
      unsavedCounts: this.#edits.counts,
      saving: this.#tasks.face,
      draft: this.draft,
      canUndo: this.#edits.canUndo,
      canRedo: this.#edits.canRedo,
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
    this.#edits.retry();
    this.#live.poke();
  }

  async reload(): Promise<void> {
    this.#titles = await this.#options.source.titles(this.#closing.signal);
    await this.#renew('nothing');
    this.#live.poke();
  }

  /** What is under way, for those who show it when no view does. */
  get saving(): GridSheet['saving'] {
    return this.#tasks.face;
  }

  /** Edits and works that are neither saved nor given up. */
  get unsavedCount(): number {
    const { sending, waiting, conflict, refused } = this.#edits.counts;
    return sending + waiting + conflict + refused + this.#saving.left;
  }

  get needsUser(): number {
    const { conflict, refused } = this.#edits.counts;
    return conflict + refused;
  }

  /** Work goes on without a view. */
  get isBusy(): boolean {
    return !this.#tasks.isIdle || this.#edits.underWay > 0 || this.#saving.left > 0;
  }

  stopSaving(): void {
    this.#tasks.stop();
  }

  get draft(): CellDraft | null {
    const { draft } = this.#options.journal;
    if (draft === null) return null;
    const { columnId, rowIndex, position, text, base } = draft;
    return { columnId, rowIndex, position, text, base };
  }

  /** Text that is being typed: kept beside the edits until it is one, or given up. */
  keepDraft(draft: CellDraft | null): void {
    const { journal, desk } = this.#options;
    const kept = draft === null ? null : { ...draft, since: new Date().toISOString() };
    journal.keepDraft(kept).catch((error: unknown) => desk.note(error, 'Keeping a draft on disk'));
  }

  #dropDraftOf({ columnId, rowIndex }: CellAddress): void {
    const { draft } = this.#options.journal;
    if (draft?.columnId === columnId && draft.rowIndex === rowIndex) this.keepDraft(null);
  }

  /** Opens the sheet and takes up what windows that are gone have left of it. */
  async takeUp(): Promise<void> {
    await this.#open();
    await this.#saving.takeUp();
  }

  /** By the user's wish: nothing of it is sent any more. */
  async discard(): Promise<void> {
    this.#tasks.stopAll();
    await this.#edits.discard();
    await this.#saving.discard();
    this.keepDraft(null);
  }

  /** What is not saved stays in the journal. */
  async close(): Promise<void> {
    this.#closing.abort();
    this.#live.hide();
    this.#state.dispose();
    this.#edits.dispose();
    await Promise.all([this.#options.journal.close(), this.#options.spool?.close()]);
  }

  /** Once; again only when it failed. */
  async #open(): Promise<void> {
    this.#opening ??= this.#openNow();
    try {
      await this.#opening;
    } catch (error) {
      this.#opening = undefined;
      throw error;
    }
  }

  async #openNow(): Promise<void> {
    const { source } = this.#options;
    const { signal } = this.#closing;
    const [titles, operations] = await Promise.all([
      source.titles(signal),
      source.operations(signal),
      this.#state.renew(signal),
      this.#options.before,
    ]);
    this.#titles = titles;
    await this.#work.restore(this.#options.query ?? undefined, signal);
    this.#headReadAt = performance.now();
    await this.#board.take(operations, signal);
    this.#wasActive = this.isRunning;
    this.#sentOperations = this.#operationsText();
    await this.#saving.takeUp();
  }

  get title(): string | undefined {
    return this.#titles?.sheet;
  }

  get tableTitle(): string | undefined {
    return this.#titles?.table;
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
    await this.#board.take(operations, signal);
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

  #emitProblem(error: unknown): void {
    const { desk, emit } = this.#options;
    if (error === undefined) {
      emit('problem', {
        message: desk.t('The service has not answered for a while.'),
        hint: desk.t('What is typed is kept and sent when it answers.'),
        retry: false,
      });
      return;
    }
    desk.note(error, 'Following the sheet');
    emit('problem', { ...desk.describe(error), retry: true });
  }

  #showSaved(saved: readonly SavedEdit[]): void {
    const patches = this.#state.showTexts(saved);
    const { generation } = this.#state;
    if (patches.length > 0) this.#options.emit('cells', { generation, patches });
    this.#live.poke();
  }

  async #retrace(direction: 'undo' | 'redo', signal: AbortSignal): Promise<Retraced | null> {
    if (this.#edits.next(direction) < 2) return this.#edits.retrace(direction);
    const retraced = await this.#work.outliving(
      signal,
      this.#saving.retrace(direction),
      (done, t) => (done?.many === undefined ? undefined : spellMany(done.many, t)),
    );
    this.#live.poke();
    return retraced;
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
