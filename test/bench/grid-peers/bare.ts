/** The least that scrolls: a ring of rows under a capped spacer, and no other feature. */
import { CappedScroll } from '../../../src/webview/grid/rows/scroll.ts';
import { columnCount, columnWidth, rowCount, rowHeight, type Contender } from './contender.ts';
import { measureWith } from './measures.ts';
import { change, textAt } from './values.ts';

interface Row {
  readonly element: HTMLElement;
  readonly cells: HTMLElement[];
  position: number;
}

const host = document.getElementById('host')!;
const scroller = document.createElement('div');
const spacer = document.createElement('div');
const block = document.createElement('div');
scroller.className = 'scroller';
spacer.className = 'spacer';
block.className = 'block';
scroller.tabIndex = 0;
scroller.append(spacer, block);
host.append(scroller);

const scroll = new CappedScroll();
scroll.resize(rowCount * rowHeight, scroller.clientHeight);
spacer.style.height = `${scroll.spacer}px`;
spacer.style.width = `${columnCount * columnWidth}px`;
const count = Math.ceil(scroller.clientHeight / rowHeight) + 9;
const columnsInView = Math.ceil(scroller.clientWidth / columnWidth) + 1;
let first = 0;
let cursor = 0;

const rows: Row[] = Array.from({ length: count }, () => {
  const element = document.createElement('div');
  element.className = 'row';
  const cells = Array.from({ length: columnsInView }, (_, column) => {
    const cell = document.createElement('div');
    cell.className = 'cell';
    cell.style.left = `${column * columnWidth}px`;
    cell.style.width = `${columnWidth}px`;
    cell.append('');
    return cell;
  });
  element.append(...cells);
  block.append(element);
  return { element, cells, position: -1 };
});

function bind(row: Row, position: number): void {
  row.position = position;
  row.element.classList.toggle('cursor', position === cursor);
  for (const [column, cell] of row.cells.entries()) {
    (cell.firstChild as Text).data = textAt(position, column);
  }
}

function draw(): void {
  const begin = Math.max(0, Math.min(rowCount - count, Math.floor(scroll.top / rowHeight) - 4));
  const step = begin - first;
  if (Math.abs(step) < count) {
    for (let turn = 0; turn < step; turn++) {
      const row = rows.shift()!;
      block.append(row.element);
      rows.push(row);
    }
    for (let turn = 0; turn > step; turn--) {
      const row = rows.pop()!;
      block.prepend(row.element);
      rows.unshift(row);
    }
  }
  first = begin;
  for (const [index, row] of rows.entries()) {
    if (row.position !== first + index) bind(row, first + index);
  }
  const offset = Math.round(scroller.scrollTop + first * rowHeight - scroll.top);
  block.style.transform = `translateY(${offset}px)`;
}

scroller.addEventListener('scroll', () => {
  scroll.scrolled(scroller.scrollTop);
  draw();
});
scroller.addEventListener('keydown', (event) => {
  if (event.key !== 'ArrowDown') return;
  event.preventDefault();
  const before = cursor;
  cursor = Math.min(rowCount - 1, cursor + 1);
  const end = (cursor + 1) * rowHeight - scroller.clientHeight;
  if (end > scroll.top) scroller.scrollTop = scroll.jump(end);
  for (const row of rows)
    if (row.position === before || row.position === cursor) bind(row, row.position);
  draw();
});
draw();

const contender: Contender = {
  scroller: () => scroller,
  expectedAt: (y) => Math.floor((scroll.top + y) / rowHeight),
  rowAt: (y) => {
    const box = scroller.getBoundingClientRect();
    const element = document.elementFromPoint(box.left + 30, box.top + y)?.closest('.row');
    return rows.find((row) => row.element === element)?.position;
  },
  isFilled: () => true,
  firstRow: () => Math.floor(scroll.top / rowHeight),
  update: (changes) => {
    for (const { row, column, text } of changes) {
      change(row, column, text);
      const cell = rows[row - first]?.cells[column];
      if (cell) (cell.firstChild as Text).data = text;
    }
  },
  jump: (row) => {
    scroller.scrollTop = scroll.jump(row * rowHeight);
    draw();
  },
  focus: () => scroller.focus(),
  cursorRow: () => cursor,
};
measureWith(contender);
