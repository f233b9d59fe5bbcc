import type { GridState, ViewEvents } from '../../../protocol/grid.ts';
import type { EditPlace, FinishedEdit } from '../edit/editor.ts';
import type { Changes } from './changes.ts';

/** Positions, both ends included. */
export interface RowsOnScreen {
  readonly first: number;
  readonly last: number;
}

export interface DetailsState {
  readonly isOpen: boolean;
  /** As the user has dragged its edge; undefined: the usual size. */
  readonly size: number | undefined;
}

/** Rows that hold what is looked for, by the column it stands in. */
export type Hits = ReadonlyMap<string, ReadonlySet<number>>;

/** What this page shows of a sheet, beside the sheet itself. */
export class ViewState {
  readonly #changes: Changes;
  #window: RowsOnScreen = { first: 0, last: 0 };
  #isPainted = false;
  #hits: Hits | undefined;
  #details: DetailsState;
  #editing: EditPlace | undefined;
  #draft: FinishedEdit | undefined;
  #problem: ViewEvents['problem'] = null;

  constructor(changes: Changes, saved: GridState | undefined) {
    this.#changes = changes;
    this.#details = { isOpen: saved?.detailsOpen ?? false, size: saved?.detailsSize };
  }

  get window(): RowsOnScreen {
    return this.#window;
  }

  set window(window: RowsOnScreen) {
    this.#window = window;
    this.#changes.mark('window');
  }

  /** The first rows have been painted. */
  get isPainted(): boolean {
    return this.#isPainted;
  }

  painted(): void {
    this.#isPainted = true;
    this.#changes.mark('painted');
  }

  /** Undefined: nothing is looked for. */
  get hits(): Hits | undefined {
    return this.#hits;
  }

  set hits(hits: Hits | undefined) {
    if (hits === undefined && this.#hits === undefined) return;
    this.#hits = hits;
    this.#changes.mark('hits');
  }

  /** The cell being edited. */
  get editing(): EditPlace | undefined {
    return this.#editing;
  }

  set editing(place: EditPlace | undefined) {
    this.#editing = place;
    this.#changes.mark('editing');
  }

  /** A text being typed, to be kept in case the page goes away. */
  get draft(): FinishedEdit | undefined {
    return this.#draft;
  }

  set draft(draft: FinishedEdit | undefined) {
    this.#draft = draft;
    this.#changes.mark('editing');
  }

  get details(): DetailsState {
    return this.#details;
  }

  set details(details: DetailsState) {
    this.#details = details;
    this.#changes.mark('details');
  }

  toggleDetails(): void {
    this.details = { ...this.#details, isOpen: !this.#details.isOpen };
  }

  /** What is wrong with the connection or the sheet as a whole. */
  get problem(): ViewEvents['problem'] {
    return this.#problem;
  }

  set problem(problem: ViewEvents['problem']) {
    this.#problem = problem;
    this.#changes.mark('problem');
  }
}
