import type { Span } from './tokens.ts';

/** As editors count: from 0. */
interface Place {
  readonly line: number;
  readonly character: number;
}

export interface PlaceRange {
  readonly start: Place;
  readonly end: Place;
}

/** Where the offsets of a text are in its lines. */
export class Lines {
  readonly #starts: readonly number[];

  constructor(text: string) {
    this.#starts = [
      0,
      ...[...text.matchAll(/\r\n|\r|\n/g)].map((end) => end.index + end[0].length),
    ];
  }

  range({ from, to }: Span): PlaceRange {
    return { start: this.#place(from), end: this.#place(to) };
  }

  #place(offset: number): Place {
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.#starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low, character: offset - (this.#starts[low] ?? 0) };
  }
}
