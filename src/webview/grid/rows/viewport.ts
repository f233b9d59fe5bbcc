import { pageSize } from '../../../protocol/grid-cells.ts';
import { el, setAttribute } from '../../common/dom.ts';
import { columnsInView } from '../columns/arrangement.ts';
import type { Header } from '../columns/header.ts';
import type { Slice } from '../model/changes.ts';
import type { SheetModel } from '../model/sheet-model.ts';
import { RowRing, type Slots } from './rows.ts';
import { CappedScroll } from './scroll.ts';

export interface ViewportOptions {
  readonly model: SheetModel;
  /** The row of column titles, sticky at the top. */
  readonly header: Header;
  readonly signal: AbortSignal;
}

let canvas: CanvasRenderingContext2D | null | undefined;

/** Width of an “i” in the font of the values. */
function narrowestLetter(grid: HTMLElement): number {
  canvas ??= document.createElement('canvas').getContext('2d');
  if (canvas === null) return 3;
  canvas.font = getComputedStyle(grid).font;
  return Math.max(3, canvas.measureText('i').width);
}

/** Rows drawn beyond each edge, once what is in view has been painted. */
const overscan = 4;
const settleMs = 150;

/** The scrolled area: decides which rows and columns are drawn, and where. */
export class Viewport {
  readonly element: HTMLElement;
  readonly grid = el('div', 'grid', {
    role: 'grid',
    tabindex: '0',
    'aria-multiselectable': 'true',
  });
  readonly ring: RowRing;
  #rowHeight = 26;
  readonly #options: ViewportOptions;
  readonly #scroll = new CappedScroll();
  #height = 0;
  #width = 0;
  /** Where the scrollbars are. Reading them from the element would cost a layout after each change. */
  #thumb = 0;
  #left = 0;
  /** The browser has told how large the area is. */
  #isMeasured = false;
  /** The version of the layout that is drawn; undefined before the first drawing. */
  #laidOut: number | undefined;
  #settle: ReturnType<typeof setTimeout> | undefined;
  /** The idle time in which elements follow a small step. */
  #centring = 0;
  #isCentring = false;
  #slots: Slots = { pinned: 0, from: 0, to: -1 };

