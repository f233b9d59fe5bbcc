import type { Database, Session } from '../store/database.ts';
import type { ColumnRecord } from '../store/records.ts';
import { raiseVersion } from '../store/scope.ts';
import { sourceOf } from './composition.ts';
import { markDependentsStale } from './mark-stale.ts';

interface MirrorRecord {
  readonly sheet_key: number;
  readonly column_key: number;
  readonly source_sheet_key: number;
  readonly seen_version: number;
}

const MIRRORS_AT_ONCE = 100;
/** Columns that show another sheet, which has changed since. */
export const mirrorsBehind = `mirrors m join sheets s on s.key = m.source_sheet_key
       where s.version_count <> m.seen_version`;

/** Call it when a column is made or changed, in the same transaction. */
export async function rememberMirror(session: Session, column: ColumnRecord): Promise<void> {
  await session.run('delete from mirrors where sheet_key = ? and column_key = ?', [
    column.sheet_key,
    column.key,
  ]);
  if (column.type !== 'COMPOSITION') return;
  const source = await sourceOf(session, column);
  if (!source || source.sheet_key === column.sheet_key) return;
  await session.run(
    `insert into mirrors (sheet_key, column_key, source_sheet_key, seen_version)
     select ?, ?, key, version_count from sheets where key = ?`,
    [column.sheet_key, column.key, source.sheet_key],
  );
}

/**
 * Marks stale what reads a column of another sheet that has changed since. Two sheets that read
 * each other come to rest: a sheet in which nothing was left to mark is no news to its readers.
 * Answers how many mirrors were behind.
 */
export async function catchUpMirrors(database: Database): Promise<number> {
  const behind = await database.read((session) =>
    session.query<MirrorRecord>(`select m.* from ${mirrorsBehind} order by m.sheet_key limit ?`, [
      MIRRORS_AT_ONCE,
    ]),
  );
  for (const mirror of behind) await database.transaction((session) => catchUp(session, mirror));
  return behind.length;
}

async function catchUp(session: Session, mirror: MirrorRecord): Promise<void> {
  const { sheet_key: sheetKey, column_key: columnKey, source_sheet_key: sourceKey } = mirror;
  // Holds the sheet, as every writer does.
  const held = await session.run('update sheets set updated_at = updated_at where key = ?', [
    sheetKey,
  ]);
  const source = await session.one<{ version_count: number }>(
    'select version_count from sheets where key = ?',
    [sourceKey],
  );
  const version = source?.version_count ?? mirror.seen_version;
  const isFirst = await session.run(
    `update mirrors set seen_version = ?
     where sheet_key = ? and column_key = ? and seen_version = ?`,
    [version, sheetKey, columnKey, mirror.seen_version],
  );
  // Another worker was faster.
  if (held === 0 || isFirst === 0) return;
  const { staleCount } = await markDependentsStale(session, { sheetKey, columnKeys: [columnKey] });
  if (staleCount > 0) await raiseVersion(session, sheetKey);
}
