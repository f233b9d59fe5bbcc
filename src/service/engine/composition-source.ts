import { isObject, type Json } from './columns/json.ts';

/** `{table}.{sheet}.{column}`: titles or ids of a column elsewhere in the workspace. */
export interface ExternalSource {
  readonly table: string;
  readonly sheet: string;
  readonly column: string;
}

/** What a COMPOSITION column mirrors, when that is in another sheet. */
export function externalSource(config: Json): ExternalSource | undefined {
  if (!isObject(config)) return undefined;
  const list = config['sources'];
  const source = config['source'] ?? (Array.isArray(list) ? list[0] : undefined);
  if (typeof source !== 'string') return undefined;
  const [table, sheet, column, ...rest] = source
    .split('.')
    .map((part) => part.trim().replace(/^\{(.*)\}$/, '$1'));
  if (!table || !sheet || !column || rest.length > 0) return undefined;
  return { table, sheet, column };
}
