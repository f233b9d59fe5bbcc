import { parquetMetadataAsync, parquetRead } from 'hyparquet';
import type { Compressors, FileMetaData } from 'hyparquet';
import { parseJsonAsWritten, stringifyJson } from '../http/json.ts';
import { ImportError } from './import-error.ts';
import { readSchema, ValueWriter, type ParquetField } from './parquet-schema.ts';
import { exactParsers } from './parquet-values.ts';
import type { ByteFile, Remarks, Table, TableRow, ValueText } from './table.ts';

/** A row group is decoded as a whole. */
const LARGEST_GROUP = 256 * 1024 * 1024;
const BATCH = 500;

/** What reads the compressions of the file; Snappy is always there. */
export type ParquetCompressors = Compressors;

/** Columns that our own export has marked: their texts are JSON. */
function jsonColumns(metadata: FileMetaData): ReadonlySet<string> {
  const known = (key: string): readonly string[] => {
    const text = metadata.key_value_metadata?.find((pair) => pair.key === key)?.value;
    const names: unknown = text === undefined ? [] : JSON.parse(text);
    return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [];
  };
  return new Set(
    ['json_columns', 'number_columns'].flatMap((name) => known(`prompt_tables.${name}`)),
  );
}

function unreadable(cause: unknown): unknown {
  if (cause instanceof ImportError || !(cause instanceof Error)) return cause;
  // A page that ends before it should: what the reader says of it is about its own buffers.
  const reason =
    cause instanceof RangeError
      ? "a page doesn't hold as many values as it says. If pyarrow wrote it with data_page_version 2.0, write it again with 1.0"
      : cause.message;
  return new ImportError(`The Parquet file can't be read: ${reason}.`, {
    ...{ cause, fault: { kind: 'parquet', reason } },
  });
}

/** A Parquet file as a table; its rows are read a row group at a time. */
export async function parquetTable(
  bytes: ByteFile,
  compressors: ParquetCompressors,
): Promise<Table> {
  const file = { byteLength: bytes.byteLength, slice: bytes.slice.bind(bytes) };
  try {
    const written = await parquetMetadataAsync(file, { geoparquet: false });
    const json = jsonColumns(written);
    const { fields, metadata } = readSchema(written);
    const read = async (rowStart: number, rowEnd: number): Promise<readonly unknown[][]> => {
      let rows: unknown[][] = [];
      await parquetRead({
        ...{ file, compressors, rowStart, rowEnd, utf8: false, geoparquet: false },
        metadata,
        parsers: exactParsers,
        onComplete: (all) => (rows = all),
      });
      return rows;
    };
    return {
      fields: fields.map(({ name }) => name),
      rows: (remarks) => groupRows(metadata, { fields, json, read }, remarks),
    };
  } catch (error) {
    throw unreadable(error);
  }
}

async function* groupRows(
  { row_groups: groups }: FileMetaData,
  {
    fields,
    json,
    read,
  }: {
    readonly fields: readonly ParquetField[];
    readonly json: ReadonlySet<string>;
    readonly read: (start: number, end: number) => Promise<readonly unknown[][]>;
  },
  remarks: Remarks,
): AsyncGenerator<readonly TableRow[], void, undefined> {
  let start = 0;
  for (const group of groups) {
    if (Number(group.total_byte_size) > LARGEST_GROUP) {
      throw new ImportError(
        `A row group of the Parquet file has more than ${String(LARGEST_GROUP / 2 ** 20)} MB. Write the file with smaller row groups.`,
        { fault: { kind: 'large-group', megabytes: LARGEST_GROUP / 2 ** 20 } },
      );
    }
    const end = start + Number(group.num_rows);
    let rows: readonly unknown[][];
    try {
      rows = await read(start, end);
    } catch (error) {
      throw unreadable(error);
    }
    if (rows.length !== end - start) {
      throw new ImportError(
        `The Parquet file says it has ${String(end - start)} rows from row ${String(start + 1)} on, but holds ${String(rows.length)}.`,
        {
          fault: {
            ...{ kind: 'missing-rows', promised: end - start, found: rows.length },
            record: start + 1,
          },
        },
      );
    }
    for (let at = 0; at < rows.length; at += BATCH) {
      yield rows.slice(at, at + BATCH).map((values, offset) => {
        const record = start + at + offset + 1;
        const writer = new ValueWriter(remarks, record);
        const cell = (field: ParquetField, place: number): ValueText => {
          const value = values[place];
          const isJson = typeof value === 'string' && json.has(field.name);
          return isJson ? keptJson(value) : writer.write(field, value);
        };
        return { record, values: fields.map(cell) };
      });
    }
    start = end;
  }
}

/** As a service keeps it. What only says that it is JSON is a text. */
function keptJson(text: string): string {
  try {
    return stringifyJson(parseJsonAsWritten(text));
  } catch (error) {
    if (error instanceof SyntaxError) return JSON.stringify(text);
    throw error;
  }
}
