import { pageSize } from '../../protocol/grid-cells.ts';
import type { GridState } from '../../protocol/grid.ts';
import type { Host } from './connection.ts';
import type { Details } from './details/details.ts';
import type { EditFlow } from './edit/edit-flow.ts';
import type { SheetModel } from './rows/model.ts';
import { stateOf } from './saved-state.ts';
import type { Timers } from './timers.ts';
import type { Viewport } from './rows/viewport.ts';

export interface ViewStateSaverOptions {
  readonly host: Host;
  readonly model: SheetModel;
  readonly viewport: Viewport;
  readonly timers: Timers;
  readonly edits: () => EditFlow;
  readonly details: () => Details;
  readonly save: (state: GridState) => void;
  readonly detailsSize: number | undefined;
  readonly signal: AbortSignal;
}

/** Where the user is: kept for the view that comes after this one, and told to the extension. */
export class ViewStateSaver {
  readonly #options: ViewStateSaverOptions;
  detailsSize: number | undefined;
  #reportedPages = '';

  constructor(options: ViewStateSaverOptions) {
    this.#options = options;
    this.detailsSize = options.detailsSize;
    const { signal } = options;
    document.addEventListener('visibilitychange', () => this.#save(), { signal });
    window.addEventListener('pagehide', () => this.#save(), { signal });
  }

  saveSoon(): void {
    this.#options.timers.later('save', 200, () => this.#save());
  }

  cursorMoved(): void {
    this.#options.timers.later('cursor', 50, () => this.#tellCursor());
    this.saveSoon();
  }

  /** The rows on screen; true when they are on other pages than before. */
  rowsShown(first: number, last: number): boolean {
    this.saveSoon();
    const key = `${Math.floor(first / pageSize)} ${Math.floor(last / pageSize)}`;
    if (key === this.#reportedPages) return false;
    this.#reportedPages = key;
    this.#options.timers.later('visiblePages', 60, () => this.#tellPages());
    return true;
  }

  #tellPages(): void {
    const [first, last] = this.#reportedPages.split(' ').map(Number);
    if (first === undefined || last === undefined) return;
    this.#options.host.tell('visiblePages', { first, last });
  }

  #tellCursor(): void {
    const { host, model, edits } = this.#options;
    const cell = model.cursorCell;
    const editing = edits().place !== undefined;
    const { position, columnId } = cell ?? {};
    const isKnown = position !== undefined && columnId !== undefined;
    host.tell('cursor', isKnown ? { position, columnId, editing } : null);
  }

  #save(): void {
    const { model, viewport, edits, details, save } = this.#options;
    save(
      stateOf({
        model,
        viewport,
        isDetailsOpen: details().isOpen,
        detailsSize: this.detailsSize,
        draft: edits().draft,
      }),
    );
  }
}
