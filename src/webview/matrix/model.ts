import type {
  ColumnFoot,
  MatrixCell,
  MatrixColumn,
  MatrixEvents,
  MatrixView,
} from '../../protocol/matrix.ts';
import { t } from '../common/language.ts';

const keyOf = (columnId: string, caseId: number): string => `${columnId}/${caseId}`;

/** What the page knows, and how it is to be shown: names may be hidden. */
export class MatrixModel {
  #view: MatrixView;
  readonly #cells = new Map<string, MatrixCell>();
  readonly #best = new Map<number, string>();
  /** Columns in another order than they were added in, while nobody is to know which is which. */
  #hidden: readonly MatrixColumn[] | undefined;

  constructor(view: MatrixView) {
    this.#view = view;
    this.show(view);
  }

  get view(): MatrixView {
    return this.#view;
  }

  get isBlind(): boolean {
    return this.#hidden !== undefined;
  }

  /** As they stand beside each other. */
  get columns(): readonly MatrixColumn[] {
    return this.#hidden ?? this.#view.columns;
  }

  show(view: MatrixView): void {
    const isSame =
      view.columns.length === this.#view.columns.length &&
      view.columns.every(({ id }, at) => id === this.#view.columns[at]?.id);
    if (!isSame) this.#hidden = undefined;
    this.#view = view;
    this.#cells.clear();
    for (const cell of view.cells) this.#cells.set(keyOf(cell.columnId, cell.caseId), cell);
    this.#best.clear();
    for (const [caseId, columnId] of view.best) this.#best.set(caseId, columnId);
  }

  take({ cells, foots, progress }: MatrixEvents['cells']): void {
    for (const cell of cells) this.#cells.set(keyOf(cell.columnId, cell.caseId), cell);
    this.#view = { ...this.#view, foots, progress };
  }

  /** Undefined: it waits. */
  cell(columnId: string, caseId: number): MatrixCell | undefined {
    return this.#cells.get(keyOf(columnId, caseId));
  }

  foot(columnId: string): ColumnFoot | undefined {
    return this.#view.foots.find((one) => one.columnId === columnId);
  }

  best(caseId: number): string | undefined {
    return this.#best.get(caseId);
  }

  decide(caseId: number, columnId: string | null): void {
    if (columnId === null) this.#best.delete(caseId);
    else this.#best.set(caseId, columnId);
  }

  get decided(): number {
    return this.#best.size;
  }

  /** `shuffle`: gives them another order. */
  setBlind(isBlind: boolean, shuffle: <Item>(items: readonly Item[]) => readonly Item[]): void {
    this.#hidden = isBlind ? shuffle(this.#view.columns) : undefined;
  }

  /** What a column is called as long as its name is hidden. */
  titleOf(column: MatrixColumn): string {
    return this.isBlind
      ? t('Variant {0}', String.fromCharCode(65 + this.columns.indexOf(column)))
      : column.title;
  }
}
