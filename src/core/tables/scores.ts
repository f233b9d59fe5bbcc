import type { AnswerOf, BodyOf, QueryOf } from '../../api/endpoint.ts';
import type { Score, Scorecard, ScorecardRow } from '../../api/score.ts';
import {
  cancelScorecard,
  configureScore,
  configureScorecard,
  deleteScorecard,
  getScore,
  getScoreHistory,
  getScorecard,
  getScorecardCalculation,
  getScorecardRow,
  listScorecardRows,
  migrateLegacyScore,
  recalculateScore,
  recalculateScorecard,
} from '../../api/score.ts';
import { ResponseFormatError } from '../errors.ts';
import type { CallOptions } from '../http/call.ts';
import type { AlsoCamelCase } from '../spelling.ts';
import { asSent } from '../spelling.ts';
import type { ApiContext } from './context.ts';
import type { OperationOptions } from './operations.ts';
import type { SheetRef } from './ref.ts';
import { sheetParams } from './ref.ts';

/** `{ scorecard, latest_calculation, display_calculation, progress }`; no scorecard: null. */
export type ScorecardAnswer = AnswerOf<typeof getScorecard>;
/**
 * `calculationId` (default: the latest), `verdict`, `cursor` (a row index), `limit` (1 to 100,
 * default 50).
 */
export type ScorecardRowsQuery = QueryOf<typeof listScorecardRows>;
/** `{ rows, next_cursor, verdict_counts }`. */
export type ScorecardRowsPage = AnswerOf<typeof listScorecardRows>;
/** `{ calculation, criterion_summaries, drift_summary }`. */
export type ScorecardCalculation = AnswerOf<typeof getScorecardCalculation>;
/** `calculationId`; default: the latest. */
export type ScorecardRowQuery = QueryOf<typeof getScorecardRow>;
/** `maxPoints` (50 to 5000, default 1200), `range`, `resolution`. */
export type ScoreHistoryQuery = QueryOf<typeof getScoreHistory>;
/** `{ points, total_points, returned_points, is_sampled, ... }`. */
export type ScoreHistory = AnswerOf<typeof getScoreHistory>['score_history'];

/**
 * `scoreType` (auto, boolean, numeric, custom), `columnIds` or `columnNames`, `code` with
 * `codeLanguage` (default PYTHON), `trueValues`, `falseValues`, `assertionAggregation`.
 */
export type ScoreConfiguration = BodyOf<typeof configureScore>;
/** `{ score_configuration_id, status }`, or `{ score_source: 'scorecard', calculation_id, status }`. */
export type ScoreStarted = AnswerOf<typeof recalculateScore>;
/**
 * `name`, `aggregation` (`pass_threshold`, `warn_threshold`, `required_step_failure_behavior`),
 * `evaluatedColumnIds`, `steps`, `displayConfig`, `baselineConfig`. Steps keep the spelling of the
 * service.
 */
export type ScorecardConfiguration = BodyOf<typeof configureScorecard>;
/** `rowIndices`, `stepIds`; what is left out is all of them. */
export type ScorecardPart = NonNullable<BodyOf<typeof recalculateScorecard>>;
/** `{ calculation_id, status, version }`. */
export type ScorecardStarted = AnswerOf<typeof recalculateScorecard>;
/** `{ cancelled_count, calculation_id, execution_ids }`. */
export type ScorecardCancelled = AnswerOf<typeof cancelScorecard>;
/** `{ scorecard, converted_count, skipped, legacy_score_deleted, version }`. */
export type MigratedScore = AnswerOf<typeof migrateLegacyScore>;

/** The score of a sheet, as it was before scorecards. */
export function makeScores({ call }: ApiContext) {
  return {
    /** The legacy score; most fields may be missing when a scorecard has replaced it. */
    get: (ref: SheetRef, options: CallOptions = {}): Promise<Score> =>
      call(getScore, { params: sheetParams(ref) }, options),

    /** Says how it is calculated; it is not calculated yet. */
    configure: (
      ref: SheetRef,
      body: AlsoCamelCase<ScoreConfiguration>,
      options: CallOptions = {},
    ): Promise<AnswerOf<typeof configureScore>> =>
      call(
        configureScore,
        { params: sheetParams(ref), body: asSent<ScoreConfiguration>(body) },
        options,
      ),

    /** Calculates it in the background: `get` says when it is done. */
    recalculate: (ref: SheetRef, options: CallOptions = {}): Promise<ScoreStarted> =>
      call(recalculateScore, { params: sheetParams(ref) }, options),

    /** How the score went from version to version. */
    history: async (
      ref: SheetRef,
      query: AlsoCamelCase<ScoreHistoryQuery> = {},
      options: CallOptions = {},
    ): Promise<ScoreHistory> => {
      const fields = asSent<ScoreHistoryQuery>(query);
      return (await call(getScoreHistory, { params: sheetParams(ref), query: fields }, options))
        .score_history;
    },
  };
}

