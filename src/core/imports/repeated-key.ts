/** A key before its colon, as far as a look at the text alone can tell. */
const pair = /"\s*:/g;
const sign = /["{}[\]:]/g;
const textEnd = /["\\]/g;

/**
 * The first key that an object's JSON text has twice: of the two values JSON.parse keeps the last, and
 * says nothing. Only the keys of the object itself are looked at.
 */
export function repeatedKey(text: string, parsed: object): string | undefined {
  // Nearly always the text has just as many pairs as the object, and nothing needs to be read.
  if ((text.match(pair)?.length ?? 0) <= Object.keys(parsed).length) return undefined;
  const seen = new Set<string>();
  let depth = 0;
  let [from, to] = [0, 0];
  sign.lastIndex = 0;
  for (let found = sign.exec(text); found !== null; found = sign.exec(text)) {
    if (found[0] === '"') {
      from = found.index;
      to = endOfText(text, from + 1);
      sign.lastIndex = to;
    } else if (found[0] === ':') {
      if (depth !== 1) continue;
      const key = JSON.parse(text.slice(from, to)) as string;
      if (seen.has(key)) return key;
      seen.add(key);
    } else depth += found[0] === '{' || found[0] === '[' ? 1 : -1;
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
