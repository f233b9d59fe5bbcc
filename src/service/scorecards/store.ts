import { randomUUID } from 'node:crypto';
import type { Session } from '../store/database.ts';
import type { ScoreConfigurationRecord, ScorecardRecord } from './records.ts';
import type { LegacyConfig } from './legacy-score.ts';
import type { SettledScorecard } from './scorecard.ts';

export async function findScorecard(
  session: Session,
  sheetKey: number,
): Promise<ScorecardRecord | undefined> {
  return session.one<ScorecardRecord>(
    'select * from scorecards where sheet_key = ? and deleted_at is null',
    [sheetKey],
  );
}

/** Makes the scorecard of a sheet, or changes the one that is there. */
export async function saveScorecard(
  session: Session,
  sheetKey: number,
  before: ScorecardRecord | undefined,
  settled: SettledScorecard,
): Promise<ScorecardRecord> {
  const now = Date.now();
  const record: ScorecardRecord = {
    sheet_key: sheetKey,
    id: before?.id ?? randomUUID(),
    ...settled,
    created_at: before?.created_at ?? now,
    updated_at: now,
    deleted_at: null,
  };
  if (before !== undefined) {
    await session.run('delete from scorecards where sheet_key = ? and id = ?', [
      sheetKey,
      before.id,
    ]);
  }
  const names = Object.keys(record);
  await session.run(
    `insert into scorecards (${names.join(', ')}) values (${names.map(() => '?').join(', ')})`,
    Object.values(record) as (string | number | null)[],
  );
  return record;
}

export async function deleteScorecard(session: Session, record: ScorecardRecord): Promise<void> {
  await session.run('update scorecards set deleted_at = ? where sheet_key = ? and id = ?', [
    Date.now(),
    record.sheet_key,
    record.id,
  ]);
}

export async function findScoreConfiguration(
  session: Session,
  sheetKey: number,
): Promise<ScoreConfigurationRecord | undefined> {
  return session.one<ScoreConfigurationRecord>(
    'select * from score_configurations where sheet_key = ?',
    [sheetKey],
  );
}

export async function saveScoreConfiguration(
  session: Session,
  sheetKey: number,
  config: LegacyConfig,
): Promise<ScoreConfigurationRecord> {
  const now = Date.now();
  const saved = await session.one<ScoreConfigurationRecord>(
    `insert into score_configurations (sheet_key, id, score_type, config_json, created_at, updated_at)
     values (?, ?, ?, ?, ?, ?)
     on conflict (sheet_key) do update set score_type = excluded.score_type,
       config_json = excluded.config_json, updated_at = excluded.updated_at
     returning *`,
    [sheetKey, randomUUID(), config.score_type, JSON.stringify(config), now, now],
  );
  if (saved === undefined) throw new Error('The database did not answer the configuration.');
  return saved;
}

export const deleteScoreConfiguration = (session: Session, sheetKey: number): Promise<number> =>
  session.run('delete from score_configurations where sheet_key = ?', [sheetKey]);
