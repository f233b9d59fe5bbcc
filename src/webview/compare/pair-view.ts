import type { ComparedRow, ComparedSide, ComparisonView, Verdict } from '../../protocol/compare.ts';
import { el, setText } from '../common/dom.ts';
import { t } from '../common/language.ts';
import { differencesOf, partElements } from './differences.ts';

interface Pane {
  readonly head: HTMLElement;
  readonly text: HTMLElement;
}

const paneOf = (title: string): Pane => ({
  head: el('h2', 'pane-title', { dir: 'auto' }, [title]),
  text: el('div', 'pane-text', {
    tabindex: '0',
    role: 'region',
    'aria-label': title,
    dir: 'auto',
  }),
});

function fill({ text }: ComparedSide, element: HTMLElement, parts: readonly Node[]): void {
  if (text === null) element.replaceChildren(el('span', 'dim', {}, [t('no value')]));
  else if (text === '') element.replaceChildren(el('span', 'dim', {}, [t('empty')]));
  else element.replaceChildren(...parts);
}

/** The two values of a row beside each other, with what differs. */
export class PairView {
  readonly note = el('p', 'dim', { role: 'status' });
  readonly element: HTMLElement;
  readonly #panes: { readonly left: Pane; readonly right: Pane };

  constructor({ left, right }: ComparisonView) {
    this.#panes = { left: paneOf(left.title), right: paneOf(right.title) };
    this.element = el(
      'div',
      'panes',
      {},
      [this.#panes.left, this.#panes.right].map(({ head, text }) =>
        el('section', 'pane', {}, [head, text]),
      ),
    );
  }

  show({ left, right }: ComparedRow): void {
    const difference = differencesOf(left.text ?? '', right.text ?? '');
    fill(left, this.#panes.left.text, partElements(difference.left, 'del'));
    fill(right, this.#panes.right.text, partElements(difference.right, 'ins'));
    setText(this.note, left.text === right.text ? t('Both are the same.') : '');
  }

  showVerdict(verdict: Verdict | null): void {
    for (const side of ['left', 'right'] as const) {
      this.#panes[side].head.classList.toggle('wins', verdict === side);
    }
  }
}
