import type { PastedTable } from '../../../protocol/grid-work.ts';
import { withoutStyles } from './plain-html.ts';
import { withoutBlankEdges } from './blank-edges.ts';

/** What a paste brings. */
export interface Clip {
  /** Null: as VS Code reads it from the clipboard. */
  readonly text: string | null;
  readonly table: PastedTable | null;
}

const unseen = 'style, script, title, meta, col, colgroup, template, comment';
const blocks = 'p, div, li, tr, h1, h2, h3, h4, h5, h6, pre, blockquote';

/**
 * The text of a cell of LibreOffice or Gnumeric, whose pages hold every blank, tab and line break of
 * it, where their texts turn some of them into blanks.
 */
function exactText(cell: Element): string {
  const copy = cell.cloneNode(true) as Element;
  const notes = copy.querySelectorAll('comment, .comment-indicator');
  for (const note of notes) note.remove();
  for (const line of copy.querySelectorAll('br')) {
    const { nextSibling } = line;
    if (nextSibling instanceof Text) nextSibling.data = nextSibling.data.replace(/^\n/, '');
    line.replaceWith('\n');
  }
  const text = notes.length > 0 ? copy.textContent.replace(/^[\n\t]+/, '') : copy.textContent;
  // An empty cell of LibreOffice has a line of its own.
  return text === '\n' ? '' : text;
}

/** What a page shows of a cell: blanks of its source are no text, and each of its paragraphs is a line. */
function shownText(cell: Element): string {
  const copy = cell.cloneNode(true) as Element;
  for (const mark of copy.querySelectorAll(unseen)) mark.remove();
  const texts = document.createTreeWalker(copy, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
    if (node.parentElement?.closest('pre')) continue;
    node.textContent = (node.textContent ?? '').replaceAll(/[ \t\r\n]+/g, ' ');
  }
  for (const line of copy.querySelectorAll('br')) line.replaceWith('\n');
  for (const block of copy.querySelectorAll(blocks)) {
    if (block.nextElementSibling !== null) block.append('\n');
  }
  return withoutBlankEdges(copy.textContent.replaceAll('\u00a0', ' '));
}

/** Cells that span several stand in the first of them. */
function cellsOf(
  table: HTMLTableElement,
  cellText: (cell: Element) => string,
): readonly (readonly string[])[] {
  const rows: (string | undefined)[][] = [];
  for (const [index, line] of [...table.rows].entries()) {
    const row = (rows[index] ??= []);
    let column = 0;
    for (const cell of line.cells) {
      while (row[column] !== undefined) column += 1;
      const rowSpan = Math.min(cell.rowSpan || 1, table.rows.length - index);
      const colSpan = Math.min(cell.colSpan, 1000);
      for (let down = 0; down < rowSpan; down += 1) {
        const below = (rows[index + down] ??= []);
        for (let right = 0; right < colSpan; right += 1) {
          below[column + right] = down + right === 0 ? cellText(cell) : '';
        }
      }
      column += colSpan;
    }
  }
  return rows.map((row) => Array.from(row, (cell) => cell ?? ''));
}

const exactPrograms = /^(?:LibreOffice|OpenOffice|Gnumeric)/i;

/** The first table of a page. Google Sheets marks a single cell, and makes no table of it. */
export function readTable(html: string): PastedTable | null {
  const { body, head } = new DOMParser().parseFromString(withoutStyles(html), 'text/html');
  const program = head.querySelector('meta[name="generator" i]')?.getAttribute('content') ?? '';
  const isExact = exactPrograms.test(program);
  const table = body.querySelector('table');
  if (table === null) {
    const only = body.querySelector('[data-sheets-root]');
    return only === null ? null : { block: [[shownText(only)]], isAll: true, isExact: false };
  }
  const block = cellsOf(table, isExact ? exactText : shownText);
  if (block.length === 0) return null;
  table.remove();
  for (const mark of body.querySelectorAll(unseen)) mark.remove();
  return { block, isAll: body.textContent.trim() === '', isExact };
}

/** Null: nothing that could become cells, a picture for example. */
export function readClip(data: DataTransfer): Clip | null {
  const text = data.getData('text/plain');
  const html = data.getData('text/html');
  if (text === '' && html === '' && data.types.length > 0) return null;
  return { text, table: html === '' ? null : readTable(html) };
}

/** A line is one cell, whatever it holds: nothing needs to be asked about it. */
export const oneLine = ({ text, table }: Clip): string | undefined =>
  text !== null && text !== '' && table === null && !/[\t\r\n]/.test(text) ? text : undefined;
