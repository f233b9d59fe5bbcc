import type { Block } from '../../protocol/grid-work.ts';

type Field = string | null;

/** Unquoted `null` is the value null, as the grid itself copies it. */
const unquoted = (text: string): Field => (text === 'null' ? null : text);

/**
 * Separated values, as spreadsheets put them on the clipboard: a field in quotes may hold
 * separators, line ends and doubled quotes. A quote that nothing closes is a letter like others.
 */
export function readSeparated(text: string, separator: '\t' | ','): Block {
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
    const close = text[at] === '"' ? quotedEnd(at + 1) : undefined;
    if (close !== undefined) {
      row.push(text.slice(at + 1, close).replaceAll('""', '"'));
      at = close + 1;
    } else {
      const from = at;
      while (!isEnd(at)) at += 1;
      row.push(unquoted(text.slice(from, at)));
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

const widthOf = (block: Block): number => Math.max(0, ...block.map(({ length }) => length));

/** Commas separate only where each line has as many of them: prose has commas, too. */
function readCommas(text: string): Block | undefined {
  const block = readSeparated(text, ',');
  const width = widthOf(block);
  return block.length > 1 && width > 1 && block.every(({ length }) => length === width)
    ? block
    : undefined;
}

function cellText(cell: Element): string {
  const copy = cell.cloneNode(true) as Element;
  for (const mark of copy.querySelectorAll('style, script')) mark.remove();
  for (const line of copy.querySelectorAll('br')) line.replaceWith('\n');
  return copy.textContent.replaceAll(/[\u00a0]/g, ' ').replaceAll(/^[ \t\r\n]+|[ \t\r\n]+$/g, '');
}

/** The first table of a page; cells that span several stand in the first of them. */
export function readTable(html: string): Block | undefined {
  const table = new DOMParser().parseFromString(html, 'text/html').querySelector('table');
  if (table === null) return undefined;
  const rows: (Field[] | undefined)[] = [];
  for (const [index, line] of [...table.rows].entries()) {
    const row = (rows[index] ??= []);
    let column = 0;
    for (const cell of line.cells) {
      while (row[column] !== undefined) column += 1;
      const rowSpan = Math.min(cell.rowSpan || 1, table.rows.length - index);
      for (let down = 0; down < rowSpan; down += 1) {
        const below = (rows[index + down] ??= []);
        for (let right = 0; right < Math.min(cell.colSpan, 1000); right += 1) {
          below[column + right] = down + right === 0 ? cellText(cell) : '';
        }
      }
      column += cell.colSpan;
    }
  }
  return rows.length === 0
    ? undefined
    : rows.map((row = []) => Array.from(row, (cell) => cell ?? ''));
}

/**
 * What is on the clipboard as a block of cells. Plain separated text comes first where it has tabs:
 * it is exact, while a page may have lost blanks.
 */
export function readBlock({ text, html }: { text: string; html: string }): Block {
  if (text.includes('\t')) return readSeparated(text, '\t');
  const table = html === '' ? undefined : readTable(html);
  if (table !== undefined && (table.length > 1 || widthOf(table) > 1)) return table;
  return readCommas(text) ?? readSeparated(text, '\t');
}
