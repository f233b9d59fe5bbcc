import type { MoveKey } from './keyboard.ts';
import { headerRow, type Extent, type Spot } from './selection.ts';

export interface MoveLimits extends Extent {
  /** Rows of one PageDown. */
  readonly page: number;
  /** Where the cursor enters the rows from the header. */
  readonly firstVisible: number;
}

/** Column of the row numbers; only the header has a cursor there. */
export const numberColumn = -1;

/** Where a key takes the cursor. Above the first row is the header. */
export function moved({ row, column }: Spot, to: MoveKey, limits: MoveLimits): Spot {
  const lastRow = limits.rows - 1;
  const lastColumn = limits.columns - 1;
  const isHeader = row === headerRow;
  const inRows = (target: number): Spot => {
    const whole = Math.max(0, Math.min(lastRow, target));
    return lastRow < 0 ? { row, column } : { row: whole, column: Math.max(0, column) };
  };
  switch (to) {
    case 'up':
      return row <= 0 ? { row: headerRow, column } : inRows(row - 1);
    case 'down':
      return isHeader ? inRows(limits.firstVisible) : inRows(row + 1);
    case 'left':
      return { row, column: Math.max(isHeader ? numberColumn : 0, column - 1) };
    case 'right':
      return { row, column: Math.min(lastColumn, column + 1) };
    case 'rowStart':
      return { row, column: 0 };
    case 'rowEnd':
      return { row, column: lastColumn };
    case 'sheetStart':
      return lastRow < 0 ? { row, column: 0 } : { row: 0, column: 0 };
    case 'sheetEnd':
      return lastRow < 0 ? { row, column: lastColumn } : { row: lastRow, column: lastColumn };
    case 'pageUp':
      return isHeader ? { row, column } : inRows(row - limits.page);
    case 'pageDown':
      return isHeader ? inRows(limits.firstVisible) : inRows(row + limits.page);
  }
}
