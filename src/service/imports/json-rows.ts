import { parseJson, stringifyJson } from '../../core/http/json.ts';
import { ImportError } from './import-error.ts';

type Item = Readonly<Record<string, unknown>>;

/** An array of objects: titles are the keys in the order in which they first appear. */
export interface JsonRows {
  readonly titles: readonly string[];
  readonly items: readonly Item[];
}

export function readJsonRows(text: string): JsonRows {
  const parsed = parse(text);
  if (!Array.isArray(parsed)) {
    throw new ImportError('A JSON file must hold an array of objects, one for each row.');
  }
  const titles = new Set<string>();
  for (const [index, item] of (parsed as unknown[]).entries()) {
    if (typeof item !== 'object' || item === null || Array.isArray(item)) {
      throw new ImportError(`Item ${String(index + 1)} of the JSON array is not an object.`);
    }
    for (const key of Object.keys(item)) titles.add(key);
  }
  if (titles.size === 0) throw new ImportError('The JSON file holds no object with a key.');
  return { titles: [...titles], items: parsed as Item[] };
}

function parse(text: string): unknown {
  try {
    return parseJson(text.startsWith('\uFEFF') ? text.slice(1) : text);
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw new ImportError(`The file is not valid JSON: ${cause.message.slice(0, 200)}.`, { cause });
  }
}

/** JSON text of one field; null when the object does not have it. */
export function fieldJson(item: Item, title: string): string | null {
  if (!Object.hasOwn(item, title)) return null;
  const value = item[title];
  return value === null ? null : stringifyJson(value);
}
