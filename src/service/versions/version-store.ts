import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { scoreOfSheet } from '../scorecards/version-score.ts';
import type { Database, Session } from '../store/database.ts';
import type { ColumnRecord, PieceRecord, SheetRecord, VersionRecord } from '../store/records.ts';
import { listColumns } from '../store/scope.ts';
import { deltasBetween } from './deltas.ts';
import type { KeptCell, KeptRow, Piece } from './snapshot.ts';
import { keptCellNames, packPiece, unpackPiece } from './snapshot.ts';

/** A piece is read, and later written, at once, which keeps others waiting. */
const PIECE_CELLS = 2000;
const PIECE_ROWS = 1000;

export interface NewVersion {
  readonly name: string | null;
  readonly createdBy: string;
  readonly metadata: Readonly<Record<string, unknown>>;
}

const kept = keptCellNames
  .map((name) =>
    name === 'status'
      ? `case when status in ('queued', 'running') then coalesce(previous_status, 'stale') else status end as status`
      : name,
  )
  .join(', ');

/**
 * Saves the sheet as it is at this moment. The reader sees one moment of the database however long
 * it takes; pieces are written in transactions of their own, and the version counts when all are
 * there.
 */
export async function saveVersion(
  database: Database,
  sheetKey: number,
  draft: NewVersion,
): Promise<VersionRecord> {
  return database.read(async (reader) => {
    const sheet = await reader.one<SheetRecord>('select * from sheets where key = ?', [sheetKey]);
    if (sheet === undefined) throw new Error('The sheet no longer exists.');
    const columns = await listColumns(reader, sheetKey, { withSystem: true });
    const version = await insertVersion(database, reader, sheet, columns, draft);
    const rows = Math.max(
      1,
      Math.min(PIECE_ROWS, Math.floor(PIECE_CELLS / Math.max(1, columns.length))),
    );
    let piece = 0;
    for await (const content of readPieces(reader, sheetKey, rows)) {
      await database.run(
        'insert into version_pieces (sheet_key, number, piece, content) values (?, ?, ?, ?)',
        [sheetKey, version.number, piece, await packPiece(content)],
      );
      piece += 1;
      await nextTurn();
    }
    await database.run('update versions set is_complete = 1 where sheet_key = ? and number = ?', [
      sheetKey,
      version.number,
    ]);
    return version;
  });
}

async function* readPieces(
  reader: Session,
  sheetKey: number,
  rowsInPiece: number,
): AsyncGenerator<Piece> {
  let after = -1;
  for (;;) {
    const rows = await reader.query<KeptRow>(
      'select row_index, created_at from rows where sheet_key = ? and row_index > ? order by row_index limit ?',
      [sheetKey, after, rowsInPiece],
    );
    const last = rows.at(-1);
    if (last === undefined) return;
    const cells = await reader.query<KeptCell>(
      `select ${kept} from cells where sheet_key = ? and row_index > ? and row_index <= ? order by row_index`,
      [sheetKey, after, last.row_index],
    );
    yield { rows, cells };
    after = last.row_index;
  }
}

async function insertVersion(
  database: Database,
  reader: Session,
  sheet: SheetRecord,
  columns: readonly ColumnRecord[],
  draft: NewVersion,
): Promise<VersionRecord> {
  const previous = await latestVersion(reader, sheet.key);
  return database.transaction(async (session) => {
    const number = await nextNumber(session, sheet.key);
    return writeRecord(session, {
      sheet_key: sheet.key,
      number,
      id: randomUUID(),
      name: draft.name,
      created_by: draft.createdBy,
      is_complete: 0,
      sheet_version: sheet.version_count,
      row_count: sheet.row_count,
      metadata_json: JSON.stringify(draft.metadata),
      deltas_json: JSON.stringify(deltasBetween(previous, sheet.row_count, columns)),
      columns_json: JSON.stringify(columns),
      ...(await scoreOfSheet(reader, sheet)),
      created_at: Date.now(),
    });
  });
}

export async function nextNumber(session: Session, sheetKey: number): Promise<number> {
  const row = await session.one<{ next: number }>(
    'update sheets set next_version_number = next_version_number + 1 where key = ? returning next_version_number as next',
    [sheetKey],
  );
  if (row === undefined) throw new Error('The sheet no longer exists.');
  return row.next - 1;
}

export async function writeRecord(session: Session, record: VersionRecord): Promise<VersionRecord> {
  const names = Object.keys(record);
  await session.run(
    `insert into versions (${names.join(', ')}) values (${names.map(() => '?').join(', ')})`,
    Object.values(record) as (string | number | null)[],
  );
  return record;
}

export async function latestVersion(
  session: Session,
  sheetKey: number,
): Promise<VersionRecord | undefined> {
  return session.one<VersionRecord>(
    'select * from versions where sheet_key = ? and is_complete = 1 order by number desc limit 1',
    [sheetKey],
  );
}

export async function findVersion(
  session: Session,
  sheetKey: number,
  versionId: string,
): Promise<VersionRecord | undefined> {
  return session.one<VersionRecord>(
    'select * from versions where sheet_key = ? and id = ? and is_complete = 1',
    [sheetKey, versionId],
  );
}

/** Pieces of a saved version in order. */
export async function* versionPieces(
  session: Session,
  { sheet_key, number }: VersionRecord,
): AsyncGenerator<Piece> {
  for (let piece = 0; ; piece += 1) {
    const found = await session.one<PieceRecord>(
      'select piece, content from version_pieces where sheet_key = ? and number = ? and piece = ?',
      [sheet_key, number, piece],
    );
    if (found === undefined) return;
    yield unpackPiece(found.content);
  }
}

/** A service that was killed while saving leaves a version without its end: nobody has seen it. */
export async function dropUnfinishedVersions(database: Database): Promise<void> {
  await database.transaction(async (session) => {
    const unfinished = await session.query<Pick<VersionRecord, 'sheet_key' | 'number'>>(
      'select sheet_key, number from versions where is_complete = 0',
    );
    for (const { sheet_key, number } of unfinished) {
      for (const table of ['version_pieces', 'versions']) {
        await session.run(`delete from ${table} where sheet_key = ? and number = ?`, [
          sheet_key,
          number,
        ]);
      }
    }
  });
}
