import { isMapping } from '../../mapping.ts';

/** What stands under these names has names of the user's own. */
const ownNames = new Set([
  'functionDeclarations',
  'properties',
  '$defs',
  'defs',
  'args',
  'response',
  'labels',
  'default',
  'example',
  'responseJsonSchema',
  'partMetadata',
]);

const camel = (name: string): string =>
  name.replaceAll(/(?<=[^_])_+([a-z\d])/gi, (_, letter: string) => letter.toUpperCase());

/** Names of arguments as Google's JSON spells them: `max_output_tokens` -> `maxOutputTokens`. */
export function camelCased(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(camelCased);
  if (!isMapping(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => {
      const spelled = camel(name);
      return [spelled, ownNames.has(spelled) ? item : camelCased(item)];
    }),
  );
}
