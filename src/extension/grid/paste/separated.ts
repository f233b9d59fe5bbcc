import type { Block } from '../../../protocol/grid-work.ts';

/** A field of separated values, as it stands in the text and as it reads. */
export interface Field {
  readonly raw: string;
  readonly text: string;
  readonly isQuoted: boolean;
}

/**
 * Separated values, as spreadsheets put them on the clipboard: a field in quotes may hold
 * separators, line ends and doubled quotes. A quote that nothing closes is a letter like others.
 */
export function readFields(text: string, separator: '\t' | ','): readonly (readonly Field[])[] {
  const rows: Field[][] = [];
  let row: Field[] = [];
  let at = 0;
  const isEnd = (index: number): boolean =>
    index >= text.length || text[index] === separator || /[\r\n]/.test(text[index] ?? '');

  function quotedEnd(from: number): number | undefined {
    for (let close = from; close < text.length; close += 1) {
      if (text[close] !== '"') continue;
      if (text[close + 1] === '"') close += 1;
      else return isEnd(close + 1) ? close : undefined;
    }
    return undefined;
  }

  if (text === '') return [];
  for (;;) {
    const from = at;
    const close = text[at] === '"' ? quotedEnd(at + 1) : undefined;
    if (close !== undefined) {
      at = close + 1;
      const inner = text.slice(from + 1, close).replaceAll('""', '"');
      row.push({ raw: text.slice(from, at), text: inner, isQuoted: true });
    } else {
      while (!isEnd(at)) at += 1;
      const raw = text.slice(from, at);
      row.push({ raw, text: raw, isQuoted: false });
    }
    if (text[at] === separator) {
      at += 1;
      continue;
    }
    rows.push(row);
    row = [];
    if (at >= text.length) return rows;
    at += text.startsWith('\r\n', at) ? 2 : 1;
    // The end of the last line begins no further row.
    if (at >= text.length) return rows;
  }
}

/** Unquoted `null` is the value null, as the grid itself copies it. */
export const readSeparated = (text: string, separator: '\t' | ','): Block =>
  readFields(text, separator).map((fields) =>
    fields.map(({ raw, text: read, isQuoted }) => (!isQuoted && raw === 'null' ? null : read)),
  );

/** Every line has as many fields as the first, and more than one. */
export const isRectangular = (block: readonly (readonly unknown[])[]): boolean => {
  const width = block[0]?.length ?? 0;
  return width > 1 && block.every(({ length }) => length === width);
};
