import { TextReader } from './decode-text.ts';
import { delimitedTable } from './delimited.ts';
import { delimiterHint, findDelimiter, type FoundDelimiter } from './delimiter.ts';
import { findEncoding, type FoundEncoding, type TextEncoding } from './encodings.ts';
import { foreignFault } from './foreign.ts';
import { formatOf, type FileFormat } from './formats.ts';
import { ImportError } from './import-error.ts';
import { jsonTable } from './json-table.ts';
import { parquetTable, type ParquetCompressors } from './parquet.ts';
import type { ByteFile, Table } from './table.ts';
import { sheetsOf, xlsxTable, type BookSheet } from './xlsx.ts';

/** What somebody has decided about how a file is to be read; the rest is found out. */
export interface ReadChoices {
  readonly format?: FileFormat | undefined;
  readonly encoding?: TextEncoding | undefined;
  readonly delimiter?: string | undefined;
  /** Empty: there are no quotes. May be `backslashQuotes`. */
  readonly quote?: string | undefined;
  readonly hasHeader?: boolean | undefined;
  /** Of a workbook, by its name. */
  readonly sheet?: string | undefined;
}

type Known<Value, How> = { readonly value: Value; readonly how: How | 'chosen' };

/** How a file is read, and how that is known. */
export interface ReadForm {
  readonly format: FileFormat;
  readonly encoding?: Known<TextEncoding, FoundEncoding['how']>;
  readonly delimiter?: Known<string, FoundDelimiter['how']> & {
    /** What else splits the records as well. */
    readonly others: readonly string[];
  };
  readonly quote?: string;
  readonly hasHeader?: boolean;
  readonly sheet?: string;
  readonly sheets?: readonly BookSheet[];
}

export interface OpenedFile {
  readonly form: ReadForm;
  /** Absent where somebody must decide first: encoding (`unknown`) or delimiter (`tie`). */
  readonly table?: Table;
  /** Its first lines, where it can't be split yet. */
  readonly lines?: readonly string[];
  /** Why it can't be read like that at all. */
  readonly fault?: ImportError;
}

/** So much of a text is looked at before anything is read. */
const HEAD_BYTES = 2 * 1024 * 1024;
const FIRST_LINES = 50;

async function headOf(file: ByteFile): Promise<Uint8Array> {
  return new Uint8Array(await file.slice(0, Math.min(file.byteLength, HEAD_BYTES)));
}

/** Finds out how a file is to be read where nobody has decided it. */
export async function openFile(
  file: ByteFile,
  choices: ReadChoices = {},
  { compressors = {} }: { readonly compressors?: ParquetCompressors } = {},
): Promise<OpenedFile> {
  const head = await headOf(file);
  const format = choices.format ?? formatOf(file.name, head);
  if (file.byteLength === 0)
    return {
      form: { format },
      fault: new ImportError('The file is empty.', { fault: { kind: 'empty' } }),
    };
  switch (format) {
    case 'parquet':
      return withTable({ format }, () => parquetTable(file, compressors));
    case 'xlsx':
      return openBook(file, choices);
    case 'json':
    case 'jsonl':
    case 'delimited':
      return openText(file, { format, head, choices });
  }
}

/** What is wrong with a file is said beside how it was read, which somebody may change. */
async function withTable(form: ReadForm, read: () => Promise<Table>): Promise<OpenedFile> {
  try {
    return { form, table: await read() };
  } catch (error) {
    if (error instanceof ImportError) return { form, fault: error };
    throw error;
  }
}

async function openBook(
  file: ByteFile,
  { sheet, hasHeader = true }: ReadChoices,
): Promise<OpenedFile> {
  let sheets: readonly BookSheet[];
  try {
    sheets = await sheetsOf(file);
  } catch (error) {
    if (error instanceof ImportError) return { form: { format: 'xlsx' }, fault: error };
    throw error;
  }
  const chosen =
    sheets.find(({ name }) => name === sheet) ??
    sheets.find(({ isHidden }) => !isHidden) ??
    sheets[0];
  if (chosen === undefined)
    return {
      form: { format: 'xlsx' },
      fault: new ImportError('The workbook has no sheets.', { fault: { kind: 'no-sheets' } }),
    };
  const form: ReadForm = { format: 'xlsx', sheets, sheet: chosen.name, hasHeader };
  return withTable(form, () => xlsxTable(file, { sheet: chosen.name, hasHeader }));
}

interface Text {
  readonly format: 'json' | 'jsonl' | 'delimited';
  readonly head: Uint8Array;
  readonly choices: ReadChoices;
}

async function openText(file: ByteFile, { format, head, choices }: Text): Promise<OpenedFile> {
  const foreign = foreignFault(head);
  if (foreign !== undefined) return { form: { format }, fault: foreign };
  const isWhole = head.byteLength === file.byteLength;
  const encoding: Known<TextEncoding, FoundEncoding['how']> =
    choices.encoding === undefined
      ? found(findEncoding(head, isWhole))
      : { value: choices.encoding, how: 'chosen' };
  if (encoding.how === 'unknown') return { form: { format, encoding }, lines: linesOf(head) };
  if (format !== 'delimited') {
    const isLines = format === 'jsonl';
    return withTable({ format, encoding }, () =>
      jsonTable(file, { encoding: encoding.value, isLines }),
    );
  }
  let text: string;
  try {
    text = new TextReader(encoding.value).read(head);
  } catch (error) {
    // Not even its first character.
    if (error instanceof ImportError) return { form: { format, encoding }, fault: error };
    throw error;
  }
  const { quote = '"', hasHeader = true } = choices;
  const seen = findDelimiter(text, { isWhole, quote });
  const delimiter =
    choices.delimiter === undefined
      ? { value: seen.delimiter, how: seen.how, others: seen.others }
      : { value: choices.delimiter, how: 'chosen' as const, others: [] };
  const form: ReadForm = { format, encoding, delimiter, quote, hasHeader };
  if (delimiter.how === 'tie') return { form, lines: firstLines(text) };
  const skip = delimiterHint(text)?.length ?? 0;
  const dialect = {
    ...{ delimiter: delimiter.value, quote, skip, encoding: encoding.value, hasHeader },
    isMarked: findEncoding(head, isWhole).how === 'mark',
  };
  return withTable(form, () => delimitedTable(file, dialect, text));
}

const found = ({ encoding, how }: FoundEncoding) => ({ value: encoding, how });

const firstLines = (text: string): readonly string[] =>
  text
    .slice(0, HEAD_BYTES / 8)
    .split(/\r\n|\n|\r/)
    .slice(0, FIRST_LINES);

/** With a sign for each byte that is no character. */
const linesOf = (head: Uint8Array): readonly string[] =>
  firstLines(new TextDecoder('utf-8').decode(head));
