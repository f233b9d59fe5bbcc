import { unzipSync } from 'fflate';
import { readXlsx, streamXlsxRows } from 'hucre/xlsx';
import { stringifyJson } from '../http/json.ts';
import { ImportError } from './import-error.ts';
import type { ByteFile, Remarks, Table, TableRow, ValueText } from './table.ts';

/** A sheet of a workbook. */
export interface BookSheet {
  readonly name: string;
  readonly isHidden: boolean;
}

/** A workbook is held while it is read. */
const LARGEST_BOOK = 50 * 1024 * 1024;
/** Merged areas stand behind all cells: where more is to be unpacked they are not looked for. */
const LARGEST_LOOKED_THROUGH = 64 * 1024 * 1024;
/** All of a sheet is held to look for formulas: where more is to be unpacked they are not looked for. */
const LARGEST_WITH_FORMULAS = 16 * 1024 * 1024;

const errorValue = /^#(?:N\/A|REF!|VALUE!|DIV\/0!|NAME\?|NULL!|NUM!|GETTING_DATA|SPILL!|CALC!)$/;

/** What a small file becomes when it is unpacked is held too, a part at a time. */
const LARGEST_PART = 512 * 1024 * 1024;

/** Bytes of the largest part when it is unpacked; the reader keeps to what the file says. */
function largestPart(bytes: Uint8Array): number {
  let largest = 0;
  try {
    unzipSync(bytes, {
      filter: ({ originalSize }) => {
        largest = Math.max(largest, originalSize);
        return false;
      },
    });
  } catch {
    return 0; // the reader says what is wrong with it
  }
  if (largest > LARGEST_PART) {
    throw new ImportError(
      `The workbook has parts of more than ${String(LARGEST_PART / 2 ** 20)} MB. Save the sheet as CSV.`,
      { fault: { kind: 'large-part', megabytes: LARGEST_PART / 2 ** 20 } },
    );
  }
  return largest;
}

async function bytesOf(file: ByteFile): Promise<{ bytes: Uint8Array; largest: number }> {
  if (file.byteLength > LARGEST_BOOK) {
    throw new ImportError(
      `Excel files of up to ${String(LARGEST_BOOK / 2 ** 20)} MB are read. Save the sheet as CSV, which can have 100 MB.`,
      { fault: { kind: 'large-book', megabytes: LARGEST_BOOK / 2 ** 20 } },
    );
  }
  const bytes = new Uint8Array(await file.slice(0));
  return { bytes, largest: largestPart(bytes) };
}

/** What the reader says about a file that it can't read. */
async function readable<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (cause) {
    throw unreadable(cause);
  }
}

function unreadable(cause: unknown): unknown {
  if (cause instanceof ImportError || !(cause instanceof Error)) return cause;
  const isEncrypted = cause.name === 'EncryptedFileError';
  return new ImportError(
    isEncrypted
      ? 'The workbook is encrypted. Save it without a password and import it again.'
      : `The file is not a whole Excel workbook (.xlsx): ${cause.message}`,
    {
      cause,
      fault: isEncrypted ? { kind: 'encrypted' } : { kind: 'no-workbook', reason: cause.message },
    },
  );
}

/** The sheets of a workbook in their order. */
export async function sheetsOf(file: ByteFile): Promise<readonly BookSheet[]> {
  const { bytes } = await bytesOf(file);
  const sheets: BookSheet[] = [];
  await readable(() =>
    readXlsx(bytes, {
      sheets: ({ name, hidden = false, veryHidden = false }) => {
        sheets.push({ name, isHidden: hidden || veryHidden });
        return false;
      },
    }),
  );
  return sheets;
}

async function mergedAreas(bytes: Uint8Array, largest: number, sheet: string): Promise<number> {
  if (largest > LARGEST_LOOKED_THROUGH) return 0;
  const { sheets } = await readXlsx(bytes, { sheets: [sheet], maxRows: 1 });
  return sheets[0]?.merges?.length ?? 0;
}

/** Rows of formulas that have no value: programs that write files do not compute. */
async function rowsWithoutResult(
  bytes: Uint8Array,
  largest: number,
  sheet: string,
): Promise<readonly number[]> {
  if (largest > LARGEST_WITH_FORMULAS) return [];
  const { sheets } = await readXlsx(bytes, { sheets: [sheet] });
  return [...(sheets[0]?.cells ?? [])].flatMap(([place, { formula, formulaResult, value }]) =>
    formula !== undefined && (formulaResult ?? value ?? null) === null
      ? [Number(place.split(',')[0])]
      : [],
  );
}

