import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { lockDataFolder } from '../process/data-lock.ts';
import { openDatabase, type Session } from '../store/database.ts';
import { loadSqlite } from '../store/load-sqlite.ts';
import { migrate } from '../store/migrate.ts';
import { checkPostgres } from '../store/postgres.ts';
import { createWriteLock } from '../store/write-lock.ts';
import { dropUnfinishedVersions } from '../versions/version-store.ts';
import { copyTable, digestOfTarget } from './copy-table.ts';
import { tablesOf, type SourceTable } from './source-tables.ts';
import { BackupError } from './usage.ts';

/** What a service writes at its start, before anybody has put anything into it. */
const REMADE = new Set(['workspace_keys', 'workspaces', 'provider_slots', 'provider_pauses']);

export interface Moved {
  readonly tableCount: number;
  readonly rowCount: number;
}

/**
 * Copies all data of a folder into an empty PostgreSQL database, in one transaction: everything is
 * there, read back and found equal, or nothing is. The folder stays as it is. Memory does not grow
 * with the data.
 */
export async function move(folder: string, url: string): Promise<Moved> {
  const path = join(folder, 'tables.db');
  if (!existsSync(path)) {
    throw new BackupError(`${folder} holds no data. Give --data the folder of a local service.`);
  }
  const lock = lockDataFolder(folder);
  try {
    await prepareSource(path);
    await checkPostgres(url);
    const target = await openDatabase({ kind: 'postgres', url, connections: 2 });
    try {
      await migrate(target);
      return await copyAll(path, (work) => target.transaction(work));
    } finally {
      await target.close();
    }
  } finally {
    lock.release();
  }
}

/** The newest schema, and nothing that a killed service left half done. */
async function prepareSource(path: string): Promise<void> {
  const source = await openDatabase({ kind: 'sqlite', path, writeLock: createWriteLock() });
  try {
    await migrate(source);
    await dropUnfinishedVersions(source);
  } finally {
    await source.close();
  }
}

async function copyAll(
  path: string,
  inTransaction: (work: (session: Session) => Promise<Moved>) => Promise<Moved>,
): Promise<Moved> {
  const { DatabaseSync } = loadSqlite();
  const source = new DatabaseSync(path, { readOnly: true });
  try {
    const tables = tablesOf(source);
    return await inTransaction(async (target) => {
      await refuseUsed(target, tables);
      let rowCount = 0;
      for (const table of tables) {
        const copied = await copyTable(source, target, table);
        const found = await digestOfTarget(target, table, copied.largestRow);
        if (found.rowCount !== copied.rowCount || found.digest !== copied.digest) {
          throw new BackupError(
            `Table ${table.name} was not the same when it was read back (${String(copied.rowCount)} rows here, ${String(found.rowCount)} there). Nothing was moved. Check that no one else writes to that database, then try again.`,
          );
        }
        rowCount += copied.rowCount;
      }
      return { tableCount: tables.length, rowCount };
    });
  } finally {
    source.close();
  }
}

async function refuseUsed(target: Session, tables: readonly SourceTable[]): Promise<void> {
  for (const { name } of tables) {
    if (REMADE.has(name)) continue;
    if ((await target.one(`select 1 as used from ${name} limit 1`)) !== undefined) {
      throw new BackupError(
        `The database of DATABASE_URL is in use: its table ${name} has rows. Name an empty one.`,
      );
    }
  }
  for (const name of REMADE) await target.run(`delete from ${name}`);
}
