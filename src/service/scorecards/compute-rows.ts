import { hash } from 'node:crypto';
import { isCutOffIn } from './cut-off-cells.ts';
import { readMirror } from '../engine/index.ts';
import { excerpt, jsonFromText, type Json } from '../engine/columns/json.ts';
import type { Outside } from '../engine/outside.ts';
import type { PromptRunner } from '../engine/prompts.ts';
import { CallContext } from '../engine/prompts.ts';
import type { CellContent, RowCells } from '../engine/worker/compute-cell.ts';
import { computeCell } from '../engine/worker/compute-cell.ts';
import { contentOf } from '../engine/worker/read-batch.ts';
import type { PlannedColumn } from '../engine/worker/sheet-plan.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { Database, Session } from '../store/database.ts';
import { placeholders } from '../store/dialect.ts';
import type { CellRecord, ColumnRecord } from '../store/records.ts';
import type { ScoredRow } from './calculations.ts';
import type { StepResult, StepResults } from './judge.ts';
import { judgeRow } from './judge.ts';
import type { PlannedStep, StepPlan } from './plan-steps.ts';
import type { CalculationRecord, ScoredRowRecord } from './records.ts';
import type { ScorecardConfig } from './scorecard.ts';
import { thresholdsOf } from './scorecard.ts';
import { ScoreProblem, scoreOf, verdictOf } from './score-of.ts';
import { isPaid } from './step-kinds.ts';

/** What steps may use. */
export interface ScoringTools {
  readonly database: Database;
  readonly sandbox: Sandbox;
  readonly prompts: PromptRunner;
  readonly outside: Outside;
}

export interface Selection {
  readonly row_indices?: readonly number[] | undefined;
  readonly step_ids?: readonly string[] | undefined;
}

export interface RowBatch {
  readonly indices: readonly number[];
  readonly cells: ReadonlyMap<number, RowCells>;
  /** What earlier calculations found, the newest first. */
  readonly earlier: ReadonlyMap<number, readonly StepResults[]>;
}

/** Characters of a result that are kept beside its score. */
const KEPT_CHARACTERS = 4000;
const EARLIER = 3;

