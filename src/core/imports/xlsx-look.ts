import { ImportError } from './import-error.ts';
import { noWorkbook, partOf, readXml, type Package } from './xlsx-package.ts';

/** What rows alone don't say. */
export interface SheetLook {
  readonly is1904: boolean;
  readonly merged: number;
  /** Whether any cell holds something. */
  readonly isFilled: boolean;
  /** Rows of formulas that have no value: programs that write files do not compute. */
  readonly unsolved: readonly number[];
  /** Cells that show hours, minutes or seconds beyond a day. */
  readonly durations: ReadonlySet<number>;
  /** Cells whose type promises a value that is not there. */
  readonly blanks: ReadonlySet<number>;
  /** Cells that hold an error such as #N/A. */
  readonly errors: ReadonlySet<number>;
}

const COLUMNS = 16_384;
/** How a cell is named here; both count from 0. */
export const placeOf = (row: number, column: number): number => row * COLUMNS + column;
/** Cells that are more than a value: so many are held. */
const MOST_SPECIAL = 2_000_000;

/** `[h]:mm` and its kin. */
const elapsed = /\[(?:h+|m+|s+)\]/i;
/** The one that needs no text in a workbook. */
const ELAPSED = '46';

/** How many texts the cells can point to. */
function countStrings(bytes: Uint8Array, part: string | undefined): number {
  const content = part === undefined ? undefined : partOf(bytes, part);
  if (part === undefined || content === undefined) return 0;
  let count = 0;
  readXml(part, content, {
    open(tag) {
      if (tag === 'si') count += 1;
    },
  });
  return count;
}

/** Of each style that cells can point to, whether it shows a duration. */
function stylesOf(bytes: Uint8Array, part: string | undefined): readonly boolean[] {
  const content = part === undefined ? undefined : partOf(bytes, part);
  if (part === undefined || content === undefined) return [];
  const formats = new Map<string | undefined, string>();
  const styles: boolean[] = [];
  let isCells = false;
  readXml(part, content, {
    open(tag, attribute) {
      if (tag === 'numFmt') formats.set(attribute('numFmtId'), attribute('formatCode') ?? '');
      if (tag === 'cellXfs') isCells = true;
      if (tag !== 'xf' || !isCells) return;
      const id = attribute('numFmtId');
      styles.push(id === ELAPSED || elapsed.test(formats.get(id) ?? ''));
    },
    close(tag) {
      if (tag === 'cellXfs') isCells = false;
    },
  });
  return styles;
}

const cellName = /^([A-Z]{1,3})([1-9]\d{0,6})$/;
const LETTERS = 26;
const columnOf = (letters: string): number =>
  Array.from(letters).reduce((sum, letter) => sum * LETTERS + letter.charCodeAt(0) - 64, 0) - 1;
const letterOf = (column: number): string =>
  (column >= LETTERS ? letterOf(Math.floor(column / LETTERS) - 1) : '') +
  String.fromCharCode(65 + (column % LETTERS));

const wholeNumber = /^\d+$/;
const decimal = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
const isNumber = (text: string): boolean => decimal.test(text) && Number.isFinite(Number(text));

interface Cell {
  readonly name: string;
  readonly type: string;
  readonly style: string;
  hasFormula: boolean;
  hasInline: boolean;
  hasValue: boolean;
  value: string;
}

/** What is wrong with a cell; the reader of workbooks would take something else for its value. */
function faultOf(cell: Cell, counts: { strings: number; styles: number }): string | undefined {
  const { type, style, hasInline } = cell;
  const value = cell.value.trim();
  if (style !== '' && style !== '0' && !(wholeNumber.test(style) && +style < counts.styles)) {
    return `style ${style} of ${String(counts.styles)}`;
  }
  if (hasInline !== (type === 'inlineStr') && (hasInline || value !== '')) {
    return `a value of another type than "${type}"`;
  }
  if (value === '') return undefined;
  switch (type) {
    case 's':
      return wholeNumber.test(value) && Number(value) < counts.strings
        ? undefined
        : `text ${value} of ${String(counts.strings)}`;
    case 'b':
      return /^(?:[01]|true|false)$/i.test(value) ? undefined : `"${value}" as a Boolean`;
    case '':
    case 'n':
      return isNumber(value) ? undefined : `"${value}" as a number`;
    default:
      return undefined;
  }
}

const cellTypes = ['', 'n', 's', 'str', 'inlineStr', 'b', 'e', 'd'];
const MOST_SHOWN = 40;

