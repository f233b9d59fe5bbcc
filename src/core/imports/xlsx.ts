import { unzipSync } from 'fflate';
import { readXlsx, streamXlsxRows } from 'hucre/xlsx';
import { stringifyJson } from '../http/json.ts';
import { ImportError } from './import-error.ts';
import type { ByteFile, Remarks, Table, TableRow, ValueText } from './table.ts';
import { withPlainDates } from './xlsx-formats.ts';
import { lookThrough, placeOf, type SheetLook } from './xlsx-look.ts';
import { noWorkbook, packageOf } from './xlsx-package.ts';

/** A sheet of a workbook. */
export interface BookSheet {
  readonly name: string;
  readonly isHidden: boolean;
}

/** A workbook is held while it is read. */
const LARGEST_BOOK = 50 * 1024 * 1024;

/** What a small file becomes when it is unpacked is held too, a part at a time. */
const LARGEST_PART = 512 * 1024 * 1024;

/** The reader keeps to what the file says of its parts. */
function refuseLargeParts(bytes: Uint8Array): void {
  let largest = 0;
  try {
    unzipSync(bytes, {
      filter: ({ originalSize }) => {
        largest = Math.max(largest, originalSize);
        return false;
      },
    });
  } catch {
    return; // the reader says what is wrong with it
  }
  if (largest > LARGEST_PART) {
    throw new ImportError(
      `The workbook has parts of more than ${String(LARGEST_PART / 2 ** 20)} MB. Save the sheet as CSV.`,
      { fault: { kind: 'large-part', megabytes: LARGEST_PART / 2 ** 20 } },
    );
  }
}

async function bytesOf(file: ByteFile): Promise<Uint8Array> {
  if (file.byteLength > LARGEST_BOOK) {
    throw new ImportError(
      `Excel files of up to ${String(LARGEST_BOOK / 2 ** 20)} MB are read. Save the sheet as CSV, which can have 100 MB.`,
      { fault: { kind: 'large-book', megabytes: LARGEST_BOOK / 2 ** 20 } },
    );
  }
  const bytes = new Uint8Array(await file.slice(0));
  refuseLargeParts(bytes);
  return bytes;
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
  if (!isEncrypted) return noWorkbook(cause.message, cause);
  return new ImportError(
    'The workbook is encrypted. Save it without a password and import it again.',
    { cause, fault: { kind: 'encrypted' } },
  );
}

/** The sheets of a workbook in their order, but for those that are charts. */
export async function sheetsOf(file: ByteFile): Promise<readonly BookSheet[]> {
  const bytes = await bytesOf(file);
  // It knows a file that is encrypted, or none.
  await readable(() => readXlsx(bytes, { sheets: () => false }));
  return packageOf(bytes).sheets.flatMap(({ hasCells, name, isHidden }) =>
    hasCells ? [{ name, isHidden }] : [],
  );
}

interface SheetRow {
  readonly index: number;
  readonly values: readonly unknown[];
}

