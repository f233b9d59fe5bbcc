import { ImportError } from './import-error.ts';

const LONGEST_ITEM = 20 * 1024 * 1024;
const blank = /^[\s\uFEFF]*$/;
/** What matters outside of texts, and inside. */
const structure = /["[\]{},]/g;
const textEnd = /["\\]/g;

/**
 * Cuts the text of a JSON array, which comes in parts, into the texts of its items. It looks for
 * brackets, commas and quotes only: whether an item is JSON, its parser says.
 */
export class ItemScanner {
  /** Parts of the item under way. */
  #parts: string[] = [];
  #length = 0;
  #depth = 0;
  #isInText = false;
  #isEscaped = false;
  #state: 'before' | 'inside' | 'after' = 'before';
  #count = 0;

  /** The items that end in this part. */
  *write(text: string): Generator<string> {
    let start = 0;
    let at = 0;
    while (at < text.length) {
      if (this.#isInText) {
        at = this.#skipText(text, at);
        continue;
      }
      structure.lastIndex = at;
      const found = structure.exec(text);
      if (found === null) break;
      at = found.index + 1;
      const item = this.#meet(found[0], text, start, at);
      if (item === undefined) continue;
      start = at;
      if (item !== '') yield item;
    }
    this.#keep(text.slice(start));
  }

  /** Throws when the array is not whole. */
  end(): void {
    const rest = this.#take();
    if (this.#state === 'before') throw notArray(rest);
    if (this.#state === 'inside') throw notJson('it ends in the middle of the array');
    if (!blank.test(rest)) throw notJson('something follows the array');
  }

  /** Behind the text, or where this part ends. */
  #skipText(text: string, start: number): number {
    if (this.#isEscaped) {
      this.#isEscaped = false;
      return start + 1;
    }
    textEnd.lastIndex = start;
    const found = textEnd.exec(text);
    if (found === null) return text.length;
    if (found[0] === '"') this.#isInText = false;
    else this.#isEscaped = true;
    return found.index + 1;
  }

  /** What ends here: an item, or '' for something that is none. */
  #meet(sign: string, text: string, start: number, end: number): string | undefined {
    if (this.#state !== 'inside') {
      this.#keep(text.slice(start, end - 1));
      const before = this.#take();
      if (this.#state === 'after') throw notJson('something follows the array');
      if (sign !== '[' || !blank.test(before)) throw notArray(before + text.slice(end - 1));
      this.#state = 'inside';
      return '';
    }
    if (sign === '"') this.#isInText = true;
    else if (sign === '[' || sign === '{') this.#depth += 1;
    else if (this.#depth > 0) this.#depth -= sign === ',' ? 0 : 1;
    else return this.#itemUntil(sign, text.slice(start, end - 1));
    return undefined;
  }

  /** A comma or a closing bracket of the array itself. */
  #itemUntil(sign: string, text: string): string {
    this.#keep(text);
    const item = this.#take();
    const isEnd = sign !== ',';
    if (sign === '}') throw notJson('a bracket closes nothing');
    if (isEnd) this.#state = 'after';
    if (blank.test(item)) {
      // `[]`, but neither `[,` nor `,]`.
      if (isEnd && this.#count === 0) return '';
      throw notJson(`item ${String(this.#count + 1)} is missing`);
    }
    this.#count += 1;
    return item;
  }

  #keep(text: string): void {
    if (text === '') return;
    this.#length += text.length;
    if (this.#length > LONGEST_ITEM) {
      throw new ImportError(
        `Item ${String(this.#count + 1)} of the JSON array is longer than ${String(LONGEST_ITEM / 2 ** 20)} MB.`,
        {
          fault: {
            ...{ kind: 'long-item', megabytes: LONGEST_ITEM / 2 ** 20 },
            record: this.#count + 1,
          },
        },
      );
    }
    this.#parts.push(text);
  }

  #take(): string {
    const whole = this.#parts.join('');
    this.#parts = [];
    this.#length = 0;
    return whole;
  }
}

const notJson = (reason: string): ImportError =>
  new ImportError(`The file is not valid JSON: ${reason}.`, { fault: { kind: 'json', reason } });

/** Something else than an array, if it is JSON at all: its beginning tells. */
function notArray(text: string): ImportError {
  const begin = text.replace(/^[\s\uFEFF]+/, '');
  return begin === '' || !/^(?:[{"\d-]|true|false|null)/.test(begin)
    ? notJson(begin === '' ? 'it is empty' : `unexpected ${JSON.stringify(begin.slice(0, 20))}`)
    : new ImportError('A JSON file must hold an array of objects, one for each row.', {
        fault: { kind: 'no-array' },
      });
}
