import type { StepDraft } from '../../api/score.ts';
import type { Session } from '../store/database.ts';
import type { ColumnRecord } from '../store/records.ts';
import { LegacyConfig } from './legacy-score.ts';
import type { ScoreConfigurationRecord } from './records.ts';

export interface Skipped {
  readonly reason: string;
  readonly score_type?: string;
}

export interface Migrated {
  readonly steps: readonly StepDraft[];
  readonly skipped: readonly Skipped[];
}

/** Each column of a score of the older kind becomes a step; code over the whole sheet can't. */
export async function stepsOfLegacy(
  session: Session,
  record: ScoreConfigurationRecord,
  columns: readonly ColumnRecord[],
): Promise<Migrated> {
  const config = LegacyConfig.parse(JSON.parse(record.config_json));
  if (config.score_type === 'custom') {
    const reason = "Code that scores the whole sheet at once isn't a check of a row.";
    return { steps: [], skipped: [{ reason, score_type: 'custom' }] };
  }
  const ids = config.column_ids ?? [];
  const chosen = ids.length > 0 ? ids : outputIds(columns);
  const steps: StepDraft[] = [];
  const skipped: Skipped[] = [];
  for (const id of chosen) {
    const column = columns.find((one) => one.id === id);
    if (column === undefined) {
      skipped.push({
        reason: `The column ${id} no longer exists.`,
        score_type: config.score_type,
      });
      continue;
    }
    const { true_values, false_values, assertion_aggregation } = config;
    steps.push({
      title: column.title,
      primitive_type: 'COLUMN_AGGREGATE',
      source_column_ids: [column.id],
      score_adapter: {
        ...(await boundsOf(session, column)),
        ...(true_values && { true_values }),
        ...(false_values && { false_values }),
        ...(assertion_aggregation && { assertion_aggregation }),
      },
    });
  }
  if (chosen.length === 0)
    skipped.push({ reason: 'The score names no columns.', score_type: config.score_type });
  return { steps, skipped };
}

const outputIds = (columns: readonly ColumnRecord[]): string[] =>
  columns.filter(({ is_output_column: isOutput }) => isOutput === 1).map(({ id }) => id);

/** Numbers beyond 0 to 1 are taken for per cent, or else for what they range over. */
async function boundsOf(
  session: Session,
  column: ColumnRecord,
): Promise<{ readonly min: number; readonly max: number } | undefined> {
  const found = await session.one<{ least: number | null; most: number | null }>(
    'select min(num) as least, max(num) as most from cells where sheet_key = ? and column_key = ? and num is not null',
    [column.sheet_key, column.key],
  );
  const least = found?.least ?? 0;
  const most = found?.most ?? 1;
  if (least >= 0 && most <= 1) return undefined;
  return least >= 0 && most <= 100 ? { min: 0, max: 100 } : { min: least, max: most };
}
