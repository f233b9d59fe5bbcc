import type { Dependency } from '../../api/column.ts';
import { isMapping } from '../../core/mapping.ts';
import { comparedName } from '../workflows/conditions.ts';
import { isObject, type Json } from './columns/json.ts';

/** What a config says about a column's sources: which name stands in which field. */
export interface NamedSource {
  readonly configKey: string;
  /** A title or an id. */
  readonly name: string;
  readonly position?: number;
  readonly variableName?: string;
}

const SINGLE_FIELDS = [
  'source',
  'chat_history_source',
  'user_persona_source',
  'conversation_completed_prompt_source',
  'prompt_source',
  'iterator_source',
  'value_source',
  'content_source',
  'diff_source',
  'trace_source',
  'expected_source',
] as const;
const LIST_FIELDS = ['sources'] as const;
const MAP_FIELDS = [
  'prompt_template_variable_mappings',
  'variable_mappings',
  'input_variables',
  'input_mappings',
] as const;

/** What a loop itself gives to its steps; no columns. */
export const LOOP_NAMES: ReadonlySet<string> = new Set([
  'loop_index',
  'previous_outputs',
  '_iterator_item',
]);

export function sourcesOfConfig(config: Json): NamedSource[] {
  if (!isObject(config)) return [];
  const found: NamedSource[] = [];
  for (const configKey of SINGLE_FIELDS) {
    const name = nameOf(config[configKey]);
    if (name !== undefined) found.push({ configKey, name });
  }
  for (const configKey of LIST_FIELDS) {
    const list = config[configKey];
    if (!Array.isArray(list)) continue;
    for (const [position, item] of list.entries()) {
      const name = nameOf(item);
      if (name !== undefined) found.push({ configKey, name, position });
    }
  }
  for (const configKey of MAP_FIELDS) {
    const map = config[configKey];
    if (map === undefined || !isObject(map)) continue;
    for (const [variableName, item] of Object.entries(map)) {
      const name = nameOf(item);
      if (name === undefined || (config['loop_type'] !== undefined && LOOP_NAMES.has(name)))
        continue;
      found.push({ configKey, name, variableName });
    }
  }
  return [...found, ...comparedIn(config)];
}

/** The two sides of comparisons name columns, too. */
function comparedIn(config: { readonly [key: string]: Json }): NamedSource[] {
  const { conditionals } = config;
  if (!Array.isArray(conditionals)) return [];
  const names = conditionals.flatMap((conditional) => {
    if (!isMapping(conditional)) return [];
    const sides = [conditional['left_config'], conditional['right_config']];
    return sides.flatMap((side) => (isMapping(side) ? (comparedName(side) ?? []) : []));
  });
  return [...new Set(names)].map((name) => ({
    configKey: 'conditionals',
    name,
    variableName: name,
  }));
}

function nameOf(item: Json | undefined): string | undefined {
  if (typeof item === 'string') return item === '' ? undefined : item;
  if (item === undefined || !isObject(item)) return undefined;
  const name = item['column_id'] ?? item['title'];
  return typeof name === 'string' && name !== '' ? name : undefined;
}

/** Where the name stands in the config. */
export const placeOf = ({ configKey, position, variableName }: NamedSource): (string | number)[] =>
  configKey === 'conditionals' ? [configKey] : [configKey, position ?? variableName ?? []].flat();

export function edgeOf(source: NamedSource, columnId: string): Dependency {
  const meta =
    source.position !== undefined
      ? { position: source.position }
      : source.variableName !== undefined
        ? { variable_name: source.variableName }
        : undefined;
  return {
    column_id: columnId,
    reference_type: 'value',
    config_key: source.configKey,
    ...(meta && { config_meta: meta }),
  };
}

/** Two edges for the same place of the config. */
export const sameSlot = (left: Dependency, right: Dependency): boolean =>
  (left.config_key ?? null) === (right.config_key ?? null) &&
  metaOf(left, 'position') === metaOf(right, 'position') &&
  metaOf(left, 'variable_name') === metaOf(right, 'variable_name');

export const metaOf = (edge: Dependency, key: 'position' | 'variable_name'): unknown =>
  edge.config_meta?.[key] ?? undefined;
