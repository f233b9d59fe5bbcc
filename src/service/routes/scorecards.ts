import {
  cancelScorecard,
  configureScorecard,
  deleteScorecard,
  getScorecard,
  getScorecardCalculation,
  getScorecardRow,
  listScorecardRows,
  migrateLegacyScore,
  recalculateScorecard,
} from '../../api/score.ts';
import type { ColumnFacts } from '../engine/index.ts';
import { jsonObject } from '../http/json-text.ts';
import { invalid, notFound } from '../http/problem.ts';
import type { Reply, Route } from '../http/route.ts';
import { accepted, ok, route } from '../http/route.ts';
import {
  SCORE_CHANNEL,
  cancelOpen,
  findCalculation,
  latestCalculations,
} from '../scorecards/calculations.ts';
import type { Selection } from '../scorecards/compute-rows.ts';
import { stepsOfLegacy } from '../scorecards/migrate-legacy.ts';
import type { CalculationRecord, ScorecardRecord, ScoredRowRecord } from '../scorecards/records.ts';
import { configOfRecord, settleScorecard } from '../scorecards/scorecard.ts';
import { staleState } from '../scorecards/stale.ts';
import {
  deleteScoreConfiguration,
  deleteScorecard as dropScorecard,
  findScoreConfiguration,
  findScorecard,
  saveScorecard,
} from '../scorecards/store.ts';
import type { Session } from '../store/database.ts';
import type { ColumnRecord, SheetRecord } from '../store/records.ts';
import { findSheet, findSheetForUpdate, listColumns, raiseVersion } from '../store/scope.ts';
import {
  calculationJson,
  progressOf,
  queueScorecard,
  resultOf,
  rowFields,
  scorecardJson,
} from './scorecard-parts.ts';

async function stateOf(session: Session, sheet: SheetRecord, scorecard: ScorecardRecord) {
  const { latest, completed } = await latestCalculations(session, sheet.key, scorecard.id);
  return { latest, completed, stale: await staleState(session, sheet, scorecard, completed) };
}

const get = route(getScorecard, async ({ params, workspaceId, services }) => {
  const scope = { workspaceId, tableId: params.table_id, sheetId: params.sheet_id };
  return services.database.read(async (session): Promise<Reply> => {
    const sheet = await findSheet(session, scope);
    const scorecard = await findScorecard(session, sheet.key);
    if (scorecard === undefined) {
      return ok(
        jsonObject({
          success: true,
          scorecard: null,
          latest_calculation: null,
          display_calculation: null,
          criterion_summaries: null,
          drift_summary: null,
          progress: null,
        }),
      );
    }
    const state = await stateOf(session, sheet, scorecard);
    const shown = state.completed ?? state.latest;
    const result = resultOf(shown);
    const json = (one: CalculationRecord | undefined) =>
      one === undefined ? null : calculationJson(one, sheet.id);
    return ok(
      jsonObject({
        success: true,
        scorecard: scorecardJson(scorecard, sheet, params.table_id, state),
        latest_calculation: json(state.latest),
        display_calculation: json(shown),
        criterion_summaries: result.criterion_summaries ?? null,
        drift_summary: result.drift_summary ?? null,
        progress: state.latest === undefined ? null : progressOf(state.latest),
      }),
    );
  });
});

const facts = (columns: readonly ColumnRecord[]): ColumnFacts[] =>
  columns.map(({ id, title, type, dependencies_json: text }) => ({
    id,
    title,
    type,
    dependencies: JSON.parse(text) as ColumnFacts['dependencies'],
  }));

const configure = route(configureScorecard, async ({ params, body, workspaceId, services }) => {
  const { database } = services;
  const scope = { workspaceId, tableId: params.table_id, sheetId: params.sheet_id };
  const answer = await database.transaction(async (session) => {
    const found = await findSheetForUpdate(database, session, scope);
    const columns = await listColumns(session, found.key, { withSystem: false });
    const before = await findScorecard(session, found.key);
    const settled = settleScorecard(body, facts(columns), before);
    const scorecard = await saveScorecard(session, found.key, before, settled);
    const version = await raiseVersion(session, found.key);
    const sheet = { ...found, version_count: version };
    const state = await stateOf(session, sheet, scorecard);
    return jsonObject({
      success: true,
      scorecard: scorecardJson(scorecard, sheet, params.table_id, state),
      version,
    });
  });
  return ok(answer);
});

