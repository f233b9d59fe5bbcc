import { attempt, type ActionParts } from './action-parts.ts';
import type { GridActions } from './grid-actions.ts';

type ViewActions = Pick<
  GridActions,
  | 'openValue'
  | 'toggleDetails'
  | 'find'
  | 'filterRows'
  | 'clearFilter'
  | 'filterBy'
  | 'sortBy'
  | 'sort'
  | 'reload'
>;

export function viewActions(parts: ActionParts): ViewActions {
  const { host, model, bars, pages } = parts;
  return {
    openValue: () => {
      const cell = model.cursorCell;
      if (cell === undefined) return;
      const { columnId, rowIndex } = cell;
      void attempt(parts, host.ask('openValue', { columnId, rowIndex }));
    },
    toggleDetails: () => model.view.toggleDetails(),
    // The log of requests has a search of its own, which the service carries out.
    find: () => {
      if (model.sheet.log === undefined) bars.find();
    },
    filterRows: () => bars.filter(),
    clearFilter: () => void bars.clear(),
    filterBy: (columnId) => bars.filterBy(columnId),
    sortBy: (key) => void bars.sortBy(key),
    sort: (order, columnId) => {
      const { order: before, log } = model.sheet;
      const isSame = order === before && (columnId ?? log?.sortColumn) === log?.sortColumn;
      const asked = columnId === undefined ? { order } : { order, columnId };
      if (!isSame) void attempt(parts, host.ask('setOrder', asked));
    },
    reload: () => {
      pages.retryAll();
      void attempt(parts, host.ask('reload', null));
    },
  };
}
