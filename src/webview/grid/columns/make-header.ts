import { timeColumn } from '../../../protocol/request-log.ts';
import type { AllActions } from '../actions.ts';
import { withMoved, withWidth } from './arrangement.ts';
import type { ColumnMenus } from './column-menus.ts';
import type { Cursor } from '../cursor/cursor.ts';
import { Header } from './header.ts';
import type { SheetModel } from '../rows/model.ts';
import { atSpot, headerRow, selectColumns } from '../cursor/selection.ts';

export interface HeaderParts {
  readonly model: SheetModel;
  readonly actions: AllActions;
  readonly cursor: () => Cursor;
  readonly menus: () => ColumnMenus;
  readonly signal: AbortSignal;
}

/** The head of the columns, and what is done with it. */
export function makeHeader({ model, actions, cursor, menus, signal }: HeaderParts): Header {
  return new Header(
    model,
    {
      pick: (column, { shiftKey, ctrlKey, metaKey }) => {
        cursor().focus();
        const how = { extend: shiftKey, add: ctrlKey || metaKey };
        cursor().select(selectColumns(model.selection, column, model.extent, how));
      },
      openMenu: (column, anchor) => {
        cursor().select(atSpot({ row: headerRow, column }));
        menus().openColumn(column, anchor);
      },
      resize: (columnId, width, isFinal) =>
        actions.arrange(withWidth(model.layout, columnId, width), isFinal),
      move: (columnId, beforeId) => {
        const columns = model.sheet.columns;
        actions.setLayout(withMoved(columns, model.layout, { columnId, beforeId }));
        actions.keepMove(columnId, beforeId);
      },
      sort: () => {
        const { order, log } = model.sheet;
        if (log === undefined) actions.sort(order === 'asc' ? 'desc' : 'asc');
        else {
          const isByTime = log.sortColumn === timeColumn;
          actions.sort(isByTime && order === 'desc' ? 'asc' : 'desc', timeColumn);
        }
      },
    },
    signal,
  );
}
