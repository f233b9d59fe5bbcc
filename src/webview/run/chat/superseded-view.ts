import { visible } from '../../../protocol/visible.ts';
import { button } from '../../common/buttons.ts';
import { el } from '../../common/dom.ts';
import { t } from '../../common/language.ts';
import { saidNodes } from './turn-view.ts';
import type { Superseded } from './turns.ts';

/** Turns that are not said any more: kept, dimmed, and to be had again. */
export class SupersededView {
  readonly element: HTMLDetailsElement;

  constructor({ turns, root }: Superseded, goTo: (id: number) => void) {
    const summary =
      turns.length === 1
        ? t('Superseded: turn {0}', root)
        : t('Superseded: {0} turns from turn {1} on', turns.length, root);
    const body = el('div', 'superseded-body');
    this.element = el('details', 'superseded', {}, [el('summary', '', {}, [summary]), body]);
    // The newest of them that can be gone on from, else the newest.
    const leaf = turns.findLast(({ isUsable }) => isUsable) ?? turns.at(-1);
    const restore = button({
      label: t('Restore'),
      look: 'secondary',
      run: () => {
        if (leaf !== undefined) goTo(leaf.id);
      },
    });
    // Looked at by few: made when somebody does.
    this.element.addEventListener('toggle', () => {
      if (!this.element.open || body.childElementCount > 0) return;
      body.append(
        restore,
        ...turns.flatMap((turn) => [
          ...saidNodes(turn),
          ...turn.parts
            .filter(({ kind }) => kind === 'text' || kind === 'tool')
            .map(({ title, text }) =>
              el('div', 'said-text', { dir: 'auto' }, [
                visible(title === undefined ? text : `${title} ${text}`),
              ]),
            ),
        ]),
      );
    });
  }
}
