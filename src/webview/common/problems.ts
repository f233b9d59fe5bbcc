import { visible } from '../../protocol/visible.ts';
import { button } from './buttons.ts';
import { el } from './dom.ts';
import { icon } from './icons.ts';

export interface Problem {
  readonly message: string;
  readonly hint?: string;
}

export interface Remedy {
  readonly label: string;
  readonly run: () => void;
}

/** What is wrong, with what can be done about it. */
export class Problems {
  readonly element = el('div', 'problems');
  readonly #places = new Map<string, HTMLElement>();

  /** One for each place: the prompt, the run, the panel. Null: all is well there. */
  show(
    place: 'prompt' | 'run' | 'panel',
    problem: Problem | null,
    remedies: readonly Remedy[] = [],
  ): void {
    this.#places.get(place)?.remove();
    this.#places.delete(place);
    if (problem === null) return;
    const { message, hint } = problem;
    const element = el('div', 'banner error', { role: 'alert' }, [
      icon('warning'),
      el('span', 'banner-text', { dir: 'auto' }, [
        visible(hint === undefined ? message : `${message} ${hint}`),
      ]),
      ...remedies.map(({ label, run }) => button({ label, look: 'secondary', run })),
    ]);
    this.#places.set(place, element);
    this.element.append(element);
  }
}
