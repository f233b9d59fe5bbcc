import { ownValue } from '../../../api/own-value.ts';
import { isMapping } from '../../mapping.ts';

/** What stands below these names is the caller's own: schemas, arguments of tools, documents. */
const opaque = new Set([
  'parameters',
  'schema',
  'schema_definition',
  'arguments',
  'metadata',
  'data',
]);

/** Names that differ by more than their case from what travels. */
const renamed: Readonly<Record<string, string>> = { schema_definition: 'schema' };

const snakeCase = (name: string): string =>
  /^[a-z][a-z\d]*[A-Z]/.test(name)
    ? name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    : name;

/** `json_schema` is a named schema for most, and for Cohere the schema itself. */
const isSchema = (name: string, value: unknown): boolean =>
  name === 'json_schema' &&
  isMapping(value) &&
  !['schema', 'schemaDefinition', 'schema_definition'].some((inner) => inner in value);

/** Arguments in the camelCase of a maker's SDK, or as they travel -> as they travel. */
export function snakeCased(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(snakeCased);
  if (!isMapping(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => {
      const snake = snakeCase(name);
      const isOwn = opaque.has(snake) || isSchema(snake, item);
      return [ownValue(renamed, snake) ?? snake, isOwn ? item : snakeCased(item)];
    }),
  );
}

/** The same for the arguments of a call. */
export const snakeArguments = (kwargs: object): Record<string, unknown> =>
  snakeCased(kwargs) as Record<string, unknown>;
