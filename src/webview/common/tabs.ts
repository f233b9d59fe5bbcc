import { el } from './dom.ts';

export interface Tab {
  readonly id: string;
  readonly label: string;
  readonly content: HTMLElement;
}

/** Tabs of which one is shown. Arrow keys, Home and End go from one to the other. */
export class Tabs {
  readonly list: HTMLElement;
  readonly panels: readonly HTMLElement[];
  readonly #buttons: readonly HTMLButtonElement[];
  readonly #ids: readonly string[];
  readonly #onShow: (id: string) => void;
  #shown = 0;

  /** `label`: what there are tabs of. */
  constructor(label: string, tabs: readonly Tab[], onShow: (id: string) => void) {
    this.list = el('div', 'tabs', { role: 'tablist', 'aria-label': label });
    this.#onShow = onShow;
    this.#ids = tabs.map(({ id }) => id);
    this.#buttons = tabs.map(({ id, label }) =>
      el(
        'button',
        'tab',
        { role: 'tab', type: 'button', id: `tab-${id}`, 'aria-controls': `panel-${id}` },
        [label],
      ),
    );
    this.panels = tabs.map(({ id, content }) =>
      el(
        'div',
        'tab-panel',
        { role: 'tabpanel', id: `panel-${id}`, 'aria-labelledby': `tab-${id}`, tabindex: '0' },
        [content],
      ),
    );
    for (const [at, button] of this.#buttons.entries()) {
      button.addEventListener('click', () => this.#go(at));
    }
    this.list.addEventListener('keydown', (event) => this.#key(event));
    this.list.append(...this.#buttons);
    this.#mark();
  }

  get shown(): string {
    return this.#ids[this.#shown] ?? '';
  }

  show(id: string): void {
    this.#go(Math.max(0, this.#ids.indexOf(id)));
  }

  focus(): void {
    this.#buttons[this.#shown]?.focus();
  }

  #key(event: KeyboardEvent): void {
    const last = this.#ids.length - 1;
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const goal = event.key === 'Home' ? 0 : event.key === 'End' ? last : step && this.#shown + step;
    if (goal === undefined) return;
    event.preventDefault();
    this.#go((goal + this.#ids.length) % this.#ids.length);
    this.focus();
  }

  #go(at: number): void {
    this.#shown = at;
    this.#mark();
    this.#onShow(this.shown);
  }

  #mark(): void {
    for (const [at, button] of this.#buttons.entries()) {
      const isShown = at === this.#shown;
      button.setAttribute('aria-selected', String(isShown));
      button.tabIndex = isShown ? 0 : -1;
      const panel = this.panels[at];
      if (panel !== undefined) panel.hidden = !isShown;
    }
  }
}
