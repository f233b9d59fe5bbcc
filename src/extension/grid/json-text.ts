import { ExactNumber } from '../../api/exact-number.ts';

/** Shortens a text to `limit` UTF-16 units without splitting a surrogate pair. */
export function cutText(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const last = text.charCodeAt(limit - 1);
  const isHighSurrogate = last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, isHighSurrogate ? limit - 1 : limit);
}

/** The number as it was sent. */
export const numberText = (value: number): string => (Object.is(value, -0) ? '-0' : String(value));

/**
 * The first units of the value's JSON text, at least `limit` of them when there are so many.
 * A page may hold hundreds of cells of 20 KB each: writing them whole only to cut them costs seconds.
 */
export function jsonStart(value: unknown, limit: number): string {
  let out = '';
  const isFull = (): boolean => out.length >= limit;
  const write = (item: unknown): void => {
    if (item instanceof ExactNumber) out += item.text;
    else if (typeof item === 'number') out += Number.isFinite(item) ? numberText(item) : 'null';
    else if (typeof item === 'string') {
      // A unit is never escaped to nothing, so the start of the text is enough.
      const start = cutText(item, Math.max(1, limit - out.length) + 1);
      const json = JSON.stringify(start);
      out += start.length === item.length ? json : json.slice(0, -1);
    } else if (Array.isArray(item)) {
      out += '[';
      for (const [index, entry] of item.entries()) {
        if (isFull()) return;
        if (index > 0) out += ',';
        write(entry === undefined ? null : entry);
      }
      out += ']';
    } else if (typeof item === 'object' && item !== null) {
      out += '{';
      let isFirst = true;
      for (const [key, entry] of Object.entries(item)) {
        if (isFull()) return;
        if (entry === undefined) continue;
        if (!isFirst) out += ',';
        isFirst = false;
        write(key);
        if (isFull()) return;
        out += ':';
        write(entry);
      }
      out += '}';
    } else out += item === true ? 'true' : item === false ? 'false' : 'null';
  };
  write(value);
  return out;
}
