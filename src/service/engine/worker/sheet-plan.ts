import { hash } from 'node:crypto';
import { canonicalText } from '../columns/json.ts';
import type { CompiledColumn } from '../columns/column-kind.ts';
import { columnKind, isComputed } from '../columns/registry.ts';
import { metaOf } from '../edges.ts';
import { dependentsOf, topologicalOrder } from '../graph.ts';
import { CellProblem, EngineProblem, messageOf } from '../problem.ts';
import { configOf, type SheetColumn } from '../sheet-columns.ts';

export interface PlannedEdge {
  readonly configKey: string;
  readonly name: string | undefined;
  /** Of the column that is named. */
  readonly title: string;
  /**
   * Where the value comes from: the column that is named or, for a mirror inside the sheet, the one
   * that it shows. Undefined when it is not there any more.
   */
  readonly column: SheetColumn | undefined;
}

export interface PlannedColumn extends SheetColumn {
  readonly edges: readonly PlannedEdge[];
  readonly compiled: CompiledColumn;
  /** Stands for type and config in input hashes. */
  readonly configHash: string;
  /** Computed columns that use it, directly or through others. */
  readonly dependentKeys: readonly number[];
  /** System columns that hold what its cells have cost. */
  readonly metricColumns: readonly { readonly key: number; readonly metric: string }[];
}

/** A sheet's computed columns, ready to run. */
export interface SheetPlan {
  readonly signature: string;
  /** Every column after its sources. */
  readonly inOrder: readonly PlannedColumn[];
  readonly byKey: ReadonlyMap<number, PlannedColumn>;
}

/** Answers the plan that is already there as long as no column has changed. */
export function planSheet(columns: readonly SheetColumn[], known?: SheetPlan): SheetPlan {
  const signature = columns
    .map(({ key, configRevision, isDeleted, title }) =>
      JSON.stringify([key, configRevision, isDeleted, title]),
    )
    .join();
  if (known?.signature === signature) return known;
  const byId = new Map(columns.map((column) => [column.id, column]));
  const active = columns.filter(({ isDeleted }) => !isDeleted);
  const computed = new Set(
    active.filter(({ type, isSystem }) => isComputed(type) && !isSystem).map(({ key }) => key),
  );
  const inOrder = topologicalOrder(active)
    .filter(({ key }) => computed.has(key))
    .map((column) => {
      const dependents = dependentsOf(active, [column.id]);
      return planColumn(
        column,
        byId,
        active
          .filter(({ id, key }) => dependents.has(id) && computed.has(key))
          .map(({ key }) => key),
        active.flatMap(({ key, metric }) =>
          metric?.sourceKey === column.key ? [{ key, metric: metric.key }] : [],
        ),
      );
    });
  return { signature, inOrder, byKey: new Map(inOrder.map((column) => [column.key, column])) };
}

function planColumn(
  column: SheetColumn,
  byId: ReadonlyMap<string, SheetColumn>,
  dependentKeys: readonly number[],
  metricColumns: PlannedColumn['metricColumns'],
): PlannedColumn {
  const config = configOf(column);
  return {
    ...column,
    edges: plannedEdges(column, byId),
    compiled: compiledOrFailing(() => columnKind(column.type).compile(config)),
    configHash: hash('sha256', `${column.type}\n${canonicalText(config)}`),
    dependentKeys,
    metricColumns,
  };
}

/** Where the values of a column's sources come from. */
export const plannedEdges = (
  column: SheetColumn,
  byId: ReadonlyMap<string, SheetColumn>,
): PlannedEdge[] =>
  column.dependencies.map((edge) => {
    const name = metaOf(edge, 'variable_name');
    const source = byId.get(edge.column_id);
    return {
      configKey: edge.config_key ?? '',
      name: typeof name === 'string' ? name : undefined,
      title: source?.title ?? (typeof name === 'string' ? name : '(deleted)'),
      column: shownBy(source, byId),
    };
  });

function shownBy(
  column: SheetColumn | undefined,
  byId: ReadonlyMap<string, SheetColumn>,
): SheetColumn | undefined {
  let shown = column;
  for (let hop = 0; shown?.type === 'COMPOSITION' && !shown.isDeleted; hop += 1) {
    const [edge] = shown.dependencies;
    if (!edge || hop > byId.size) break;
    shown = byId.get(edge.column_id);
  }
  return shown?.isDeleted === true ? undefined : shown;
}

/** A config that was valid once and is not for this version of the service fails in its cells. */
export function compiledOrFailing(compile: () => CompiledColumn): CompiledColumn {
  try {
    return compile();
  } catch (error) {
    if (!(error instanceof EngineProblem)) throw error;
    return {
      slow: false,
      compute: () => {
        throw new CellProblem('invalid_config', messageOf(error), { cause: error });
      },
    };
  }
}
