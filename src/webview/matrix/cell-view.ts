import type { MatrixCell } from '../../protocol/matrix.ts';
import { visible } from '../../protocol/visible.ts';
import { el, setAttribute, setText } from '../common/dom.ts';
import { t } from '../common/language.ts';
import { cellState, scoreSigns, scoreWords } from './words.ts';

interface Look {
  readonly isBest: boolean;
  /** Marks of what differs from the first variant would tell which one that is. */
  readonly hidesFirst: boolean;
}

/** One answer in the grid: its beginning, its state, and what scorers say. */
export class CellView {
  readonly element = el('div', 'cell', { role: 'gridcell' });
  readonly #text = el('div', 'cell-text', { dir: 'auto' });
  readonly #state = el('span', 'cell-state');
  readonly #different = el('span', 'cell-different', {}, [t('differs')]);
  readonly #best = el('span', 'cell-best', {}, [t('best')]);
  readonly #scores = el('span', 'cell-scores', { 'aria-hidden': 'true' });
  readonly #spoken = el('span', 'visually-hidden');

  constructor(id: string, columnIndex: number) {
    this.element.id = id;
    this.element.setAttribute('aria-colindex', String(columnIndex));
    this.element.append(
      this.#text,
      el('div', 'cell-line', {}, [
        this.#state,
        this.#best,
        this.#different,
        this.#scores,
        this.#spoken,
      ]),
    );
  }

  show(cell: MatrixCell | undefined, { isBest, hidesFirst }: Look): void {
    const { state = 'waiting', excerpt = '', length = 0, ending } = cell ?? {};
    const more = length > excerpt.length ? '…' : '';
    setText(this.#text, visible(excerpt) + more);
    // What is whole needs no word; what is not is never called done.
    const isPlain = state === 'done' && ending === undefined;
    setText(this.#state, isPlain ? '' : visible(cellState(cell)));
    this.#state.className = `cell-state ${ending === undefined ? state : 'cut'}`;
    this.#best.hidden = !isBest;
    this.#different.hidden = hidesFirst || cell?.isDifferent !== true;
    setText(this.#scores, cell === undefined ? '' : scoreSigns(cell));
    setText(this.#spoken, cell === undefined ? '' : scoreWords(cell));
    setAttribute(this.element, 'aria-busy', state === 'running' ? 'true' : undefined);
  }
}
