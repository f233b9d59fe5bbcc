import type { Dialect } from './csv-options.ts';
import { readBatches, readHeader, type CsvRecord } from './csv.ts';
import { TextReader } from './decode-text.ts';
import type { TextEncoding } from './encodings.ts';
import { ImportError, type FilePlace } from './import-error.ts';
import type { ByteFile, Remarks, Table, TableRow } from './table.ts';

/** The text of a file in pieces. What can't be decoded is an error after what stands before it. */
export async function* textsOf(
  file: ByteFile,
  encoding: TextEncoding,
): AsyncGenerator<string, void, undefined> {
  const reader = new TextReader(encoding);
  for await (const piece of file.pieces()) yield reader.read(piece);
  yield reader.end();
}

/** Of UTF-8. */
const MARK_BYTES = 3;

export interface DelimitedForm extends Dialect {
  readonly encoding: TextEncoding;
  readonly hasHeader: boolean;
  /** A byte order mark stands before the text. */
  readonly isMarked: boolean;
}

/** Separated values as a table. `head`: the beginning of its text, which holds the first record. */
export async function delimitedTable(
  file: ByteFile,
  form: DelimitedForm,
  head: string,
): Promise<Table> {
  const first = await readHeader(head.slice(form.skip ?? 0), { ...form, skip: 0 });
  const { length: width } = first;
  const fields = form.hasHeader ? first : first.map(() => null);
  // Bytes are counted in UTF-8: in other encodings they are not those of the file.
  const mark = form.encoding === 'utf-8' ? (form.isMarked ? MARK_BYTES : 0) : undefined;
  const placeOf = ({ number: record, line, byte }: CsvRecord): RecordPlace =>
    mark === undefined ? { record, line } : { record, line, byte: byte + mark };
  return {
    fields,
    async *rows(remarks) {
      try {
        for await (const batch of readBatches(textsOf(file, form.encoding), form)) {
          const rows = form.hasHeader && batch[0]?.number === 1 ? batch.slice(1) : batch;
          yield rows.map((record) => rowOf(record, placeOf(record), { width, remarks }));
        }
      } catch (error) {
        throw withMark(error, mark);
      }
    },
  };
}

interface RecordPlace extends FilePlace {
  readonly record: number;
}

function rowOf(
  { fields, hasBackslashes }: CsvRecord,
  place: RecordPlace,
  { width, remarks }: { readonly width: number; readonly remarks: Remarks },
): TableRow {
  if (fields.length > width) {
    if (fields.slice(width).some((field) => field !== null)) throw tooWide(fields, width, place);
    remarks.note('extra', place);
  }
  if (fields.length < width) remarks.note('short', place);
  if (hasBackslashes) remarks.note('backslashes', place);
  const values: (string | null)[] = [];
  for (let at = 0; at < width; at += 1) {
    const field = fields[at] ?? null;
    values.push(field === null ? null : JSON.stringify(field));
  }
  return { ...place, values };
}

const tooWide = (
  { length }: readonly unknown[],
  columns: number,
  place: RecordPlace,
): ImportError =>
  new ImportError(
    `Record ${String(place.record)} has ${String(length)} fields, but the header has ${String(columns)}. Check its quotes and delimiters.`,
    { fault: { kind: 'wide', fields: length, columns, ...place } },
  );

/** The byte of a fault as it is in the file, where that is known. */
function withMark(error: unknown, mark: number | undefined): unknown {
  if (!(error instanceof ImportError)) return error;
  const { message, fault } = error;
  if (fault.kind !== 'open-quote' && fault.kind !== 'long-record') return error;
  const byte = mark === undefined || fault.byte === undefined ? undefined : fault.byte + mark;
  return new ImportError(message, { cause: error, fault: { ...fault, byte } });
}
