import { configureScore, getScore, getScoreHistory, recalculateScore } from '../../api/score.ts';
import { jsonObject } from '../http/json-text.ts';
import { invalid } from '../http/problem.ts';
import type { Route } from '../http/route.ts';
import { accepted, ok, route } from '../http/route.ts';
import { SCORE_CHANNEL, latestCalculations, queueCalculation } from '../scorecards/calculations.ts';
import { readHistory, sample } from '../scorecards/history.ts';
import type { LegacyResult } from '../scorecards/legacy-score.ts';
import { LegacyConfig } from '../scorecards/legacy-score.ts';
import type { CalculationRecord, ScoreConfigurationRecord } from '../scorecards/records.ts';
import {
  findScoreConfiguration,
  findScorecard,
  saveScoreConfiguration,
} from '../scorecards/store.ts';
import type { Session } from '../store/database.ts';
import type { ColumnRecord, SheetRecord } from '../store/records.ts';
import { findSheet, findSheetForUpdate, listColumns, raiseVersion } from '../store/scope.ts';
import { isoTime } from './answers.ts';
import { queueScorecard } from './scorecard-parts.ts';

const get = route(getScore, async ({ params, workspaceId, services }) => {
  const scope = { workspaceId, tableId: params.table_id, sheetId: params.sheet_id };
  return services.database.read(async (session) => {
    const sheet = await findSheet(session, scope);
    const configuration = await findScoreConfiguration(session, sheet.key);
    const scorecard = await findScorecard(session, sheet.key);
    if (configuration === undefined && scorecard !== undefined) {
      const { latest, completed } = await latestCalculations(session, sheet.key, scorecard.id);
      return ok(
        jsonObject({
          success: true,
          sheet_id: sheet.id,
          score_type: 'scorecard',
          scoring_type: 'scorecard',
          status: latest?.status ?? null,
          ...countsOf(completed, sheet),
          aggregate_score: completed?.aggregate_score ?? null,
          overall_score: completed?.aggregate_score ?? null,
          calculated_at: timeOrNull(completed?.completed_at),
        }),
      );
    }
    const { latest, completed } =
      configuration === undefined
        ? { latest: undefined, completed: undefined }
        : await latestCalculations(session, sheet.key, configuration.id);
    return ok(jsonObject(scoreFields(sheet, configuration, latest, completed)));
  });
});

const timeOrNull = (time: number | null | undefined): string | null =>
  time === null || time === undefined ? null : isoTime(time);

const countsOf = (done: CalculationRecord | undefined, sheet: SheetRecord) => ({
  total_rows: done?.total_rows ?? sheet.row_count,
  scored_rows: done?.scored_rows ?? 0,
  excluded_rows: done === undefined ? 0 : done.total_rows - done.scored_rows,
});

function scoreFields(
  sheet: SheetRecord,
  configuration: ScoreConfigurationRecord | undefined,
  latest: CalculationRecord | undefined,
  completed: CalculationRecord | undefined,
): Record<string, unknown> {
  const result: Partial<LegacyResult> =
    completed === undefined ? {} : (JSON.parse(completed.result_json) as LegacyResult);
  const columns = result.columns ?? [];
  const score = completed?.aggregate_score ?? null;
  const counts = countsOf(completed, sheet);
  const shownType =
    result.score_type ?? (configuration?.score_type === 'custom' ? 'custom' : 'none');
  return {
    success: true,
    sheet_id: sheet.id,
    scoring_type: configuration?.score_type ?? null,
    columns,
    aggregate_score: score,
    ...counts,
    calculated_at: timeOrNull(completed?.completed_at),
    score_matrix: result.score_matrix ?? null,
    score_matrix_metrics: result.score_matrix_metrics ?? null,
    status: latest === undefined || latest.status === 'cancelled' ? null : latest.status,
    score_calculation_error: latest?.status === 'failed' ? latest.error_summary : null,
    has_custom_scoring: configuration?.score_type === 'custom',
    score_configuration:
      configuration === undefined
        ? null
        : {
            score_type: configuration.score_type,
            score_config: JSON.parse(configuration.config_json) as object,
          },
    score_type: shownType,
    overall_score: score,
    // The description allows no field of ours beside these.
    details: {
      is_stale:
        completed !== undefined &&
        (completed.sheet_version !== sheet.version_count ||
          completed.config_json !== configuration?.config_json),
      calculated_version: completed?.sheet_version ?? null,
      version: sheet.version_count,
      cut_off_rows: result.cut_off_rows ?? 0,
      cut_off_by_column: result.cut_off_by_column ?? {},
    },
    aggregate: { score, ...counts },
    per_column: Object.fromEntries(columns.map((column) => [column.column_id, column])),
  };
}

function idsOfNames(names: readonly string[], columns: readonly ColumnRecord[]): string[] {
  return names.map((name) => {
    const found = columns.filter(({ title }) => title === name);
    if (found.length === 1 && found[0] !== undefined) return found[0].id;
    throw invalid(
      found.length === 0
        ? `There is no column "${name}" in this sheet.`
        : `${String(found.length)} columns have the title "${name}". Name them by their ids.`,
    );
  });
}

