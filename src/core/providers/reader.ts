/**
 * What is read of somebody else's JSON, out of one declaration. A folder of a provider declares the
 * objects of its wire format with these fields; `readerOf` makes typed readers of them. A reader
 * looks at the object that came and copies nothing: fields that nobody has declared, their order,
 * and values of a wrong type are still there in `raw`. A field that isn't what it should be reads
 * as left out.
 *
 * Parsing a chunk of a chat with zod takes a third of the time that decoding it and taking it in
 * take (1.1 of 3.2 µs; reading it so, less than half of that), and what it gives is a copy that is
 * not what the provider sent.
 */
import * as z from 'zod';
import type { Mapping } from '../mapping.ts';
import { isMapping } from '../mapping.ts';

export const text = z.string().nullish();
export const number = z.number().nullish();
export const flag = z.boolean().nullish();
/** Whatever it is. */
export const anything = z.unknown().optional();
/** An object whose names are the provider's or the user's own. */
export const mapping = z.record(z.string(), z.unknown()).nullish();

/** An object of the wire format. */
export const object = <Shape extends z.ZodRawShape>(shape: Shape) => z.looseObject(shape).nullish();

/** A list; of objects, only its objects are read. */
export const list = <Item extends z.ZodType>(item: Item) => z.array(item).nullish();

type Read<Field> =
  Field extends z.ZodOptional<infer Inner>
    ? Read<Inner>
    : Field extends z.ZodNullable<infer Inner>
      ? Read<Inner>
      : Field extends z.ZodString
        ? string | undefined
        : Field extends z.ZodNumber
          ? number | undefined
          : Field extends z.ZodBoolean
            ? boolean | undefined
            : Field extends z.ZodObject<infer Shape>
              ? View<Shape> | undefined
              : Field extends z.ZodArray<infer Item>
                ? readonly Exclude<Read<Item>, undefined>[] | undefined
                : Field extends z.ZodRecord
                  ? Mapping | undefined
                  : unknown;

type View<Shape> = { readonly [Name in keyof Shape]: Read<Shape[Name]> } & {
  /** The object itself. */
  readonly raw: Mapping;
};

/** What is read of an object that is declared so. */
export type ReadOf<Field> = Exclude<Read<Field>, undefined>;

type Reading = (value: unknown) => unknown;

type Getter = (this: { readonly raw: Mapping }) => unknown;

const unwrapped = (field: unknown): unknown =>
  field instanceof z.ZodOptional || field instanceof z.ZodNullable
    ? unwrapped(field.unwrap())
    : field;

/** Getters of their own for texts and numbers, which are most of what is read of each chunk. */
function getterOf(name: string, field: unknown): Getter {
  const plain = unwrapped(field);
  if (plain instanceof z.ZodString) {
    return function text() {
      const value = this.raw[name];
      return typeof value === 'string' ? value : undefined;
    };
  }
  if (plain instanceof z.ZodNumber) {
    return function number() {
      const value = this.raw[name];
      return typeof value === 'number' ? value : undefined;
    };
  }
  if (plain instanceof z.ZodUnknown) {
    return function anything() {
      return this.raw[name];
    };
  }
  const reading = readingOf(plain);
  return function inner() {
    return reading(this.raw[name]);
  };
}

function readingOf(field: unknown): Reading {
  const plain = unwrapped(field);
  if (plain instanceof z.ZodObject) return viewsOf(plain.shape);
  if (plain instanceof z.ZodArray) return listsOf(readingOf(plain.element));
  if (plain instanceof z.ZodRecord) return (value) => (isMapping(value) ? value : undefined);
  if (plain instanceof z.ZodString)
    return (value) => (typeof value === 'string' ? value : undefined);
  if (plain instanceof z.ZodBoolean) {
    return (value) => (typeof value === 'boolean' ? value : undefined);
  }
  return (value) => value;
}

const listsOf =
  (item: Reading): Reading =>
  (value) => {
    if (!Array.isArray(value)) return undefined;
    const items: unknown[] = [];
    for (const one of value as readonly unknown[]) {
      const read = item(one);
      if (read !== undefined) items.push(read);
    }
    return items;
  };

/** A class with a getter for each field: nothing is looked at before somebody asks for it. */
function viewsOf(shape: Readonly<Record<string, unknown>>): Reading {
  class View {
    readonly raw: Mapping;
    constructor(raw: Mapping) {
      this.raw = raw;
    }
  }
  for (const [name, field] of Object.entries(shape)) {
    Object.defineProperty(View.prototype, name, { get: getterOf(name, field) });
  }
  return (value) => (isMapping(value) ? new View(value) : undefined);
}

export interface Reader<Field> {
  (value: unknown): ReadOf<Field> | undefined;
  readonly declared: Field;
}

/** Reads objects that are declared so; gives undefined for what is no object. */
export function readerOf<Field extends z.ZodType>(declared: Field): Reader<Field> {
  const reading = readingOf(declared);
  const read = (value: unknown): ReadOf<Field> | undefined =>
    reading(value) as ReadOf<Field> | undefined;
  return Object.assign(read, { declared });
}
