import type { GridState } from '../../protocol/grid.ts';
import type { SheetModel } from './model/sheet-model.ts';
import type { Viewport } from './rows/viewport.ts';

/** The saved state, when it looks like one of ours and is of this sheet. */
export function readState(value: unknown, sheetId: string): GridState | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const state = value as Partial<GridState>;
  const fits =
    state.sheetId === sheetId &&
    typeof state.firstPosition === 'number' &&
    typeof state.scrollLeft === 'number' &&
    typeof state.detailsOpen === 'boolean';
  return fits ? (state as GridState) : undefined;
}

/** Where the user is, so that the view can come back there. */
export function stateOf(model: SheetModel, viewport: Viewport): GridState {
  const { sheet, selection, cursorColumn } = model;
  const { details, draft } = model.view;
  const position = Math.max(0, selection.cursor.row);
  return {
    tableId: sheet.tableId,
    sheetId: sheet.sheetId,
    connectionId: sheet.connection.id,
    firstPosition: viewport.firstRow,
    scrollLeft: viewport.scrollLeft,
    cursor: cursorColumn ? { position, columnId: cursorColumn.column.id } : null,
    detailsOpen: details.isOpen,
    ...(details.size !== undefined && { detailsSize: details.size }),
    ...(draft && {
      draft: {
        columnId: draft.place.columnId,
        rowIndex: draft.place.rowIndex,
        position: draft.place.position,
        text: draft.text,
        base: draft.base,
      },
    }),
  };
}
