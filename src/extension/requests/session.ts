import type { Cell } from '../../api/cell.ts';
import type { Row } from '../../api/row.ts';
import type { RequestSearch, RequestsPage } from '../../core/index.ts';
import { hasErrorCode, isCancellation } from '../../core/errors.ts';
import type { Handlers, SentError } from '../../protocol/channel.ts';
import type { CellAddress, GridPage } from '../../protocol/grid-cells.ts';
import type { GridLayout, GridSheet, MetricTotals } from '../../protocol/grid-sheet.ts';
import type { ViewEvents } from '../../protocol/grid.ts';
import type { LogAction, LogRequests } from '../../protocol/request-log.ts';
import { pageSize } from '../../protocol/grid-cells.ts';
import { timeColumn } from '../../protocol/request-log.ts';
import { cellDetailOf } from '../grid/cells/cell-detail.ts';
import { copySelection } from '../grid/copy/copy.ts';
import type { CopiedForm } from '../grid/paste/note-copied.ts';
import { gridPageOf } from '../grid/rows/grid-page.ts';
import { rowsIn, settleRanges } from '../grid/rows/positions.ts';
import type { Translate } from '../shell/translate.ts';
import type { FoundRequest } from './columns.ts';
import { logColumns, rowOf, sortFields } from './columns.ts';
import type { Filter } from './filters.ts';
import { filterText, groupOf } from './filters.ts';
import type { LogView } from './view.ts';

/** The most that the service gives at once. */
const perSearch = 25;
/** More requests than anybody looks through in a list; filters find the others. */
const mostLoaded = 20_000;

export interface LogParts {
  readonly connection: GridSheet['connection'];
  readonly view: LogView;
  readonly t: Translate;
  readonly search: (search: RequestSearch, signal: AbortSignal) => Promise<RequestsPage>;
  readonly emit: <Name extends keyof ViewEvents>(name: Name, payload: ViewEvents[Name]) => void;
  readonly keep: (view: LogView) => void;
  /** Asks the user for a filter; rejects when that is dismissed. */
  readonly askFilter: (before: Filter | undefined, others: readonly Filter[]) => Promise<Filter>;
  readonly take: (action: LogAction, requests: readonly FoundRequest[]) => Promise<void>;
  readonly writeClipboard: (text: string, form: CopiedForm | undefined) => Promise<void>;
  readonly copySettings: () => { readonly formulaGuard: boolean; readonly limitBytes: number };
  readonly note: (error: unknown) => void;
  readonly describe: (error: unknown) => SentError;
}

/** The requests that a search has found so far, as the rows of a grid. Free of VS Code. */
export class LogSession {
  readonly #parts: LogParts;
  readonly #columns: ReturnType<typeof logColumns>;
  readonly #closing = new AbortController();
  #view: LogView;
  #requests: FoundRequest[] = [];
  #rows: Row[] = [];
  readonly #ids = new Set<number>();
  #total: number | undefined;
  #nextPage = 1;
  #hasMore = true;
  #generation = 1;
  #loading: AbortController | undefined;
  /** Stands for the loading of all that follow, while it is under way. */
  #wholeLoad: object | undefined;

  constructor(parts: LogParts) {
    this.#parts = parts;
    this.#view = parts.view;
    this.#columns = logColumns(parts.t);
  }

  get filters(): readonly Filter[] {
    return this.#view.filters;
  }

