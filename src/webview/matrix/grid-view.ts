import type { MatrixCase } from '../../protocol/matrix.ts';
import { visible } from '../../protocol/visible.ts';
import { el, setAttribute, setText } from '../common/dom.ts';
import { t } from '../common/language.ts';
import { CellView } from './cell-view.ts';
import type { MatrixModel } from './model.ts';
import { footLines } from './words.ts';

const rowHeight = 84;
/** Rows above and below what is seen. */
const margin = 4;
/** Summaries are counted anew no more often than that. */
const footMs = 500;
/** Keys name no more. */
const mostNamed = 6;

/** A place in the grid: row -1 is the head, column -1 the names of the cases. */
interface Spot {
  readonly row: number;
  readonly column: number;
}

export interface GridActions {
  readonly open: (columnId: string, caseId: number) => void;
  readonly decide: (caseId: number, columnId: string | null) => void;
  readonly signal: AbortSignal;
}

interface Row {
  readonly element: HTMLElement;
  readonly cells: readonly CellView[];
}

/** Cases down the side, variants across, and below each variant what it comes to. */
export class GridView {
  readonly element = el('div', 'matrix', {
    ...{ role: 'grid', tabindex: '0', 'aria-label': t('Answers') },
  });
  readonly #model: MatrixModel;
  readonly #actions: GridActions;
  readonly #head = el('div', 'row head-row', { role: 'row', 'aria-rowindex': '1' });
  readonly #space = el('div', 'space', { role: 'rowgroup' });
  readonly #foot = el('div', 'row foot-row', { role: 'row' });
  readonly #rows = new Map<number, Row>();
  readonly #dirty = new Set<number>();
  #places = new Map<number, number>();
  #spot: Spot = { row: 0, column: 0 };
  /** The columns that can be seen: of the others nothing is drawn. */
  #inView = { from: 0, to: 0 };
  #frame: number | undefined;
  #footTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(model: MatrixModel, actions: GridActions) {
    this.#model = model;
    this.#actions = actions;
    const group = (row: HTMLElement, className: string): HTMLElement =>
      el('div', className, { role: 'rowgroup' }, [row]);
    this.element.append(
      group(this.#head, 'head-group'),
      this.#space,
      group(this.#foot, 'foot-group'),
    );
    const { signal } = actions;
    this.element.addEventListener('scroll', () => this.#drawRows(), { signal });
    this.element.addEventListener('keydown', (event) => this.#onKey(event), { signal });
    this.element.addEventListener('click', ({ target }) => this.#onPress(target, false), {
      signal,
    });
    this.element.addEventListener('dblclick', ({ target }) => this.#onPress(target, true), {
      signal,
    });
    const size = new ResizeObserver(() => this.#drawRows());
    size.observe(this.element);
    signal.addEventListener('abort', () => {
      size.disconnect();
      clearTimeout(this.#footTimer);
      if (this.#frame !== undefined) cancelAnimationFrame(this.#frame);
    });
  }

  /** Everything anew: other variants, cases, or names. */
  draw(): void {
    const { cases } = this.#model.view;
    const { columns } = this.#model;
    this.#places = new Map(cases.map(({ id }, at) => [id, at]));
    for (const { element } of this.#rows.values()) element.remove();
    this.#rows.clear();
    setAttribute(this.element, 'aria-rowcount', String(cases.length + 2));
    setAttribute(this.element, 'aria-colcount', String(columns.length + 1));
    this.element.style.setProperty('--columns', String(columns.length));
    this.#space.style.height = `${cases.length * rowHeight}px`;
    this.#drawHead();
    this.#drawFoot();
    this.#move({
      row: Math.min(this.#spot.row, cases.length - 1),
      column: Math.min(this.#spot.column, columns.length - 1),
    });
    this.#drawRows();
  }

  /** Answers of these cases are no longer as they were; all that comes until the next frame is drawn at once. */
  changed(caseIds: readonly number[]): void {
    for (const id of caseIds) this.#dirty.add(id);
    this.#frame ??= requestAnimationFrame(() => {
      this.#frame = undefined;
      for (const id of this.#dirty) {
        const at = this.#places.get(id);
        const row = at === undefined ? undefined : this.#rows.get(at);
        if (at !== undefined && row !== undefined) this.#fill(at, row);
      }
      this.#dirty.clear();
    });
    // The last word isn't waited for.
    if (!this.#model.view.progress.isRunning) this.#drawFoot();
    else
      this.#footTimer ??= setTimeout(() => {
        this.#footTimer = undefined;
        this.#drawFoot();
      }, footMs);
  }

  focus(): void {
    this.element.focus();
  }

  #drawHead(): void {
    const corner = el(
      'div',
      'cell side',
      { role: 'columnheader', id: 'm--1--1', 'aria-colindex': '1' },
      [t('Case')],
    );
    const heads = this.#model.columns.map((column, at) => {
      const number = at < mostNamed ? `${at + 1} · ` : '';
      return el(
        'div',
        'cell column-head',
        { role: 'columnheader', id: `m--1-${at}`, 'aria-colindex': String(at + 2) },
        [
          el('div', 'column-title', { dir: 'auto' }, [
            number + visible(this.#model.titleOf(column)),
          ]),
          el('div', 'column-detail dim', { dir: 'auto' }, [
            this.#model.isBlind ? '' : visible(column.detail),
          ]),
        ],
      );
    });
    this.#head.replaceChildren(corner, ...heads);
  }

