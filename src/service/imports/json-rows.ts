import { parseJsonAsWritten, stringifyJson } from '../../core/http/json.ts';
import { ImportError } from './import-error.ts';
import { ItemScanner } from './item-scanner.ts';

export type Item = Readonly<Record<string, unknown>>;

/** The objects of a JSON array that comes in parts of text, one after the other. */
export async function* jsonItems(texts: AsyncIterable<string>): AsyncGenerator<Item> {
  const scanner = new ItemScanner();
  let index = 0;
  for await (const text of texts) {
    for (const found of scanner.write(text)) {
      index += 1;
      yield itemOf(found, index);
    }
  }
  scanner.end();
}

/** Keys of all items in the order in which they first appear. */
export async function titlesOfItems(texts: AsyncIterable<string>): Promise<string[]> {
  const titles = new Set<string>();
  for await (const item of jsonItems(texts)) for (const key of Object.keys(item)) titles.add(key);
  if (titles.size === 0) throw new ImportError('The JSON file holds no object with a key.');
  return [...titles];
}

function itemOf(text: string, index: number): Item {
  const item = parse(text, index);
  if (typeof item !== 'object' || item === null || Array.isArray(item)) {
    throw new ImportError(`Item ${String(index)} of the JSON array is not an object.`);
  }
  return item as Item;
}

function parse(text: string, index: number): unknown {
  try {
    return parseJsonAsWritten(text);
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    const reason = `item ${String(index)}: ${cause.message.slice(0, 200)}`;
    throw new ImportError(`The file is not valid JSON: ${reason}.`, { cause });
  }
}

/** JSON text of one field; null when the object does not have it. */
export function fieldJson(item: Item, title: string): string | null {
  if (!Object.hasOwn(item, title)) return null;
  const value = item[title];
  return value === null ? null : stringifyJson(value);
}
