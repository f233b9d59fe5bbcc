/**
 * Where the view is within a sheet taller than an element can be. Browsers cap an element at
 * 33,554,428 device pixels, so the scrolled element (the spacer) stays under a cap of its own and
 * its scrollbar stands for more pixels than it has. Small movements (wheel, touch) are taken one
 * to one, large ones (dragging the thumb) are scaled; `settle` brings the two together again.
 */

/** Tall enough for smooth dragging, low enough for four device pixels per CSS pixel. */
export const spacerCap = 8_000_000;

export class CappedScroll {
  /** First visible pixel, counted over the whole sheet. */
  top = 0;
  readonly #cap: number;
  #total = 0;
  #view = 0;
  #thumb = 0;

  constructor(cap: number = spacerCap) {
    this.#cap = cap;
  }

  get spacer(): number {
    return Math.min(this.#total, this.#cap);
  }

  get lastTop(): number {
    return Math.max(0, this.#total - this.#view);
  }

  get #lastThumb(): number {
    return Math.max(0, this.spacer - this.#view);
  }

  /** Sheet pixels per scrollbar pixel. */
  get ratio(): number {
    const lastThumb = this.#lastThumb;
    return lastThumb > 0 ? this.lastTop / lastThumb : 1;
  }

  /** Takes new sizes and returns the scrollbar position to set. */
  resize(total: number, view: number): number {
    this.#total = total;
    this.#view = view;
    return this.jump(this.top);
  }

  /** The scrollbar moved to `thumb`. Returns the position it must be set to, if another. */
  scrolled(thumb: number): number | undefined {
    const moved = thumb - this.#thumb;
    this.#thumb = thumb;
    if (Math.abs(moved) < 1) return undefined;
    if (this.ratio === 1) {
      this.top = thumb;
      return undefined;
    }
    const isSmall = Math.abs(moved) < this.#view * 2;
    this.top = this.#clamp(isSmall ? this.top + moved : thumb * this.ratio);
    // At the end of the scrollbar no further movement would be reported.
    const isAtEnd = thumb <= 1 || thumb >= this.#lastThumb - 1;
    return isSmall && isAtEnd ? this.settle() : undefined;
  }

  /** Moves to a sheet pixel and returns the scrollbar position to set. */
  jump(top: number): number {
    this.top = this.#clamp(top);
    this.#thumb = Math.round(this.top / this.ratio);
    return this.#thumb;
  }

  /** Once scrolling has stopped: the scrollbar position that stands for `top`, if another. */
  settle(): number | undefined {
    const thumb = Math.round(this.top / this.ratio);
    if (this.ratio === 1 || Math.abs(thumb - this.#thumb) < 1) return undefined;
    this.#thumb = thumb;
    return thumb;
  }

  #clamp(top: number): number {
    return Math.max(0, Math.min(this.lastTop, top));
  }
}