  #drawFoot(): void {
    const { cases, scorers } = this.#model.view;
    const { columns } = this.#model;
    setAttribute(this.#foot, 'aria-rowindex', String(cases.length + 2));
    const row = cases.length;
    if (this.#foot.childElementCount !== columns.length + 1) {
      this.#foot.replaceChildren(
        el('div', 'cell side', { role: 'rowheader', id: `m-${row}--1`, 'aria-colindex': '1' }, [
          t('Summary'),
        ]),
        ...columns.map((_, at) =>
          el('div', 'cell foot', { role: 'gridcell', 'aria-colindex': String(at + 2) }),
        ),
      );
    }
    this.#foot.firstElementChild?.setAttribute('id', `m-${row}--1`);
    for (const [at, column] of columns.entries()) {
      const cell = this.#foot.children[at + 1];
      if (!(cell instanceof HTMLElement)) continue;
      cell.id = `m-${row}-${at}`;
      const lines = footLines(this.#model.foot(column.id), {
        ...{ cases: cases.length, hasScorers: scorers.length > 0, hides: this.#model.isBlind },
      });
      while (cell.childElementCount > lines.length) cell.lastElementChild?.remove();
      while (cell.childElementCount < lines.length) cell.append(el('div', 'foot-line'));
      for (const [index, [name, value]] of lines.entries()) {
        const line = cell.children[index];
        if (line instanceof HTMLElement) setText(line, `${name}: ${value}`);
      }
    }
  }

  #drawRows(): void {
    const { cases } = this.#model.view;
    const { scrollTop, clientHeight } = this.element;
    this.#look();
    const from = Math.max(0, Math.floor(scrollTop / rowHeight) - margin);
    const to = Math.min(cases.length, Math.ceil((scrollTop + clientHeight) / rowHeight) + margin);
    const isShown = (at: number): boolean => (at >= from && at < to) || at === this.#spot.row;
    for (const [at, { element }] of this.#rows) {
      if (isShown(at)) continue;
      element.remove();
      this.#rows.delete(at);
    }
    const wanted = Array.from({ length: Math.max(0, to - from) }, (_, at) => from + at);
    if (this.#spot.row >= 0 && this.#spot.row < cases.length) wanted.push(this.#spot.row);
    for (const at of wanted) {
      const one = cases[at];
      if (one !== undefined && !this.#rows.has(at)) this.#addRow(at, one);
    }
    this.#mark();
  }

  /** Which columns can be seen; those that come into view are drawn. */
  #look(): void {
    const { scrollLeft, clientWidth } = this.element;
    const first = this.#head.children[1];
    const width = first instanceof HTMLElement ? first.offsetWidth : 0;
    const from = width === 0 ? 0 : Math.floor(scrollLeft / width);
    const to =
      width === 0 ? this.#model.columns.length : Math.ceil((scrollLeft + clientWidth) / width);
    if (from === this.#inView.from && to === this.#inView.to) return;
    this.#inView = { from, to };
    for (const [at, row] of this.#rows) this.#fill(at, row);
  }

  #addRow(at: number, { title, summary }: MatrixCase): void {
    const cells = this.#model.columns.map(
      (_, column) => new CellView(`m-${at}-${column}`, column + 2),
    );
    const side = el(
      'div',
      'cell side',
      { role: 'rowheader', id: `m-${at}--1`, 'aria-colindex': '1', title: visible(summary) },
      [
        el('div', 'case-title', { dir: 'auto' }, [visible(title)]),
        el('div', 'case-summary dim', { dir: 'auto' }, [visible(summary)]),
      ],
    );
    const element = el('div', 'row', { role: 'row', 'aria-rowindex': String(at + 2) }, [
      side,
      ...cells.map((cell) => cell.element),
    ]);
    element.style.top = `${at * rowHeight}px`;
    const row = { element, cells };
    this.#rows.set(at, row);
    this.#fill(at, row);
    // In the order in which they are read.
    const after = [...this.#rows.keys()].filter((other) => other > at);
    const next = after.length === 0 ? undefined : this.#rows.get(Math.min(...after));
    this.#space.insertBefore(element, next?.element ?? null);
  }

  #fill(at: number, { cells }: Row): void {
    const one = this.#model.view.cases[at];
    if (one === undefined) return;
    const best = this.#model.best(one.id);
    const { isBlind } = this.#model;
    const { from, to } = this.#inView;
    for (const [index, column] of this.#model.columns.entries()) {
      if (index < from || index >= to) continue;
      const cell = this.#model.cell(column.id, one.id);
      cells[index]?.show(cell, { isBest: best === column.id, isBlind });
    }
  }

  #mark(): void {
    const { row, column } = this.#spot;
    const id = `m-${row}-${column}`;
    for (const each of this.element.querySelectorAll('.here')) each.classList.remove('here');
    const here = document.getElementById(id);
    here?.classList.add('here');
    setAttribute(this.element, 'aria-activedescendant', here === null ? undefined : id);
  }

  #move({ row, column }: Spot): void {
    const { cases } = this.#model.view;
    this.#spot = {
      row: Math.max(-1, Math.min(cases.length, row)),
      column: Math.max(-1, Math.min(this.#model.columns.length - 1, column)),
    };
  }

  #go(spot: Spot): void {
    this.#move(spot);
    this.#reveal();
    this.#drawRows();
  }

  /** Between head and foot, and beside the names of the cases. */
  #reveal(): void {
    const { row, column } = this.#spot;
    const { cases } = this.#model.view;
    const view = this.element;
    if (row >= 0 && row < cases.length) {
      const room = view.clientHeight - this.#head.offsetHeight - this.#foot.offsetHeight;
      const top = row * rowHeight;
      if (top < view.scrollTop) view.scrollTop = top;
      else if (top + rowHeight > view.scrollTop + room) view.scrollTop = top + rowHeight - room;
    }
    const head = this.#head.children[column + 1];
    const side = this.#head.firstElementChild;
    if (column < 0 || !(head instanceof HTMLElement) || !(side instanceof HTMLElement)) return;
    const left = head.offsetLeft - side.offsetWidth;
    const right = head.offsetLeft + head.offsetWidth;
    if (left < view.scrollLeft) view.scrollLeft = left;
    else if (right > view.scrollLeft + view.clientWidth) view.scrollLeft = right - view.clientWidth;
  }

  #onPress(target: EventTarget | null, isDouble: boolean): void {
    const cell = target instanceof Element ? target.closest('[id^="m-"]') : null;
    const [, row, column] = /^m-(-?\d+)-(-?\d+)$/.exec(cell?.id ?? '') ?? [];
    if (row === undefined || column === undefined) return;
    this.#go({ row: Number(row), column: Number(column) });
    if (isDouble) this.#open();
  }

  #open(): void {
    const one = this.#model.view.cases[this.#spot.row];
    const column = this.#model.columns[this.#spot.column];
    if (one !== undefined && column !== undefined) this.#actions.open(column.id, one.id);
  }

  #decide(index: number | null): void {
    const one = this.#model.view.cases[this.#spot.row];
    if (one === undefined) return;
    const column = index === null ? null : this.#model.columns[index];
    if (column === undefined) return;
    // Not about an answer that nobody has seen.
    if (column !== null && this.#model.cell(column.id, one.id)?.state !== 'done') return;
    this.#actions.decide(one.id, column?.id ?? null);
    // A decision leads on to the next case, so that a hand stays on the keys.
    if (column !== null)
      this.#go({
        ...this.#spot,
        row: Math.min(this.#spot.row + 1, this.#model.view.cases.length - 1),
      });
  }

  #onKey(event: KeyboardEvent): void {
    if (event.altKey || event.metaKey) return;
    const goal = this.#goal(event);
    if (goal !== undefined) {
      event.preventDefault();
      this.#go(goal);
      return;
    }
    if (event.ctrlKey) return;
    const act = this.#action(event.key);
    if (act === undefined) return;
    event.preventDefault();
    act();
  }

  #action(key: string): (() => void) | undefined {
    if (key === 'Enter') return () => this.#open();
    if (key === ' ') return () => this.#decide(this.#spot.column);
    if (key === '0') return () => this.#decide(null);
    return /^[1-6]$/.test(key) ? () => this.#decide(Number(key) - 1) : undefined;
  }

  #goal({ key, ctrlKey }: KeyboardEvent): Spot | undefined {
    const { row, column } = this.#spot;
    const last = this.#model.columns.length - 1;
    const rows = this.#model.view.cases.length;
    const page = Math.max(1, Math.floor(this.element.clientHeight / rowHeight) - 2);
    switch (key) {
      case 'ArrowUp':
        return { row: row - 1, column };
      case 'ArrowDown':
        return { row: row + 1, column };
      case 'ArrowLeft':
        return { row, column: column - 1 };
      case 'ArrowRight':
        return { row, column: column + 1 };
      case 'PageUp':
        return { row: Math.max(0, row - page), column };
      case 'PageDown':
        return { row: Math.min(rows - 1, row + page), column };
      case 'Home':
        return { row: ctrlKey ? 0 : row, column: -1 };
      case 'End':
        return { row: ctrlKey ? rows - 1 : row, column: last };
      default:
        return undefined;
    }
  }
}
