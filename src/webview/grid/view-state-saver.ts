import { pageSize } from '../../protocol/grid-cells.ts';
import type { GridState } from '../../protocol/grid.ts';
import type { Host } from './connection.ts';
import type { SheetModel } from './model/sheet-model.ts';
import { stateOf } from './saved-state.ts';
import type { Timers } from './timers.ts';
import type { Viewport } from './rows/viewport.ts';

export interface ViewStateSaverOptions {
  readonly host: Host;
  readonly model: SheetModel;
  readonly viewport: Viewport;
  readonly timers: Timers;
  readonly save: (state: GridState) => void;
  readonly signal: AbortSignal;
}

/** Where the user is: kept for the view that comes after this one, and told to the extension. */
export class ViewStateSaver {
  readonly #options: ViewStateSaverOptions;
  #reportedPages = '';

  constructor(options: ViewStateSaverOptions) {
    this.#options = options;
    const { model, signal } = options;
    document.addEventListener('visibilitychange', () => this.#save(), { signal });
    window.addEventListener('pagehide', () => this.#save(), { signal });
    const { changes } = model;
    changes.eachFrame(['window'], () => this.#rowsShown());
    changes.eachFrame(['selection', 'layout', 'editing'], () => this.#cursorMoved());
    changes.eachFrame(['details'], () => this.#saveSoon());
  }

  #saveSoon(): void {
    this.#options.timers.later('save', 200, () => this.#save());
  }

  #cursorMoved(): void {
    this.#options.timers.later('cursor', 50, () => this.#tellCursor());
    this.#saveSoon();
  }

  #rowsShown(): void {
    this.#saveSoon();
    const { first, last } = this.#options.model.view.window;
    const key = `${Math.floor(first / pageSize)} ${Math.floor(last / pageSize)}`;
    if (key === this.#reportedPages) return;
    this.#reportedPages = key;
    this.#options.timers.later('visiblePages', 60, () => this.#tellPages());
  }

  #tellPages(): void {
    const [first, last] = this.#reportedPages.split(' ').map(Number);
    if (first === undefined || last === undefined) return;
    this.#options.host.tell('visiblePages', { first, last });
  }

  #tellCursor(): void {
    const { host, model } = this.#options;
    const cell = model.cursorCell;
    const editing = model.view.editing !== undefined;
    const { position, columnId } = cell ?? {};
    const isKnown = position !== undefined && columnId !== undefined;
    const { canRun } = model;
    host.tell('cursor', isKnown ? { position, columnId, editing, canRun } : null);
  }

  #save(): void {
    const { model, viewport, save } = this.#options;
    save(stateOf(model, viewport));
  }
}
