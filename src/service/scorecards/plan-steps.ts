import type { CompiledColumn } from '../engine/columns/column-kind.ts';
import { EngineProblem } from '../engine/problem.ts';
import type { SheetColumn } from '../engine/sheet-columns.ts';
import type { PlannedColumn } from '../engine/worker/sheet-plan.ts';
import { compiledOrFailing, plannedEdges } from '../engine/worker/sheet-plan.ts';
import type { Step } from './scorecard.ts';
import { stepConfig } from './scorecard.ts';
import { stepKind } from './step-kinds.ts';

export interface PlannedStep {
  readonly step: Step;
  /** The step as a column that is in no sheet. */
  readonly column: PlannedColumn;
}

export interface StepPlan {
  readonly steps: readonly PlannedStep[];
  /** Columns whose cells are read. */
  readonly columns: readonly SheetColumn[];
  /** Whether a row may take a while. */
  readonly isSlow: boolean;
}

/** The steps of a scorecard, ready to run over the columns of a sheet, deleted ones too. */
export function planSteps(steps: readonly Step[], columns: readonly SheetColumn[]): StepPlan {
  const byId = new Map(columns.map((column) => [column.id, column]));
  const planned = steps.map((step, position): PlannedStep => {
    const sheetColumn: SheetColumn = {
      key: -1 - position,
      id: step.id,
      title: step.title,
      type: step.primitive_type,
      isSystem: false,
      isDeleted: false,
      configRevision: 1,
      configText: '{}',
      metric: undefined,
      dependencies: step.dependencies,
    };
    return {
      step,
      column: {
        ...sheetColumn,
        edges: plannedEdges(sheetColumn, byId),
        compiled: compiledOrFailing(() => compile(step)),
        configHash: step.config_hash,
        dependentKeys: [],
        metricColumns: [],
      },
    };
  });
  const read = new Map<number, SheetColumn>();
  for (const { column } of planned) {
    for (const edge of column.edges) if (edge.column) read.set(edge.column.key, edge.column);
  }
  return {
    steps: planned,
    columns: [...read.values()],
    isSlow: planned.some(({ column }) => column.compiled.slow),
  };
}

function compile(step: Step): CompiledColumn {
  const sources = step.dependencies
    .filter(({ config_key: key }) => key === 'source' || key === 'sources')
    .map(({ column_id: id }) => id);
  const kind = stepKind(step.primitive_type);
  if (kind === undefined) {
    throw new EngineProblem('invalid_config', `There is no step ${step.primitive_type}.`);
  }
  return kind.compile(stepConfig(step.primitive_config, compileSources(step, sources)));
}

/** Pairs are counted when they are compiled, so each source stands there once. */
const compileSources = (step: Step, sources: readonly string[]): readonly string[] =>
  step.source_column_ids.length > 0 ? step.source_column_ids : [...new Set(sources)];
