import { el } from '../common/dom.ts';
import { focusWithin } from '../common/focus.ts';
import type { Picture } from './draw.ts';
import { Drawing } from './draw.ts';
import { asTable } from './table.ts';

/** A heading, a picture and the same as a table; a note in their place when there is nothing. */
export class Figure {
  readonly element: HTMLElement;
  readonly #body = el('div', 'figure-body');
  readonly #drawing = new Drawing();
  #isOpen = false;

  constructor(title: string) {
    this.element = el('section', 'figure', { 'aria-label': title }, [
      el('h2', '', {}, [title]),
      this.#body,
    ]);
  }

  /** `about`: what the numbers are of. */
  show(picture: Picture, numbers: HTMLElement, about = ''): void {
    const details = asTable(numbers, this.#isOpen);
    details.addEventListener('toggle', () => (this.#isOpen = details.open));
    const hasFocus = this.#body.contains(document.activeElement);
    const note = about === '' ? [] : [el('p', 'note dim', {}, [about])];
    this.#body.replaceChildren(...note, this.#drawing.element, details);
    if (hasFocus) focusWithin(details.querySelector('summary'));
    this.#drawing.show(picture);
  }

  nothing(note: string): void {
    this.#drawing.close();
    this.#body.replaceChildren(el('p', 'dim', {}, [note]));
  }

  redraw(): void {
    this.#drawing.redraw();
  }

  close(): void {
    this.#drawing.close();
  }
}
