import type { Mapping } from '../../mapping.ts';
import { isMapping } from '../../mapping.ts';

export type Fields = Record<string, unknown>;

/** Fields of streams that say nothing: padding, against listeners who count bytes. */
export const fillers: ReadonlySet<string> = new Set(['obfuscation', 'p']);

const isEmpty = (value: unknown): boolean => value === '' || value === 0;

/**
 * Takes in a field of one chunk that describes the whole answer. The last value counts, but for
 * what says nothing: null, and the empty ids and models of Azure's chunks about content filters.
 * A field that was never more than null stays null, as in an answer that is not streamed.
 */
export function mergeField(into: Fields, name: string, value: unknown): void {
  if (value === undefined) return;
  const before = into[name];
  if (before !== undefined && before !== null) {
    if (value === null || isEmpty(value)) return;
    if (isMapping(before) && isMapping(value)) {
      into[name] = { ...before, ...value };
      return;
    }
  }
  into[name] = value;
}

/** Lists by name; null where no more than null has come. */
export type Lists = Map<string, unknown[] | null>;

/** Appends the lists inside `more` (token by token: logprobs) to those of the same name. */
export function appendLists(into: Lists, more: Mapping): void {
  for (const [name, items] of Object.entries(more)) {
    const list = into.get(name) ?? null;
    if (!Array.isArray(items)) {
      if (items === null) into.set(name, list);
      continue;
    }
    const grown = list ?? [];
    for (const item of items) grown.push(item);
    into.set(name, grown);
  }
}

export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined;

/** The largest gap that an index may leave. */
const maxGap = 64;

/** An index into a list of that length; the last place where it makes no sense. */
export function placeIn(length: number, index: unknown): number {
  const isPlace = typeof index === 'number' && Number.isInteger(index);
  return isPlace && index >= 0 && index <= length + maxGap ? index : Math.max(0, length - 1);
}

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The mappings among the items of a list. */
export const mappingsOf = (value: unknown): Mapping[] => listOf(value).filter(isMapping);

/** Only the fields that are there. */
export function present(fields: Mapping): Fields {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && value !== null),
  );
}
