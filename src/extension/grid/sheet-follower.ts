import { hasErrorCode, isCancellation } from '../../core/errors.ts';
import type { ViewEvents } from '../../protocol/grid.ts';
import type { GridSheet } from '../../protocol/grid-sheet.ts';
import type { RowsQuery } from '../../protocol/grid-work.ts';
import type { EditorHost } from './editor-host.ts';
import { Live } from './run/live.ts';
import type { LiveOptions } from './run/live.ts';
import type { OperationBoard } from './run/operation-board.ts';
import type { SheetPresence } from './sheet-presence.ts';
import type { SheetState } from './rows/sheet-state.ts';
import type { SheetSource } from './rows/source.ts';

export type Emit = <Name extends keyof ViewEvents>(name: Name, payload: ViewEvents[Name]) => void;

export interface FollowerOptions {
  readonly state: SheetState;
  readonly board: OperationBoard;
  readonly presence: SheetPresence;
  readonly source: SheetSource;
  readonly editorHost: EditorHost;
  readonly emit: Emit;
  /** The sheet as the view is told of it. */
  readonly sheet: () => GridSheet;
  /** Aborts when the sheet is closed. */
  readonly closing: AbortSignal;
  /** What must have ended before the sheet is opened. */
  readonly before?: Promise<void> | undefined;
  /** Filter and sort to begin with. */
  readonly query: RowsQuery | undefined;
  /** Asks the query again of rows that were laid out anew. */
  readonly restore: (query: RowsQuery | undefined, signal: AbortSignal) => Promise<void>;
  /** Takes up the edits that were left. */
  readonly takeUp: () => Promise<void>;
  /** The service answers again. */
  readonly recovered: () => void;
  readonly timing?: Pick<LiveOptions, 'activeMs' | 'idleMs' | 'firstPauseMs' | 'patienceMs'>;
}

/** What is still good of the rows when a sheet is read anew. */
type Keeps = 'nothing' | 'rows' | 'start';

/** More pages than fit on any screen: what a view claims to see is not trusted beyond this. */
const maxVisiblePages = 6;
/** While an operation runs, totals and columns are read again no more often than this. */
const headPauseMs = 2000;

/** Opens a sheet, looks at it again and again, and tells the view what has changed. */
export class SheetFollower {
  readonly #options: FollowerOptions;
  readonly #live: Live;
  #opening: Promise<void> | undefined;
  #renewing: Promise<void> | undefined;
  #visible: readonly number[] = [];
  #wasActive = false;
  #headReadAt = -Infinity;
  #sentOperations = '';

