import type { SchemaElement } from 'hyparquet-writer';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { ConflictError } from '../errors.ts';
import type { Encode, ExportPlan, FileRow } from './shape.ts';
import { errorOf, hasValue, statusOf } from './shape.ts';
import type { ValueKind } from './value-kind.ts';
import { KindSeen, fits } from './value-kind.ts';

/** A row group is in memory until it is written, which is done at once. */
const GROUP_ROWS = 5000;
const GROUP_CHARACTERS = 1024 * 1024;

type Value = string | number | bigint | boolean | null;

/** One column of the file. */
interface Field {
  readonly name: string;
  readonly kind: ValueKind;
  readonly read: (row: FileRow) => Value;
}

/**
 * Typed columns: booleans, 64-bit integers, doubles and text. Numbers that fit neither are written
 * as text with all their digits, values of different kinds as JSON text; the file's metadata names
 * both. The types are found by reading the sheet once before it is written.
 */
export const parquet: Encode = async function* encode(plan) {
  const fields = await fieldsOf(plan);
  const writer = new PieceWriter();
  const file = new ParquetWriter({
    writer,
    schema: schemaOf(fields),
    statistics: false,
    createdBy: 'prompt-tables',
    kvMetadata: [
      { key: 'prompt_tables.json_columns', value: namesOf(fields, 'mixed') },
      { key: 'prompt_tables.number_columns', value: namesOf(fields, 'digits') },
    ],
  });
  for await (const rows of groups(plan)) {
    await file.write({
      columnData: fields.map(({ name, read }) => ({
        name,
        data: rows.map((row) => asWritten(read(row))),
      })),
      rowGroupSize: rows.length,
    });
    yield writer.take();
  }
  await file.finish();
  yield writer.take();
};

/** A text as its bytes: those of Buffer share memory, the writer's own have each a piece of it. */
const asWritten = (value: Value): Exclude<Value, string> | Uint8Array =>
  typeof value === 'string' ? Buffer.from(value) : value;

const namesOf = (fields: readonly Field[], kind: ValueKind): string =>
  JSON.stringify(fields.filter((field) => field.kind === kind).map(({ name }) => name));

/** Pages put together: small row groups make large files. */
async function* groups({ pages }: ExportPlan): AsyncGenerator<readonly FileRow[]> {
  let group: FileRow[] = [];
  let size = 0;
  for await (const rows of pages()) {
    for (const row of rows) {
      group.push(row);
      for (const cell of row.cells) size += cell?.value?.length ?? 0;
    }
    if (group.length < GROUP_ROWS && size < GROUP_CHARACTERS) continue;
    yield group;
    group = [];
    size = 0;
  }
  if (group.length > 0) yield group;
}

async function fieldsOf(plan: ExportPlan): Promise<readonly Field[]> {
  const { columns, titles, content, pages } = plan;
  const seen = columns.map(() => new KindSeen());
  for await (const rows of pages()) {
    for (const { cells } of rows) {
      for (const [position, cell] of cells.entries()) seen[position]?.see(cell?.value ?? null);
    }
  }
  const fields = columns.flatMap((column, position): Field[] => {
    const name = titles[position] ?? column.title;
    const kind = seen[position]?.kind ?? 'none';
    const value: Field = {
      name,
      kind,
      read: ({ cells }) => {
        const cell = cells[position];
        return hasValue(cell) ? valueOf(cell.value, kind, name) : null;
      },
    };
    if (content === 'values') return [value];
    return [
      value,
      {
        name: `${name} status`,
        kind: 'string',
        read: ({ cells }) => statusOf(column, cells[position]),
      },
      {
        name: `${name} error`,
        kind: 'string',
        read: ({ cells }) => errorOf(cells[position]),
      },
    ];
  });
  if (content === 'values') return fields;
  return [
    { name: 'row_index', kind: 'int64', read: ({ rowIndex }) => BigInt(rowIndex) },
    ...fields,
  ];
}

function valueOf(text: string | null, kind: ValueKind, title: string): Value {
  if (text === null || text === 'null') return null;
  // Most values by far, and quickly seen.
  if (kind === 'string' && text.startsWith('"')) {
    return text.includes('\\') ? (JSON.parse(text) as string) : text.slice(1, -1);
  }
  if (!fits(kind, text)) {
    throw new ConflictError({ kind: 'column-changed-type', column: title });
  }
  switch (kind) {
    case 'boolean':
      return text === 'true';
    case 'int64':
      return BigInt(text);
    case 'double':
      return Number(text);
    case 'string':
    case 'none':
    case 'digits':
    case 'mixed':
      return text;
  }
}

const root = (count: number): SchemaElement => ({ name: 'root', num_children: count });

const schemaOf = (fields: readonly Field[]): SchemaElement[] => [
  root(fields.length),
  ...fields.map(({ name, kind }): SchemaElement => {
    const optional = { name, repetition_type: 'OPTIONAL' } as const;
    if (kind === 'boolean') return { ...optional, type: 'BOOLEAN' };
    if (kind === 'int64') return { ...optional, type: 'INT64' };
    if (kind === 'double') return { ...optional, type: 'DOUBLE' };
    return { ...optional, type: 'BYTE_ARRAY', converted_type: 'UTF8' };
  }),
];

/** Gives away what was written since the last time; offsets in the file go on counting. */
class PieceWriter extends ByteWriter {
  #bytes = new Uint8Array();

  /** Called for every text: without a view of the buffer for each of them. */
  override appendBytes(bytes: Uint8Array): void {
    this.ensure(bytes.length);
    if (this.#bytes.buffer !== this.buffer) this.#bytes = new Uint8Array(this.buffer);
    this.#bytes.set(bytes, this.index);
    this.offset += bytes.length;
    this.index += bytes.length;
  }

  take(): Uint8Array {
    const piece = this.getBytes().slice();
    this.index = 0;
    return piece;
  }
}
