import { hash, randomUUID } from 'node:crypto';
import * as z from 'zod';
import { Dependency } from '../../api/column.ts';
import type { ScorecardDraft, StepDraft } from '../../api/score.ts';
import { sameJson } from '../../core/comparison.ts';
import { canonicalText, type Json } from '../engine/columns/json.ts';
import { knownNames } from '../engine/rename-source.ts';
import { validateColumn, type ColumnFacts } from '../engine/index.ts';
import type { Fault, Path } from '../engine/problem.ts';
import { EngineProblem, faultsOf } from '../engine/problem.ts';
import type { Problem } from '../http/problem.ts';
import { invalid } from '../http/problem.ts';
import type { ScorecardRecord } from './records.ts';
import { stepKind, stepTypes } from './step-kinds.ts';

const HASH_DIGITS = 32;
const MOST_STEPS = 100;
const PASS = 0.8;
const WARN = 0.6;

const digest = (value: unknown): string =>
  hash('sha256', canonicalText(value as Json)).slice(0, HASH_DIGITS);

const adapter = z.looseObject({
  min: z.number().nullish(),
  max: z.number().nullish(),
  invert: z.boolean().nullish(),
  true_values: z.array(z.string()).nullish(),
  false_values: z.array(z.string()).nullish(),
  assertion_aggregation: z.enum(['all', 'any', 'mean']).nullish(),
});

const Aggregation = z.looseObject({
  method: z.literal('weighted_mean').default('weighted_mean'),
  required_step_failure_behavior: z.enum(['fail', 'warn', 'error']).default('fail'),
  pass_threshold: z.number().min(0).max(1).default(PASS),
  warn_threshold: z.number().min(0).max(1).default(WARN),
});
export type Aggregation = z.output<typeof Aggregation>;

/** A step as it is kept: `dependencies` are the columns that it reads, by id. */
export const Step = z.looseObject({
  id: z.string(),
  title: z.string(),
  primitive_type: z.string(),
  source_column_ids: z.array(z.string()),
  weight: z.number().min(0),
  required: z.boolean(),
  thresholds: z.record(z.string(), z.number()),
  primitive_config: z.looseObject({}),
  score_adapter: adapter.nullable(),
  evidence_mode: z.enum(['summary', 'raw', 'hidden']).nullable(),
  order_index: z.number(),
  config_hash: z.string(),
  dependencies: z.array(Dependency),
});
export type Step = z.output<typeof Step>;

const Steps = z.array(Step);

/** What a calculation runs with. */
export interface ScorecardConfig {
  readonly aggregation: Aggregation;
  readonly steps: readonly Step[];
}

export const configOfRecord = (record: ScorecardRecord): ScorecardConfig => ({
  aggregation: Aggregation.parse(JSON.parse(record.aggregation_json)),
  steps: Steps.parse(JSON.parse(record.steps_json)),
});

export const parseConfig = (text: string): ScorecardConfig =>
  z.object({ aggregation: Aggregation, steps: Steps }).parse(JSON.parse(text));

/** Where a score begins to pass, and to be worth a warning. */
export function thresholdsOf(step: Step, aggregation: Aggregation): { pass: number; warn: number } {
  const pass = step.thresholds['pass'] ?? aggregation.pass_threshold;
  return { pass, warn: Math.min(pass, step.thresholds['warn'] ?? aggregation.warn_threshold) };
}

export type SettledScorecard = Omit<
  ScorecardRecord,
  'sheet_key' | 'id' | 'created_at' | 'updated_at' | 'deleted_at'
>;

