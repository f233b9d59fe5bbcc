import { pageSize } from '../../../protocol/grid-cells.ts';
import { sentence, strip } from '../around/strip.ts';
import { button } from '../../common/buttons.ts';
import { el } from '../../common/dom.ts';
import { t, spellNumber } from '../../common/language.ts';

export interface Band {
  readonly page: number;
  readonly left: number;
  readonly top: number;
  readonly message: string;
  readonly hint: string | undefined;
  readonly isStopped: boolean;
}

/** Over the rows of pages that could not be loaded. */
export class PageBands {
  readonly element = el('div', 'bands');
  readonly #retry: (page: number) => void;
  #shown = '';

  constructor(retry: (page: number) => void) {
    this.#retry = retry;
  }

  show(bands: readonly Band[]): void {
    const key = bands.map(({ page, message }) => `${page} ${message}`).join('\n');
    if (key !== this.#shown) {
      this.#shown = key;
      this.element.replaceChildren(...bands.map((band) => this.#make(band)));
    }
    for (const [index, { left, top }] of bands.entries()) {
      const element = this.element.children[index];
      if (element instanceof HTMLElement)
        element.style.transform = `translate(${left}px, ${top}px)`;
    }
  }

  #make({ page, message, hint, isStopped }: Band): HTMLElement {
    const label = isStopped ? t('Load these rows') : t('Retry');
    const first = page * pageSize + 1;
    const rows = t('Rows {0} to {1}:', spellNumber(first), spellNumber(first + pageSize - 1));
    const band = strip(isStopped ? 'info' : 'error', `${rows} ${sentence({ message, hint })}`, [
      button({ label, look: 'secondary', run: () => this.#retry(page) }),
    ]);
    band.classList.add('band');
    return band;
  }
}

/** While a far page is being walked to. */
export class WalkNote {
  readonly element = el('div', 'walk-note');
  readonly #text = el('span', 'walk-text');
  readonly #stop: () => void;

  constructor(stop: () => void) {
    this.#stop = stop;
    this.element.hidden = true;
    this.element.append(
      el('span', 'spinner', { 'aria-hidden': 'true' }),
      this.#text,
      button({ label: t('Cancel'), look: 'secondary', run: () => this.#stop() }),
    );
  }

  show(text: string | undefined): void {
    this.element.hidden = text === undefined;
    if (text !== undefined && this.#text.textContent !== text) this.#text.textContent = text;
  }
}
