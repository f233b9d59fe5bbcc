import {
  pageSize,
  type CellAddress,
  type CellPatch,
  type GridPage,
  type GridSelection,
  type RowRange,
} from '../../../protocol/grid-cells.ts';
import { canRun, type GridLayout, type GridSheet } from '../../../protocol/grid-sheet.ts';
import type { UnsavedChange, UnsavedEdit } from '../../../protocol/grid-edits.ts';
import type { GridState, ViewEvents } from '../../../protocol/grid.ts';
import { arrange, stickyWidth, rightEdge, type ShownColumn } from '../columns/arrangement.ts';
import {
  atSpot,
  clip,
  headerRow,
  sizeOf,
  type Extent,
  type Selection,
} from '../cursor/selection.ts';
import { PageStore, type CellPlace, type StoredCell } from '../rows/store.ts';
import { Changes } from './changes.ts';
import { Unsaved } from './unsaved.ts';
import { ViewState } from './view-state.ts';

/**
 * The state of the grid page: what the extension has said, and where the user is. Parts read it,
 * change it by its methods only, and draw what `changes` tells them of.
 */
export class SheetModel {
  readonly changes: Changes;
  readonly store: PageStore;
  readonly view: ViewState;
  /** Counts up with each change of the columns or of the number of rows. */
  layoutVersion = 0;
  /** Cells that have changed since rows were last drawn. */
  readonly changedCells = new Map<number, Set<string>>();
  #sheet: GridSheet;
  #layout: GridLayout;
  #shown: readonly ShownColumn[] = [];
  #gutter = 56;
  #selection: Selection = atSpot({ row: 0, column: 0 });
  #mostRows = 0;
  #endRows: number | undefined;
  readonly #unsaved = new Unsaved();

  constructor(
    sheet: GridSheet,
    options: {
      readonly capacity?: number | undefined;
      readonly saved?: GridState | undefined;
      readonly changes?: Changes;
    } = {},
  ) {
    const { capacity, saved, changes = new Changes() } = options;
    this.changes = changes;
    this.store = new PageStore(capacity);
    this.store.generation = sheet.generation;
    this.#sheet = sheet;
    this.#layout = sheet.layout;
    this.view = new ViewState(changes, saved);
    this.#unsaved.replace(sheet.unsaved);
    this.#arrange();
  }

  // What the extension says.

  get sheet(): GridSheet {
    return this.#sheet;
  }

  /** Takes rows that came with the sheet. */
  takeRows(rows: GridPage): void {
    this.store.put(rows, () => false);
    this.noteRows();
  }