  constructor(options: ViewportOptions) {
    this.#options = options;
    const { model, header } = options;
    this.ring = new RowRing(model);
    this.grid.append(header.element, this.ring.element);
    this.element = el('div', 'scroller', {}, [this.grid]);
    this.#showName();
    model.changes.eachFrame(['sheet'], () => this.#showName());
    this.element.addEventListener('scroll', () => this.#scrolled(), {
      passive: true,
      signal: options.signal,
    });
    const observer = new ResizeObserver(() => this.#sizeChanged());
    observer.observe(this.element);
    options.signal.addEventListener('abort', () => {
      observer.disconnect();
      clearTimeout(this.#settle);
    });
    const drawn: readonly Slice[] = ['layout', 'size', 'values', 'edits', 'hits', 'cells'];
    model.changes.eachFrame(drawn, (changed) => this.#drawChanged(changed));
  }

  #showName(): void {
    const { tableTitle, title } = this.#options.model.sheet;
    const name = [tableTitle, title].filter((part) => part !== '').join(', ');
    setAttribute(this.grid, 'aria-label', name);
  }

  get headHeight(): number {
    return this.rowHeight + 4;
  }

  get top(): number {
    return this.#scroll.top;
  }

  get firstRow(): number {
    return Math.floor(this.#scroll.top / this.rowHeight);
  }

  get rowsPerPage(): number {
    return Math.max(1, Math.floor(this.#height / this.rowHeight) - 1);
  }

  /** Whether rows of the page are drawn. */
  shows(page: number): boolean {
    const { first, count } = this.ring;
    return (page + 1) * pageSize > first && page * pageSize < first + count;
  }

  /** Where the first drawing begins: nothing is asked for before it. */
  beginAt(row: number, rowHeight: number): void {
    this.#rowHeight = rowHeight;
    this.#scroll.top = row * rowHeight;
  }

  get rowHeight(): number {
    return this.#rowHeight;
  }

  /** The row at the top stays there. */
  set rowHeight(height: number) {
    if (height === this.#rowHeight) return;
    const row = this.firstRow;
    this.#rowHeight = height;
    if (this.#laidOut === undefined) {
      this.#scroll.top = row * height;
      return;
    }
    this.relayout();
    this.scrollToRow(row, 'top');
  }

  /** Columns, widths, the row height or the number of rows changed. */
  relayout(): void {
    const { model } = this.#options;
    const isFirst = this.#laidOut === undefined;
    if (isFirst) this.#completeLater();
    this.#laidOut = model.layoutVersion;
    // At first not more than the page has: to ask the element would cost a layout of its own. What
    // it really has is told before the rows are painted, but where they come after the first frame.
    const isGuess = isFirst && !this.#isMeasured;
    this.#width = isGuess ? innerWidth : this.element.clientWidth;
    const height = isGuess ? innerHeight : this.element.clientHeight;
    this.#height = Math.max(0, height - this.headHeight);
    const thumb = this.#scroll.resize(model.rowCount * this.rowHeight, this.#height);
    this.grid.style.height = `${this.#scroll.spacer + this.headHeight}px`;
    this.grid.style.width = `${model.width}px`;
    this.grid.setAttribute('aria-rowcount', String(model.isCountKnown ? model.rowCount + 1 : -1));
    this.grid.setAttribute('aria-colcount', String(model.shown.length + 1));
    this.element.style.setProperty('--row-height', `${this.rowHeight}px`);
    this.element.style.setProperty('--gutter', `${model.gutter}px`);
    if (model.view.isPainted) this.ring.letterWidth = narrowestLetter(this.grid);
    this.#setThumb(thumb);
    if (!isFirst) this.#left = this.element.scrollLeft;
    this.ring.rebuild();
    this.#slots = { pinned: 0, from: 0, to: -1 };
    this.draw();
  }

  /** One drawing for whatever has changed since the last one. */
  #drawChanged(changed: ReadonlySet<Slice>): void {
    // The first drawing waits for its rows.
    if (this.#laidOut === undefined) return;
    const { model } = this.#options;
    if (changed.has('size')) this.#fitSize();
    if (this.#laidOut !== model.layoutVersion) this.relayout();
    else {
      if (changed.has('values') || changed.has('edits') || changed.has('hits')) this.ring.repaint();
      else this.#paintCells();
      if (changed.has('values') || changed.has('size')) this.draw();
    }
    model.changedCells.clear();
  }

  #paintCells(): void {
    const { model } = this.#options;
    for (const [position, columnIds] of model.changedCells) {
      for (const id of columnIds) this.ring.repaintCell(position, model.columnIndex(id));
    }
  }

  /** Whoever asks where something is, or goes there, may do so before the frame that draws it. */
  #bringUpToDate(): void {
    const isOutdated = this.#laidOut !== this.#options.model.layoutVersion;
    if (this.#laidOut !== undefined && isOutdated) this.relayout();
  }

  scrollToRow(row: number, place: 'nearest' | 'top' = 'nearest'): void {
    this.#bringUpToDate();
    const start = row * this.rowHeight;
    const { top } = this.#scroll;
    if (place === 'top' || start < top) this.#jump(start);
    else if (start + this.rowHeight > top + this.#height) {
      this.#jump(start + this.rowHeight - this.#height);
    }
  }

  scrollSideways(left: number): void {
    this.element.scrollLeft = left;
    this.#left = this.element.scrollLeft;
    this.draw();
  }

  /** Where the rows in view begin, within the scrolled area. */
  get topEdge(): number {
    return this.#thumb + this.headHeight;
  }

  get scrollLeft(): number {
    return this.#left;
  }

  scrollToColumn(index: number): void {
    this.#bringUpToDate();
    const { model } = this.#options;
    const column = model.shown[index];
    if (column === undefined || index < this.#slots.pinned) return;
    const sticky = this.#stickyWidth();
    const right = column.left + column.width - this.#width;
    if (column.left < this.#left + sticky) this.scrollSideways(column.left - sticky);
    else if (right > this.#left) this.scrollSideways(Math.min(right, column.left - sticky));
  }

  /** Top left corner of a cell within the scrolled area, and its size. */
  boxOf(row: number, index: number): { left: number; top: number; width: number } | undefined {
    this.#bringUpToDate();
    const column = this.#options.model.shown[index];
    if (column === undefined) return undefined;
    return {
      left: index < this.#slots.pinned ? this.#left + column.left : column.left,
      top: this.#pixelOf(row),
      width: column.width,
    };
  }

  /** Where a row is within the scrolled area, kept near the edge when it is out of view. */
  #pixelOf(row: number): number {
    const inView = row * this.rowHeight - this.#scroll.top;
    const near = Math.max(-this.rowHeight * 2, Math.min(this.#height + this.rowHeight, inView));
    return Math.round(this.#thumb + this.headHeight + near);
  }

  draw(): void {
    const { model, header } = this.#options;
    const { isPainted } = model.view;
    const pinned = this.#pinnedCount();
    const { from, to } = columnsInView(model.shown, {
      pinned,
      scrollLeft: this.#left,
      viewWidth: this.#width,
      sticky: this.#stickyWidth(),
    });
    const slots = { pinned, from, to };
    const old = this.#slots;
    if (old.pinned !== pinned || old.from !== from || old.to !== to) {
      this.#slots = slots;
      header.show(slots);
    }
    const { rowCount } = model;
    // One more for a row that is cut at the top: the first drawing begins with a whole one.
    const fitting = Math.ceil(this.#height / this.rowHeight) + (isPainted ? 1 : 0);
    const beyond = isPainted ? overscan : 0;
    const count = Math.min(rowCount, fitting + 2 * beyond);
    const { top } = this.#scroll;
    const begin = this.#beginOf(Math.max(0, Math.min(rowCount - count, this.firstRow - beyond)), {
      count,
      fitting,
    });
    this.ring.show(begin, count, slots);
    const offset = Math.round(this.#thumb + this.headHeight + begin * this.rowHeight - top);
    this.ring.element.style.transform = `translateY(${offset}px)`;
    const last = Math.min(rowCount - 1, Math.floor((top + this.#height - 1) / this.rowHeight));
    model.view.window = { first: this.firstRow, last: Math.max(this.firstRow, last) };
  }

  /**
   * Where the rows begin. A step that those beyond the edge cover moves no element, so that a key is
   * seen at once; the elements follow when there is time, before the last one beyond an edge is used:
   * each move is a frame of its own, in which the next key would have to wait.
   */
  #beginOf(centred: number, { count, fitting }: { count: number; fitting: number }): number {
    const { first } = this.ring;
    const { firstRow } = this;
    const covers =
      this.ring.count === count &&
      first + count <= this.#options.model.rowCount &&
      first <= firstRow &&
      firstRow + fitting <= first + count;
    if (!covers || first === centred || this.#isCentring) return centred;
    const left = Math.min(firstRow - first, first + count - (firstRow + fitting));
    if (left <= 1 && this.#centring === 0) {
      const centre = (): void => {
        this.#centring = 0;
        if (this.#options.signal.aborted) return;
        this.#isCentring = true;
        this.draw();
        this.#isCentring = false;
      };
      this.#centring = requestIdleCallback(centre, { timeout: 200 });
    }
    return first;
  }

  /** Pinned columns stand still only while they leave room for the others. */
  #pinnedCount(): number {
    const { model } = this.#options;
    if (model.sticky > this.#width * 0.6) return 0;
    return model.shown.filter(({ isPinned }) => isPinned).length;
  }

  #stickyWidth(): number {
    const { model } = this.#options;
    return this.#pinnedCount() === 0 ? model.gutter : model.sticky;
  }

  /** Rows beyond the edges, and as many letters as fit the real font: once the first are painted. */
  #completeLater(): void {
    const complete = (): void => {
      if (this.#options.signal.aborted) return;
      const { view } = this.#options.model;
      view.painted();
      const guess = this.ring.letterWidth;
      this.ring.letterWidth = narrowestLetter(this.grid);
      if (this.ring.letterWidth !== guess) this.ring.repaint();
      this.draw();
    };
    requestAnimationFrame(() => requestIdleCallback(complete, { timeout: 500 }));
  }

  #scrolled(): void {
    this.#thumb = this.element.scrollTop;
    this.#left = this.element.scrollLeft;
    // Standing still costs a layer per cell, which only a view moved sideways needs.
    this.grid.classList.toggle('sideways', this.#left > 0);
    const thumb = this.#scroll.scrolled(this.#thumb);
    if (thumb !== undefined) this.#setThumb(thumb);
    clearTimeout(this.#settle);
    if (this.#scroll.ratio !== 1) {
      this.#settle = setTimeout(() => {
        const settled = this.#scroll.settle();
        if (settled === undefined) return;
        this.#setThumb(settled);
        this.draw();
      }, settleMs);
    }
    this.draw();
  }

  #setThumb(thumb: number): void {
    if (Math.abs(this.#thumb - thumb) < 1) return;
    this.#thumb = thumb;
    this.element.scrollTop = thumb;
  }

  #jump(top: number): void {
    this.#setThumb(this.#scroll.jump(top));
    this.draw();
  }

  #sizeChanged(): void {
    // The first layout takes the size that there is by then: it is not told again.
    this.#isMeasured = true;
    if (this.#laidOut === undefined) return;
    const height = Math.max(0, this.element.clientHeight - this.headHeight);
    const width = this.element.clientWidth;
    if (height === this.#height && width === this.#width) return;
    this.#height = height;
    this.#width = width;
    this.#options.model.changes.mark('size');
  }

  #fitSize(): void {
    const { model } = this.#options;
    const thumb = this.#scroll.resize(model.rowCount * this.rowHeight, this.#height);
    this.grid.style.height = `${this.#scroll.spacer + this.headHeight}px`;
    this.#setThumb(thumb);
  }
}
