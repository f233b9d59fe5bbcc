import {
  pageSize,
  type CellAddress,
  type GridPage,
  type GridSelection,
} from '../../../protocol/grid-cells.ts';
import type { GridLayout, GridSheet } from '../../../protocol/grid-sheet.ts';
import type { UnsavedChange, UnsavedEdit } from '../../../protocol/grid-edits.ts';
import { arrange, stickyWidth, rightEdge, type ShownColumn } from '../columns/arrangement.ts';
import {
  atSpot,
  clip,
  headerRow,
  sizeOf,
  type Extent,
  type Selection,
} from '../cursor/selection.ts';
import { PageStore, type CellPlace, type StoredCell } from './store.ts';

const keyOf = ({ rowIndex, columnId }: CellAddress): string => `${rowIndex} ${columnId}`;

/** The sheet as the grid knows it: what the extension said, and where the user is. */
export class SheetModel {
  readonly store: PageStore;
  sheet: GridSheet;
  layout: GridLayout;
  shown: readonly ShownColumn[] = [];
  /** Width of the row numbers. */
  gutter = 56;
  selection: Selection = atSpot({ row: 0, column: 0 });
  /** Rows of what is looked for, by the column it stands in; undefined: nothing is. */
  hits: ReadonlyMap<string, ReadonlySet<number>> | undefined;
  #mostRows = 0;
  #endRows: number | undefined;
  #unsaved = new Map<string, UnsavedEdit>();
  readonly #sending = new Map<string, UnsavedEdit>();

  constructor(sheet: GridSheet, capacity?: number) {
    this.store = new PageStore(capacity);
    this.store.generation = sheet.generation;
    this.sheet = sheet;
    this.layout = sheet.layout;
    this.setUnsaved(sheet.unsaved);
    this.arrange();
  }

  /** Takes rows that came with the sheet. */
  takeRows(rows: GridPage): void {
    this.store.put(rows, () => false);
    this.noteRows();
  }

  /** Takes what the extension says now. True when pages must be fetched anew. */
  apply(sheet: GridSheet): boolean {
    const isNewGeneration = sheet.generation !== this.store.generation;
    if (isNewGeneration) {
      this.store.renew(sheet.generation, { keepDrawing: sheet.order === this.sheet.order });
      this.#mostRows = 0;
      this.#endRows = undefined;
    }
    this.sheet = sheet;
    this.layout = sheet.layout;
    this.setUnsaved(sheet.unsaved);
    this.arrange();
    this.selection = clip(this.selection, this.extent);
    return isNewGeneration;
  }

  /** Columns or layout have changed: the cursor stays in its column where it can. */
  arrange(): void {
    const before = this.cursorColumn?.column.id;
    const digits = String(Math.max(this.rowCount, 1)).length;
    this.gutter = Math.max(48, 22 + digits * 8);
    this.shown = arrange(this.sheet.columns, this.layout, this.gutter);
    const at = this.shown.findIndex(({ column }) => column.id === before);
    const { cursor } = this.selection;
    if (before === undefined || at === cursor.column) return;
    const column = at >= 0 ? at : Math.min(cursor.column, Math.max(0, this.shown.length - 1));
    this.selection = atSpot({ row: cursor.row, column });
  }

  get isCountKnown(): boolean {
    return this.sheet.rowCount !== undefined || this.#endRows !== undefined;
  }

  /** Rows there are; while the service has not said, those seen and one page more. */
  get rowCount(): number {
    return this.sheet.rowCount ?? this.#endRows ?? this.#mostRows + pageSize;
  }

  /** After new pages: true when the number of rows is not what it was. */
  noteRows(): boolean {
    if (this.sheet.rowCount !== undefined) return false;
    const before = this.rowCount;
    const { rows, isEnd } = this.store.knownRows();
    this.#mostRows = Math.max(this.#mostRows, rows);
    if (isEnd) this.#endRows = rows;
    return this.rowCount !== before;
  }

  get extent(): Extent {
    return { rows: this.rowCount, columns: this.shown.length };
  }

  get width(): number {
    return rightEdge(this.shown, this.gutter);
  }

  get sticky(): number {
    return stickyWidth(this.shown, this.gutter);
  }

  get cursorColumn(): ShownColumn | undefined {
    return this.shown[this.selection.cursor.column];
  }

  /** Cell under the cursor, once its row is known. */
  get cursorCell(): (CellPlace & CellAddress) | undefined {
    const { row } = this.selection.cursor;
    const column = this.cursorColumn;
    const rowIndex = row === headerRow ? undefined : this.store.rowIndex(row);
    if (column === undefined || rowIndex === undefined) return undefined;
    return { position: row, columnId: column.column.id, rowIndex };
  }

  cellAt(row: number, column: number): StoredCell | undefined {
    const shown = this.shown[column];
    return shown && this.store.cell({ position: row, columnId: shown.column.id });
  }

  columnIndex(columnId: string): number {
    return this.shown.findIndex(({ column }) => column.id === columnId);
  }

  setUnsaved(edits: readonly UnsavedEdit[]): void {
    this.#unsaved = new Map(edits.map((edit) => [keyOf(edit), edit]));
  }

  /** What has changed among them. */
  applyUnsaved({ changed, gone }: Pick<UnsavedChange, 'changed' | 'gone'>): void {
    for (const address of gone) this.#unsaved.delete(keyOf(address));
    for (const edit of changed) this.#unsaved.set(keyOf(edit), edit);
  }

  /** Between committing an edit and the extension's own word of it. */
  setSending(address: CellAddress, text: string | undefined): void {
    if (text === undefined) this.#sending.delete(keyOf(address));
    else this.#sending.set(keyOf(address), { ...address, text, state: 'sending' });
  }

  unsavedAt(address: CellAddress): UnsavedEdit | undefined {
    // Asked for every cell that is drawn, and hardly ever is there one.
    if (this.#unsaved.size === 0 && this.#sending.size === 0) return undefined;
    const key = keyOf(address);
    return this.#sending.get(key) ?? this.#unsaved.get(key);
  }

  get unsaved(): readonly UnsavedEdit[] {
    return [...this.#unsaved.values()];
  }

  get isMultiple(): boolean {
    const { rows, columns } = sizeOf(this.selection);
    return rows > 1 || columns > 1;
  }

  /** The selection in the terms of the extension. */
  selected(selection: Selection = this.selection): GridSelection {
    const { shown } = this;
    const columnIds = selection.columns.flatMap(({ from, to }) =>
      shown.slice(from, to + 1).map(({ column }) => column.id),
    );
    const under = shown[selection.cursor.column]?.column.id;
    const cursor = under !== undefined && {
      position: Math.max(0, selection.cursor.row),
      columnId: under,
    };
    return { ...(cursor && { cursor }), rows: selection.rows, columnIds };
  }
}