  /** The layout is the user's: what comes with a sheet may be older than what was just done here. */
  takeSheet(sheet: GridSheet): void {
    const isNewGeneration = sheet.generation !== this.store.generation;
    if (isNewGeneration) {
      this.store.renew(sheet.generation, { keepDrawing: sheet.order === this.#sheet.order });
      this.#mostRows = 0;
      this.#endRows = undefined;
    }
    this.#sheet = { ...sheet, layout: this.#layout };
    this.#unsaved.replace(sheet.unsaved);
    this.#arrange();
    this.#selection = clip(this.#selection, this.extent);
    this.changes.mark('sheet', 'layout', 'selection', 'edits', 'operations', 'saving');
    if (isNewGeneration) this.changes.mark('generation');
  }

  takeCells({ generation, patches }: ViewEvents['cells']): void {
    if (generation !== this.store.generation) return;
    const subject = this.cursorCell;
    for (const patch of patches) {
      if (!this.#patch(patch)) continue;
      const { rowIndex, columnId } = patch;
      if (subject?.rowIndex === rowIndex && subject.columnId === columnId) {
        this.changes.mark('subject');
      }
    }
    if (this.changedCells.size > 0) this.changes.mark('cells');
  }

  takeOperations(change: ViewEvents['operations']): void {
    this.#sheet = { ...this.#sheet, ...change };
    this.changes.mark('operations');
  }

  takeUnsaved(change: UnsavedChange): void {
    const { canUndo, canRedo, counts: unsavedCounts } = change;
    this.#sheet = { ...this.#sheet, canUndo, canRedo, unsavedCounts };
    this.#unsaved.apply(change);
    this.changes.mark('edits', 'saving');
  }

  takeSaving(saving: ViewEvents['saving']): void {
    this.#sheet = { ...this.#sheet, saving };
    this.changes.mark('saving');
  }

  // Columns and rows.

  get layout(): GridLayout {
    return this.#layout;
  }

  set layout(layout: GridLayout) {
    this.#layout = layout;
    this.#arrange();
    this.changes.mark('layout');
  }

  get shown(): readonly ShownColumn[] {
    return this.#shown;
  }

  /** Width of the row numbers. */
  get gutter(): number {
    return this.#gutter;
  }

  get isCountKnown(): boolean {
    return this.#sheet.rowCount !== undefined || this.#endRows !== undefined;
  }

  /** Rows there are; while the service has not said, those seen and one page more. */
  get rowCount(): number {
    return this.#sheet.rowCount ?? this.#endRows ?? this.#mostRows + pageSize;
  }

  /** Rows were added here: the extension's own word of it comes later. */
  set rowCount(rowCount: number) {
    this.#sheet = { ...this.#sheet, rowCount };
    this.#layoutChanged();
  }

  /** After new pages: how many rows there are, where only they tell. */
  noteRows(): void {
    if (this.#sheet.rowCount !== undefined) return;
    const before = this.rowCount;
    const { rows, isEnd } = this.store.knownRows();
    this.#mostRows = Math.max(this.#mostRows, rows);
    if (isEnd) this.#endRows = rows;
    if (this.rowCount !== before) this.#layoutChanged();
  }

  get extent(): Extent {
    return { rows: this.rowCount, columns: this.#shown.length };
  }

  get width(): number {
    return rightEdge(this.#shown, this.#gutter);
  }

  get sticky(): number {
    return stickyWidth(this.#shown, this.#gutter);
  }

  cellAt(row: number, column: number): StoredCell | undefined {
    const shown = this.#shown[column];
    return shown && this.store.cell({ position: row, columnId: shown.column.id });
  }

  columnIndex(columnId: string): number {
    return this.#shown.findIndex(({ column }) => column.id === columnId);
  }

  // Cursor and selection.

  get selection(): Selection {
    return this.#selection;
  }

  set selection(selection: Selection) {
    this.#selection = selection;
    this.changes.mark('selection');
  }

  get isMultiple(): boolean {
    const { rows, columns } = sizeOf(this.#selection);
    return rows > 1 || columns > 1;
  }

  /** Some of the selected cells can be run. */
  get canRun(): boolean {
    const { rows, columns } = this.#selection;
    const isRun = ({ from, to }: RowRange): boolean =>
      this.#shown.slice(Math.max(0, from), to + 1).some(({ column }) => canRun(column));
    return rows.length > 0 && columns.some(isRun);
  }

  get cursorColumn(): ShownColumn | undefined {
    return this.#shown[this.#selection.cursor.column];
  }

  /** Cell under the cursor, once its row is known. */
  get cursorCell(): (CellPlace & CellAddress) | undefined {
    const { row } = this.#selection.cursor;
    const column = this.cursorColumn;
    const rowIndex = row === headerRow ? undefined : this.store.rowIndex(row);
    if (column === undefined || rowIndex === undefined) return undefined;
    return { position: row, columnId: column.column.id, rowIndex };
  }

  /** The selection in the terms of the extension. */
  selected(selection: Selection = this.#selection): GridSelection {
    const columnIds = selection.columns.flatMap(({ from, to }) =>
      this.#shown.slice(from, to + 1).map(({ column }) => column.id),
    );
    const under = this.#shown[selection.cursor.column]?.column.id;
    const cursor = under !== undefined && {
      position: Math.max(0, selection.cursor.row),
      columnId: under,
    };
    return { ...(cursor && { cursor }), rows: selection.rows, columnIds };
  }

  // Edits.

  get unsaved(): readonly UnsavedEdit[] {
    return this.#unsaved.all;
  }

  unsavedAt(address: CellAddress): UnsavedEdit | undefined {
    return this.#unsaved.at(address);
  }

  setSending(address: CellAddress, text: string | undefined): void {
    this.#unsaved.setSending(address, text);
    this.changes.mark('edits');
  }

  /** What became of an edit of this page. */
  settle(change: Pick<UnsavedChange, 'changed' | 'gone'>, saved?: CellPatch): void {
    this.#unsaved.apply(change);
    if (saved !== undefined) this.store.patch(saved);
    this.changes.mark('edits');
  }

  /** The cursor stays in its column where it can. */
  #arrange(): void {
    const before = this.cursorColumn?.column.id;
    const digits = String(Math.max(this.rowCount, 1)).length;
    this.#gutter = Math.max(48, 22 + digits * 8);
    this.#shown = arrange(this.#sheet.columns, this.#layout, this.#gutter);
    this.layoutVersion += 1;
    const at = this.columnIndex(before ?? '');
    const { cursor } = this.#selection;
    if (before === undefined || at === cursor.column) return;
    const column = at >= 0 ? at : Math.min(cursor.column, Math.max(0, this.#shown.length - 1));
    this.#selection = atSpot({ row: cursor.row, column });
  }

  #layoutChanged(): void {
    this.layoutVersion += 1;
    this.changes.mark('layout');
  }

  #patch(patch: CellPatch): boolean {
    const position = this.store.patch(patch);
    if (position === undefined) return false;
    const columns = this.changedCells.get(position) ?? new Set();
    this.changedCells.set(position, columns.add(patch.columnId));
    return true;
  }
}
