import { canRun, type GridColumn } from '../../../protocol/grid-sheet.ts';
import { t } from '../../common/language.ts';
import type { SheetModel } from '../model/sheet-model.ts';
import type { RowRing } from '../rows/rows.ts';

interface Noted {
  readonly element: HTMLElement;
  readonly row: number;
  readonly column: number;
}

function notedAt(ring: RowRing, target: EventTarget | null): Noted | undefined {
  const element = target instanceof Element ? target.closest<HTMLElement>('.cell') : null;
  const place = element && ring.placeOf(element);
  return element && place ? { element, ...place } : undefined;
}

/** Keys that menus ask: those that the extension has set may be of the cell before. */
export const cellKeys = (column: GridColumn): Readonly<Record<string, boolean>> => ({
  'promptTables.cellEditable': column.editable,
  'promptTables.cellComputed': canRun(column),
});
const sheetKeys = ({ canRun: isRun, sheet }: SheetModel): Readonly<Record<string, boolean>> => ({
  'promptTables.selectionComputed': isRun,
  'promptTables.sheetComputed': sheet.columns.some(canRun),
});

/**
 * Writes what VS Code needs to show its own menu for a cell or a row. Written when a menu is asked
 * for: on every cell of a rushing view it would cost a frame. False when no cell is there.
 */
export function writeContext(
  ring: RowRing,
  model: SheetModel,
  target: EventTarget | null,
): boolean {
  const noted = notedAt(ring, target);
  if (noted === undefined) return false;
  const column = model.shown[noted.column]?.column;
  noted.element.dataset['vscodeContext'] = JSON.stringify({
    webviewSection: column === undefined ? 'row' : 'cell',
    position: noted.row,
    rowIndex: model.store.rowIndex(noted.row),
    ...(column && { columnId: column.id, ...cellKeys(column) }),
    ...sheetKeys(model),
    preventDefaultContextMenuItems: true,
  });
  return true;
}

/** A tooltip with all that the page knows of a cell, written when it may be wanted. */
export function writeTooltip(ring: RowRing, model: SheetModel, target: EventTarget | null): void {
  const noted = notedAt(ring, target);
  if (noted === undefined) return;
  const { element, row, column } = noted;
  element.title =
    column >= 0
      ? (element.getAttribute('aria-label') ?? model.cellAt(row, column)?.text ?? '')
      : t('Row {0}, row index {1}', row + 1, model.store.rowIndex(row) ?? t('still unknown'));
}
