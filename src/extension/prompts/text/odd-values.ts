import { isMap, isScalar, Scalar, visit, type Document } from 'yaml';
import { ExactNumber } from '../../../api/exact-number.ts';
import { isMapping, type Mapping } from '../../../core/mapping.ts';

export interface YamlFault {
  readonly message: string;
  readonly pos: readonly [number, number];
}

/** What the library reads in a way that the text does not say: keys twice, merges, tags that nobody knows. */
export function yamlFaults(document: Document.Parsed): readonly YamlFault[] {
  const found: YamlFault[] = document.warnings.map(({ message, pos: [from, to] }) => ({
    message,
    pos: [from, to],
  }));
  visit(document, {
    Map(_key, { items }) {
      const seen = new Set<string>();
      for (const { key } of items) {
        // A list or an object is no name.
        const range = isScalar(key) || isMap(key) ? key.range : undefined;
        if (!range) continue;
        const name = isScalar(key) ? String(key.value) : undefined;
        const message =
          name === undefined
            ? 'Map keys must be strings'
            : seen.has(name)
              ? 'Map keys must be unique'
              : name === '<<' && isScalar(key) && key.type === Scalar.PLAIN
                ? 'YAML 1.2 has no merge keys (<<)'
                : undefined;
        if (message !== undefined) found.push({ message, pos: [range[0], range[1]] });
        if (name !== undefined) seen.add(name);
      }
    },
  });
  return found;
}

/** The path to the first value that JSON does not have: an infinite number, a date, bytes. */
export function pathToOdd(value: unknown, path: readonly string[] = []): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : path.join('.');
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return undefined;
  if (!Array.isArray(value) && !isMapping(value)) return path.join('.');
  for (const [name, item] of Object.entries(value)) {
    const found = pathToOdd(item, [...path, name]);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Keys of front matter whose value stands in a second place, too: one of the two would count for nothing. */
export function setTwice(
  front: { readonly [Key in 'model' | 'response_format' | 'metadata' | 'more']?: unknown },
  template: Mapping,
): readonly { readonly name: string; readonly key: string }[] {
  const found: { name: string; key: string }[] = [];
  const inside = (value: unknown): Mapping => (isMapping(value) ? value : {});
  const { response_format: format, more } = front;
  if (format !== undefined && inside(inside(front.model)['parameters'])['response_format'])
    found.push({ name: 'response_format', key: 'response_format' });
  if (front.model !== undefined && inside(front.metadata)['model'] !== undefined)
    found.push({ name: 'model', key: 'metadata' });
  for (const name of Object.keys(inside(more)))
    if (Object.hasOwn(template, name)) found.push({ name, key: 'more' });
  return found;
}
