import { pageSize } from '../../../protocol/grid-cells.ts';
import { explain, type Host } from '../connection.ts';
import type { SheetModel } from '../model/sheet-model.ts';
import type { Viewport } from './viewport.ts';
import { PageWindow } from './window.ts';

export interface PagesParts {
  readonly host: Host;
  readonly model: SheetModel;
  readonly viewport: Viewport;
  readonly signal: AbortSignal;
}

/** The pages of a sheet on the clock of the browser: those that are looked at are asked for. */
export function makePages({ host, model, viewport, signal }: PagesParts): PageWindow {
  const { changes, store, view } = model;
  const pages = new PageWindow({
    store,
    clock: {
      now: () => performance.now(),
      after: (ms, action) => {
        const timer = setTimeout(action, ms);
        return () => clearTimeout(timer);
      },
    },
    ask: (page, generation, aborted) => host.rows(page, generation, aborted),
    explain,
    changed: (page) => {
      model.noteRows();
      if (page === undefined || viewport.shows(page)) changes.mark('values');
      changes.mark('rows');
    },
    alsoKeep: () =>
      [model.selection.cursor.row, view.editing?.position ?? 0].map((row) =>
        Math.floor(Math.max(0, row) / pageSize),
      ),
  });
  const look = (): void => {
    const { first, last } = view.window;
    const isHere = store.rowIndex(first) !== undefined && store.rowIndex(last) !== undefined;
    // The first rows are there already: others wait until those are painted.
    if (view.isPainted || !isHere) pages.move(first, last, model.rowCount);
  };
  // In this order: what is asked for anew is on screen by then.
  changes.eachFrame(['window', 'generation'], (changed) => {
    if (changed.has('window')) look();
    if (changed.has('generation')) pages.reset();
  });
  changes.atOnce(['problem'], () => {
    if (view.problem === null) pages.retryAll();
  });
  signal.addEventListener('abort', () => pages.close());
  return pages;
}
