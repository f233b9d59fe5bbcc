import { pageSize } from '../../../protocol/grid-cells.ts';
import { explain, type Host } from '../connection.ts';
import type { SheetModel } from './model.ts';
import { PageWindow } from './window.ts';

/** The pages of a sheet on the clock of the browser. */
export function makePages({
  host,
  model,
  changed,
  editedRow,
}: {
  readonly host: Host;
  readonly model: SheetModel;
  readonly changed: (page?: number) => void;
  readonly editedRow: () => number | undefined;
}): PageWindow {
  return new PageWindow({
    store: model.store,
    clock: {
      now: () => performance.now(),
      after: (ms, action) => {
        const timer = setTimeout(action, ms);
        return () => clearTimeout(timer);
      },
    },
    ask: (page, generation, aborted) => host.rows(page, generation, aborted),
    explain,
    changed,
    alsoKeep: () =>
      [model.selection.cursor.row, editedRow() ?? 0].map((row) =>
        Math.floor(Math.max(0, row) / pageSize),
      ),
  });
}
