import { ExactNumber } from '../../api/exact-number.ts';

/** A key before its colon, as far as a look at the text alone can tell. */
const pair = /"\s*:/g;
const sign = /["{}[\]:]/g;
const textEnd = /["\\]/g;

/** Keys of an object and of all objects in it. */
function keysIn(parsed: object): number {
  let count = 0;
  const waiting: unknown[] = [parsed];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (typeof value !== 'object' || value === null || value instanceof ExactNumber) continue;
    const inside = Object.values(value);
    if (!Array.isArray(value)) count += inside.length;
    for (const one of inside) if (typeof one === 'object' && one !== null) waiting.push(one);
  }
  return count;
}

/**
 * The first key that an object in a JSON text has twice: of the two values JSON.parse keeps the last,
 * and says nothing.
 */
export function repeatedKey(text: string, parsed: object): string | undefined {
  // Nearly always the text has just as many pairs as the value, and nothing needs to be read.
  const pairs = text.match(pair)?.length ?? 0;
  if (pairs <= Object.keys(parsed).length || pairs <= keysIn(parsed)) return undefined;
  const open: Set<string>[] = [];
  let [from, to] = [0, 0];
  sign.lastIndex = 0;
  for (let found = sign.exec(text); found !== null; found = sign.exec(text)) {
    if (found[0] === '"') {
      from = found.index;
      to = endOfText(text, from + 1);
      sign.lastIndex = to;
    } else if (found[0] === ':') {
      const key = JSON.parse(text.slice(from, to)) as string;
      const seen = open.at(-1);
      if (seen?.has(key) === true) return key;
      seen?.add(key);
    } else if (found[0] === '{' || found[0] === '[') open.push(new Set());
    else open.pop();
  }
  return undefined;
}

function endOfText(text: string, start: number): number {
  textEnd.lastIndex = start;
  for (let found = textEnd.exec(text); found !== null; found = textEnd.exec(text)) {
    if (found[0] === '"') return found.index + 1;
    textEnd.lastIndex = found.index + 2;
  }
  return text.length;
}
