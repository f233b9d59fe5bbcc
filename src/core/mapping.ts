export type Mapping = Readonly<Record<string, unknown>>;

/**
 * A plain object: what JSON makes, in whatever realm (a test runner, a frame). Other objects may be
 * anything once they are sent.
 */
export function isMapping(value: unknown): value is Mapping {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === null) return true;
  return Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype as object, 'valueOf');
}

/** The plain objects of a list; none of what is no list. */
export const mappings = (value: unknown): Mapping[] =>
  Array.isArray(value) ? value.filter(isMapping) : [];

/** A text; the empty one for what is none. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Leaves out what is undefined. */
export const defined = (fields: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

/** Leaves out some names. */
export const without = (fields: Mapping, ...names: readonly string[]): Mapping =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));

/** Freezes all the way down. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const item of Object.values(value)) deepFreeze(item as unknown);
  }
  return value;
}

/** A list, or none. */
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Names in order, all the way down: equal values have equal texts, whoever wrote them. */
export function withSortedNames(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSortedNames);
  if (!isMapping(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, item]) => [name, withSortedNames(item)]),
  );
}