/** Checks what was sent and fills in what was not. What is wrong is the caller's to mend: 400. */
export function settleScorecard(
  draft: ScorecardDraft,
  columns: readonly ColumnFacts[],
  before: ScorecardRecord | undefined,
): SettledScorecard {
  const evaluated = draft.evaluated_column_ids.map(
    (id, at) => columnOf(id, columns, ['evaluated_column_ids', at]).id,
  );
  const aggregation = Aggregation.safeParse(draft.aggregation);
  if (!aggregation.success) throw unfit(['aggregation'], aggregation.error);
  if (draft.steps.length > MOST_STEPS) {
    throw invalid(`A scorecard has at most ${String(MOST_STEPS)} steps.`);
  }
  const known = new Map(
    (before === undefined ? [] : configOfRecord(before).steps).map((step) => [step.id, step]),
  );
  const isSameEvaluated = before?.evaluated_json === JSON.stringify(evaluated);
  const steps = draft.steps.map((step, position) =>
    settleStep(step, position, { columns, evaluated, known, isSameEvaluated }),
  );
  if (new Set(steps.map(({ id }) => id)).size < steps.length) {
    throw invalid('Two steps have the same id. Leave the ids of new steps out.');
  }
  return {
    name: draft.name,
    evaluated_json: JSON.stringify(evaluated),
    aggregation_json: JSON.stringify(aggregation.data),
    display_json: jsonOf(draft.display_config),
    baseline_json: jsonOf(draft.baseline_config),
    steps_json: JSON.stringify(steps),
    config_hash: scorecardHash({ aggregation: aggregation.data, steps }),
  };
}

/** What decides about scores; another one makes those of before stale. */
export const scorecardHash = ({ aggregation, steps }: ScorecardConfig): string =>
  digest([
    aggregation,
    steps.map(({ config_hash, weight, required, thresholds }) => [
      config_hash,
      weight,
      required,
      thresholds,
    ]),
  ]);

/** `config` is what the kind of the step reads. */
export const stepHash = (
  step: Pick<Step, 'primitive_type' | 'dependencies'> & { readonly score_adapter: unknown },
  config: { readonly [key: string]: Json },
): string => digest([step.primitive_type, config, step.score_adapter, step.dependencies]);

const jsonOf = (value: unknown): string | null =>
  value === null || value === undefined ? null : JSON.stringify(value);

const inBody = (place: Path, faults: readonly Fault[]): Fault[] =>
  faults.map((fault) => ({ ...fault, loc: ['body', ...place, ...fault.loc] }));

const refusedAt = (place: Path, message: string, msg = message): Problem =>
  invalid(message, inBody(place, [{ loc: [], msg, type: 'value_error' }]));

function unfit(place: Path, error: z.ZodError): Error {
  const faults = faultsOf(error);
  const words = faults.map(({ loc, msg }) => `${[...place, ...loc].join('.')}: ${msg}`);
  return invalid(`${words.join('; ')}.`, inBody(place, faults));
}

function columnOf(id: string, columns: readonly ColumnFacts[], place: Path): ColumnFacts {
  const byId = columns.find((column) => column.id === id.toLowerCase());
  if (byId !== undefined) return byId;
  const byTitle = columns.filter(({ title }) => title === id);
  if (byTitle.length === 1 && byTitle[0] !== undefined) return byTitle[0];
  throw refusedAt(place, `There is no column "${id}" in this sheet.`);
}

/**
 * Whether a step is sent back as it was read: then it reads what it has read so far, whatever the names
 * in it mean by now. Not where a column of it is gone, which is to be said.
 */
function isAsBefore(
  draft: StepDraft,
  old: Step,
  {
    named,
    columns,
  }: { readonly named: readonly string[]; readonly columns: readonly ColumnFacts[] },
): boolean {
  return (
    draft.primitive_type === old.primitive_type &&
    sameJson((draft.primitive_config ?? {}) as Json, old.primitive_config as Json) &&
    sameJson((draft.score_adapter ?? null) as Json, old.score_adapter as Json) &&
    sameJson(named, old.source_column_ids) &&
    old.dependencies.every((edge) => columns.some(({ id }) => id === edge.column_id))
  );
}

