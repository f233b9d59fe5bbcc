import { isMapping } from '../../core/mapping.ts';

const typesOf = (schema: unknown): readonly unknown[] => {
  const type = isMapping(schema) ? schema['type'] : undefined;
  return Array.isArray(type) ? type : [type];
};

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // It stays the text that it is, and the server says what is wrong with it.
    return text;
  }
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
}

/** Cells that were typed in hold text: where a tool wants a number or a list, the text is read. */
function fitted(value: unknown, schema: unknown): unknown {
  const types = typesOf(schema);
  if (typeof value !== 'string') {
    const wantsText = types.length === 1 && types[0] === 'string';
    return wantsText && value !== null ? JSON.stringify(value) : value;
  }
  if (types[0] === undefined || types.includes('string')) return value;
  const read = parsed(value.trim());
  const kind = kindOf(read);
  return types.includes(kind) || (kind === 'integer' && types.includes('number')) ? read : value;
}

/** Arguments in the types that a tool's schema names, as far as they can be read so. */
export function fitArguments(
  given: Readonly<Record<string, unknown>>,
  schema: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const { properties } = schema;
  const known = isMapping(properties) ? properties : {};
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [
      name,
      fitted(value, Object.hasOwn(known, name) ? known[name] : undefined),
    ]),
  );
}
