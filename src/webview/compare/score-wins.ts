import type { ComparisonView, VerdictCounts } from '../../protocol/compare.ts';
import { button } from '../common/buttons.ts';
import { el, setText } from '../common/dom.ts';
import { t } from '../common/language.ts';

/** The columns of scores that were chosen; they stay when the sheet is read anew. */
export interface ChosenScores {
  left: string;
  right: string;
}

export interface ScoreWinsParts {
  readonly columns: ComparisonView['columns'];
  readonly chosen: ChosenScores;
  readonly count: (asked: {
    readonly leftId: string;
    readonly rightId: string;
  }) => Promise<VerdictCounts>;
  readonly spell: (counts: VerdictCounts) => string;
  readonly fail: (error: unknown) => void;
}

/** Counts which column wins by columns that hold scores. */
export class ScoreWins {
  readonly element: HTMLElement;
  readonly #parts: ScoreWinsParts;
  readonly #wins = el('span', 'counts', { role: 'status' });

  constructor(parts: ScoreWinsParts) {
    this.#parts = parts;
    this.element = el('div', 'tools', { role: 'group', 'aria-label': t('Wins by score') }, [
      this.#select('left', t('Score of the left column')),
      this.#select('right', t('Score of the right column')),
      button({
        label: t('Count wins by score'),
        look: 'secondary',
        run: () => void this.#count(),
      }),
      this.#wins,
    ]);
  }

  #select(side: keyof ChosenScores, label: string): HTMLSelectElement {
    const { columns, chosen } = this.#parts;
    const element = el('select', 'select', { 'aria-label': label });
    element.append(el('option', '', { value: '' }, [label]));
    for (const { id, title } of columns) element.append(el('option', '', { value: id }, [title]));
    // A column may have been deleted meanwhile.
    if (!columns.some(({ id }) => id === chosen[side])) chosen[side] = '';
    element.value = chosen[side];
    element.addEventListener('change', () => {
      chosen[side] = element.value;
    });
    return element;
  }

  async #count(): Promise<void> {
    const { chosen, count, spell, fail } = this.#parts;
    if (chosen.left === '' || chosen.right === '') {
      setText(this.#wins, t('Select both score columns first.'));
      return;
    }
    try {
      setText(this.#wins, t('Counting…'));
      setText(this.#wins, spell(await count({ leftId: chosen.left, rightId: chosen.right })));
    } catch (error) {
      setText(this.#wins, '');
      fail(error);
    }
  }
}
