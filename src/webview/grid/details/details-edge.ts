import { el } from '../../common/dom.ts';
import { t } from '../../common/language.ts';
import type { SheetModel } from '../model/sheet-model.ts';

const usualSize = 360;
const smallest = 220;
const steps: Readonly<Record<string, number>> = {
  ArrowLeft: 24,
  ArrowUp: 24,
  ArrowRight: -24,
  ArrowDown: -24,
};

/** The edge by which the details are made larger or smaller. */
export class DetailsEdge {
  readonly element = el('div', 'details-edge', {
    role: 'separator',
    tabindex: '0',
    'aria-label': t('Size of the details'),
    'aria-valuemin': String(smallest),
  });
  readonly #model: SheetModel;
  readonly #beside: HTMLElement;
  #size: number;

  /** `beside`: the details themselves. */
  constructor(model: SheetModel, beside: HTMLElement, signal: AbortSignal) {
    this.#model = model;
    this.#beside = beside;
    this.#size = this.#resize(model.view.details.size ?? usualSize);
    this.element.addEventListener('pointerdown', (event) => this.#drag(event), { signal });
    this.element.addEventListener('keydown', (event) => this.#pressed(event), { signal });
  }

  #resize(size: number): number {
    const whole = Math.round(Math.max(smallest, Math.min(size, window.innerWidth * 0.7)));
    document.documentElement.style.setProperty('--details-size', `${whole}px`);
    this.element.setAttribute('aria-valuenow', String(whole));
    this.#size = whole;
    return whole;
  }

  #keep(): void {
    const { view } = this.#model;
    view.details = { ...view.details, size: this.#size };
  }

  #drag(begin: PointerEvent): void {
    const { element } = this;
    const stop = new AbortController();
    const { signal } = stop;
    const isBelow = getComputedStyle(element).cursor === 'ns-resize';
    const box = this.#beside.getBoundingClientRect();
    element.setPointerCapture(begin.pointerId);
    const start = isBelow ? box.height : box.width;
    const { clientX, clientY } = begin;
    const move = (event: PointerEvent): void => {
      this.#resize(start + (isBelow ? clientY - event.clientY : clientX - event.clientX));
    };
    const end = (): void => {
      stop.abort();
      this.#keep();
    };
    element.addEventListener('pointermove', move, { signal });
    element.addEventListener('pointerup', end, { signal });
    element.addEventListener('pointercancel', end, { signal });
  }

  #pressed(event: KeyboardEvent): void {
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    this.#resize(this.#size + step);
    this.#keep();
  }
}
