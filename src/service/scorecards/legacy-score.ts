import * as z from 'zod';
import type { ScoreType } from '../../api/score.ts';
import { isComputed } from '../engine/index.ts';
import { numberOf, readDecimal } from '../engine/columns/decimal.ts';
import { isObject, jsonFromText, type Json } from '../engine/columns/json.ts';
import { CellProblem } from '../engine/problem.ts';
import { hasValue } from '../../core/exports/shape.ts';
import type { ExportRow } from '../exports/read-sheet.ts';
import { sheetPages } from '../exports/read-sheet.ts';
import type { ColumnRecord } from '../store/records.ts';
import { listColumns } from '../store/scope.ts';
import { finishCalculation, renewCalculation } from './calculations.ts';
import type { ScoringTools } from './compute-rows.ts';
import { CutOffCells } from './cut-off-cells.ts';
import type { CalculationRecord } from './records.ts';
import { ScoreProblem, asBoolean, combine } from './score-of.ts';

export const LegacyConfig = z.looseObject({
  score_type: z.enum(['auto', 'boolean', 'numeric', 'custom']),
  column_ids: z.array(z.string()).nullish(),
  code: z.string().nullish(),
  code_language: z.enum(['PYTHON', 'JAVASCRIPT']).nullish(),
  true_values: z.array(z.string()).nullish(),
  false_values: z.array(z.string()).nullish(),
  assertion_aggregation: z.enum(['all', 'any', 'mean']).nullish(),
});
export type LegacyConfig = z.output<typeof LegacyConfig>;

const CustomResult = z.looseObject({
  score: z.unknown(),
  score_matrix: z.array(z.array(z.unknown())).nullish(),
  score_matrix_metrics: z
    .array(
      z.object({
        key: z.string(),
        label: z.string(),
        positive_metric: z.boolean().nullable().default(null),
      }),
    )
    .nullish(),
});

/** Characters of all values together that code of one's own gets to see. */
const CODE_CHARACTERS = 16 * 1024 * 1024;
/** A share of true values is a per cent. */
const PER_CENT = 100;

export interface ColumnScore {
  readonly column_id: string;
  readonly title: string;
  readonly score: number | null;
  readonly included_count: number;
  readonly excluded_count: number;
  readonly resolved_scoring_type: ScoreType | null;
}

/** What a score of the older kind has found, as it is kept. */
export interface LegacyResult {
  readonly score_type: 'single_column' | 'multi_column' | 'custom';
  readonly columns: readonly ColumnScore[];
  readonly aggregate_score: number | null;
  readonly total_rows: number;
  readonly scored_rows: number;
  readonly excluded_rows: number;
  readonly score_matrix: readonly (readonly unknown[])[] | null;
  readonly score_matrix_metrics: readonly unknown[] | null;
  /** Scored rows whose answers were cut off, and those of each column by its id. */
  readonly cut_off_rows: number;
  readonly cut_off_by_column: Readonly<Record<string, number>>;
}

/** Calculates and ends a calculation. What is wrong with the sheet or the code is its error. */
export async function calculateScore(
  tools: ScoringTools,
  work: CalculationRecord,
  signal: AbortSignal,
): Promise<void> {
  const config = LegacyConfig.parse(JSON.parse(work.config_json));
  const { database } = tools;
  try {
    const all = await listColumns(database, work.sheet_key, { withSystem: false });
    const result =
      config.score_type === 'custom'
        ? await customScore(tools, work, { config, columns: all, signal })
        : await columnScores(tools, work, { config, columns: all, signal });
    await finishCalculation(database, work, {
      status: 'completed',
      score: result.aggregate_score,
      result,
      error: null,
      scoredRows: result.scored_rows,
      totalRows: result.total_rows,
    });
  } catch (error) {
    if (!(error instanceof ScoreProblem) && !(error instanceof CellProblem)) throw error;
    await finishCalculation(database, work, {
      status: 'failed',
      score: null,
      result: {},
      error: error.message,
      scoredRows: 0,
      totalRows: work.total_rows,
    });
  }
}

interface Given {
  readonly config: LegacyConfig;
  readonly columns: readonly ColumnRecord[];
  readonly signal: AbortSignal;
}

