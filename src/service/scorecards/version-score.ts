import type { Session } from '../store/database.ts';
import type { SheetRecord, VersionRecord } from '../store/records.ts';
import { latestCalculations } from './calculations.ts';
import { findScoreConfiguration, findScorecard } from './store.ts';
import { staleState } from './stale.ts';

/** What a saved version keeps of its score. */
export interface VersionScore {
  readonly source: 'score' | 'scorecard';
  readonly calculation_id: string;
  readonly aggregate_score: number | null;
  readonly aggregate_verdict?: string | null;
  /** Something had changed since it was calculated. */
  readonly is_stale: boolean;
  readonly calculated_at: string | null;
}

export type ScoreOfVersion = Pick<VersionRecord, 'score_json' | 'score_configuration_json'>;

const none: ScoreOfVersion = { score_json: '{}', score_configuration_json: null };

const time = (milliseconds: number | null): string | null =>
  milliseconds === null ? null : new Date(milliseconds).toISOString();

/** The last score of a sheet that was calculated to its end: that of its scorecard, if it has one. */
export async function scoreOfSheet(session: Session, sheet: SheetRecord): Promise<ScoreOfVersion> {
  const scorecard = await findScorecard(session, sheet.key);
  if (scorecard !== undefined) {
    const { completed } = await latestCalculations(session, sheet.key, scorecard.id);
    if (completed === undefined) return none;
    const { aggregate_verdict } = JSON.parse(completed.result_json) as {
      readonly aggregate_verdict?: string;
    };
    const stale = await staleState(session, sheet, scorecard, completed);
    const score: VersionScore = {
      source: 'scorecard',
      calculation_id: completed.id,
      aggregate_score: completed.aggregate_score,
      aggregate_verdict: aggregate_verdict ?? null,
      is_stale: stale?.is_stale ?? false,
      calculated_at: time(completed.completed_at),
    };
    return { score_json: JSON.stringify(score), score_configuration_json: completed.config_json };
  }
  const configuration = await findScoreConfiguration(session, sheet.key);
  if (configuration === undefined) return none;
  const { completed } = await latestCalculations(session, sheet.key, configuration.id);
  if (completed === undefined) return none;
  const score: VersionScore = {
    source: 'score',
    calculation_id: completed.id,
    aggregate_score: completed.aggregate_score,
    is_stale: completed.sheet_version !== sheet.version_count,
    calculated_at: time(completed.completed_at),
  };
  return { score_json: JSON.stringify(score), score_configuration_json: configuration.config_json };
}
