import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { columnRenewal, holdClaims, rememberMirror } from '../engine/index.ts';
import { notFound } from '../http/problem.ts';
import { refuseSecondImport } from '../imports/start-import.ts';
import { renameInScorecard } from '../scorecards/rename-source.ts';
import { stepRenewal } from '../scorecards/renew-steps.ts';
import { insertRows } from '../store/insert-rows.ts';
import type { ColumnKind, Database, Session } from '../store/database.ts';
import type { ColumnRecord, SheetRecord, VersionRecord } from '../store/records.ts';
import { rowRanges } from '../store/row-ranges.ts';
import { listColumns, raiseVersion } from '../store/scope.ts';
import { deltasBetween } from './deltas.ts';
import type { KeptCell, Piece } from './snapshot.ts';
import { keptCellNames } from './snapshot.ts';
import { latestVersion, nextNumber, versionPieces, writeRecord } from './version-store.ts';

const cellKinds: Readonly<Record<keyof KeptCell, ColumnKind>> = {
  row_index: 'int',
  column_key: 'int',
  status: 'text',
  value: 'text',
  display: 'text',
  num: 'real',
  error: 'text',
  error_message: 'text',
  input_hash: 'text',
  execution_id: 'text',
  last_computed_version: 'int',
  metrics: 'text',
  updated_at: 'int',
};

/**
 * Puts a saved version back and records it as the newest version, in one transaction: readers see
 * the sheet before or after, and a crash leaves it as it was. Work under way is called off.
 */
export async function restoreVersion(
  database: Database,
  sheetKey: number,
  source: VersionRecord,
  draft: { readonly name: string | null; readonly createdBy: string },
): Promise<VersionRecord> {
  return database.largeTransaction(async (session) => {
    const sheet = await session.one<SheetRecord>(
      `select * from sheets where key = ? and deleted_at is null${database.dialect.forUpdate}`,
      [sheetKey],
    );
    if (sheet === undefined) throw notFound('This sheet');
    await refuseSecondImport(session, sheetKey);
    await callOffOperations(session, sheetKey);
    const columns = JSON.parse(source.columns_json) as ColumnRecord[];
    const titles = new Map(
      (await listColumns(session, sheetKey, { withSystem: false })).map(({ id, title }) => [
        id,
        title,
      ]),
    );
    await restoreColumns(session, sheetKey, columns);
    for (const { id, title } of columns) {
      if (titles.get(id) !== title)
        await renameInScorecard(session, sheetKey, { columnId: id, name: title });
    }
    await clear(session, sheetKey);
    for await (const piece of versionPieces(session, source)) {
      await restorePiece(session, sheetKey, piece);
      await nextTurn();
    }
    await session.run('update sheets set row_count = ? where key = ?', [
      source.row_count,
      sheetKey,
    ]);
    await columnRenewal.renew(session, sheetKey);
    await stepRenewal.renew(session, sheetKey);
    for (const column of await listColumns(session, sheetKey, { withSystem: false }))
      await rememberMirror(session, column);
    const previous = await latestVersion(session, sheetKey);
    const version = await writeRecord(session, {
      ...source,
      number: await nextNumber(session, sheetKey),
      id: randomUUID(),
      name: draft.name,
      created_by: draft.createdBy,
      sheet_version: await raiseVersion(session, sheetKey),
      metadata_json: JSON.stringify({
        restored_from: { id: source.id, version_number: source.number },
      }),
      deltas_json: JSON.stringify(deltasBetween(previous, source.row_count, columns)),
      columns_json: JSON.stringify(await listColumns(session, sheetKey, { withSystem: true })),
      created_at: Date.now(),
    });
    await copyPieces(session, sheetKey, source.number, version.number);
    return version;
  });
}

async function clear(session: Session, sheetKey: number): Promise<void> {
  for await (const range of rowRanges(session, sheetKey)) {
    for (const table of ['cells', 'rows']) {
      await session.run(`delete from ${table} where sheet_key = ? and row_index between ? and ?`, [
        sheetKey,
        ...range,
      ]);
    }
  }
}

const COPIED_PIECES = 50;

async function copyPieces(
  session: Session,
  sheetKey: number,
  from: number,
  to: number,
): Promise<void> {
  for (let first = 0; ; first += COPIED_PIECES) {
    const copied = await session.run(
      `insert into version_pieces (sheet_key, number, piece, content)
       select sheet_key, ?, piece, content from version_pieces
       where sheet_key = ? and number = ? and piece between ? and ?`,
      [to, sheetKey, from, first, first + COPIED_PIECES - 1],
    );
    if (copied === 0) return;
    await nextTurn();
  }
}

/** Without their tasks, workers that are still busy can not commit any more. */
async function callOffOperations(session: Session, sheetKey: number): Promise<void> {
  await holdClaims(session, sheetKey);
  await session.run('delete from task_ranges where sheet_key = ?', [sheetKey]);
  await session.run(
    `update operations set status = 'cancelled', updated_at = ? where sheet_key = ? and status in ('queued', 'running')`,
    [Date.now(), sheetKey],
  );
}

async function restoreColumns(
  session: Session,
  sheetKey: number,
  columns: readonly ColumnRecord[],
): Promise<void> {
  const now = Date.now();
  await session.run(
    'update columns set deleted_at = ?, updated_at = ? where sheet_key = ? and deleted_at is null',
    [now, now, sheetKey],
  );
  for (const column of columns) {
    await session.run(
      `update columns set title = ?, type = ?, config_json = ?, dependencies_json = ?, position_rank = ?,
         is_output_column = ?, deleted_at = null, updated_at = ?, config_revision = config_revision + 1
       where sheet_key = ? and key = ?`,
      [
        column.title,
        column.type,
        column.config_json,
        column.dependencies_json,
        column.position_rank,
        column.is_output_column,
        now,
        sheetKey,
        column.key,
      ],
    );
  }
}

async function restorePiece(session: Session, sheetKey: number, piece: Piece): Promise<void> {
  await insertRows(session, sheetKey, piece.rows);
  await session.insertMany(
    { table: 'cells', columns: { sheet_key: 'int', ...cellKinds } },
    piece.cells.map((cell) => [sheetKey, ...keptCellNames.map((name) => cell[name])]),
  );
}
