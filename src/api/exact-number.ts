import * as z from 'zod';

/** The same in every copy of this module: bundles hand these numbers to each other. */
const brand: unique symbol = Symbol.for('promptTables.ExactNumber');

/**
 * A JSON number that a double cannot hold exactly, kept as the text that was sent.
 * `parseJson` of the core makes them, `stringifyJson` writes them back verbatim.
 * Plain `JSON.stringify` gives a string, so that no digit is lost by accident.
 */
export class ExactNumber {
  readonly text: string;

  static [Symbol.hasInstance](value: unknown): boolean {
    return typeof value === 'object' && value !== null && brand in value;
  }

  constructor(text: string) {
    this.text = text;
  }

  get [brand](): true {
    return true;
  }

  toString(): string {
    return this.text;
  }

  toJSON(): string {
    return this.text;
  }

  /** The nearest double: for comparing and drawing, never for sending back. */
  valueOf(): number {
    return Number(this.text);
  }
}

/** A measured number (price, latency, a sum): its nearest double is good enough. */
export const measure = z.union([
  z.number(),
  z.instanceof(ExactNumber).transform((sent) => sent.valueOf()),
]);

/** A whole number of any size: round ones are doubles, others keep their digits. */
export const wholeNumber = z.union([
  z.number().refine(Number.isInteger, 'Give a whole number'),
  z.instanceof(ExactNumber),
]);
