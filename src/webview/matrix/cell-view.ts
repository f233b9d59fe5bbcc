import type { MatrixCell } from '../../protocol/matrix.ts';
import { visible } from '../../protocol/visible.ts';
import { el, setAttribute, setText } from '../common/dom.ts';
import { t } from '../common/language.ts';
import { cellFacts, cellState, scoreSigns, scoreWords } from './words.ts';

interface Look {
  readonly isBest: boolean;
  /** Times, prices, and marks of what differs from the first variant would tell which one it is. */
  readonly isBlind: boolean;
}

/** One answer in the grid: its beginning, its state, and what scorers say. */
export class CellView {
  readonly element = el('div', 'cell', { role: 'gridcell' });
  readonly #text = el('div', 'cell-text', { dir: 'auto' });
  readonly #state = el('span', 'cell-state');
  readonly #different = el('span', 'cell-different', {}, [t('differs')]);
  readonly #best = el('span', 'cell-best', {}, [t('best')]);
  readonly #facts = el('span', 'cell-facts');
  readonly #scores = el('span', 'cell-scores', { 'aria-hidden': 'true' });
  readonly #spoken = el('span', 'visually-hidden');

  constructor(id: string, columnIndex: number) {
    this.element.id = id;
    this.element.setAttribute('aria-colindex', String(columnIndex));
    this.element.append(
      this.#text,
      el('div', 'cell-line', {}, [
        this.#state,
        this.#scores,
        this.#best,
        this.#different,
        this.#facts,
        this.#spoken,
      ]),
    );
  }

  show(cell: MatrixCell | undefined, { isBest, isBlind }: Look): void {
    const { state = 'waiting', excerpt = '', length = 0, ending } = cell ?? {};
    const more = length > excerpt.length ? '…' : '';
    // The room of three lines is for words.
    setText(this.#text, visible(excerpt.replace(/\n\s*\n/g, '\n').trim()) + more);
    // What is whole needs no word; what is not is never called done.
    const isPlain = state === 'done' && ending === undefined;
    setText(this.#state, isPlain ? '' : visible(cellState(cell)));
    this.#state.className = `cell-state ${ending === undefined ? state : 'cut'}`;
    this.#best.hidden = !isBest;
    this.#different.hidden = isBlind || cell?.isDifferent !== true;
    setText(this.#facts, cell === undefined || isBlind ? '' : cellFacts(cell));
    setText(this.#scores, cell === undefined ? '' : scoreSigns(cell));
    setText(this.#spoken, cell === undefined ? '' : scoreWords(cell));
    setAttribute(this.element, 'aria-busy', state === 'running' ? 'true' : undefined);
  }
}
