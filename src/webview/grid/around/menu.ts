import { el } from '../../common/dom.ts';
import { icon } from '../../common/icons.ts';
import { spellKeys } from '../../common/language.ts';

export interface MenuItem {
  readonly label: string;
  readonly icon?: string;
  /** Keys that do the same. */
  readonly keys?: string;
  /** Disables it, and says why it can't be chosen now. */
  readonly reason?: string | undefined;
  /** Makes it a check box. */
  readonly isChecked?: boolean;
  /** Begins a new group. */
  readonly isApart?: boolean;
  readonly run: () => void;
}

const canChoose = ({ reason }: MenuItem): boolean => reason === undefined;

interface Anchor {
  readonly left: number;
  readonly top: number;
  readonly bottom: number;
}

/** One menu at a time, over everything else; closes on choice, Escape, a click or a scroll away. */
export class Menu {
  readonly element = el('div', 'menu', { role: 'menu', tabindex: '-1' });
  #items: { readonly item: MenuItem; readonly element: HTMLElement }[] = [];
  #back: (() => void) | undefined;

  constructor(signal: AbortSignal) {
    this.element.hidden = true;
    this.element.addEventListener('keydown', (event) => this.#pressed(event), { signal });
    this.element.addEventListener('click', (event) => this.#clicked(event), { signal });
    this.element.addEventListener('pointermove', (event) => this.#hovered(event), { signal });
    window.addEventListener('blur', () => this.close(), { signal });
    document.addEventListener(
      'pointerdown',
      ({ target }) => {
        if (target instanceof Node && !this.element.contains(target)) this.close();
      },
      { signal, capture: true },
    );
  }

  get isOpen(): boolean {
    return !this.element.hidden;
  }

  /** `back` gets the focus again when the menu closes. */
  open(label: string, items: readonly MenuItem[], anchor: Anchor, back: () => void): void {
    this.#back = back;
    this.#items = items.map((item) => ({ item, element: this.#itemElement(item) }));
    this.element.setAttribute('aria-label', label);
    this.element.replaceChildren(
      ...this.#items.flatMap(({ item, element }, index) =>
        item.isApart && index > 0
          ? [el('div', 'menu-rule', { role: 'separator' }), element]
          : [element],
      ),
    );
    this.element.hidden = false;
    this.#place(anchor);
    this.#focus(this.#next(-1, 1));
  }

  close(): void {
    if (!this.isOpen) return;
    const hadFocus = this.element.contains(document.activeElement);
    this.element.hidden = true;
    if (hadFocus) this.#back?.();
    this.#back = undefined;
  }

  #itemElement(item: MenuItem): HTMLElement {
    const { label, icon: name, keys, reason, isChecked } = item;
    const mark = el('span', 'menu-icon', { 'aria-hidden': 'true' });
    const drawn = isChecked ? 'check' : isChecked === undefined ? name : undefined;
    if (drawn !== undefined) mark.append(icon(drawn));
    const children = [mark, el('span', 'menu-label', { dir: 'auto' }, [label])];
    if (keys !== undefined)
      children.push(el('span', 'menu-keys', { 'aria-hidden': 'true' }, [spellKeys(keys)]));
    return el(
      'div',
      'menu-item',
      {
        title: reason,
        'aria-description': reason,
        role: isChecked === undefined ? 'menuitem' : 'menuitemcheckbox',
        tabindex: '-1',
        'aria-checked': isChecked === undefined ? undefined : String(isChecked),
        'aria-disabled': canChoose(item) ? undefined : 'true',
        'aria-keyshortcuts': keys?.replaceAll('Ctrl', 'Control'),
      },
      children,
    );
  }

  #place({ left, top, bottom }: Anchor): void {
    const { offsetWidth, offsetHeight, style } = this.element;
    const fitsBelow = bottom + offsetHeight <= window.innerHeight - 4;
    const above = Math.max(4, top - offsetHeight);
    style.left = `${Math.max(4, Math.min(left, window.innerWidth - offsetWidth - 4))}px`;
    style.top = `${fitsBelow ? bottom : Math.min(above, window.innerHeight - offsetHeight - 4)}px`;
  }

  #current(): number {
    return this.#items.findIndex(({ element }) => element === document.activeElement);
  }

  #next(from: number, step: -1 | 1): number {
    const count = this.#items.length;
    for (let turn = 1; turn <= count; turn++) {
      const index = (from + step * turn + count * 2) % count;
      const item = this.#items[index]?.item;
      if (item !== undefined && canChoose(item)) return index;
    }
    return -1;
  }

  #focus(index: number): void {
    (this.#items[index]?.element ?? this.element).focus();
  }

  #choose(index: number): void {
    const chosen = this.#items[index]?.item;
    if (chosen === undefined || !canChoose(chosen)) return;
    this.close();
    chosen.run();
  }

  #pressed(event: KeyboardEvent): void {
    const current = this.#current();
    const { key } = event;
    event.stopPropagation();
    if (key === 'Tab') {
      event.preventDefault();
      this.close();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    if (key === 'ArrowDown') this.#focus(this.#next(current, 1));
    else if (key === 'ArrowUp') this.#focus(this.#next(Math.max(current, 0), -1));
    else if (key === 'Home') this.#focus(this.#next(-1, 1));
    else if (key === 'End') this.#focus(this.#next(0, -1));
    else if (key === 'Enter' || key === ' ') this.#choose(current);
    else if (key === 'Escape' || key === 'ArrowLeft' || key === 'F6') this.close();
    else if (key.length === 1) this.#typed(key.toLowerCase(), current);
  }

  #typed(letter: string, current: number): void {
    const count = this.#items.length;
    for (let turn = 1; turn <= count; turn++) {
      const index = (current + turn) % count;
      const item = this.#items[index]?.item;
      if (item && canChoose(item) && item.label.toLowerCase().startsWith(letter)) {
        this.#focus(index);
        return;
      }
    }
  }

  #indexOf(target: EventTarget | null): number {
    return this.#items.findIndex(
      ({ element }) => target instanceof Node && element.contains(target),
    );
  }

  #clicked({ target }: Event): void {
    this.#choose(this.#indexOf(target));
  }

  #hovered({ target }: Event): void {
    const index = this.#indexOf(target);
    if (index >= 0 && index !== this.#current()) this.#focus(index);
  }
}
