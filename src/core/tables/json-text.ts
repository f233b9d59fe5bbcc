import { ExactNumber } from '../../api/exact-number.ts';
import { cutText } from '../shortened.ts';

const numberText = (value: number): string => {
  if (!Number.isFinite(value)) return 'null';
  return Object.is(value, -0) ? '-0' : String(value);
};

const jsonNumber = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/** The number that stands there in the text, if it is this one: 10.0 for 10. */
function numberAt(shown: string, at: number, value: number): string | undefined {
  jsonNumber.lastIndex = at;
  const token = jsonNumber.exec(shown)?.[0];
  return token !== undefined && Object.is(Number(token), value) ? token : undefined;
}

/**
 * The first units of the value's JSON text, at least `limit` of them when there are so many.
 * A page may hold hundreds of cells of 20 KB each: writing them whole only to cut them costs seconds.
 *
 * `shown` is the text that came with a value: where it is the JSON of just this value, numbers are
 * written as there. Parsed, 10.0 is 10, and 1e3 is 1000.
 */
export function jsonStart(value: unknown, limit: number, shown?: string | null): string {
  const first = new JsonStart(limit, shown ?? '');
  first.write(value);
  if (first.isAsShown) return first.text;
  const plain = new JsonStart(limit, '');
  plain.write(value);
  return plain.text;
}

/** All that a cell's value is, as JSON text with its numbers as the service has shown them. */
export const writtenJson = ({ value, display_value: shown }: WrittenCell): string =>
  jsonStart(value ?? null, Infinity, shown);

interface WrittenCell {
  readonly value?: unknown;
  readonly display_value?: string | null | undefined;
}

class JsonStart {
  text = '';
  readonly #limit: number;
  readonly #shown: string;
  #follows: boolean;

  constructor(limit: number, shown: string) {
    this.#limit = limit;
    this.#shown = shown;
    this.#follows = shown !== '';
  }

  get isAsShown(): boolean {
    if (this.#shown === '') return true;
    return this.#follows && (this.#isFull || this.text.length === this.#shown.length);
  }

  get #isFull(): boolean {
    return this.text.length >= this.#limit;
  }

  #add(piece: string): void {
    if (this.#follows) this.#follows = this.#shown.startsWith(piece, this.text.length);
    this.text += piece;
  }

  write(item: unknown): void {
    if (typeof item === 'number') {
      const as = this.#follows ? numberAt(this.#shown, this.text.length, item) : undefined;
      this.#add(as ?? numberText(item));
    } else if (item instanceof ExactNumber) this.#add(item.text);
    else if (typeof item === 'string') {
      // A unit is never escaped to nothing, so the start of the text is enough.
      const start = cutText(item, Math.max(1, this.#limit - this.text.length) + 1);
      const json = JSON.stringify(start);
      this.#add(start.length === item.length ? json : json.slice(0, -1));
    } else if (Array.isArray(item)) this.#writeList(item);
    else if (typeof item === 'object' && item !== null) this.#writeObject(item);
    else this.#add(item === true ? 'true' : item === false ? 'false' : 'null');
  }

  #writeList(items: readonly unknown[]): void {
    this.#add('[');
    for (const [index, entry] of items.entries()) {
      if (this.#isFull) return;
      if (index > 0) this.#add(',');
      this.write(entry === undefined ? null : entry);
    }
    this.#add(']');
  }

  #writeObject(item: object): void {
    this.#add('{');
    let isFirst = true;
    for (const [key, entry] of Object.entries(item)) {
      if (this.#isFull) return;
      if (entry === undefined) continue;
      if (!isFirst) this.#add(',');
      isFirst = false;
      this.write(key);
      this.#add(':');
      this.write(entry);
    }
    this.#add('}');
  }
}
