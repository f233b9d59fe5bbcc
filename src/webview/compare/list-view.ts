import type { RowFilter, Verdict } from '../../protocol/compare.ts';
import { pageSize } from '../../protocol/grid-cells.ts';
import { button } from '../common/buttons.ts';
import { el, setAttribute, setText } from '../common/dom.ts';
import { spellNumber, t } from '../common/language.ts';
import type { RowList } from './row-list.ts';

const rowHeight = 24;
/** Rows above and below what is seen. */
const margin = 10;

export interface ListActions {
  readonly go: (position: number) => void;
  readonly choose: (filter: RowFilter) => void;
  /** More rows have been looked at. */
  readonly looked: () => void;
  readonly fail: (error: unknown) => void;
  readonly signal: AbortSignal;
}

const verdictWords = (verdict: Verdict | null): string => {
  switch (verdict) {
    case 'left':
      return t('left better');
    case 'right':
      return t('right better');
    case 'tie':
      return t('tie');
    case null:
      return '';
  }
};

/** The rows beside the pair: number, whether both are the same, and what was decided. */
export class ListView {
  readonly element: HTMLElement;
  readonly #list: RowList;
  readonly #actions: ListActions;
  readonly #box = el('div', 'row-list', {
    ...{ role: 'listbox', tabindex: '0', id: 'rows' },
    'aria-label': t('Rows'),
  });
  readonly #space = el('div', 'row-space', { role: 'presentation' });
  readonly #note = el('p', 'dim', { role: 'status' });
  readonly #all: HTMLButtonElement;
  readonly #filter = el('select', 'select', { 'aria-label': t('Listed rows') });
  #position = 0;
  #looking: AbortController | undefined;

  constructor(list: RowList, actions: ListActions) {
    this.#list = list;
    this.#actions = actions;
    const words: Readonly<Record<RowFilter, string>> = {
      all: t('All rows'),
      different: t('Only differences'),
      undecided: t('Not decided yet'),
    };
    for (const [value, label] of Object.entries(words)) {
      this.#filter.append(el('option', '', { value }, [label]));
    }
    this.#filter.addEventListener('change', () => {
      actions.choose(this.#filter.value as RowFilter);
    });
    this.#all = button({
      label: t('Read all rows'),
      look: 'secondary',
      run: () => this.#toggle(),
    });
    this.#box.append(this.#space);
    this.#box.addEventListener('scroll', () => this.draw());
    this.#box.addEventListener('click', ({ target }) => {
      const row = target instanceof Element ? target.closest<HTMLElement>('[data-position]') : null;
      if (row !== null) actions.go(Number(row.dataset['position']));
    });
    this.#box.addEventListener('keydown', (event) => this.#onKey(event));
    const size = new ResizeObserver(() => this.draw());
    size.observe(this.#box);
    actions.signal.addEventListener('abort', () => {
      size.disconnect();
      this.#looking?.abort();
    });
    this.element = el('section', 'rows', { 'aria-label': t('Rows of the comparison') }, [
      el('div', 'rows-head', {}, [this.#filter, this.#note, this.#all]),
      this.#box,
    ]);
  }

  showFilter(filter: RowFilter): void {
    this.#filter.value = filter;
  }

  /** Marks the row that is shown, and brings it into sight. */
  mark(position: number): void {
    this.#position = position;
    const top = this.#list.indexOf(position) * rowHeight;
    const { scrollTop, clientHeight } = this.#box;
    if (top < scrollTop) this.#box.scrollTop = top;
    else if (top + rowHeight > scrollTop + clientHeight) {
      this.#box.scrollTop = top + rowHeight - clientHeight;
    }
    this.draw();
  }

  draw(): void {
    const { scrollTop, clientHeight } = this.#box;
    const list = this.#list;
    this.#space.style.height = `${list.length * rowHeight}px`;
    const first = Math.max(0, Math.floor(scrollTop / rowHeight) - margin);
    const last = Math.min(list.length, Math.ceil((scrollTop + clientHeight) / rowHeight) + margin);
    const rows: HTMLElement[] = [];
    let active: string | undefined;
    for (let index = first; index < last; index += 1) {
      const position = list.positionAt(index);
      if (position === undefined) continue;
      const row = this.#row(index, position);
      if (position === this.#position) active = row.id;
      rows.push(row);
    }
    this.#space.replaceChildren(...rows);
    setAttribute(this.#box, 'aria-activedescendant', active);
    this.#drawNote();
    void this.#lookAtSeen(first, last);
  }

  #row(index: number, position: number): HTMLElement {
    const list = this.#list;
    const known = list.at(position);
    const number = spellNumber(position + 1);
    const same = known === undefined ? '' : known.isSame ? t('same') : t('different');
    const verdict = verdictWords(known?.verdict ?? null);
    const row = el(
      'div',
      `listed${known?.isSame === false ? ' different' : ''}`,
      {
        ...{ role: 'option', id: `row-${position}`, 'data-position': String(position) },
        'aria-selected': String(position === this.#position),
        'aria-setsize': String(list.length),
        'aria-posinset': String(index + 1),
      },
      [
        el('span', 'listed-number', {}, [number]),
        ' ',
        el('span', 'listed-same', {}, [same]),
        ' ',
        el('span', 'listed-verdict', {}, [verdict]),
      ],
    );
    row.style.top = `${index * rowHeight}px`;
    return row;
  }

  #drawNote(): void {
    const { filter, length, looked, rowCount, isWhole } = this.#list;
    this.#actions.looked();
    const found = spellNumber(length);
    const text = isWhole
      ? t('{0} of {1} rows', found, spellNumber(rowCount))
      : t('{0} rows; {1} of {2} read', found, spellNumber(looked), spellNumber(rowCount));
    setText(this.#note, filter === 'all' ? '' : text);
    this.#all.hidden = filter === 'all' || isWhole;
    const label = this.#looking === undefined ? t('Read all rows') : t('Stop reading');
    this.#all.title = label;
    const shown = this.#all.querySelector<HTMLElement>('.button-label');
    if (shown !== null) setText(shown, label);
  }

  /** Pages in sight; with a filter as many as it takes until there is enough to be seen. */
  async #lookAtSeen(first: number, last: number): Promise<void> {
    const list = this.#list;
    const { signal } = this.#actions;
    try {
      if (list.filter === 'all') {
        const pages = new Set([first, last - 1].map((index) => Math.floor(index / pageSize)));
        const missing = [...pages].filter((page) => list.at(page * pageSize) === undefined);
        if (missing.length === 0) return;
        await Promise.all(missing.map((page) => list.look(page)));
        this.draw();
        return;
      }
      const isEnough = list.length * rowHeight > this.#box.scrollTop + 2 * this.#box.clientHeight;
      const page = list.nextPage;
      if (isEnough || page === undefined || this.#looking !== undefined) return;
      await list.look(page);
      this.draw();
    } catch (error) {
      if (!signal.aborted) this.#actions.fail(error);
    }
  }

  #toggle(): void {
    if (this.#looking !== undefined) {
      this.#looking.abort();
      return;
    }
    const looking = new AbortController();
    this.#looking = looking;
    const signal = AbortSignal.any([looking.signal, this.#actions.signal]);
    const lookAtAll = async (): Promise<void> => {
      for (let page = this.#list.nextPage; page !== undefined; page = this.#list.nextPage) {
        signal.throwIfAborted();
        await this.#list.look(page);
        this.#drawNote();
      }
    };
    this.#drawNote();
    lookAtAll()
      .catch((error: unknown) => {
        if (!signal.aborted) this.#actions.fail(error);
      })
      .finally(() => {
        this.#looking = undefined;
        if (!this.#actions.signal.aborted) this.draw();
      });
  }

  #onKey(event: KeyboardEvent): void {
    const list = this.#list;
    const at = list.indexOf(this.#position);
    const seen = Math.max(1, Math.floor(this.#box.clientHeight / rowHeight) - 1);
    const goal = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      PageDown: at + seen,
      PageUp: at - seen,
      Home: 0,
      End: list.length - 1,
    }[event.key];
    if (goal === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const position = list.positionAt(Math.min(list.length - 1, Math.max(0, goal)));
    if (position !== undefined) this.#actions.go(position);
  }
}