const remove = route(deleteScorecard, async ({ params, workspaceId, services }) => {
  const { database } = services;
  const scope = { workspaceId, tableId: params.table_id, sheetId: params.sheet_id };
  await database.transaction(async (session) => {
    const sheet = await findSheetForUpdate(database, session, scope);
    const scorecard = await findScorecard(session, sheet.key);
    if (scorecard === undefined) return;
    await cancelOpen(session, sheet.key, 'scorecard');
    await dropScorecard(session, scorecard);
    await raiseVersion(session, sheet.key);
  });
  await database.notify(SCORE_CHANNEL);
  return ok(jsonObject({ success: true }));
});

const migrate = route(migrateLegacyScore, async ({ params, body, workspaceId, services }) => {
  const { database } = services;
  const scope = { workspaceId, tableId: params.table_id, sheetId: params.sheet_id };
  const answer = await database.transaction(async (session) => {
    const sheet = await findSheetForUpdate(database, session, scope);
    const legacy = await findScoreConfiguration(session, sheet.key);
    if (legacy === undefined)
      throw invalid('This sheet has no score of the older kind to convert.');
    const columns = await listColumns(session, sheet.key, { withSystem: false });
    const { steps, skipped } = await stepsOfLegacy(session, legacy, columns);
    const before = await findScorecard(session, sheet.key);
    const scorecard =
      steps.length === 0
        ? before
        : await saveScorecard(
            session,
            sheet.key,
            before,
            settleScorecard(
              {
                name: before?.name ?? 'Scorecard',
                evaluated_column_ids: [],
                aggregation: before === undefined ? {} : configOfRecord(before).aggregation,
                steps: [...(before === undefined ? [] : configOfRecord(before).steps), ...steps],
              },
              facts(columns),
              before,
            ),
          );
    const isDeleted = body?.delete_legacy_score === true && skipped.length === 0;
    if (isDeleted) await deleteScoreConfiguration(session, sheet.key);
    const version = await raiseVersion(session, sheet.key);
    const raised = { ...sheet, version_count: version };
    return jsonObject({
      success: true,
      scorecard:
        scorecard === undefined
          ? null
          : scorecardJson(
              scorecard,
              raised,
              params.table_id,
              await stateOf(session, raised, scorecard),
            ),
      converted_count: steps.length,
      skipped,
      legacy_score_deleted: isDeleted,
      version,
    });
  });
  return ok(answer);
});

const selectionOf = (body: Selection | undefined): Selection => ({
  ...(body?.row_indices && { row_indices: body.row_indices }),
  ...(body?.step_ids && { step_ids: body.step_ids.map((id) => id.toLowerCase()) }),
});

const recalculate = route(recalculateScorecard, async (request) => {
  const { params, query, body, workspaceId, isRestricted, services } = request;
  const { database } = services;
  const scope = { workspaceId, tableId: params.table_id, sheetId: params.sheet_id };
  const answer = await database.transaction(async (session) => {
    const sheet = await findSheetForUpdate(database, session, scope);
    const scorecard = await findScorecard(session, sheet.key);
    if (scorecard === undefined) {
      throw invalid('This sheet has no scorecard yet. Configure one first.');
    }
    const costCeiling = query.cost_ceiling_usd ?? services.costCeiling;
    const terms = { costCeiling, isRestricted };
    const wanted = selectionOf(body);
    const { id, status } = await queueScorecard(session, sheet, scorecard, wanted, terms);
    return { success: true, calculation_id: id, status, version: sheet.version_count };
  });
  await database.notify(SCORE_CHANNEL);
  return accepted(jsonObject(answer));
});

/** Whether two selections have something in common; an absent one is everything. */
const overlap = <Item>(
  left: readonly Item[] | undefined,
  right: readonly Item[] | undefined,
): boolean => left === undefined || right === undefined || left.some((one) => right.includes(one));