/** Books of older Macs count days from 1904 on. */
function countsFrom1904(bytes: Uint8Array): boolean {
  const name = 'xl/workbook.xml';
  const found = unzipSync(bytes, { filter: (part) => part.name === name })[name];
  return /<(?:\w+:)?workbookPr\b[^>]*\bdate1904="(?:1|true)"/.test(new TextDecoder().decode(found));
}

interface SheetRow {
  readonly index: number;
  readonly values: readonly unknown[];
}

async function* filledRows(
  bytes: Uint8Array,
  sheet: string,
): AsyncGenerator<SheetRow, void, undefined> {
  try {
    for await (const row of streamXlsxRows(bytes, { sheet })) {
      if (row.values.some((value) => value !== null)) yield row;
    }
  } catch (error) {
    throw unreadable(error);
  }
}

const BATCH = 500;

/** A sheet of a workbook as a table, as wide as its widest row. */
export async function xlsxTable(
  file: ByteFile,
  { sheet, hasHeader }: { readonly sheet: string; readonly hasHeader: boolean },
): Promise<Table> {
  const { bytes, largest } = await bytesOf(file);
  let header: SheetRow | undefined;
  let width = 0;
  for await (const row of filledRows(bytes, sheet)) {
    header ??= row;
    width = Math.max(width, row.values.length);
  }
  if (header === undefined)
    throw new ImportError(`The sheet "${sheet}" is empty.`, {
      fault: { kind: 'empty-sheet', sheet },
    });
  const merged = await readable(() => mergedAreas(bytes, largest, sheet));
  const unsolved = await readable(() => rowsWithoutResult(bytes, largest, sheet));
  const is1904 = await readable(() => Promise.resolve(countsFrom1904(bytes)));
  const titles = header.values;
  const fields = Array.from({ length: width }, (_, at) =>
    hasHeader ? titleOf(titles[at], is1904) : null,
  );
  return {
    fields,
    async *rows(remarks) {
      if (merged > 0) remarks.note('merged', {}, merged);
      for (const row of unsolved) remarks.note('no-result', { record: row + 1 });
      let batch: TableRow[] = [];
      let last: number | undefined;
      for await (const row of filledRows(bytes, sheet)) {
        const isTitles = last === undefined && hasHeader;
        const left = last === undefined ? 0 : row.index - last - 1;
        if (left > 0) remarks.note('blank', { record: row.index - left + 1 }, left);
        last = row.index;
        if (isTitles) continue;
        batch.push(rowOf(row, { width, is1904, remarks }));
        if (batch.length < BATCH) continue;
        yield batch;
        batch = [];
      }
      yield batch;
    },
  };
}

function titleOf(value: unknown, is1904: boolean): string | null {
  const text = textOf(value, is1904);
  if (text === null) return null;
  return text.startsWith('"') ? (JSON.parse(text) as string) : text;
}

function rowOf(
  { index, values }: SheetRow,
  {
    width,
    is1904,
    remarks,
  }: { readonly width: number; readonly is1904: boolean; readonly remarks: Remarks },
): TableRow {
  const record = index + 1;
  const cells = Array.from({ length: width }, (_, at) => values[at] ?? null);
  for (const value of cells) {
    if (typeof value === 'string' && errorValue.test(value))
      remarks.note('error-value', { record });
    if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value))
      remarks.note('rounded', { record });
    if (value instanceof Date && isEarly(value, is1904)) remarks.note('early-date', { record });
  }
  return { record, values: cells.map((value) => textOf(value, is1904)) };
}

function textOf(value: unknown, is1904: boolean): ValueText {
  if (value === null || value === undefined) return null;
  if (value instanceof Date) return JSON.stringify(dateValue(value, is1904));
  return stringifyJson(value);
}

const DAY_MS = 86_400_000;
/** Day 0: a time of day has no other. */
const dayZero = (is1904: boolean): number =>
  is1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, 31);

const isEarly = (date: Date, is1904: boolean): boolean => {
  const days = (date.getTime() - dayZero(is1904)) / DAY_MS;
  return days >= 1 && days < 366;
};

/** A day, a time of day (which Excel keeps as a part of its day 0), or both: ISO 8601. */
function dateValue(date: Date, is1904: boolean): string | number {
  const days = (date.getTime() - dayZero(is1904)) / DAY_MS;
  // Excel shows no date for it either.
  if (days < 0 && !is1904) return days;
  const [day = '', time = ''] = date.toISOString().split('T');
  const clock = time.replace('Z', '').replace(/\.000$/, '');
  if (days >= 0 && days < 1 && !(is1904 && days === 0)) return clock;
  return clock === '00:00:00' ? day : `${day}T${clock}`;
}
