/** SlickGrid as it ships, fed the same values. */
import { SlickGrid, type Column } from 'slickgrid';
import { columnWidth, rowCount, rowHeight, type Contender } from './contender.ts';
import { measureWith } from './measures.ts';
import { change, columns, textAt } from './values.ts';

class Item {
  readonly row: number;
  constructor(row: number) {
    this.row = row;
  }
}
for (let column = 0; column < columns.length; column++) {
  Object.defineProperty(Item.prototype, `c${column}`, {
    get(this: Item) {
      return textAt(this.row, column);
    },
  });
}

const slickColumns: Column[] = columns.map(({ id, title }) => ({
  id,
  name: title,
  field: id,
  width: columnWidth,
}));
const host = document.getElementById('host')!;
const grid = new SlickGrid(
  host,
  { getLength: () => rowCount, getItem: (row: number) => new Item(row) } as never,
  slickColumns,
  { rowHeight, enableCellNavigation: true, enableColumnReorder: false, nonce: 'bm9uY2U' } as never,
);
const viewport = host.querySelector<HTMLElement>('.slick-viewport-left')!;
const cellAt = (y: number): Element | undefined => {
  const box = viewport.getBoundingClientRect();
  return document.elementFromPoint(box.left + 30, box.top + y)?.closest('.slick-cell') ?? undefined;
};

const contender: Contender = {
  scroller: () => viewport,
  rowAt: (y) => {
    const cell = cellAt(y);
    return cell ? grid.getCellFromEvent({ target: cell } as never)?.row : undefined;
  },
  expectedAt: (y) => grid.getViewport().top + Math.floor(y / rowHeight),
  isFilled: (y) => (cellAt(y)?.textContent ?? '') !== '',
  firstRow: () => grid.getViewport().top,
  update: (changes) => {
    for (const { row, column, text } of changes) {
      change(row, column, text);
      grid.updateCell(row, column);
    }
  },
  jump: (row) => grid.scrollRowToTop(row),
  focus: () => {
    grid.setActiveCell(2, 2);
    grid.focus();
  },
  cursorRow: () => grid.getActiveCell()?.row ?? 0,
};
measureWith(contender);