const cancel = route(cancelScorecard, async ({ params, body, workspaceId, services }) => {
  const { database } = services;
  const scope = { workspaceId, tableId: params.table_id, sheetId: params.sheet_id };
  const { scorecard, cancelled } = await database.transaction(async (session) => {
    const sheet = await findSheetForUpdate(database, session, scope);
    const scorecard = await findScorecard(session, sheet.key);
    if (scorecard === undefined) throw notFound('A scorecard of this sheet');
    const { latest } = await latestCalculations(session, sheet.key, scorecard.id);
    const wanted = selectionOf(body);
    const running = JSON.parse(latest?.selection_json ?? '{}') as Selection;
    // A calculation is stopped as a whole, if what is meant is a part of it.
    const isMeant =
      overlap(running.row_indices, wanted.row_indices) &&
      overlap(running.step_ids, wanted.step_ids);
    const cancelled = isMeant ? await cancelOpen(session, sheet.key, 'scorecard') : [];
    return { scorecard, cancelled };
  });
  await database.notify(SCORE_CHANNEL);
  const [last] = cancelled;
  return ok(
    jsonObject({
      success: true,
      message: last === undefined ? 'Nothing was under way.' : 'The calculation is canceled.',
      scorecard: { id: scorecard.id },
      cancelled_count: cancelled.reduce(
        (sum, { total_rows: total, scored_rows: scored }) => sum + Math.max(0, total - scored),
        0,
      ),
      execution_ids: cancelled.map(({ id }) => id),
      calculation_id: last?.id ?? null,
    }),
  );
});

const calculation = route(getScorecardCalculation, async ({ params, workspaceId, services }) => {
  const scope = { workspaceId, tableId: params.table_id, sheetId: params.sheet_id };
  return services.database.read(async (session) => {
    const sheet = await findSheet(session, scope);
    const found = await findCalculation(session, sheet.key, params.calculation_id);
    if (found === undefined) throw notFound('This calculation');
    const result = resultOf(found);
    return ok(
      jsonObject({
        success: true,
        calculation: calculationJson(found, sheet.id),
        criterion_summaries: result.criterion_summaries ?? {},
        drift_summary: result.drift_summary ?? null,
      }),
    );
  });
});

/** The calculation that is asked for, or the last one that has rows to show. */
async function calculationOf(
  session: Session,
  sheet: SheetRecord,
  id: string | undefined,
): Promise<CalculationRecord | undefined> {
  if (id !== undefined) {
    const found = await findCalculation(session, sheet.key, id);
    if (found === undefined) throw notFound('This calculation');
    return found;
  }
  const scorecard = await findScorecard(session, sheet.key);
  if (scorecard === undefined) return undefined;
  const { latest, completed } = await latestCalculations(session, sheet.key, scorecard.id);
  return completed ?? latest;
}

const rows = route(listScorecardRows, async ({ params, query, workspaceId, services }) => {
  const scope = { workspaceId, tableId: params.table_id, sheetId: params.sheet_id };
  return services.database.read(async (session): Promise<Reply> => {
    const sheet = await findSheet(session, scope);
    const found = await calculationOf(session, sheet, query.calculation_id);
    if (found === undefined) {
      return ok(
        jsonObject({
          success: true,
          calculation_id: null,
          rows: [],
          next_cursor: null,
          verdict_counts: {},
        }),
      );
    }
    const records = await session.query<ScoredRowRecord>(
      `select * from score_rows where sheet_key = ? and calculation = ? and row_index > ?
       ${query.verdict === undefined ? '' : 'and verdict = ?'} order by row_index limit ?`,
      [
        sheet.key,
        found.number,
        query.cursor ?? -1,
        ...(query.verdict === undefined ? [] : [query.verdict]),
        query.limit + 1,
      ],
    );
    const page = records.slice(0, query.limit);
    const { verdict_counts: counts } = progressOf(found);
    return ok(
      jsonObject({
        success: true,
        calculation_id: found.id,
        rows: page.map((row) => jsonObject(rowFields(row, found, sheet.id))),
        next_cursor: records.length > page.length ? (page.at(-1)?.row_index ?? null) : null,
        verdict_counts: counts,
      }),
    );
  });
});

/** Integers of the database are 64 bits wide. */
const LAST_ROW = 2 ** 48;

const row = route(getScorecardRow, async ({ params, query, workspaceId, services }) => {
  const scope = { workspaceId, tableId: params.table_id, sheetId: params.sheet_id };
  return services.database.read(async (session) => {
    const sheet = await findSheet(session, scope);
    const found = await calculationOf(session, sheet, query.calculation_id);
    const record =
      found === undefined || params.row_index > LAST_ROW
        ? undefined
        : await session.one<ScoredRowRecord>(
            'select * from score_rows where sheet_key = ? and calculation = ? and row_index = ?',
            [sheet.key, found.number, params.row_index],
          );
    if (found === undefined || record === undefined) throw notFound('A verdict on this row');
    return ok(jsonObject({ success: true, ...rowFields(record, found, sheet.id) }));
  });
});

export const scorecardRoutes: readonly Route[] = [
  get,
  configure,
  remove,
  migrate,
  recalculate,
  cancel,
  calculation,
  rows,
  row,
];
