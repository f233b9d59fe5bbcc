import type { Cell } from '../../../api/cell.ts';
import type { Row, RowsPage } from '../../../api/row.ts';
import { NotFoundError, hasErrorCode } from '../../../core/errors.ts';
import type { CellAddress, CellPatch } from '../../../protocol/grid-cells.ts';
import type { GridColumn, MetricTotals, RowOrder } from '../../../protocol/grid-sheet.ts';
import { pageSize } from '../../../protocol/grid-cells.ts';
import { sentValue } from '../cells/cell-input.ts';
import { CellIds } from './cell-ids.ts';
import { gridColumnsOf, hasSameColumns } from '../columns/grid-columns.ts';
import { patchesBetween, withCell } from './grid-page.ts';
import { presentationOf, type CellPresentation } from '../cells/cell-presentation.ts';
import { LoadedLatencies } from './loaded-latencies.ts';
import type { PageChain } from './page-chain.ts';
import { pageCountOf } from './page-chain.ts';
import type { KeptPage, Walk } from './pages.ts';
import { MovedRowsError, Pages } from './pages.ts';
import type { RowView } from './row-view.ts';
import { ShownRows } from './shown-rows.ts';
import type { SheetSource } from './source.ts';
import type { Spool } from './spool.ts';
import { totalsOf } from './totals.ts';
import type { Translate } from '../../shell/translate.ts';

export interface SheetStateOptions {
  readonly source: SheetSource;
  readonly t: Translate;
  readonly spool?: Spool;
  readonly order?: RowOrder;
  readonly systemColumns?: boolean;
  readonly onWalk: (walk: Walk) => void;
  /** Rows were added, deleted or moved by somebody: `renew` is due. */
  readonly onMoved: () => void;
  /** Figures of the rows that are loaded have changed. */
  readonly onFigures: () => void;
  /** Something that the header of the grid shows has changed. */
  readonly onHeader: () => void;
}

/** Visits at most this many pages when it must look for a row by its index. */
const maxSearch = 200;

/** A text that a cell holds now. */
export interface TextShown extends CellAddress {
  readonly text: string | null;
}

/** Columns, counts and pages of one open sheet, in one order. Knows no view and no operations. */
export class SheetState {
  readonly #options: SheetStateOptions;
  readonly #ids = new CellIds();
  readonly shown = new ShownRows(this);
  #pages: Pages | undefined;
  #generation = 0;
  columns: readonly GridColumn[] = [];
  readonly #latencies: LoadedLatencies;
  #totals: readonly MetricTotals[] = [];
  version: number | undefined;
  order: RowOrder;
  systemColumns: boolean;

  constructor(options: SheetStateOptions) {
    this.#options = options;
    this.#latencies = new LoadedLatencies(options.onFigures);
    this.order = options.order ?? 'asc';
    this.systemColumns = options.systemColumns ?? false;
  }

  get generation(): number {
    return this.#generation;
  }

  /** Over the sheet, with percentiles of the rows that are loaded. */
  get totals(): readonly MetricTotals[] {
    const loaded = this.#latencies.figures;
    if (loaded === undefined) return this.#totals;
    return this.#totals.map((one) => (one.metric === 'latency_ms' ? { ...one, loaded } : one));
  }

  /** Rows of the sheet; `shown.count` of them are on screen. */
  get rowCount(): number | undefined {
    return this.#pages?.rowCount;
  }

  /** Other rows are shown, or in another order. */
  setView(view: RowView | undefined): void {
    this.shown.view = view;
    this.#generation += 1;
  }

  get pages(): Pages {
    if (this.#pages === undefined) throw new MovedRowsError('The sheet is not open yet.');
    return this.#pages;
  }

  columnOf(columnId: string): GridColumn {
    const column = this.columns.find(({ id }) => id === columnId);
    if (column !== undefined) return column;
    throw new NotFoundError(this.#options.t('The column is no longer in the sheet.'), {
      hint: this.#options.t('Reload the sheet.'),
    });
  }

