import { Ajv2020 } from 'ajv/dist/2020.js';
import { isMapping } from '../../../core/mapping.ts';

let ajv: Ajv2020 | undefined;

/** Enum variables stand in for a list of values; Jinja2 may stand for anything. */
function filled(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(filled);
  if (!isMapping(schema)) return schema;
  if (schema['type'] === 'enum_variable') return ['value'];
  return Object.fromEntries(Object.entries(schema).map(([key, item]) => [key, filled(item)]));
}

const holdsJinja = (value: unknown): boolean =>
  typeof value === 'string'
    ? /\{\{|\{%/.test(value)
    : typeof value === 'object' && value !== null && Object.values(value).some(holdsJinja);

/** Why it is no JSON schema; undefined when it is one, or when variables decide. */
export function schemaFault(schema: unknown): string | undefined {
  try {
    return faultOf(schema);
  } catch (error) {
    // What is nested so deep comes from nobody who means it, and no provider takes it.
    if (error instanceof RangeError) return 'is nested too deeply';
    throw error;
  }
}

function faultOf(schema: unknown): string | undefined {
  if (holdsJinja(schema)) return undefined;
  if (!isMapping(schema) && typeof schema !== 'boolean') return 'must be object';
  // Which draft it names decides little, and only one draft's own schema is here.
  const given: unknown = filled(schema);
  const plain = isMapping(given)
    ? Object.fromEntries(Object.entries(given).filter(([key]) => key !== '$schema'))
    : given;
  ajv ??= new Ajv2020({ strict: false, logger: false });
  if (ajv.validateSchema(plain as object)) return undefined;
  const [first] = ajv.errors ?? [];
  return first === undefined ? 'invalid' : `${first.instancePath} ${first.message ?? ''}`.trim();
}
