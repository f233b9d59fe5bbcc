import type { FileMetaData, SchemaElement } from 'hyparquet';
import { ImportError } from './import-error.ts';
import { exactType, valueText, type ExactType } from './parquet-values.ts';
import type { Remarks, ValueText } from './table.ts';

/** A field of the file, and how it is asked of the reader. */
export interface ParquetField {
  readonly name: string;
  /** Its name for the reader: one of its own, since the reader tells fields apart by names only. */
  readonly key: string;
  readonly shape: 'leaf' | 'list' | 'map' | 'struct' | 'opaque';
  readonly isRepeated: boolean;
  readonly exact: ExactType | undefined;
  readonly children: readonly ParquetField[];
}

/** What a file holds, and its metadata as the reader is to have them. */
export interface ParquetSchema {
  readonly fields: readonly ParquetField[];
  readonly metadata: FileMetaData;
}

/** Their parts have names that the reader knows. */
const opaqueTypes: ReadonlySet<string> = new Set(['VARIANT', 'FILE']);

const isRepeated = ({ repetition_type: repetition }: SchemaElement): boolean =>
  repetition === 'REPEATED';

/** One repeated part with at most one part of its own, as the reader wants it. */
const isList = ({ converted_type: type }: SchemaElement, parts: readonly Node[]): boolean =>
  type === 'LIST' &&
  parts.length === 1 &&
  parts.every(({ element, nodes }) => isRepeated(element) && nodes.length <= 1);

/** One repeated part, a pair. */
const isMap = ({ converted_type: type }: SchemaElement, parts: readonly Node[]): boolean =>
  (type === 'MAP' || type === 'MAP_KEY_VALUE') &&
  parts.length === 1 &&
  parts.every(({ element, nodes }) => isRepeated(element) && nodes.length === 2);

interface Node {
  readonly element: SchemaElement;
  readonly at: number;
  readonly size: number;
  readonly nodes: readonly Node[];
}

function nodeAt(schema: readonly SchemaElement[], at: number): Node {
  const element = schema[at];
  if (element === undefined) {
    throw new ImportError('The Parquet file has no whole schema.', {
      fault: { kind: 'parquet', reason: 'the schema is cut off' },
    });
  }
  const nodes: Node[] = [];
  let size = 1;
  while (nodes.length < (element.num_children ?? 0)) {
    const child = nodeAt(schema, at + size);
    nodes.push(child);
    size += child.size;
  }
  return { element, at, size, nodes };
}

const shapeOf = ({ element, nodes }: Node): ParquetField['shape'] => {
  if (nodes.length === 0) return 'leaf';
  if (opaqueTypes.has(element.logical_type?.type ?? '')) return 'opaque';
  if (isList(element, nodes)) return 'list';
  return isMap(element, nodes) ? 'map' : 'struct';
};

/** As the reader is to see it: with a name of its own, and without types that it would round. */
function fieldOf(node: Node, seen: SchemaElement[], keepsName = false): ParquetField {
  const { element, at, nodes } = node;
  const { converted_type: _converted, logical_type: _logical, ...bare } = element;
  const shape = shapeOf(node);
  const key = keepsName ? element.name : `f${String(at)}`;
  const exact = shape === 'leaf' && !keepsName ? exactType(element) : undefined;
  const isBare = exact !== undefined || shape === 'map';
  seen[at] = { ...(isBare ? bare : element), name: key };
  const children = nodes.map((child) => fieldOf(child, seen, keepsName || shape === 'opaque'));
  return { name: element.name, key, shape, exact, children, isRepeated: isRepeated(element) };
}

interface Path {
  readonly written: readonly string[];
  readonly seen: readonly string[];
}

/** Paths of what holds values, in the order in which every row group has them. */
function pathsIn(node: Node, seen: readonly SchemaElement[], to: Path): readonly Path[] {
  return node.nodes.flatMap((child) => {
    const here: Path = {
      written: [...to.written, child.element.name],
      seen: [...to.seen, seen[child.at]?.name ?? ''],
    };
    return child.nodes.length === 0 ? [here] : pathsIn(child, seen, here);
  });
}

/**
 * The schema with a name of its own for each field, so that names that are alike, hold dots or are
 * those of an object's own can be read; maps as lists of pairs, so that none is lost.
 */
