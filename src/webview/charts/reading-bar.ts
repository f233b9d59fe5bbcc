import type { SheetCharts } from '../../protocol/charts.ts';
import { button } from '../common/buttons.ts';
import { el, setText } from '../common/dom.ts';
import { focusWithin } from '../common/focus.ts';
import { spellNumber, t } from '../common/language.ts';

/** How far the rows are read, with a button that stops it or begins again. */
export class ReadingBar {
  readonly element: HTMLElement;
  readonly #progress = el('span', '', { role: 'status' });
  readonly #stop: HTMLButtonElement;
  readonly #again: HTMLButtonElement;

  constructor({ read, stop }: { readonly read: () => void; readonly stop: () => void }) {
    this.#stop = button({
      label: t('Stop'),
      icon: 'debug-stop',
      look: 'secondary',
      run: stop,
    });
    this.#stop.hidden = true;
    this.#again = button({
      label: t('Refresh'),
      icon: 'refresh',
      look: 'secondary',
      run: read,
    });
    this.element = el('div', 'reading', {}, [this.#progress, this.#stop, this.#again]);
  }

  show({ state, rows, of }: Pick<SheetCharts, 'state' | 'rows' | 'of'>): void {
    const isReading = state === 'reading';
    const hadFocus = [this.#stop, this.#again].some((one) => one === document.activeElement);
    this.#stop.hidden = !isReading;
    this.#again.hidden = isReading;
    if (hadFocus) focusWithin(isReading ? this.#stop : this.#again);
    const what =
      of === null
        ? t('{0} rows', spellNumber(rows))
        : t('{0} of {1} rows', spellNumber(rows), spellNumber(of));
    const words = state === 'stopped' ? t('Stopped after {0}', what) : t('{0} read', what);
    setText(this.#progress, isReading ? t('Reading: {0}', what) : words);
  }
}