/** Pages of rows; whoever takes long keeps the calculation, or learns that it is cancelled. */
async function* pagesOf(
  { database }: ScoringTools,
  work: CalculationRecord,
  columns: readonly ColumnRecord[],
  signal: AbortSignal,
): AsyncGenerator<readonly ExportRow[]> {
  for await (const rows of sheetPages(database, work.sheet_key, columns)()) {
    signal.throwIfAborted();
    yield rows;
  }
}

/** Named columns; else those that are marked as the sheet's output; else all that are computed. */
function scoredColumns({ config, columns }: Given): {
  readonly chosen: readonly ColumnRecord[];
  readonly isNamed: boolean;
} {
  const ids = config.column_ids ?? [];
  if (ids.length > 0) {
    const chosen = ids.map((id) => {
      const column = columns.find((one) => one.id === id);
      if (column === undefined) {
        throw new ScoreProblem('A column of the score no longer exists. Select its columns again.');
      }
      return column;
    });
    return { chosen, isNamed: true };
  }
  const output = columns.filter(({ is_output_column: isOutput }) => isOutput === 1);
  if (output.length > 0) return { chosen: output, isNamed: false };
  return { chosen: columns.filter(({ type }) => isComputed(type)), isNamed: false };
}

class Tally {
  readonly column: ColumnRecord;
  readonly #config: LegacyConfig;
  readonly #booleans: number[] = [0, 0];
  /** Values that count and are made of half an answer. */
  cutOff = 0;
  #numberSum = 0;
  #numberCount = 0;
  #seen = 0;

  constructor(column: ColumnRecord, config: LegacyConfig) {
    this.column = column;
    this.#config = config;
  }

