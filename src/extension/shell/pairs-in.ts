import { isMapping, listOf } from '../../core/mapping.ts';

const nameIn = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** Pairs as one object: `[{ key, value }]`, `[{ name, score }]` or a list of objects. */
export function pairsIn(value: unknown): Readonly<Record<string, unknown>> | undefined {
  if (isMapping(value)) return Object.keys(value).length === 0 ? undefined : value;
  const pairs = listOf(value)
    .filter(isMapping)
    .flatMap((pair): readonly (readonly [string, unknown])[] => {
      const name = nameIn(pair['key']) ?? nameIn(pair['name']);
      if (name === undefined) return Object.entries(pair);
      return [[name, pair['value'] ?? pair['score'] ?? null]];
    });
  return pairs.length === 0 ? undefined : Object.fromEntries(pairs);
}