/** The scorecard of a sheet: scores from 0 to 1, verdicts pass, warn, fail, error, skipped. */
export function makeScorecards({ call }: ApiContext) {
  /** One page of verdicts by row. */
  const rows = (
    ref: SheetRef,
    query: AlsoCamelCase<ScorecardRowsQuery> = {},
    options: CallOptions = {},
  ): Promise<ScorecardRowsPage> =>
    call(
      listScorecardRows,
      { params: sheetParams(ref), query: asSent<ScorecardRowsQuery>(query) },
      options,
    );

  /** Every row's verdict. This list alone is paged by the last row index. */
  async function* allRows(
    ref: SheetRef,
    query: AlsoCamelCase<ScorecardRowsQuery> = {},
    options: CallOptions = {},
  ): AsyncGenerator<ScorecardRow, void, undefined> {
    let cursor = Number(query.cursor ?? -1);
    let isFirst = true;
    for (;;) {
      const page = await rows(ref, isFirst ? query : { ...query, cursor }, options);
      yield* page.rows;
      const next = page.next_cursor ?? undefined;
      if (next === undefined) return;
      if (next <= cursor && !isFirst) {
        throw new ResponseFormatError(
          { kind: 'scorecard-cursor-repeats' },
          { issuePath: 'next_cursor' },
        );
      }
      cursor = next;
      isFirst = false;
    }
  }

  return {
    /** The scorecard with its latest calculation, and the one to show meanwhile. */
    get: (ref: SheetRef, options: CallOptions = {}): Promise<ScorecardAnswer> =>
      call(getScorecard, { params: sheetParams(ref) }, options),
    /** Makes the scorecard of a sheet, or changes it: what is left out has its default again. */
    configure: async (
      ref: SheetRef,
      body: AlsoCamelCase<ScorecardConfiguration>,
      options: CallOptions = {},
    ): Promise<Scorecard> =>
      (
        await call(
          configureScorecard,
          { params: sheetParams(ref), body: asSent<ScorecardConfiguration>(body) },
          options,
        )
      ).scorecard,
    /** Takes the scorecard away; a score of the old kind stays. */
    delete: async (ref: SheetRef, options: CallOptions = {}): Promise<true> => {
      await call(deleteScorecard, { params: sheetParams(ref) }, options);
      return true;
    },
    /**
     * Calculates it in the background: `calculation` says when it is done. `costCeilingUsd` is kept
     * by the local service, and is nothing to the hosted one.
     */
    recalculate: (
      ref: SheetRef,
      part: AlsoCamelCase<ScorecardPart> = {},
      { costCeilingUsd, ...options }: OperationOptions = {},
    ): Promise<ScorecardStarted> =>
      call(
        recalculateScorecard,
        {
          params: sheetParams(ref),
          query: { cost_ceiling_usd: costCeilingUsd },
          body: asSent<ScorecardPart>(part),
        },
        options,
      ),
    /** Ends the calculation that is under way. */
    cancel: (
      ref: SheetRef,
      part: AlsoCamelCase<ScorecardPart> = {},
      options: CallOptions = {},
    ): Promise<ScorecardCancelled> =>
      call(
        cancelScorecard,
        { params: sheetParams(ref), body: asSent<ScorecardPart>(part) },
        options,
      ),
    /** Makes steps of the columns of the legacy score. */
    migrateLegacyScore: (
      ref: SheetRef,
      body: { readonly deleteLegacyScore?: boolean | undefined } = {},
      options: CallOptions = {},
    ): Promise<MigratedScore> =>
      call(
        migrateLegacyScore,
        {
          params: sheetParams(ref),
          body: { delete_legacy_score: body.deleteLegacyScore ?? false },
        },
        options,
      ),
    rows,
    allRows,
    /** The verdict on one row, step by step. */
    row: (
      ref: SheetRef,
      rowIndex: number,
      query: AlsoCamelCase<ScorecardRowQuery> = {},
      options: CallOptions = {},
    ): Promise<ScorecardRow> =>
      call(
        getScorecardRow,
        {
          params: { ...sheetParams(ref), row_index: String(rowIndex) },
          query: asSent<ScorecardRowQuery>(query),
        },
        options,
      ),
    /** One calculation of the scorecard. */
    calculation: (
      ref: SheetRef,
      calculationId: string,
      options: CallOptions = {},
    ): Promise<ScorecardCalculation> =>
      call(
        getScorecardCalculation,
        { params: { ...sheetParams(ref), calculation_id: calculationId } },
        options,
      ),
  };
}
