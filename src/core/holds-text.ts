/** The search of JavaScript compares every place with the whole of a long text: quadratic at worst. */
const SHORT = 32;

/** `text.includes(sought)`, with a cost that grows no faster than both together. */
export function holdsText(text: string, sought: string): boolean {
  if (sought.length <= SHORT) return text.includes(sought);
  if (sought.length > text.length) return false;
  // The beginning has to be somewhere: nearly always it is not, and then the native search is enough.
  const from = text.indexOf(sought.slice(0, SHORT));
  return from >= 0 && holdsLong(text, sought, from);
}

/** Knuth, Morris and Pratt: after a mismatch nothing of the text is read again. */
function holdsLong(text: string, sought: string, from: number): boolean {
  const borders = bordersOf(sought);
  let matched = 0;
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    while (matched > 0 && sought.charCodeAt(matched) !== code) matched = borders[matched - 1] ?? 0;
    if (sought.charCodeAt(matched) === code) matched += 1;
    if (matched === sought.length) return true;
  }
  return false;
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