  /**
   * Reads the head of the sheet and lays out pages anew. `keeps`: the rows are where they were
   * (columns changed) or rows were only added at the end, so cursors found earlier still lead on.
   */
  async renew(signal: AbortSignal, keeps: 'nothing' | 'rows' | 'start' = 'nothing'): Promise<void> {
    const before = this.#pages;
    // The first page comes along with the columns: the grid asks for it next.
    const head = await this.#head(signal, before === undefined ? pageSize : 1);
    this.#layOut(head.columns.length > 0 ? gridColumnsOf(head.columns) : this.columns, {
      rowCount: head.rowCount,
      chain: chainOf(before, keeps, head.rowCount),
    });
    this.#note(head);
    if (before === undefined) this.pages.seed(head);
  }

  /** Reads the head of the sheet: true when its pages still stand, false when `renew` is due. */
  async look(signal: AbortSignal): Promise<boolean> {
    const head = await this.#head(signal, 1);
    const columns = gridColumnsOf(head.columns);
    if (head.rowCount !== this.rowCount || !hasSameColumns(columns, this.columns)) return false;
    this.#note(head);
    return true;
  }

  setOrder(order: RowOrder): void {
    const { rowCount } = this;
    this.order = order;
    this.#layOut(this.columns, { rowCount, chain: undefined });
  }

  /** Reads pages on screen anew when they are older than the sheet, or all of them when told. */
  async refresh(
    pages: readonly number[],
    signal: AbortSignal,
    isForced = false,
  ): Promise<readonly CellPatch[]> {
    const patches: CellPatch[] = [];
    for (const page of this.shown.pagesBelow(pages)) {
      // Very many pages may have been read since the grid has got it.
      const kept = await this.pages.atHand(page);
      if (kept === undefined) continue; // the grid has not got it yet
      if (!isForced && kept.version !== undefined && kept.version === this.version) continue;
      const { before, after } = await this.pages.refresh(page, signal);
      const changed = patchesBetween(before?.grid, after.grid);
      if (changed === undefined) {
        this.#options.onMoved();
        return patches;
      }
      patches.push(...changed);
    }
    return patches;
  }

  /** Shows values that are known to have been written, of rows that are at hand. */
  showTexts(edits: readonly TextShown[]): readonly CellPatch[] {
    const patches: CellPatch[] = [];
    // Blocks come row by row: a page is changed as often as needed and then kept once.
    let open: { readonly number: number; kept: KeptPage; isChanged: boolean } | undefined;
    const close = (): void => {
      if (open?.isChanged === true) this.pages.replace(open.number, open.kept);
      open = undefined;
    };
    for (const edit of edits) {
      const { columnId, rowIndex, text } = edit;
      if (open === undefined || !open.kept.grid.rowIndices.includes(rowIndex)) {
        close();
        const number = this.pages.pageOfRow(rowIndex);
        const kept = number === undefined ? undefined : this.pages.inMemory(number);
        if (number === undefined || kept === undefined) continue;
        open = { number, kept, isChanged: false };
      }
      const presentation = this.#presentationOfText(edit, text);
      const changed = withCell(open.kept.grid, rowIndex, columnId, presentation);
      if (changed === undefined) continue;
      open.kept = { ...open.kept, grid: changed.page };
      open.isChanged = true;
      patches.push(changed.patch);
    }
    close();
    return patches;
  }

  knownCellId(address: CellAddress): string | undefined {
    return this.#ids.get(address);
  }

  /** The cell with its whole value. */
  async cell(
    address: CellAddress,
    knownId: string | undefined,
    signal: AbortSignal,
  ): Promise<Cell> {
    const id = knownId ?? this.#ids.get(address);
    if (id !== undefined) {
      try {
        return await this.#options.source.cell(id, signal);
      } catch (error) {
        // A cell without a stored row has a passing id.
        if (!hasErrorCode(error, 'not_found', 'validation')) throw error;
      }
    }
    const found = (await this.#rowOf(address.rowIndex, signal))?.cells[address.columnId];
    const { t } = this.#options;
    if (found === undefined) {
      throw new NotFoundError(t("The service can't find this cell."), {
        hint: t('Reload the sheet.'),
      });
    }
    return this.#options.source.cell(found.id, signal);
  }

  dispose(): void {
    this.#latencies.clear();
    this.#pages?.dispose();
  }

  async #head(signal: AbortSignal, limit: number): Promise<RowsPage> {
    const { order, systemColumns } = this;
    return this.#options.source.rows(
      { limit, order, systemColumns, columns: true, aggregates: true },
      signal,
    );
  }

  #presentationOfText({ columnId, rowIndex }: CellAddress, text: string | null): CellPresentation {
    const column = this.columnOf(columnId);
    const cell = {
      id: '',
      column_id: columnId,
      row_index: rowIndex,
      // A person's answer that was taken back is waited for again.
      status: text === null && column.computed ? 'stale' : 'completed',
      value: sentValue(column, text),
    };
    return presentationOf(cell, column);
  }

  #note(head: RowsPage): void {
    this.version = head.version;
    this.#totals = totalsOf(head.aggregates, this.#options.t);
  }

  #layOut(
    columns: readonly GridColumn[],
    rows: { readonly rowCount: number | undefined; readonly chain: PageChain | undefined },
  ): void {
    this.#pages?.dispose();
    this.#options.spool?.clear();
    this.#ids.clear();
    this.#latencies.clear();
    // Places in it are of rows that may be elsewhere now.
    this.shown.view = undefined;
    this.#generation += 1;
    this.columns = columns;
    const { source, spool, onWalk } = this.#options;
    const { systemColumns, order } = this;
    const rest = { systemColumns, columns: false, aggregates: false };
    const pages: Pages = new Pages({
      fetch: (request, signal) => source.rows({ ...request, ...rest }, signal),
      order,
      generation: this.#generation,
      columns,
      rowCount: rows.rowCount,
      chain: rows.chain,
      ...(spool !== undefined && { spool }),
      onWalk,
      onRows: (page, whole) => {
        if (this.#pages !== pages) return;
        this.#ids.learn(page, whole);
        this.#latencies.learn(page, whole);
      },
      onRowCount: (count) => {
        if (this.#pages !== pages) return;
        if (pages.rowCount === count) this.#options.onHeader();
        else this.#options.onMoved();
      },
      isInvalidCursor: (error) => hasErrorCode(error, 'invalid_cursor'),
    });
    this.#pages = pages;
  }

  /** Looks for a row by its index, from where it would be if no row had ever been deleted. */
  async #rowOf(rowIndex: number, signal: AbortSignal): Promise<Row | undefined> {
    const last = Math.max(0, pageCountOf(this.rowCount ?? pageSize) - 1);
    const fromEnd = Math.floor(((this.rowCount ?? 1) - 1 - rowIndex) / pageSize);
    const guess = this.order === 'asc' ? Math.floor(rowIndex / pageSize) : fromEnd;
    let page = this.pages.pageOfRow(rowIndex) ?? Math.min(last, Math.max(0, guess));
    const visited = new Set<number>();
    while (page >= 0 && page <= last && !visited.has(page) && visited.size < maxSearch) {
      visited.add(page);
      const rows = await this.pages.read(page, signal);
      const found = rows.find((row) => row.row_index === rowIndex);
      const first = rows[0];
      if (found !== undefined || first === undefined) return found;
      const isBefore = rowIndex < first.row_index === (this.order === 'asc');
      page += isBefore ? -1 : 1;
    }
    return undefined;
  }
}

function chainOf(
  pages: Pages | undefined,
  keeps: 'nothing' | 'rows' | 'start',
  rowCount: number | undefined,
): PageChain | undefined {
  if (pages === undefined || rowCount === undefined || keeps === 'nothing') return undefined;
  if (rowCount === pages.rowCount) return pages.chain;
  return keeps === 'start' && rowCount > (pages.rowCount ?? Infinity)
    ? pages.chain.grownTo(rowCount)
    : undefined;
}
