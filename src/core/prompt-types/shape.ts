/** What a JSON schema describes, as far as types of TypeScript and Python can say it. */
import type { Mapping } from '../mapping.ts';
import { isMapping } from '../mapping.ts';

export type Shape =
  | { readonly kind: 'unknown' | 'string' | 'number' | 'integer' | 'boolean' | 'null' }
  | { readonly kind: 'literals'; readonly values: readonly (string | number | boolean | null)[] }
  | { readonly kind: 'list'; readonly items: Shape }
  | { readonly kind: 'either'; readonly shapes: readonly Shape[] }
  | {
      readonly kind: 'object';
      readonly fields: readonly {
        readonly name: string;
        readonly shape: Shape;
        readonly isNeeded: boolean;
      }[];
      /** It may have others. */
      readonly isOpen: boolean;
    };

/** These narrow what is accepted, and no type says so. */
const narrowing = new Set([
  ...['minLength', 'maxLength', 'pattern', 'format', 'minimum', 'maximum', 'exclusiveMinimum'],
  ...['exclusiveMaximum', 'multipleOf', 'minItems', 'maxItems', 'uniqueItems', 'minProperties'],
  ...['maxProperties', 'title', 'description', 'default', 'examples', 'deprecated', '$schema'],
  ...['$id', '$comment', '$defs', 'definitions', 'strict', 'name', 'readOnly', 'writeOnly'],
]);
const understood = new Set([
  ...['type', 'properties', 'required', 'additionalProperties', 'items', 'enum', 'const'],
  ...['anyOf', 'oneOf', '$ref'],
]);
const deepest = 12;
const mostShapes = 2000;

interface Reader {
  readonly root: unknown;
  /** Places that no type is known for. */
  readonly notes: string[];
  left: number;
}

const unknown: Shape = { kind: 'unknown' };

function refTarget(root: unknown, ref: string): unknown {
  if (!ref.startsWith('#')) return undefined;
  const keys = ref
    .slice(1)
    .split('/')
    .filter((key) => key !== '')
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
  return keys.reduce<unknown>(
    (value, key) => (isMapping(value) && Object.hasOwn(value, key) ? value[key] : undefined),
    root,
  );
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

function literalsOf(values: readonly unknown[]): Shape {
  const isSimple = (value: unknown): value is string | number | boolean | null =>
    value === null || ['string', 'number', 'boolean'].includes(typeof value);
  return values.length > 0 && values.every(isSimple) ? { kind: 'literals', values } : unknown;
}

function objectOf(reader: Reader, schema: Mapping, path: string, depth: number): Shape {
  const { properties, required, additionalProperties: others } = schema;
  const needed = new Set(listOf(required));
  const fields = Object.entries(isMapping(properties) ? properties : {}).map(([name, value]) => ({
    name,
    shape: shapeAt(reader, value, `${path}/properties/${name}`, depth + 1),
    isNeeded: needed.has(name),
  }));
  return { kind: 'object', fields, isOpen: others !== false };
}

function typedAs(
  reader: Reader,
  type: unknown,
  schema: Mapping,
  path: string,
  depth: number,
): Shape {
  switch (type) {
    case 'string':
    case 'number':
    case 'integer':
    case 'boolean':
    case 'null':
      return { kind: type };
    case 'array':
      return {
        kind: 'list',
        items:
          'items' in schema
            ? shapeAt(reader, schema['items'], `${path}/items`, depth + 1)
            : unknown,
      };
    case 'object':
      return objectOf(reader, schema, path, depth);
    default:
      reader.notes.push(path);
      return unknown;
  }
}

function shapeAt(reader: Reader, schema: unknown, path: string, depth: number): Shape {
  reader.left -= 1;
  if (!isMapping(schema) || depth > deepest || reader.left < 0) {
    if (schema !== true) reader.notes.push(path);
    return unknown;
  }
  const strange = Object.keys(schema).some((key) => !understood.has(key) && !narrowing.has(key));
  if (strange) {
    reader.notes.push(path);
    return unknown;
  }
  if (typeof schema['$ref'] === 'string') {
    return shapeAt(reader, refTarget(reader.root, schema['$ref']), path, depth + 1);
  }
  if ('const' in schema) return literalsOf([schema['const']]);
  if ('enum' in schema) return literalsOf(listOf(schema['enum']));
  const either = schema['anyOf'] ?? schema['oneOf'];
  if (either !== undefined) {
    const shapes = listOf(either).map((each, at) =>
      shapeAt(reader, each, `${path}/${String(at)}`, depth + 1),
    );
    return shapes.length === 0 || shapes.some(({ kind }) => kind === 'unknown')
      ? unknown
      : { kind: 'either', shapes };
  }
  const { type } = schema;
  if (type === undefined) return unknown;
  if (!Array.isArray(type)) return typedAs(reader, type, schema, path, depth);
  const shapes = type.map((each) => typedAs(reader, each, schema, path, depth));
  return shapes.some(({ kind }) => kind === 'unknown') ? unknown : { kind: 'either', shapes };
}

/** `notes`: where the schema says what no type is known for. */
export function shapeOf(schema: unknown): {
  readonly shape: Shape;
  readonly notes: readonly string[];
} {
  const reader: Reader = { root: schema, notes: [], left: mostShapes };
  const shape = shapeAt(reader, schema, '#', 0);
  return { shape, notes: [...new Set(reader.notes)] };
}
