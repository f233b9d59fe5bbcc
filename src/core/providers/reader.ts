/**
 * What is read of somebody else's JSON, out of one declaration. A folder of a provider declares the
 * objects of its wire format with these fields; `readerOf` makes typed readers of them. A reader
 * looks at the object that came and copies nothing: fields that nobody has declared, their order,
 * and values of a wrong type are still there in `raw`. A field that isn't what it should be reads
 * as left out.
 *
 * Parsing each chunk with zod instead costs a third more than taking it in does, and the copies that
 * it makes are not what the provider sent.
 */
import * as z from 'zod';
import type { Mapping } from '../mapping.ts';
import { isMapping } from '../mapping.ts';

export const text = z.string().nullish();
export const number = z.number().nullish();
export const flag = z.boolean().nullish();
/** Whatever it is. */
export const any = z.unknown();
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

const scalars: Readonly<Record<string, Reading>> = {
  string: (value) => (typeof value === 'string' ? value : undefined),
  number: (value) => (typeof value === 'number' ? value : undefined),
  boolean: (value) => (typeof value === 'boolean' ? value : undefined),
  record: (value) => (isMapping(value) ? value : undefined),
};

function readingOf(field: unknown): Reading {
  if (field instanceof z.ZodOptional || field instanceof z.ZodNullable) {
    return readingOf(field.unwrap());
  }
  if (field instanceof z.ZodObject) return viewsOf(field.shape);
  if (field instanceof z.ZodArray) {
    const item = readingOf(field.element);
    return (value) =>
      Array.isArray(value)
        ? value.map((one: unknown) => item(one)).filter((one) => one !== undefined)
        : undefined;
  }
  const type = field instanceof z.ZodType ? field.type : '';
  return scalars[type] ?? ((value) => value);
}

/** A class with a getter for each field: nothing is looked at before somebody asks for it. */
function viewsOf(shape: Readonly<Record<string, unknown>>): Reading {
  class Fields {
    readonly raw: Mapping;
    constructor(raw: Mapping) {
      this.raw = raw;
    }
  }
  for (const [name, field] of Object.entries(shape)) {
    const reading = readingOf(field);
    Object.defineProperty(Fields.prototype, name, {
      get(this: Fields) {
        return reading(this.raw[name]);
      },
    });
  }
  return (value) => (isMapping(value) ? new Fields(value) : undefined);
}

/** Reads objects that are declared so; gives undefined for what is no object. */
export function readerOf<Field extends z.ZodType>(
  field: Field,
): (value: unknown) => ReadOf<Field> | undefined {
  const reading = readingOf(field);
  return (value) => reading(value) as ReadOf<Field> | undefined;
}
