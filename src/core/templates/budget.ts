import { isMapping } from '../mapping.ts';
import { NotFaithful, PythonObject } from './python-text.ts';

/** Turns of loops; a list in a list in a list would keep a process busy for ever. */
const MAX_STEPS = 1_000_000;
/** Characters that cost as much as a turn: a quick loop over a long text is a slow one. */
const CHARACTERS_A_STEP = 64;
/** Longer values are not looked at to their end: they cost more than there is. */
const LARGEST = MAX_STEPS * CHARACTERS_A_STEP;

/** What rendering may cost. One for all texts of a template. */
export class Budget {
  #steps = MAX_STEPS;
  #sizes = new WeakMap<object, number>();

  step(): void {
    this.#spend(1);
  }

  /** Before so many characters or items are made. */
  spend(characters: number): void {
    this.#spend(characters / CHARACTERS_A_STEP);
  }

  /** A value that is read or made: whatever is done with it costs as much as it is long. */
  charge(value: unknown): void {
    if (typeof value === 'string') this.#spend(value.length / CHARACTERS_A_STEP);
    else if (typeof value === 'object' && value !== null) {
      this.#spend(this.#sizeOf(value) / CHARACTERS_A_STEP);
    }
  }

  /** A value was changed, and so was the size of all that hold it. */
  forgetSizes(): void {
    this.#sizes = new WeakMap();
  }

  #spend(steps: number): void {
    this.#steps -= steps;
    if (!(this.#steps >= 0)) throw new NotFaithful('a loop without end, or over too long values');
  }

  /** Of all that is inside, looked at once. */
  #sizeOf(holder: object): number {
    const known = this.#sizes.get(holder);
    if (known !== undefined) return known;
    const rest: unknown[] = [holder];
    let size = 0;
    while (rest.length > 0 && size <= LARGEST) {
      const value = rest.pop();
      size += typeof value === 'string' ? value.length : 4;
      if (Array.isArray(value)) for (const item of value) rest.push(item);
      else if (value instanceof PythonObject) for (const item of value.parts()) rest.push(item);
      else if (isMapping(value)) {
        for (const key of Object.keys(value)) {
          size += key.length;
          rest.push(value[key]);
        }
      }
    }
    this.#sizes.set(holder, size);
    return size;
  }
}