  readonly handlers: Handlers<LogRequests> = {
    ready: ({ page }) => {
      // A page that failed to load earlier is asked for again as well.
      if (this.#rows.length === 0) void this.#load(true);
      return { sheet: this.sheet(), rows: page === 0 ? this.#page(0) : null };
    },
    rows: ({ page }) => this.#page(page),
    cell: (address) => {
      const { column } = this.#columnOf(address.columnId);
      return cellDetailOf(this.#cell(address), column, address, undefined);
    },
    copy: async ({ selection, format, headers }, signal) => {
      const { t, copySettings, writeClipboard } = this.#parts;
      const copied = await copySelection(
        {
          rowCount: this.#rows.length,
          version: this.#generation,
          page: (page) => Promise.resolve({ grid: this.#page(page), version: this.#generation }),
          rows: (page) => Promise.resolve(this.#pageRows(page)),
        },
        {
          ...{ selection, format, headers, t, ...copySettings() },
          columns: this.#columns.map(({ column }) => column),
        },
        signal,
      );
      await writeClipboard(copied.text, copied.form);
      return { cells: copied.cells, rows: copied.rows };
    },
    openValue: async ({ rowIndex }) => {
      const request = this.#requests[rowIndex];
      if (request !== undefined) await this.#parts.take('open', [request]);
      return null;
    },
    take: async ({ action, selection }) => {
      const ranges = settleRanges(selection.rows, this.#rows.length);
      const { cursor } = selection;
      const marked = ranges.flatMap(({ from, to }) => this.#requests.slice(from, to + 1));
      // One document, one panel: that of the row under the cursor.
      const [first] = marked;
      const one = this.#requests[cursor?.position ?? -1] ?? first;
      const chosen = action === 'import' ? marked : one === undefined ? [] : [one];
      if (chosen.length === 0 || rowsIn(ranges) === 0) {
        throw new Error(this.#parts.t('Select a request first.'));
      }
      await this.#parts.take(action, chosen);
      return null;
    },
    search: async ({ text }) => this.#look({ search: text }),
    filter: async ({ at }) => {
      const { filters } = this.#view;
      const before = at === null ? undefined : filters[at];
      const others = filters.filter((filter) => filter !== before);
      const filter = await this.#parts.askFilter(before, others);
      const place = at === null || before === undefined ? filters.length : at;
      return this.#look({
        filters: filters.toSpliced(place, before === undefined ? 0 : 1, filter),
      });
    },
    dropFilter: async ({ at }) =>
      this.#look({ filters: at === null ? [] : this.#view.filters.toSpliced(at, 1) }),
    more: async ({ all }) => {
      if (all) await this.#loadAll();
      else await this.#load(false);
      return null;
    },
    setOrder: async ({ order, columnId = this.#view.sortColumn }) => {
      const sortColumn = Object.hasOwn(sortFields, columnId) ? columnId : timeColumn;
      return this.#look({ order, sortColumn });
    },
    reload: async () => {
      await this.#load(true);
      return null;
    },
  };

  sheet(): GridSheet {
    const { connection, t } = this.#parts;
    const { order, sortColumn, layout, search, filters } = this.#view;
    return {
      ...{ tableId: 'requests', sheetId: 'requests', tableTitle: '', connection, order, layout },
      title: t('Requests'),
      columns: this.#columns.map(({ column }) => column),
      rowCount: this.#rows.length,
      version: undefined,
      view: null,
      generation: this.#generation,
      ...{ systemColumns: false, operations: [], statusCounts: {}, unsaved: [] },
      ...{ canUndo: false, canRedo: false },
      totals: this.#totals(),
      log: {
        search,
        filters: filters.map((filter) => filterText(filter, t)),
        ...{ sortColumn, sortable: Object.keys(sortFields) },
        loaded: this.#rows.length,
        total: this.#total,
        hasMore: this.#hasMore && !this.#isFull,
        isLoading: this.#loading !== undefined,
        isLoadingAll: this.#wholeLoad !== undefined,
        isFull: this.#hasMore && this.#isFull,
      },
    };
  }

  /** Shows what fits these filters and nothing else. */
  async show(filters: readonly Filter[]): Promise<void> {
    await this.#look({ filters, search: '' });
  }

  set layout(layout: GridLayout) {
    this.#view = { ...this.#view, layout };
    this.#parts.keep(this.#view);
  }

  close(): void {
    this.#closing.abort();
  }

  get #isFull(): boolean {
    return this.#rows.length >= mostLoaded;
  }

  /** Until nothing is left, nothing comes, or it is asked for again: that stops it. */
  async #loadAll(): Promise<void> {
    if (this.#wholeLoad !== undefined) {
      this.#wholeLoad = undefined;
      return;
    }
    const own = {};
    this.#wholeLoad = own;
    for (let before = -1; before < this.#nextPage && this.#wholeLoad === own;) {
      before = this.#nextPage;
      await this.#load(false);
      if (!this.#hasMore || this.#isFull) break;
    }
    if (this.#wholeLoad === own) this.#wholeLoad = undefined;
    this.#parts.emit('sheet', this.sheet());
  }

  async #look(change: Partial<LogView>): Promise<null> {
    this.#view = { ...this.#view, ...change };
    this.#parts.keep(this.#view);
    await this.#load(true);
    return null;
  }

  /**
   * The next requests; `isFresh`: from the first on. A search that began before is left. Answers
   * whether they are there.
   */
  async #load(isFresh: boolean): Promise<boolean> {
    if (!isFresh && (this.#loading !== undefined || !this.#hasMore)) return false;
    if (isFresh) this.#wholeLoad = undefined;
    this.#loading?.abort();
    const own = new AbortController();
    this.#loading = own;
    this.#parts.emit('sheet', this.sheet());
    try {
      const signal = AbortSignal.any([own.signal, this.#closing.signal]);
      const answer = await this.#parts.search(this.#query(isFresh ? 1 : this.#nextPage), signal);
      if (this.#loading !== own) return false;
      this.#take(answer, isFresh);
      this.#parts.emit('problem', null);
      return true;
    } catch (error) {
      if (this.#loading !== own || isCancellation(error)) return false;
      this.#parts.note(error);
      if (isFresh && this.#view.sortColumn !== timeColumn && hasErrorCode(error, 'validation')) {
        await this.#sortByTimeInstead();
        return false;
      }
      this.#parts.emit('problem', { ...this.#parts.describe(error), retry: true });
      return false;
    } finally {
      if (this.#loading === own) {
        this.#loading = undefined;
        this.#parts.emit('sheet', this.sheet());
      }
    }
  }

  /** The service refuses the order: better the usual one than none, and said so. */
  async #sortByTimeInstead(): Promise<void> {
    const { t, emit, keep } = this.#parts;
    const refused = this.#columns.find(({ column }) => column.id === this.#view.sortColumn);
    this.#view = { ...this.#view, sortColumn: timeColumn, order: 'desc' };
    keep(this.#view);
    // Something else may have been refused, which has been reported by now.
    if (!(await this.#load(true))) return;
    const title = refused?.column.title ?? '';
    const message = t("This service can't sort by {0}: the newest are shown first.", title);
    emit('problem', { message, retry: false });
  }

  #query(page: number): RequestSearch {
    const { search, filters, order, sortColumn } = this.#view;
    const filterGroup = groupOf(filters);
    return {
      ...{ page, perPage: perSearch, includePromptName: true },
      sortBy: sortFields[sortColumn] ?? 'request_start_time',
      sortOrder: order,
      ...(search !== '' && { q: search }),
      ...(filterGroup !== undefined && { filterGroup }),
    };
  }

  #take({ items, total, page, pages, has_next: hasNext }: RequestsPage, isFresh: boolean): void {
    if (isFresh) {
      this.#requests = [];
      this.#rows = [];
      this.#ids.clear();
      this.#nextPage = 1;
    }
    // Requests that were logged meanwhile push others onto the next page: they come twice.
    for (const request of items.filter(({ id }) => !this.#ids.has(id))) {
      this.#ids.add(request.id);
      this.#rows.push(rowOf(request, this.#rows.length, this.#columns));
      this.#requests.push(request);
    }
    const reached = page ?? this.#nextPage;
    this.#nextPage = reached + 1;
    this.#total = total ?? undefined;
    this.#hasMore =
      items.length > 0 &&
      (hasNext ?? (pages === undefined ? items.length === perSearch : reached < pages));
    this.#generation += 1;
  }

  #pageRows(page: number): readonly Row[] {
    return this.#rows.slice(page * pageSize, (page + 1) * pageSize);
  }

  #page(page: number): GridPage {
    const columns = this.#columns.map(({ column }) => column);
    return gridPageOf(this.#pageRows(page), columns, { page, generation: this.#generation });
  }

  #columnOf(columnId: string): ReturnType<typeof logColumns>[number] {
    const found = this.#columns.find(({ column }) => column.id === columnId);
    if (found === undefined) throw new Error(this.#parts.t('The column was not found.'));
    return found;
  }

  /** What the service does not tell is shown as nothing. */
  #cell({ rowIndex, columnId }: CellAddress): Cell {
    const id = `${this.#requests[rowIndex]?.id ?? ''}:${columnId}`;
    const nothing: Cell = { id, column_id: columnId, row_index: rowIndex, status: 'completed' };
    return this.#rows[rowIndex]?.cells[columnId] ?? nothing;
  }

  /** Of what is loaded: the foot of the view says so. */
  #totals(): readonly MetricTotals[] {
    const { t } = this.#parts;
    const over = (
      metric: string,
      label: string,
      valueOf: (request: FoundRequest) => unknown,
    ): MetricTotals => {
      const values = this.#requests.map(valueOf).filter((value) => typeof value === 'number');
      const sum = values.reduce((all, value) => all + value, 0);
      const isKnown = values.length > 0;
      return {
        ...{ metric, label, sum, count: values.length },
        average: isKnown ? sum / values.length : null,
        min: isKnown ? values.reduce((least, value) => Math.min(least, value)) : null,
        max: isKnown ? values.reduce((most, value) => Math.max(most, value)) : null,
      };
    };
    return [
      over('price', t('Cost of loaded rows'), ({ price }) => price),
      over('latency_ms', t('Latency of loaded rows'), ({ latency }) =>
        typeof latency === 'number' ? latency * 1000 : undefined,
      ),
    ];
  }
}