const configure = route(configureScore, async ({ params, body, workspaceId, services }) => {
  const { database } = services;
  const scope = { workspaceId, tableId: params.table_id, sheetId: params.sheet_id };
  const { configuration, version } = await database.transaction(async (session) => {
    const sheet = await findSheetForUpdate(database, session, scope);
    const columns = await listColumns(session, sheet.key, { withSystem: false });
    const config = await settle(session, sheet, columns, body);
    const configuration = await saveScoreConfiguration(session, sheet.key, config);
    return { configuration, version: await raiseVersion(session, sheet.key) };
  });
  return ok(
    jsonObject({
      success: true,
      message: 'The score is configured. Recalculate it.',
      score_configuration_id: configuration.id,
      status: null,
      requires_recalculation: true,
      version,
    }),
  );
});

type Sent = Parameters<Parameters<typeof route<typeof configureScore>>[1]>[0]['body'];

async function settle(
  session: Session,
  sheet: SheetRecord,
  columns: readonly ColumnRecord[],
  body: Sent,
): Promise<LegacyConfig> {
  const { score_config: given, column_names: names, code_language: language, ...rest } = body;
  if ((given ?? undefined) !== undefined && (body.score_type ?? undefined) === undefined) {
    throw invalid('Give score_type together with score_config.');
  }
  const before = await findScoreConfiguration(session, sheet.key);
  const isCode = (body.code ?? undefined) !== undefined;
  const chosen = Object.fromEntries(
    Object.entries(rest).filter(([, value]) => value !== null && value !== undefined),
  );
  const known = before === undefined ? {} : (JSON.parse(before.config_json) as object);
  const parsed = LegacyConfig.safeParse({
    score_type: isCode ? 'custom' : 'auto',
    ...(given ?? known),
    ...(isCode && { score_type: 'custom', code_language: language }),
    ...chosen,
    ...(names && { column_ids: idsOfNames(names, columns) }),
  });
  if (!parsed.success) {
    const faults = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
    throw invalid(`score_config isn't valid: ${faults.join('; ')}.`);
  }
  const ids = parsed.data.column_ids?.map((id) => id.toLowerCase());
  const unknown = ids?.find((id) => !columns.some((column) => column.id === id));
  if (unknown !== undefined) throw invalid(`There is no column ${unknown} in this sheet.`);
  if (parsed.data.score_type === 'custom' && !parsed.data.code) {
    throw invalid('A custom score needs code, in "code".');
  }
  return { ...parsed.data, ...(ids && { column_ids: ids }) };
}

const recalculate = route(recalculateScore, async (call) => {
  const { params, workspaceId, isRestricted, services } = call;
  const { database } = services;
  const scope = { workspaceId, tableId: params.table_id, sheetId: params.sheet_id };
  const answer = await database.transaction(async (session) => {
    const sheet = await findSheetForUpdate(database, session, scope);
    const configuration = await findScoreConfiguration(session, sheet.key);
    const scorecard = await findScorecard(session, sheet.key);
    if (configuration === undefined && scorecard !== undefined) {
      const { id, status } = await queueScorecard(
        session,
        sheet,
        scorecard,
        {},
        { costCeiling: services.costCeiling, isRestricted },
      );
      const version = sheet.version_count;
      return { success: true, score_source: 'scorecard', calculation_id: id, status, version };
    }
    // Who never said how wants the columns that look like a score.
    const used =
      configuration ?? (await saveScoreConfiguration(session, sheet.key, { score_type: 'auto' }));
    const { status } = await queueCalculation(session, sheet, {
      kind: 'score',
      owner_id: used.id,
      config_json: used.config_json,
      config_hash: '',
      selection_json: '{}',
      cost_ceiling: null,
      is_restricted: isRestricted,
    });
    return { success: true, score_configuration_id: used.id, status };
  });
  await database.notify(SCORE_CHANNEL);
  return accepted(jsonObject(answer));
});

const history = route(getScoreHistory, async ({ params, query, workspaceId, services }) => {
  const scope = { workspaceId, tableId: params.table_id, sheetId: params.sheet_id };
  return services.database.read(async (session) => {
    const sheet = await findSheet(session, scope);
    const last = query.range === 'all' ? undefined : Number(query.range.slice('last_'.length));
    const all = await readHistory(session, sheet.key, last);
    const isSampled = all.length > query.max_points;
    const points =
      query.resolution === 'raw' ? all.slice(-query.max_points) : sample(all, query.max_points);
    return ok(
      jsonObject({
        success: true,
        score_history: {
          points,
          total_points: all.length,
          returned_points: points.length,
          resolution:
            query.resolution === 'auto' ? (isSampled ? 'min_max_bucket' : 'raw') : query.resolution,
          range: query.range,
          max_points: query.max_points,
          is_sampled: points.length < all.length,
        },
      }),
    );
  });
});

export const scoreRoutes: readonly Route[] = [history, get, configure, recalculate];
