import { blockWidth, type Block } from '../../../protocol/grid-work.ts';

type Cells = readonly (readonly string[])[];

const flat = (text: string): string => text.replaceAll(/\s/g, ' ');

/** The first `width` cells of each row, as the text has them; undefined: the text has others. */
function readWidth(text: string, cells: Cells, width: number): Block | undefined {
  const block: string[][] = [];
  let at = 0;
  for (const [line, all] of cells.entries()) {
    const isLast = line === cells.length - 1;
    const row: string[] = [];
    for (const [place, cell] of all.slice(0, width).entries()) {
      const isRowEnd = place === width - 1;
      const endsAt = (end: number): boolean =>
        isRowEnd ? text[end] === '\n' || (isLast && end === text.length) : text[end] === '\t';
      let end = at + cell.length;
      const isSame = endsAt(end) && flat(text.slice(at, end)) === flat(cell);
      if (!isSame) {
        end = at;
        while (end < text.length && text[end] !== '\t' && text[end] !== '\n') end += 1;
        if (cell === '' || end === at || !endsAt(end)) return undefined;
      }
      row.push(isSame ? cell : text.slice(at, end));
      at = end + 1;
    }
    block.push(row);
  }
  return at >= text.length ? block : undefined;
}

/**
 * Cells of a page that is exact, beside the text of the same program. Gnumeric's page has columns
 * more, into which a long text only runs, and numbers as narrow as their columns: the text knows both.
 */
export function readBeside(given: string, cells: Cells): Block | undefined {
  const text = given.replaceAll('\r\n', '\n');
  const isEmpty = (place: number): boolean => cells.every((row) => (row[place] ?? '') === '');
  for (let width = blockWidth(cells); width > 0; width -= 1) {
    const block = readWidth(text, cells, width);
    if (block !== undefined) return block;
    if (!isEmpty(width - 1)) break;
  }
  return undefined;
}
