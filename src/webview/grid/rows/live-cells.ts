import type { ViewEvents } from '../../../protocol/grid.ts';
import type { SheetModel } from './model.ts';
import type { RowRing } from './rows.ts';

export interface LiveCellsOptions {
  readonly model: SheetModel;
  readonly ring: RowRing;
  /** The cell under the cursor has changed. */
  readonly subjectChanged: () => void;
}

/** Cells that change while the sheet is looked at: kept at once, painted once a frame. */
export class LiveCells {
  readonly #options: LiveCellsOptions;
  readonly #dirty = new Map<number, Set<string>>();

  constructor(options: LiveCellsOptions) {
    this.#options = options;
  }

  take({ generation, patches }: ViewEvents['cells']): void {
    const { model, subjectChanged } = this.#options;
    const { store, cursorCell: subject } = model;
    if (generation !== store.generation) return;
    for (const patch of patches) {
      const position = store.patch(patch);
      if (position === undefined) continue;
      if (this.#dirty.size === 0) requestAnimationFrame(() => this.#paint());
      const columns = this.#dirty.get(position) ?? new Set();
      this.#dirty.set(position, columns.add(patch.columnId));
      if (subject?.rowIndex === patch.rowIndex && subject.columnId === patch.columnId) {
        subjectChanged();
      }
    }
  }

  #paint(): void {
    const { model, ring } = this.#options;
    for (const [position, columns] of this.#dirty) {
      for (const columnId of columns) ring.repaintCell(position, model.columnIndex(columnId));
    }
    this.#dirty.clear();
  }
}