function brokenCell(sheet: string, cell: string, reason: string): ImportError {
  const shown = reason.slice(0, MOST_SHOWN);
  return new ImportError(
    `The cell ${cell} of the sheet "${sheet}" is damaged: ${shown}. Open the workbook in Excel, save it, and import it again.`,
    { fault: { kind: 'broken-cell', sheet, cell, reason: shown } },
  );
}

const tooManySpecial = (sheet: string): ImportError =>
  noWorkbook(
    `the sheet "${sheet}" has more than ${String(MOST_SPECIAL)} durations, errors, and empty cells with a type. Save it as CSV.`,
  );

/** Reads a sheet once, in the memory of one cell, and refuses what can only be read wrongly. */
export function lookThrough(bytes: Uint8Array, book: Package, name: string): SheetLook {
  const found = book.sheets.filter((one) => one.name === name);
  const [sheet] = found;
  if (sheet === undefined || found.length > 1) {
    throw noWorkbook(`${String(found.length)} sheets are named "${name}".`);
  }
  const content = sheet.part === undefined ? undefined : partOf(bytes, sheet.part);
  if (sheet.part === undefined || content === undefined) {
    throw noWorkbook(`the part of the sheet "${name}" is missing.`);
  }
  const styles = stylesOf(bytes, book.styles);
  const counts = { strings: countStrings(bytes, book.strings), styles: styles.length };
  const look = { is1904: book.is1904, merged: 0, isFilled: false };
  const unsolved: number[] = [];
  const durations = new Set<number>();
  const blanks = new Set<number>();
  const errors = new Set<number>();
  let row = -1;
  let column = -1;
  let cell: Cell | undefined;
  let isValue = false;
  const refuse = (reason: string): never => {
    const place = `${column < 0 ? '' : letterOf(column)}${String(row + 1)}`;
    throw brokenCell(name, cell?.name ?? place, reason);
  };
  const openRow = (number: string | undefined): void => {
    const next = number === undefined ? row + 1 : Number(number) - 1;
    if (!(Number.isInteger(next) && next > row)) refuse(`row ${String(number)} after it`);
    row = next;
    column = -1;
  };
  const openCell = (attribute: (wanted: string) => string | undefined): void => {
    const given = attribute('r');
    const [, letters, number] = cellName.exec(given ?? '') ?? [];
    const next = letters === undefined ? column + 1 : columnOf(letters);
    const isPlace = given === undefined || Number(number) - 1 === row;
    if (!isPlace || next <= column) refuse(`${given ?? 'a cell'} after it`);
    column = next;
    const type = attribute('t') ?? '';
    cell = {
      ...{ name: `${letterOf(column)}${String(row + 1)}`, type, style: attribute('s') ?? '' },
      ...{ hasFormula: false, hasInline: false, hasValue: false, value: '' },
    };
    if (!cellTypes.includes(type)) refuse(`type "${type}"`);
  };
  const closeCell = (one: Cell): void => {
    const fault = faultOf(one, counts);
    if (fault !== undefined) refuse(fault);
    const place = placeOf(row, column);
    if (one.hasFormula && !one.hasValue && !one.hasInline) unsolved.push(row);
    if (styles[Number(one.style)] === true) durations.add(place);
    if (one.hasInline || one.value !== '') look.isFilled = true;
    else if (one.type !== '' && one.type !== 'n' && !one.hasFormula) blanks.add(place);
    if (one.type === 'e' && one.value !== '') errors.add(place);
    if (durations.size + blanks.size + errors.size > MOST_SPECIAL) throw tooManySpecial(name);
    cell = undefined;
  };
  readXml(sheet.part, content, {
    open(tag, attribute) {
      if (tag === 'row') openRow(attribute('r'));
      else if (tag === 'c') openCell(attribute);
      else if (tag === 'mergeCell') look.merged += 1;
      if (cell === undefined) return;
      if (tag === 'f') cell.hasFormula = true;
      if (tag === 'is') cell.hasInline = true;
      isValue = tag === 'v';
      cell.hasValue ||= isValue;
    },
    text(text) {
      if (cell !== undefined && isValue) cell.value += text;
    },
    close(tag) {
      if (tag === 'v') isValue = false;
      if (tag === 'c' && cell !== undefined) closeCell(cell);
    },
  });
  return { ...look, unsolved, durations, blanks, errors };
}