  constructor(options: FollowerOptions) {
    this.#options = options;
    this.#live = new Live({
      ...options.timing,
      look: (signal) => this.#look(signal),
      onProblem: (error) => this.#emitProblem(error),
      onRecovered: () => {
        options.emit('problem', null);
        options.recovered();
      },
    });
  }

  /** Once; again only when it failed. */
  async open(): Promise<void> {
    this.#opening ??= this.#openNow();
    try {
      await this.#opening;
    } catch (error) {
      this.#opening = undefined;
      this.#options.presence.problemOf(error);
      throw this.named(error);
    }
  }

  show(): void {
    this.#live.show();
  }

  hide(): void {
    this.#live.hide();
  }

  /** Something has changed: looks now. */
  poke(): void {
    this.#live.poke();
  }

  /** Pages on screen; the view has them, or is about to ask for them. */
  see(first: number, last: number): void {
    const { state } = this.#options;
    const count = Math.min(last - first + 1, maxVisiblePages);
    this.#visible = Array.from({ length: Math.max(0, count) }, (_, index) => first + index);
    // A page that comes back from memory or disk may be older than the sheet.
    const isOld = this.#pagesOnScreen().some((page) => {
      const kept = state.pages.inMemory(page);
      return kept !== undefined && kept.version !== state.version;
    });
    if (isOld) this.#live.poke();
  }

  async renew(keeps: Keeps): Promise<void> {
    const { state, closing, restore } = this.#options;
    const query = state.shown.view?.query;
    await state.renew(closing, keeps);
    await restore(query, closing);
    this.#headReadAt = performance.now();
    this.emitSheet();
  }

  /** For changes that nobody waits for. Several at a time are one. */
  async renewQuietly(): Promise<void> {
    this.#renewing ??= this.renew('nothing').finally(() => (this.#renewing = undefined));
    try {
      await this.#renewing;
    } catch (error) {
      if (!isCancellation(error)) this.#emitProblem(error);
    }
  }

  emitSheet(): void {
    this.#sentOperations = this.#operationsText();
    this.#options.emit('sheet', this.#options.sheet());
  }

  emitOperations(): void {
    const { state, board, emit } = this.#options;
    const text = this.#operationsText();
    if (text === this.#sentOperations) return;
    this.#sentOperations = text;
    const { totals, version } = state;
    emit('operations', {
      operations: board.operations,
      statusCounts: board.statusCounts,
      totals,
      ...(version !== undefined && { version }),
    });
  }

  /** An error of a request, in words that fit a sheet that may have been deleted meanwhile. */
  named(error: unknown): unknown {
    const named = this.#options.presence.named(error);
    if (named === error && hasErrorCode(error, 'not_found')) this.#live.poke();
    return named;
  }

  async #openNow(): Promise<void> {
    const { source, presence, state, board, closing, before, query } = this.#options;
    const [operations] = await Promise.all([
      source.operations(closing),
      presence.read(closing),
      state.renew(closing),
      before,
    ]);
    await this.#options.restore(query, closing);
    this.#headReadAt = performance.now();
    await board.take(operations, closing);
    this.#wasActive = board.isRunning;
    this.#sentOperations = this.#operationsText();
    await this.#options.takeUp();
  }

  async #look(signal: AbortSignal): Promise<{ readonly isActive: boolean }> {
    await this.open();
    const { source, presence, state, board, emit } = this.#options;
    const operations = await source.operations(signal);
    await Promise.all([board.take(operations, signal), presence.follow(signal)]);
    signal.throwIfAborted();
    const isActive = operations.active_operations.length > 0;
    const hasEnded = this.#wasActive && !isActive;
    const version = operations.version ?? undefined;
    const isNewer = version === undefined ? isActive : version !== state.version;
    const isHeadDue = !isActive || performance.now() - this.#headReadAt >= headPauseMs;
    if ((isNewer || hasEnded) && isHeadDue) {
      this.#headReadAt = performance.now();
      if (!(await state.look(signal))) await this.renewQuietly();
    }
    if (version !== undefined) state.version = version;
    const patches = await state.refresh(this.#visible, signal, hasEnded);
    signal.throwIfAborted();
    this.#wasActive = isActive;
    const { generation } = state;
    if (patches.length > 0) emit('cells', { generation, patches });
    this.emitOperations();
    return { isActive };
  }

  /** As pages of the sheet; none while it is not open yet. */
  #pagesOnScreen(): readonly number[] {
    const { state } = this.#options;
    return state.generation > 0 ? state.shown.pagesBelow(this.#visible) : [];
  }

  #operationsText(): string {
    const { state, board } = this.#options;
    return JSON.stringify([board.operations, board.statusCounts, state.totals, state.version]);
  }

  #emitProblem(error: unknown): void {
    const { editorHost, emit, presence } = this.#options;
    if (error === undefined) {
      emit('problem', {
        message: editorHost.t('The service has not answered for a while.'),
        hint: editorHost.t('Your changes are kept, and sent when it responds.'),
        retry: false,
      });
      return;
    }
    editorHost.note(error, 'Following the sheet');
    const gone = presence.problemOf(error);
    emit('problem', gone ?? { ...editorHost.describe(error), retry: true });
  }
}
