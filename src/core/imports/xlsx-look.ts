import { unzipSync } from 'fflate';
import { readXlsx } from 'hucre/xlsx';

/** Merged areas stand behind all cells: where more is to be unpacked they are not looked for. */
const LARGEST_LOOKED_THROUGH = 64 * 1024 * 1024;
/** All of a sheet is held to look at its cells: where more is to be unpacked they are not looked at. */
const LARGEST_HELD = 16 * 1024 * 1024;

/** A workbook as it is in the file, and how large its largest part is when it is unpacked. */
export interface Book {
  readonly bytes: Uint8Array;
  readonly largest: number;
}

/** What rows alone don't say. */
export interface SheetLook {
  readonly is1904: boolean;
  readonly merged: number;
  /** Rows of formulas that have no value: programs that write files do not compute. */
  readonly unsolved: readonly number[];
  /** Cells that show hours, minutes or seconds beyond a day. */
  readonly durations: ReadonlySet<string>;
}

/** How a cell is named here; both count from 0. */
export const placeOf = (row: number, column: number): string => `${String(row)},${String(column)}`;

function partsOf(bytes: Uint8Array, names: readonly string[]): readonly string[] {
  const found = unzipSync(bytes, { filter: ({ name }) => names.includes(name) });
  return names.map((name) => new TextDecoder().decode(found[name]));
}

/** Books of older Macs count days from 1904 on. */
function countsFrom1904(bytes: Uint8Array): boolean {
  const [workbook = ''] = partsOf(bytes, ['xl/workbook.xml']);
  return /<(?:\w+:)?workbookPr\b[^<>]*\bdate1904="(?:1|true)"/.test(workbook);
}

const attribute = (tag: string, name: string): string | undefined =>
  new RegExp(`\\s(?:\\w+:)?${name}\\s*=\\s*(["'])(.*?)\\1`).exec(tag)?.[2];

/** Whether the sheets of a book have cells, in their order: those of charts have none. */
export function haveCells(bytes: Uint8Array): readonly boolean[] {
  const [workbook = '', relations = ''] = partsOf(bytes, [
    'xl/workbook.xml',
    'xl/_rels/workbook.xml.rels',
  ]);
  const types = new Map<string | undefined, string>();
  for (const [tag] of relations.matchAll(/<(?:\w+:)?Relationship\s[^<>]*>/g))
    types.set(attribute(tag, 'Id'), attribute(tag, 'Type') ?? '');
  return Array.from(workbook.matchAll(/<(?:\w+:)?sheet\s[^<>]*>/g), ([tag]) => {
    const type = types.get(attribute(tag, 'id'));
    return type === undefined || type.endsWith('/worksheet');
  });
}

/** `[h]:mm` and its kin. */
const elapsed = /\[(?:h+|m+|s+)\]/i;

export async function lookThrough({ bytes, largest }: Book, sheet: string): Promise<SheetLook> {
  const unsolved: number[] = [];
  const durations = new Set<string>();
  let merged = 0;
  if (largest <= LARGEST_LOOKED_THROUGH) {
    const { sheets } = await readXlsx(bytes, { sheets: [sheet], maxRows: 1 });
    merged = sheets[0]?.merges?.length ?? 0;
  }
  if (largest <= LARGEST_HELD) {
    const { sheets } = await readXlsx(bytes, { sheets: [sheet], readStyles: true });
    for (const [place, cell] of sheets[0]?.cells ?? []) {
      const { formula, formulaResult, value, style } = cell;
      if (formula !== undefined && (formulaResult ?? value ?? null) === null)
        unsolved.push(Number(place.split(',')[0]));
      if (elapsed.test(style?.numFmt ?? '')) durations.add(place);
    }
  }
  return { is1904: countsFrom1904(bytes), merged, unsolved, durations };
}