async function* filledRows(
  bytes: Uint8Array,
  sheet: string,
  { blanks }: SheetLook,
): AsyncGenerator<SheetRow, void, undefined> {
  try {
    for await (const { index, values: read } of streamXlsxRows(bytes, { sheet })) {
      const values =
        blanks.size === 0
          ? read
          : read.map((value, at) => (blanks.has(placeOf(index, at)) ? null : value));
      if (values.some((value) => value !== null)) yield { index, values };
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
  const original = await bytesOf(file);
  const book = packageOf(original);
  const bytes = withPlainDates(original, book.styles);
  const look = lookThrough(bytes, book, sheet);
  let header: SheetRow | undefined;
  let width = 0;
  for await (const row of filledRows(bytes, sheet, look)) {
    header ??= row;
    width = Math.max(width, row.values.length);
  }
  if (header === undefined) {
    if (look.isFilled) throw noWorkbook(`the sheet "${sheet}" can't be found by its name.`);
    throw new ImportError(`The sheet "${sheet}" is empty.`, {
      fault: { kind: 'empty-sheet', sheet },
    });
  }
  const titles = header.values;
  const fields = Array.from({ length: width }, (_, at) =>
    hasHeader ? titleOf(titles[at], look) : null,
  );
  return {
    fields,
    async *rows(remarks) {
      if (look.merged > 0) remarks.note('merged', {}, look.merged);
      for (const row of look.unsolved) remarks.note('no-result', { record: row + 1 });
      let batch: TableRow[] = [];
      let last: number | undefined;
      for await (const row of filledRows(bytes, sheet, look)) {
        const isTitles = last === undefined && hasHeader;
        const left = last === undefined ? 0 : row.index - last - 1;
        if (left > 0) remarks.note('blank', { record: row.index - left + 1 }, left);
        last = row.index;
        if (isTitles) continue;
        batch.push(rowOf(row, { width, look, remarks }));
        if (batch.length < BATCH) continue;
        yield batch;
        batch = [];
      }
      yield batch;
    },
  };
}

function titleOf(value: unknown, look: SheetLook): string | null {
  const text = textOf(value, look);
  if (text === null) return null;
  return text.startsWith('"') ? (JSON.parse(text) as string) : text;
}

function rowOf(
  { index, values }: SheetRow,
  {
    width,
    look,
    remarks,
  }: { readonly width: number; readonly look: SheetLook; readonly remarks: Remarks },
): TableRow {
  const record = index + 1;
  const texts = Array.from({ length: width }, (_, at) => {
    const value = values[at] ?? null;
    if (look.errors.size > 0 && look.errors.has(placeOf(index, at)))
      remarks.note('error-value', { record });
    if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value))
      remarks.note('rounded', { record });
    if (!(value instanceof Date)) return textOf(value, look);
    const isDuration = look.durations.has(placeOf(index, at));
    const duration = isDuration ? durationText(value, look.is1904) : undefined;
    if (duration !== undefined) return JSON.stringify(duration);
    if (isEarly(value, look.is1904)) remarks.note('early-date', { record });
    return textOf(value, look);
  });
  return { record, values: texts };
}

function textOf(value: unknown, { is1904 }: SheetLook): ValueText {
  if (value === null || value === undefined) return null;
  if (value instanceof Date) return JSON.stringify(dateValue(value, is1904));
  return stringifyJson(value);
}

const DAY_MS = 86_400_000;
/** Day 0: a time of day has no other. */
const dayZero = (is1904: boolean): number =>
  is1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, 31);

const daysIn = (date: Date, is1904: boolean): number => (date.getTime() - dayZero(is1904)) / DAY_MS;

const isEarly = (date: Date, is1904: boolean): boolean => {
  const days = daysIn(date, is1904);
  return days >= 1 && days < 366;
};

const isoTime = (date: Date): readonly [day: string, clock: string] => {
  const [day = '', time = ''] = date.toISOString().split('T');
  return [day, time.replace('Z', '').replace(/\.000$/, '')];
};

/** Excel takes 1900 for a leap year: day 60 and the one before it are one day for the reader. */
const LEAP_DAY = 59;

/** Hours beyond a day, as Excel shows them: `30:00:00`. Undefined where it can't be told. */
function durationText(date: Date, is1904: boolean): string | undefined {
  const counted = daysIn(date, is1904);
  const isAfter = !is1904 && counted >= LEAP_DAY;
  if (counted < 0 || (isAfter && counted < LEAP_DAY + 1)) return undefined;
  const [, clock] = isoTime(date);
  const hours = Math.floor(counted + (isAfter ? 1 : 0)) * 24 + Number(clock.slice(0, 2));
  return `${String(hours).padStart(2, '0')}${clock.slice(2)}`;
}

/** A day, a time of day (which Excel keeps as a part of its day 0), or both: ISO 8601. */
function dateValue(date: Date, is1904: boolean): string | number {
  const days = daysIn(date, is1904);
  // Excel shows no date for it either.
  if (days < 0 && !is1904) return days;
  const [day, clock] = isoTime(date);
  if (days >= 0 && days < 1 && !(is1904 && days === 0)) return clock;
  return clock === '00:00:00' ? day : `${day}T${clock}`;
}
