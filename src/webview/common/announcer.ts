import { el, setText } from './dom.ts';

const quietMs = 3000;

/** Says things to screen readers, politely: the latest one at most every three seconds. */
export class Announcer {
  readonly element = el('div', 'visually-hidden', { role: 'status', 'aria-live': 'polite' });
  #saidAt = -Infinity;
  #next = '';
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(signal: AbortSignal) {
    signal.addEventListener('abort', () => clearTimeout(this.#timer));
  }

  say(text: string): void {
    this.#next = text;
    if (this.#timer !== undefined) return;
    const wait = Math.max(0, this.#saidAt + quietMs - performance.now());
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#saidAt = performance.now();
      setText(this.element, this.#next);
    }, wait);
  }
}
