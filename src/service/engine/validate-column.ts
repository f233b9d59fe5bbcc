import { columnTypeAliases, columnTypes, type Dependency } from '../../api/column.ts';
import { codeSources } from './code-sources.ts';
import { externalSource } from './composition-source.ts';
import { columnKind } from './columns/registry.ts';
import { isObject, type Json } from './columns/json.ts';
import { edgeOf, metaOf, placeOf, sameSlot, sourcesOfConfig, type NamedSource } from './edges.ts';
import { dependentsOf, findCycle } from './graph.ts';
import { EngineProblem, readAt } from './problem.ts';
import { ownValue } from '../../api/own-value.ts';

/** What the engine needs to know about a column that exists. */
export interface ColumnFacts {
  readonly id: string;
  readonly title: string;
  readonly type: string;
  readonly dependencies: readonly Dependency[];
}

export interface ColumnDraft {
  /** The column that is being changed; absent for a new one. */
  readonly id?: string;
  readonly title: string;
  /** Aliases are accepted. */
  readonly type: string;
  readonly config?: unknown;
  readonly dependencies?: readonly Dependency[] | null | undefined;
  /** Columns by the names that the config and the code of before gave them. */
  readonly known?: ReadonlyMap<string, string> | undefined;
}

export interface ValidColumn {
  readonly type: string;
  readonly config: { readonly [key: string]: Json };
  /** The given edges and those of the config, by id. */
  readonly dependencies: Dependency[];
}

/** Throws an EngineProblem that says what to change. `columns` are all of the sheet that exist. */
export function validateColumn(draft: ColumnDraft, columns: readonly ColumnFacts[]): ValidColumn {
  const type = columnType(draft.type);
  const config = (draft.config ?? {}) as Json;
  if (!isObject(config)) {
    throw new EngineProblem(
      'invalid_config',
      `The config of a ${type} column must be an object.`,
    ).at(['config']);
  }
  if (type === 'TEXT') return { type, config, dependencies: [] };
  readAt(['config'], () => columnKind(type).compile(config));
  const others = columns.filter(({ id }) => id !== draft.id);
  const dependencies = edges(type, config, draft, others);
  refuseCycle(draft, dependencies, others);
  return { type, config, dependencies };
}

function columnType(sent: string): string {
  const type = ownValue(columnTypeAliases, sent) ?? sent;
  if ((columnTypes as readonly string[]).includes(type)) return type;
  throw new EngineProblem(
    'invalid_config',
    type === 'DATASET'
      ? "DATASET columns are of an older kind and can't be created. Use TEXT columns."
      : `There is no column type ${JSON.stringify(sent)}. The types are: ${columnTypes.join(', ')}.`,
  ).at(['type']);
}

function edges(
  type: string,
  config: { readonly [key: string]: Json },
  draft: ColumnDraft,
  others: readonly ColumnFacts[],
): Dependency[] {
  const given = (draft.dependencies ?? []).map((edge, at) =>
    readAt(['dependencies', at, 'column_id'], () => givenEdge(type, edge, draft, others)),
  );
  const named = sourcesOfConfig(config).flatMap((source) => {
    const place = ['config', ...placeOf(source)];
    const column =
      readAt(place, () => findColumn(source.name, others, draft)) ??
      knownColumn(source.name, others, draft);
    if (column) return [edgeOf(source, column.id)];
    if (type === 'COMPOSITION' && externalSource(config)) return [];
    // A sender of edges by id may leave titles in the config that nobody has any more.
    if (given.some((edge) => sameSlot(edge, edgeOf(source, edge.column_id)))) return [];
    throw unknownSource(source, draft).at(place);
  });
  const ofCode = type === 'CODE_EXECUTION' ? codeEdges(config, draft, others, given) : [];
  const ofRow =
    type === 'ENDPOINT' && named.length + given.length === 0 ? rowEdges(draft, others) : [];
  const own = [...named, ...ofCode, ...ofRow];
  return [
    ...own,
    ...given.filter(
      (edge) => !own.some((better) => sameEdge(better, edge) || sameSlot(better, edge)),
    ),
  ];
}

const sameEdge = (left: Dependency, right: Dependency): boolean =>
  left.column_id === right.column_id && (left.config_key ?? null) === (right.config_key ?? null);

