import type { SqlValue } from './database.ts';

/** PostgreSQL text cannot hold U+0000 (JSON text never does, it has the escape): show its symbol. */
export function storable(value: SqlValue): string | number | Buffer | null {
  if (typeof value === 'string')
    return value.includes('\0') ? value.replaceAll('\0', '\u2400') : value;
  return value instanceof Uint8Array
    ? Buffer.from(value.buffer, value.byteOffset, value.byteLength)
    : value;
}

/** What ends a field or a line, and what marks those. */
const signs = /[\\\t\n\r]/g;
const names: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
};
const nothing = '\\N';

function field(value: SqlValue): string {
  const known = storable(value);
  if (known === null) return nothing;
  if (typeof known === 'string') return known.replace(signs, (sign) => names[sign] ?? sign);
  return typeof known === 'number' ? String(known) : `\\\\x${known.toString('hex')}`;
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
