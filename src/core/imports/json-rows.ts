import { parseJsonAsWritten, stringifyJson } from '../http/json.ts';
import { ImportError, type FilePlace } from './import-error.ts';
import { ItemScanner } from './item-scanner.ts';
import { repeatedKey } from './repeated-key.ts';

export type Item = Readonly<Record<string, unknown>>;

/** The objects of a JSON array that comes in parts of text, one after the other. */
export async function* jsonItems(texts: AsyncIterable<string>): AsyncGenerator<Item> {
  const scanner = new ItemScanner();
  let index = 0;
  for await (const text of texts) {
    for (const found of scanner.write(text)) {
      index += 1;
      yield itemOf(found, { record: index }, `Item ${String(index)} of the JSON array`);
    }
  }
  scanner.end();
}

/** Keys of items in the order in which they first appear. */
export class KeysSeen {
  readonly #keys = new Set<string>();

  see(item: Item): void {
    for (const key of Object.keys(item)) this.#keys.add(key);
  }

  /** Throws where there are none. */
  get keys(): string[] {
    if (this.#keys.size === 0)
      throw new ImportError('The JSON file holds no object with a key.', {
        fault: { kind: 'no-keys' },
      });
    return [...this.#keys];
  }
}

export async function titlesOfItems(texts: AsyncIterable<string>): Promise<string[]> {
  const seen = new KeysSeen();
  for await (const item of jsonItems(texts)) seen.see(item);
  return seen.keys;
}

const LONGEST_LINE = 20 * 1024 * 1024;

/** The objects of JSON Lines, each with the number of its line. Empty lines are none. */
export async function* jsonLineItems(
  texts: AsyncIterable<string>,
): AsyncGenerator<{ readonly item: Item; readonly line: number }> {
  let rest = '';
  let line = 0;
  const read = (text: string): Item | undefined => {
    line += 1;
    return text.trim() === '' ? undefined : itemOf(text, { line }, `Line ${String(line)}`);
  };
  for await (const text of texts) {
    const lines = `${rest}${text}`.split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > LONGEST_LINE) {
      throw new ImportError(`Line ${String(line + lines.length + 1)} is longer than 20 MB.`, {
        fault: { kind: 'long-record', line: line + lines.length + 1 },
      });
    }
    for (const one of lines) {
      const item = read(one);
      if (item !== undefined) yield { item, line };
    }
  }
  const item = read(rest);
  if (item !== undefined) yield { item, line };
}

function itemOf(text: string, place: FilePlace, name: string): Item {
  const item = parse(text, place, name);
  if (typeof item !== 'object' || item === null || Array.isArray(item)) {
    const reason = `${name} is not an object.`;
    throw new ImportError(reason, { fault: { kind: 'json', reason, ...place } });
  }
  const repeated = repeatedKey(text, item);
  if (repeated !== undefined) {
    const reason = `${name} has the key ${JSON.stringify(repeated.slice(0, 100))} twice in one object.`;
    throw new ImportError(reason, { fault: { kind: 'json', reason, ...place } });
  }
  return item as Item;
}

function parse(text: string, place: FilePlace, name: string): unknown {
  try {
    return parseJsonAsWritten(text);
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    const reason = `${name.charAt(0).toLowerCase()}${name.slice(1)}: ${cause.message.slice(0, 200)}`;
    throw new ImportError(`The file is not valid JSON: ${reason}.`, {
      ...{ cause, fault: { kind: 'json', reason: cause.message.slice(0, 200), ...place } },
    });
  }
}

/** JSON text of one field; null when the object does not have it. */
export function fieldJson(item: Item, title: string): string | null {
  if (!Object.hasOwn(item, title)) return null;
  const value = item[title];
  return value === null ? null : stringifyJson(value);
}