function givenEdge(
  type: string,
  edge: Dependency,
  draft: ColumnDraft,
  others: readonly ColumnFacts[],
): Dependency {
  const column = others.find(({ id }) => id === edge.column_id.toLowerCase());
  if (column) {
    return {
      ...edge,
      column_id: column.id,
      config_key: edge.config_key ?? (type === 'CODE_EXECUTION' ? 'code' : null),
    };
  }
  throw new EngineProblem(
    edge.column_id.toLowerCase() === draft.id ? 'cycle' : 'unknown_column',
    edge.column_id.toLowerCase() === draft.id
      ? `Column "${draft.title}" can't depend on itself.`
      : `The dependencies name a column that is not in this sheet: ${edge.column_id}.`,
  );
}

/** Ids win over titles; a title that two columns have says nothing. */
function findColumn(
  name: string,
  others: readonly ColumnFacts[],
  draft: ColumnDraft,
): ColumnFacts | undefined {
  const byId = others.find(({ id }) => id === name.toLowerCase());
  if (byId) return byId;
  const byTitle = others.filter(({ title }) => title === name);
  if (byTitle.length > 1) {
    throw new EngineProblem(
      'unknown_column',
      `${String(byTitle.length)} columns have the title "${name}". Name the source by its id.`,
    );
  }
  if (byTitle.length === 0 && (name === draft.title || name.toLowerCase() === draft.id)) {
    throw new EngineProblem('cycle', `Column "${draft.title}" can't depend on itself.`);
  }
  return byTitle[0];
}

/** What a name has meant, where no column is called so any more. */
const knownColumn = (
  name: string,
  others: readonly ColumnFacts[],
  { known }: ColumnDraft,
): ColumnFacts | undefined => {
  const id = known?.get(name);
  return id === undefined ? undefined : others.find((column) => column.id === id);
};

function unknownSource(source: NamedSource, draft: ColumnDraft): EngineProblem {
  return new EngineProblem(
    'unknown_column',
    `Column "${draft.title}" names "${source.name}" in ${source.configKey}, but the sheet has no column with that title or id.`,
  );
}

/** Code depends on the columns that it reads, or on all that it may read without a cycle. */
function codeEdges(
  config: { readonly [key: string]: Json },
  draft: ColumnDraft,
  others: readonly ColumnFacts[],
  given: readonly Dependency[],
): Dependency[] {
  const { names, isOpen } = codeSources(typeof config['code'] === 'string' ? config['code'] : '');
  const taken = new Set(given.map(({ column_id }) => column_id));
  const edge = ({ id, title }: ColumnFacts): Dependency =>
    edgeOf({ configKey: 'code', name: title, variableName: title }, id);
  // Code keeps what it has called a column, also after that was renamed and another took the name.
  const kept = [...names].flatMap((name) => {
    const column = knownColumn(name, others, draft);
    if (column === undefined || column.title === name || taken.has(column.id)) return [];
    return [edgeOf({ configKey: 'code', name, variableName: name }, column.id)];
  });
  const isKept = (name: string): boolean =>
    kept.some((one) => metaOf(one, 'variable_name') === name);
  const read = others.filter(
    ({ id, title }) => names.has(title) && !isKept(title) && !taken.has(id),
  );
  if (!isOpen || given.some((item) => metaOf(item, 'variable_name') === undefined))
    return [...kept, ...read.map(edge)];
  const users = draft.id === undefined ? new Set<string>() : dependentsOf(others, [draft.id]);
  const isTaken = (id: string): boolean =>
    users.has(id) || taken.has(id) || kept.some(({ column_id }) => column_id === id);
  const readable = others.filter(({ id }) => !isTaken(id));
  return [...kept, ...[...new Set([...read, ...readable])].map(edge)];
}

/** What names no sources takes the whole row, as far as there is no cycle. */
function rowEdges(draft: ColumnDraft, others: readonly ColumnFacts[]): Dependency[] {
  const users = draft.id === undefined ? new Set<string>() : dependentsOf(others, [draft.id]);
  return others
    .filter(({ id }) => !users.has(id))
    .map(({ id, title }) => edgeOf({ configKey: 'body', name: title, variableName: title }, id));
}

function refuseCycle(
  draft: ColumnDraft,
  dependencies: readonly Dependency[],
  others: readonly ColumnFacts[],
): void {
  const id = draft.id ?? '(new)';
  const cycle = findCycle([{ id, dependencies }, ...others]);
  if (!cycle) return;
  const titles = new Map(others.map((column) => [column.id, column.title] as const)).set(
    id,
    draft.title,
  );
  const closing = dependencies.find(({ column_id }) => cycle.includes(column_id))?.config_key;
  const path = cycle.map((member) => `"${titles.get(member) ?? member}"`).join(' → ');
  throw new EngineProblem(
    'cycle',
    `These columns would depend on each other in a circle: ${path}.`,
  ).at(closing ? ['config', closing] : ['dependencies']);
}
