/** What the measurements need of a grid. Everything here runs in the page. */
export interface Contender {
  readonly scroller: () => HTMLElement;
  /** Row position at a height within the scrolled area, as drawn; undefined when none is. */
  readonly rowAt: (y: number) => number | undefined;
  /** Row position that should be there. */
  readonly expectedAt: (y: number) => number;
  /** True when the row at that height shows its values, not a placeholder. */
  readonly isFilled: (y: number) => boolean;
  readonly update: (changes: readonly Change[]) => void;
  readonly firstRow: () => number;
  readonly jump: (row: number) => void;
  readonly focus: () => void;
  /** Row of the cursor: proves that keys arrive. */
  readonly cursorRow: () => number;
}

export interface Change {
  readonly row: number;
  readonly column: number;
  readonly text: string;
}

export const rowCount = 100_000;
export const columnCount = 20;
export const rowHeight = 28;
export const columnWidth = 120;
