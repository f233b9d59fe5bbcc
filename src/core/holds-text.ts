/** The search of JavaScript compares every place with the whole of a long text: quadratic at worst. */
const SHORT = 32;

/** `text.includes(sought)`, with a cost that grows no faster than both together. */
export const holdsText = (text: string, sought: string): boolean => placeOf(text, sought) >= 0;

/** `text.indexOf(sought)`, the same way. */
export function placeOf(text: string, sought: string): number {
  if (sought.length <= SHORT) return text.indexOf(sought);
  if (sought.length > text.length) return -1;
  // The beginning has to be somewhere: nearly always it is not, and then the native search is enough.
  const from = text.indexOf(sought.slice(0, SHORT));
  return from < 0 ? -1 : placeOfLong(text, sought, from, bordersOf(sought));
}

/** `text.split(separator)`, the same way. */
export function piecesOf(text: string, separator: string): string[] {
  if (separator.length <= SHORT) return text.split(separator);
  const borders = bordersOf(separator);
  const pieces: string[] = [];
  let from = 0;
  for (;;) {
    const at = placeOfLong(text, separator, from, borders);
    if (at < 0) return [...pieces, text.slice(from)];
    pieces.push(text.slice(from, at));
    from = at + separator.length;
  }
}

/** Knuth, Morris and Pratt: after a mismatch nothing of the text is read again. */
function placeOfLong(text: string, sought: string, from: number, borders: Int32Array): number {
  let matched = 0;
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    while (matched > 0 && sought.charCodeAt(matched) !== code) matched = borders[matched - 1] ?? 0;
    if (sought.charCodeAt(matched) === code) matched += 1;
    if (matched === sought.length) return at - matched + 1;
  }
  return -1;
}

/** For each beginning of a text: how long the part of it is that is also its end. */
function bordersOf(text: string): Int32Array {
  const borders = new Int32Array(text.length);
  let length = 0;
  for (let at = 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    while (length > 0 && text.charCodeAt(length) !== code) length = borders[length - 1] ?? 0;
    if (text.charCodeAt(length) === code) length += 1;
    borders[at] = length;
  }
  return borders;
}
