import type { GridActions } from '../actions/grid-actions.ts';
import type { Cursor } from './cursor.ts';
import type { KeyAction } from './keyboard.ts';
import type { SheetModel } from '../model/sheet-model.ts';
import { atSpot, headerRow, selectAll, selectColumns, selectRows } from './selection.ts';

export interface KeyActionsOptions {
  readonly model: SheetModel;
  readonly cursor: Cursor;
  readonly actions: GridActions;
  readonly edit: (typed?: string) => void;
  /** Enter on the cell or title under the cursor. */
  readonly activate: () => void;
  readonly openMenu: () => void;
  readonly leave: () => void;
}

/** Carries out what a key on the rows stands for. False when the key is not for the grid. */
export function performKey(action: KeyAction, options: KeyActionsOptions): boolean {
  const { model, cursor, actions } = options;
  const { selection, extent } = model;
  const spot = selection.cursor;
  const isHeader = spot.row === headerRow;
  switch (action.do) {
    case 'move':
      cursor.move(action.to, action.extend);
      return true;
    case 'type':
      if (isHeader || !model.cursorColumn?.column.editable) return false;
      options.edit(action.text);
      return true;
    case 'activate':
      options.activate();
      return true;
    case 'edit':
      if (!isHeader) options.edit();
      return true;
    case 'clear':
      if (!isHeader) actions.clear();
      return true;
    case 'selectColumn':
      cursor.select(selectColumns(selection, Math.max(0, spot.column), extent));
      return true;
    case 'selectRow':
      if (!isHeader) cursor.select(selectRows(selection, spot.row, extent));
      return true;
    case 'selectAll':
      cursor.select(selectAll(selection, extent));
      return true;
    case 'copy':
      actions.copy('tsv', false);
      return true;
    case 'cut':
    case 'undo':
    case 'redo':
    case 'find':
    case 'fillDown':
      actions[action.do]();
      return true;
    case 'details':
      actions.toggleDetails();
      return true;
    case 'menu':
      options.openMenu();
      return true;
    case 'moveColumn':
      actions.moveColumn(action.step);
      return true;
    case 'widen':
      actions.widen(action.step * 16);
      return true;
    case 'leave':
      if (model.isMultiple) cursor.select(atSpot(spot));
      else options.leave();
      return true;
    case 'commit':
      // Nothing is being edited; VS Code must not try to save the view either.
      return true;
    case 'nextRegion':
    case 'previousRegion':
      return false;
  }
}
