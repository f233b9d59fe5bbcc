import { parquetMetadataAsync, parquetRead } from 'hyparquet';
import type { Compressors, FileMetaData, SchemaElement } from 'hyparquet';
import { parseJson, stringifyJson } from '../http/json.ts';
import { ImportError } from './import-error.ts';
import { exactParsers, exactType, valueText, type ExactType } from './parquet-values.ts';
import type { ByteFile, Remarks, Table, TableRow, ValueText } from './table.ts';

/** A row group is decoded as a whole. */
const LARGEST_GROUP = 256 * 1024 * 1024;
const BATCH = 500;

/** What reads the compressions of the file; Snappy is always there. */
export type ParquetCompressors = Compressors;

interface Leaf {
  readonly name: string;
  readonly exact: ExactType | undefined;
  /** Written by our own export: texts that are JSON. */
  readonly isJson: boolean;
}

/** How many elements of the schema a column takes, itself among them. */
function sizeOf(schema: readonly SchemaElement[], at: number): number {
  let size = 1;
  for (let child = 0; child < (schema[at]?.num_children ?? 0); child += 1)
    size += sizeOf(schema, at + size);
  return size;
}

/** Decimals inside of lists and structures are read as doubles: only such as doubles hold. */
const MOST_NESTED_DIGITS = 15;

function refuseInexact(name: string, elements: readonly SchemaElement[]): void {
  const digits = (element: SchemaElement): number =>
    element.logical_type?.type === 'DECIMAL'
      ? element.logical_type.precision
      : element.converted_type === 'DECIMAL'
        ? (element.precision ?? 0)
        : 0;
  if (elements.some((element) => digits(element) > MOST_NESTED_DIGITS)) {
    throw new ImportError(
      `The column "${name}" holds lists or structures of decimals with more than ${String(MOST_NESTED_DIGITS)} digits, which would be rounded. Leave it out of the file.`,
      { fault: { kind: 'nested-decimals', column: name, digits: MOST_NESTED_DIGITS } },
    );
  }
}

function readSchema(metadata: FileMetaData): {
  readonly leaves: readonly Leaf[];
  readonly schema: SchemaElement[];
} {
  const known = (key: string): readonly string[] => {
    const text = metadata.key_value_metadata?.find((pair) => pair.key === key)?.value;
    const names: unknown = text === undefined ? [] : JSON.parse(text);
    return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [];
  };
  const json = new Set(
    ['json_columns', 'number_columns'].flatMap((name) => known(`prompt_tables.${name}`)),
  );
  const schema = [...metadata.schema];
  const leaves: Leaf[] = [];
  for (let at = 1; at < schema.length;) {
    const element = schema[at];
    if (element === undefined) break;
    const size = sizeOf(schema, at);
    const isFlat = size === 1 && element.repetition_type !== 'REPEATED';
    const exact = isFlat ? exactType(element) : undefined;
    if (!isFlat) refuseInexact(element.name, schema.slice(at, at + size));
    if (exact !== undefined) {
      const { converted_type: _converted, logical_type: _logical, ...raw } = element;
      schema[at] = raw;
    }
    leaves.push({ name: element.name, exact, isJson: json.has(element.name) });
    at += size;
  }
  return { leaves, schema };
}

function unreadable(cause: unknown): unknown {
  if (cause instanceof ImportError || !(cause instanceof Error)) return cause;
  return new ImportError(`The Parquet file can't be read: ${cause.message}.`, {
    cause,
    fault: { kind: 'parquet', reason: cause.message },
  });
}

/** A Parquet file as a table; its rows are read a row group at a time. */
export async function parquetTable(
  bytes: ByteFile,
  compressors: ParquetCompressors,
): Promise<Table> {
  const file = { byteLength: bytes.byteLength, slice: bytes.slice.bind(bytes) };
  try {
    const metadata = await parquetMetadataAsync(file, { geoparquet: false });
    const { leaves, schema } = readSchema(metadata);
    const read = async (rowStart: number, rowEnd: number): Promise<readonly unknown[][]> => {
      let rows: unknown[][] = [];
      await parquetRead({
        ...{ file, compressors, rowStart, rowEnd, utf8: false, geoparquet: false },
        metadata: { ...metadata, schema },
        parsers: exactParsers,
        onComplete: (all) => (rows = all),
      });
      return rows;
    };
    return {
      fields: leaves.map(({ name }) => name),
      rows: (remarks) => groupRows(metadata, { leaves, read }, remarks),
    };
  } catch (error) {
    throw unreadable(error);
  }
}

async function* groupRows(
  { row_groups: groups }: FileMetaData,
  {
    leaves,
    read,
  }: {
    readonly leaves: readonly Leaf[];
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
        const cell = (leaf: Leaf, place: number) => cellText(leaf, values[place], remarks, record);
        return { record, values: leaves.map(cell) };
      });
    }
    start = end;
  }
}

function cellText(leaf: Leaf, value: unknown, remarks: Remarks, record: number): ValueText {
  if (value === null || value === undefined) return null;
  if (leaf.isJson && typeof value === 'string') return keptJson(value);
  if (leaf.exact === undefined) return valueText(value, remarks, record);
  if (typeof value === 'number' && !Number.isFinite(value))
    remarks.note('not-a-number', { record });
  return leaf.exact.read(value);
}

/** As a service keeps it. What only says that it is JSON is a text. */
function keptJson(text: string): string {
  try {
    return stringifyJson(parseJson(text));
  } catch (error) {
    if (error instanceof SyntaxError) return JSON.stringify(text);
    throw error;
  }
}