  /** Whether the value counts. */
  add(text: string | null): boolean {
    this.#seen += 1;
    if (text === null) return false;
    const value = jsonFromText(text);
    if (this.#config.score_type !== 'numeric') {
      const share = shareOf(value, this.#config);
      if (share !== undefined) {
        this.#booleans[0] = (this.#booleans[0] ?? 0) + share;
        this.#booleans[1] = (this.#booleans[1] ?? 0) + 1;
        return true;
      }
    }
    if (this.#config.score_type === 'boolean') return false;
    const number = numberOf(value) ?? readDecimal(value)?.toNumber();
    if (number === undefined) return false;
    this.#numberSum += number;
    this.#numberCount += 1;
    return true;
  }

  score(): ColumnScore {
    const [sum = 0, count = 0] = this.#booleans;
    const isBoolean = count > 0 && count >= this.#numberCount;
    const included = isBoolean ? count : this.#numberCount;
    return {
      column_id: this.column.id,
      title: this.column.title,
      score:
        included === 0
          ? null
          : isBoolean
            ? (sum / count) * PER_CENT
            : this.#numberSum / this.#numberCount,
      included_count: included,
      excluded_count: this.#seen - included,
      resolved_scoring_type: included === 0 ? null : isBoolean ? 'boolean' : 'numeric',
    };
  }
}

/** 1 for true, 0 for false, what lies between for several answers; undefined for anything else. */
function shareOf(value: Json, config: LegacyConfig): number | undefined {
  const word = asBoolean(value, config);
  if (word !== undefined) return Number(word);
  if (value === null || !isObject(value)) return undefined;
  const answers = Object.values(value).map((one) => asBoolean(one, config));
  const known = answers.filter((one) => one !== undefined).map(Number);
  if (known.length === 0 || known.length < answers.length) return undefined;
  return combine(known, config.assertion_aggregation ?? 'mean');
}

async function columnScores(
  tools: ScoringTools,
  work: CalculationRecord,
  given: Given,
): Promise<LegacyResult> {
  const { chosen, isNamed } = scoredColumns(given);
  const tallies = chosen.map((column) => new Tally(column, given.config));
  const cutOffCells = new CutOffCells(tools.database, work.sheet_key, given.columns);
  let total = 0;
  let scored = 0;
  let cutOff = 0;
  for await (const rows of pagesOf(tools, work, chosen, given.signal)) {
    const halves = await cutOffCells.among(rows, chosen);
    for (const { rowIndex, cells } of rows) {
      let isScored = false;
      let isHalf = false;
      for (const [position, tally] of tallies.entries()) {
        const cell = cells[position];
        if (!tally.add(hasValue(cell) ? cell.value : null)) continue;
        isScored = true;
        if (halves.get(rowIndex)?.has(tally.column.key) !== true) continue;
        tally.cutOff += 1;
        isHalf = true;
      }
      total += 1;
      if (isScored) scored += 1;
      if (isHalf) cutOff += 1;
    }
    if (!(await renewCalculation(tools.database, work))) given.signal.throwIfAborted();
  }
  const columns = tallies
    .map((tally) => tally.score())
    .filter(({ included_count: included }) => isNamed || included > 0);
  const known = columns.flatMap(({ score }) => (score === null ? [] : [score]));
  return {
    score_type: columns.length > 1 ? 'multi_column' : 'single_column',
    columns,
    aggregate_score: known.length === 0 ? null : combine(known, 'mean'),
    total_rows: total,
    scored_rows: scored,
    excluded_rows: total - scored,
    score_matrix: null,
    score_matrix_metrics: null,
    cut_off_rows: cutOff,
    cut_off_by_column: Object.fromEntries(
      tallies.flatMap(({ column, cutOff: count }) => (count > 0 ? [[column.id, count]] : [])),
    ),
  };
}

async function customScore(
  tools: ScoringTools,
  work: CalculationRecord,
  { config, columns, signal }: Given,
): Promise<LegacyResult> {
  const data: { [title: string]: Json }[] = [];
  const cutOffCells = new CutOffCells(tools.database, work.sheet_key, columns);
  let size = 0;
  let cutOff = 0;
  for await (const rows of pagesOf(tools, work, columns, signal)) {
    cutOff += (await cutOffCells.among(rows, columns)).size;
    for (const { cells } of rows) {
      const row: { [title: string]: Json } = {};
      for (const [position, { title }] of columns.entries()) {
        const cell = cells[position];
        size += cell?.value?.length ?? 4;
        row[title] = hasValue(cell) ? jsonFromText(cell.value ?? 'null') : null;
      }
      data.push(row);
    }
    if (size > CODE_CHARACTERS) {
      throw new ScoreProblem(
        `Code for a score gets at most ${String(CODE_CHARACTERS / 2 ** 20)} MB of values, and this sheet has more. Score its columns instead.`,
      );
    }
  }
  const code = config.code ?? '';
  const value =
    config.code_language === 'JAVASCRIPT'
      ? await tools.sandbox.runJavaScript(code, data, { signal })
      : await runPython(tools, code, data, signal);
  return {
    ...{ ...customResult(value), columns: [], score_type: 'custom' },
    ...{ total_rows: data.length, scored_rows: data.length, excluded_rows: 0 },
    // Which columns the code looks at is not known: all of the row.
    ...{ cut_off_rows: cutOff, cut_off_by_column: {} },
  };
}

function runPython(
  { outside }: ScoringTools,
  code: string,
  data: { [title: string]: Json }[],
  signal: AbortSignal,
): Promise<Json> {
  if (outside.runPython !== undefined) return outside.runPython(code, data, { signal });
  throw new ScoreProblem(
    'The score is code in Python, which is turned off. Start the local service with PROMPT_TABLES_PYTHON=1 to allow it, or write the score in JavaScript (code_language).',
  );
}

function customResult(
  value: Json,
): Pick<LegacyResult, 'aggregate_score' | 'score_matrix' | 'score_matrix_metrics'> {
  const parsed = CustomResult.safeParse(isObject(value) ? value : { score: value });
  const score = parsed.success ? numberOf((parsed.data.score ?? null) as Json) : null;
  if (!parsed.success || score === null) {
    throw new ScoreProblem(
      'The code must return a number, or an object with a number in "score" (and lists in "score_matrix").',
    );
  }
  return {
    aggregate_score: score,
    score_matrix: parsed.data.score_matrix ?? null,
    score_matrix_metrics: parsed.data.score_matrix_metrics ?? null,
  };
}