/** The next rows with what their steps read, all of one moment. */
export async function readBatch(
  session: Session,
  work: CalculationRecord,
  plan: StepPlan,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<RowBatch> {
  const rows = await session.query<{ row_index: number }>(
    'select row_index from rows where sheet_key = ? and row_index > ? order by row_index limit ?',
    [work.sheet_key, after, limit],
  );
  const indices = rows.map(({ row_index }) => row_index);
  const last = indices.at(-1);
  const cells = new Map<number, RowCells>(indices.map((index) => [index, new Map()]));
  if (last === undefined) return { indices, cells, earlier: new Map() };
  const plain = plan.columns.filter(({ type }) => type !== 'COMPOSITION').map(({ key }) => key);
  if (plain.length > 0) {
    const found = await session.query<CellRecord>(
      `select row_index, column_key, status, previous_status, value, error, error_message, input_hash, metrics
       from cells where sheet_key = ? and row_index > ? and row_index <= ? and column_key in ${placeholders(plain.length)}`,
      [work.sheet_key, after, last, ...plain],
    );
    for (const cell of found) cells.get(cell.row_index)?.set(cell.column_key, contentOf(cell));
  }
  for (const { key, type } of plan.columns) {
    if (type !== 'COMPOSITION') continue;
    const column = await session.one<ColumnRecord>(
      'select * from columns where sheet_key = ? and key = ?',
      [work.sheet_key, key],
    );
    if (column === undefined) continue;
    for (const [index, cell] of await readMirror(session, column, indices)) {
      cells.get(index)?.set(key, contentOf(cell));
    }
  }
  return { indices, cells, earlier: await readEarlier(session, work, after, last) };
}

async function readEarlier(
  session: Session,
  work: CalculationRecord,
  after: number,
  last: number,
): Promise<ReadonlyMap<number, readonly StepResults[]>> {
  const numbers = await session.query<{ number: number }>(
    `select number from score_calculations where sheet_key = ? and owner_id = ? and number < ?
     order by number desc limit ?`,
    [work.sheet_key, work.owner_id, work.number, EARLIER],
  );
  const earlier = new Map<number, StepResults[]>();
  if (numbers.length === 0) return earlier;
  const found = await session.query<Pick<ScoredRowRecord, 'row_index' | 'results_json'>>(
    `select row_index, results_json from score_rows where sheet_key = ? and calculation in ${placeholders(numbers.length)}
     and row_index > ? and row_index <= ? order by calculation desc`,
    [work.sheet_key, ...numbers.map(({ number }) => number), after, last],
  );
  for (const { row_index, results_json } of found) {
    const results = JSON.parse(results_json) as StepResults;
    const known = earlier.get(row_index);
    if (known) known.push(results);
    else earlier.set(row_index, [results]);
  }
  return earlier;
}

const notWhole = {
  score: null,
  verdict: 'error',
  error_summary: 'The calculation has stopped in the middle of this row.',
} as const;

export interface Scored {
  readonly row: ScoredRow;
  readonly results: StepResults;
  /** Not when the calculation has stopped in the middle of it. */
  readonly isWhole: boolean;
}

/** Scores rows as a calculation wants it; rejects only when the signal aborts. */
export class RowScorer {
  readonly #tools: ScoringTools;
  readonly #work: CalculationRecord;
  readonly #config: ScorecardConfig;
  readonly #plan: StepPlan;
  readonly #rows: ReadonlySet<number> | undefined;
  readonly #steps: ReadonlySet<string> | undefined;

  constructor(
    tools: ScoringTools,
    work: CalculationRecord,
    config: ScorecardConfig,
    plan: StepPlan,
  ) {
    this.#tools = tools;
    this.#work = work;
    this.#config = config;
    this.#plan = plan;
    const selection = JSON.parse(work.selection_json) as Selection;
    this.#rows = selection.row_indices && new Set(selection.row_indices);
    this.#steps = selection.step_ids && new Set(selection.step_ids);
  }

  async score(
    rowIndex: number,
    batch: RowBatch,
    readAt: number,
    signal: AbortSignal,
  ): Promise<Scored> {
    const cells: RowCells = batch.cells.get(rowIndex) ?? new Map<number, CellContent>();
    const earlier = batch.earlier.get(rowIndex) ?? [];
    const results: Record<string, StepResult> = {};
    let isWhole = true;
    for (const planned of this.#plan.steps) {
      signal.throwIfAborted();
      const { step } = planned;
      const before = earlier
        .map((found) => found[step.id])
        .find((found) => found?.config_hash === step.config_hash);
      const isWanted = (this.#rows?.has(rowIndex) ?? true) && (this.#steps?.has(step.id) ?? true);
      const result =
        before !== undefined && !isWanted
          ? before
          : await this.#run(planned, rowIndex, { cells, before, readAt, signal });
      if (result === undefined) isWhole = false;
      else results[step.id] = result;
    }
    const hashes = Object.values(results).map(({ input_hash }) => input_hash);
    return {
      results,
      isWhole,
      row: {
        row_index: rowIndex,
        ...(isWhole ? judgeRow(this.#config, results) : notWhole),
        results_json: JSON.stringify(results),
        input_hash: hash('sha256', JSON.stringify(hashes)).slice(0, 32),
        computed_at: Math.min(
          readAt,
          ...Object.values(results).map(({ computed_at }) => Date.parse(computed_at)),
        ),
      },
    };
  }

  /** Undefined when the calculation has stopped before it could ask. */
  async #run(
    { step, column }: PlannedStep,
    rowIndex: number,
    {
      cells,
      before,
      readAt,
      signal,
    }: {
      readonly cells: RowCells;
      readonly before: StepResult | undefined;
      readonly readAt: number;
      readonly signal: AbortSignal;
    },
  ): Promise<StepResult | undefined> {
    const isExplicit = this.#rows !== undefined || this.#steps !== undefined;
    if (before !== undefined && !isExplicit && isPaid(step.primitive_type)) {
      keepUnlessChanged(cells, column.key, before);
    }
    const { sandbox, prompts, outside } = this.#tools;
    const {
      workspace_id: workspaceId,
      sheet_key: sheetKey,
      id,
      number,
      is_restricted: isRestricted,
    } = this.#work;
    const result = await computeCell(column, cells, {
      sandbox,
      prompts,
      outside,
      signal,
      callContext: new CallContext(
        {
          kind: 'calculation',
          workspaceId,
          sheetKey,
          calculation: { id, number },
          metadata: { scorecard_calculation: id },
          isRestricted: isRestricted === 1,
        },
        `${String(rowIndex)}/${step.id}`,
      ),
    });
    const isHalf = [result.metrics, ...sourceMetrics(column, cells)].some(isCutOffIn);
    const common = {
      ...(isHalf && { cut_off: true as const }),
      computed_at: new Date(readAt).toISOString(),
      config_hash: step.config_hash,
      input_hash: result.inputHash,
    };
    const failed = (error: string): StepResult => ({
      score: null,
      verdict: 'error',
      evidence: step.evidence_mode === 'hidden' ? null : error,
      raw_value: null,
      error,
      ...common,
    });
    if (result.status === 'stopped') return undefined;
    if (result.status === 'error') return failed(result.errorMessage ?? 'The step failed.');
    const value = jsonFromText(result.value ?? 'null');
    try {
      const score = scoreOf(value, step.score_adapter ?? {});
      return {
        score: score ?? null,
        verdict:
          score === undefined
            ? 'skipped'
            : verdictOf(score, thresholdsOf(step, this.#config.aggregation)),
        evidence: evidenceOf(value, step.evidence_mode),
        raw_value: kept(result.value, value),
        ...common,
      };
    } catch (error) {
      if (error instanceof ScoreProblem) return failed(error.message);
      throw error;
    }
  }
}

const sourceMetrics = ({ edges }: PlannedColumn, cells: RowCells): (string | null)[] =>
  edges.map(({ column }) => (column && cells.get(column.key)?.metrics) ?? null);

/** An answer that was paid for stands as long as what was asked is the same. */
function keepUnlessChanged(cells: RowCells, key: number, before: StepResult): void {
  if (before.input_hash === null || before.error !== undefined) return;
  cells.set(key, {
    status: 'stale',
    previousStatus: 'stale',
    value: JSON.stringify(before.raw_value),
    error: null,
    errorMessage: null,
    inputHash: before.input_hash,
    metrics: null,
  });
}

function evidenceOf(value: Json, mode: string | null): unknown {
  if (mode === 'hidden') return null;
  if (mode === 'raw') return kept(null, value);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    const { reason, evidence } = value as { readonly [key: string]: Json };
    if (typeof reason === 'string') return reason.slice(0, 500);
    if (typeof evidence === 'string') return evidence.slice(0, 500);
  }
  return excerpt(value);
}

/** Long results are kept in their beginning: rows of a score are not a second copy of the sheet. */
function kept(text: string | null, value: Json): unknown {
  const written = text ?? JSON.stringify(value);
  return written.length <= KEPT_CHARACTERS ? value : written.slice(0, KEPT_CHARACTERS);
}
