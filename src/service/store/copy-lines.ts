import type { SqlValue } from './database.ts';

/** PostgreSQL text cannot hold U+0000 (JSON text never does, it has the escape): show its symbol. */
export function storable(value: SqlValue): string | number | Buffer | null {
  if (typeof value === 'string')
    return value.includes('\0') ? value.replaceAll('\0', '\u2400') : value;
  return value instanceof Uint8Array
    ? Buffer.from(value.buffer, value.byteOffset, value.byteLength)
    : value;
}

/** What ends a field or a line, what marks those, and what can't be stored. */
const signs = /[\0\\\t\n\r]/;
const allSigns = new RegExp(signs, 'g');
const names: Readonly<Record<string, string>> = {
  '\0': '\u2400',
  '\\': '\\\\',
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
};

function field(value: SqlValue): string {
  // In the order of how many there are: this is done for each field of each cell.
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') {
    return signs.test(value) ? value.replace(allSigns, (sign) => names[sign] ?? sign) : value;
  }
  return value === null ? '\\N' : `\\\\x${Buffer.from(value).toString('hex')}`;
}

/** Rows of so many fields as `COPY … FROM` reads them, in its text format. */
export function copyLines(rows: readonly (readonly SqlValue[])[], width: number): Buffer {
  let text = '';
  for (const row of rows) {
    for (let at = 0; at < width; at += 1) {
      if (at > 0) text += '\t';
      text += field(row[at] ?? null);
    }
    text += '\n';
  }
  return Buffer.from(text);
}