export function readSchema(metadata: FileMetaData): ParquetSchema {
  const root = nodeAt(metadata.schema, 0);
  const seen = [...metadata.schema];
  const fields = root.nodes.map((node) => fieldOf(node, seen));
  const paths = pathsIn(root, seen, { written: [], seen: [] });
  const groups = metadata.row_groups.map((group) => ({
    ...group,
    columns: group.columns.map((column, at) => {
      const { meta_data: data } = column;
      if (data === undefined) {
        throw new ImportError('The Parquet file is encrypted.', {
          fault: { kind: 'locked-parquet' },
        });
      }
      const path = paths[at];
      if (
        path === undefined ||
        JSON.stringify(path.written) !== JSON.stringify(data.path_in_schema)
      )
        throw new ImportError('The columns of the Parquet file are not those of its schema.', {
          fault: { kind: 'parquet', reason: "its columns don't match its schema" },
        });
      return { ...column, meta_data: { ...data, path_in_schema: [...path.seen] } };
    }),
  }));
  return { fields, metadata: { ...metadata, schema: seen, row_groups: groups } };
}

const asRecord = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

const asList = (value: unknown): readonly unknown[] =>
  Array.isArray(value) || ArrayBuffer.isView(value) ? Array.from(value as ArrayLike<unknown>) : [];

/** Writes values as JSON text with the names that the file has. */
export class ValueWriter {
  readonly #remarks: Remarks;
  readonly #record: number;

  constructor(remarks: Remarks, record: number) {
    this.#remarks = remarks;
    this.#record = record;
  }

  write(field: ParquetField, value: unknown): ValueText {
    if (value === null || value === undefined) return null;
    if (!field.isRepeated) return this.#one(field, value);
    return this.#list(asList(value), (item) => this.#one(field, item));
  }

  #one(field: ParquetField, value: unknown): ValueText {
    if (value === null || value === undefined) return null;
    const [part] = field.children;
    switch (field.shape) {
      case 'list':
        return this.#list(asList(value), (item) => this.#item(part, item));
      case 'map':
        return this.#map(part, value);
      case 'struct':
        return this.#object(
          field.children.map((child) => [
            child.name,
            this.write(child, asRecord(value)[child.key]),
          ]),
        );
      case 'leaf':
      case 'opaque':
        return this.#leaf(field, value);
    }
  }

  #list(items: readonly unknown[], write: (item: unknown) => ValueText): string {
    return `[${items.map((item) => write(item) ?? 'null').join(',')}]`;
  }

  /** What the repeated part of a list holds, or that part itself where it holds nothing else. */
  #item(part: ParquetField | undefined, item: unknown): ValueText {
    if (part === undefined) return null;
    const [only] = part.children;
    return only === undefined ? this.#one(part, item) : this.write(only, item);
  }

  #map(pairs: ParquetField | undefined, value: unknown): string {
    const [key, item] = pairs?.children ?? [];
    if (pairs === undefined || key === undefined || item === undefined) return '{}';
    return this.#object(
      asList(asRecord(value)[pairs.key]).map((pair) => {
        const name = this.write(key, asRecord(pair)[key.key]);
        return [nameIn(name), this.write(item, asRecord(pair)[item.key])];
      }),
    );
  }

  #object(entries: readonly (readonly [name: string, value: ValueText])[]): string {
    const names = new Set<string>();
    for (const [name] of entries) {
      if (names.has(name)) {
        throw new ImportError(
          `Row ${String(this.#record)} has the key ${JSON.stringify(name)} twice in one value, which JSON can't hold.`,
          { fault: { kind: 'repeated-key', key: name, record: this.#record } },
        );
      }
      names.add(name);
    }
    const written = entries.map(([name, value]) => `${JSON.stringify(name)}:${value ?? 'null'}`);
    return `{${written.join(',')}}`;
  }

  #leaf({ exact }: ParquetField, value: unknown): ValueText {
    if (exact === undefined) return valueText(value, this.#remarks, this.#record);
    if (typeof value === 'number' && !Number.isFinite(value))
      this.#remarks.note('not-a-number', { record: this.#record });
    return exact.read(value);
  }
}

/** A key of a map: a text as it is, anything else as it is written. */
function nameIn(text: ValueText): string {
  const value: unknown = text?.startsWith('"') ? JSON.parse(text) : text;
  return typeof value === 'string' ? value : 'null';
}