function settleStep(
  draft: StepDraft,
  position: number,
  {
    columns,
    evaluated,
    known,
    isSameEvaluated,
  }: {
    readonly columns: readonly ColumnFacts[];
    readonly evaluated: readonly string[];
    readonly known: ReadonlyMap<string, Step>;
    readonly isSameEvaluated: boolean;
  },
): Step {
  const place = ['steps', position] as const;
  const kind = stepKind(draft.primitive_type);
  if (kind === undefined) {
    const words = `there is no step of the type "${draft.primitive_type}". Available: ${stepTypes.join(', ')}.`;
    throw refusedAt([...place, 'primitive_type'], `${place.join('.')}: ${words}`, words);
  }
  const named = (draft.source_column_ids ?? []).map(
    (id, at) => columnOf(id, columns, [...place, 'source_column_ids', at]).id,
  );
  const sources = named.length > 0 ? named : evaluated;
  const config = stepConfig(draft.primitive_config ?? {}, sources);
  const { primitive_type: type } = draft;
  const id = draft.id?.toLowerCase() ?? randomUUID();
  const old = known.get(id);
  const isKept =
    old !== undefined &&
    (named.length > 0 || isSameEvaluated) &&
    isAsBefore(draft, old, { named, columns });
  const dependencies = isKept
    ? old.dependencies
    : dependenciesOf(draft, place, { config, sources, columns, old });
  inStep(place, () => kind.compile(config));
  const now = new Date().toISOString();
  const step = Step.safeParse({
    ...draft,
    id,
    source_column_ids: named,
    weight: draft.weight ?? 1,
    required: draft.required ?? false,
    thresholds: draft.thresholds ?? {},
    primitive_config: draft.primitive_config ?? {},
    score_adapter: draft.score_adapter ?? null,
    description: draft.description ?? null,
    target_column_id: draft.target_column_id ?? null,
    backing_column_id: draft.backing_column_id ?? null,
    evidence_mode: draft.evidence_mode ?? 'summary',
    order_index: draft.order_index ?? position,
    config_hash: isKept
      ? old.config_hash
      : stepHash(
          { primitive_type: type, score_adapter: draft.score_adapter ?? null, dependencies },
          config,
        ),
    dependencies,
    created_at: old?.['created_at'] ?? now,
    updated_at: now,
  });
  if (!step.success) throw unfit(place, step.error);
  return step.data;
}

/** What the kind of a step reads: its own config, and its sources under the names of columns. */
export function stepConfig(
  config: Readonly<Record<string, unknown>>,
  sources: readonly string[],
): { [key: string]: Json } {
  const [first] = sources;
  return {
    ...(config as { [key: string]: Json }),
    ...(first !== undefined && { source: first, sources: [...sources] }),
  };
}

/** A step reads columns as a computed column does, and is refused as one would be. */
function dependenciesOf(
  draft: StepDraft,
  place: Path,
  {
    config,
    sources,
    columns,
    old,
  }: {
    readonly config: { [key: string]: Json };
    readonly sources: readonly string[];
    readonly columns: readonly ColumnFacts[];
    readonly old: Step | undefined;
  },
): Dependency[] {
  const isCode = draft.primitive_type === 'CODE_EXECUTION';
  return inStep(
    place,
    () =>
      validateColumn(
        {
          title: draft.title,
          known:
            old &&
            knownNames({
              config: old.primitive_config as Json,
              dependencies: old.dependencies,
            }),
          // Kinds that no column has read their sources as this one does.
          type: isCode ? 'CODE_EXECUTION' : 'VARIABLE',
          config: isCode
            ? config
            : { value: { type: 'string', value: '' }, ...withoutValue(config) },
          dependencies: isCode
            ? sources.map((id) => ({
                column_id: id,
                reference_type: 'value',
                config_key: 'code',
                config_meta: { variable_name: columns.find((one) => one.id === id)?.title ?? id },
              }))
            : [],
        },
        columns,
      ).dependencies,
  );
}

/** What the kind of a step refuses is said of the step: its sources are not in its config. */
function inStep<Result>(place: Path, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof EngineProblem)) throw error;
    const faults = error.at([]).faults.map(({ loc: [first, ...rest], ...fault }): Fault => {
      const path = first === 'config' ? rest : first === undefined ? [] : [first, ...rest];
      const isSource = path[0] === 'source' || path[0] === 'sources';
      const field = isSource ? ['source_column_ids'] : ['primitive_config', ...path];
      return { ...fault, loc: field };
    });
    throw invalid(`${place.join('.')}: ${error.message}`, inBody(place, faults));
  }
}

/** Only the sources in it count here. */
const withoutValue = ({ value: _, ...rest }: { [key: string]: Json }): { [key: string]: Json } =>
  rest;
