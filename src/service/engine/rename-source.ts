import type { Dependency } from '../../api/column.ts';
import { isMapping } from '../../core/mapping.ts';
import { comparedName } from '../workflows/conditions.ts';
import { isObject, type Json } from './columns/json.ts';
import { edgeOf, metaOf, sameSlot, sourcesOfConfig, type NamedSource } from './edges.ts';

interface Wired {
  readonly config: Json;
  readonly dependencies: readonly Dependency[];
}

const edgeAt = (source: NamedSource, dependencies: readonly Dependency[]): Dependency | undefined =>
  dependencies.find((edge) => sameSlot(edge, edgeOf(source, edge.column_id)));

/** The columns that a config and its code have meant so far by the names that stand in them. */
export function knownNames({ config, dependencies }: Wired): ReadonlyMap<string, string> {
  const known = new Map<string, string>();
  for (const edge of dependencies) {
    const name = metaOf(edge, 'variable_name');
    if (edge.config_key === 'code' && typeof name === 'string') known.set(name, edge.column_id);
  }
  for (const source of sourcesOfConfig(config)) {
    const edge = edgeAt(source, dependencies);
    if (edge !== undefined) known.set(source.name, edge.column_id);
  }
  return known;
}

/**
 * A config that reads a column, after that column was given another name: the old one would mean
 * nothing, or another column. Undefined where it is not named. Code stays as it was written: what it
 * calls the column stays an edge.
 */
export function withRenamedSource(
  { config, dependencies }: Wired,
  columnId: string,
  name: string,
): { readonly config: Json; readonly dependencies: Dependency[] } | undefined {
  const renamed = sourcesOfConfig(config).filter(
    (source) =>
      edgeAt(source, dependencies)?.column_id === columnId &&
      source.name.toLowerCase() !== columnId &&
      source.name !== name,
  );
  if (renamed.length === 0) return undefined;
  const compared = new Set(
    renamed.filter(({ configKey }) => configKey === 'conditionals').map((one) => one.name),
  );
  return {
    config: renamed.reduce((before, source) => put(before, source, name), config),
    dependencies: dependencies.map((edge) => {
      const variable = metaOf(edge, 'variable_name');
      return edge.config_key === 'conditionals' &&
        typeof variable === 'string' &&
        compared.has(variable)
        ? { ...edge, config_meta: { ...edge.config_meta, variable_name: name } }
        : edge;
    }),
  };
}

/** The config with another name in one place. */
function put(config: Json, source: NamedSource, name: string): Json {
  if (!isObject(config)) return config;
  const { configKey, position, variableName } = source;
  const field = config[configKey] ?? null;
  if (configKey === 'conditionals') {
    const list = Array.isArray(field) ? field : [];
    return { ...config, conditionals: list.map((one) => comparedBy(one, source.name, name)) };
  }
  if (Array.isArray(field)) {
    const items = field.map((item, at) => (at === position ? named(item, name) : item));
    return { ...config, [configKey]: items };
  }
  if (variableName !== undefined && isObject(field)) {
    const item = named(field[variableName] ?? null, name);
    return { ...config, [configKey]: { ...field, [variableName]: item } };
  }
  return { ...config, [configKey]: named(field, name) };
}

/** A source is a title, or an object that holds one. */
const named = (item: Json, name: string): Json =>
  isObject(item)
    ? { ...item, ...('column_id' in item ? { column_id: name } : { title: name }) }
    : name;

const sourceFields = ['source', 'source_name', 'node_name'] as const;
const nameFields = ['name', 'node_name', 'title', 'column_id'] as const;

function comparedBy(conditional: Json, before: string, after: string): Json {
  if (!isObject(conditional)) return conditional;
  const changed: { [key: string]: Json } = { ...conditional };
  for (const side of ['left_config', 'right_config']) {
    const given = changed[side];
    if (given === undefined || !isMapping(given) || comparedName(given) !== before) continue;
    changed[side] = sideWith(given, after);
  }
  return changed;
}

function sideWith(side: { [key: string]: Json }, name: string): Json {
  const field = sourceFields.find((one) => side[one] !== undefined && side[one] !== null);
  if (field === undefined) return side;
  const source = side[field] ?? null;
  if (!isObject(source)) return { ...side, [field]: name };
  const key = nameFields.find((one) => source[one] !== undefined && source[one] !== null) ?? 'name';
  return { ...side, [field]: { ...source, [key]: name } };
}
