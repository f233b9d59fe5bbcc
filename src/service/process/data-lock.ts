import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadSqlite } from '../store/load-sqlite.ts';
import { createPrivately, tightenFolder } from '../store/private-files.ts';

export class FolderInUseError extends Error {
  override readonly name = 'FolderInUseError';

  constructor(folder: string, pid: number | undefined) {
    const holder = pid === undefined ? 'another process' : `process ${String(pid)}`;
    super(`The data folder ${folder} is in use by ${holder}. Use that service, or stop it first.`);
  }
}

export interface DataLock {
  release(): void;
}

/**
 * Makes the folder (for its owner only) and takes it for this process. The lock is an exclusive
 * transaction on a small SQLite file: the system drops it when the process ends, however it ends.
 */
export function lockDataFolder(folder: string): DataLock {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const holderFile = join(folder, 'lock.json');
  tightenFolder(folder);
  createPrivately(join(folder, 'lock.db'));
  const { DatabaseSync } = loadSqlite();
  const lock = new DatabaseSync(join(folder, 'lock.db'), { timeout: 0 });
  try {
    lock.exec('begin exclusive');
  } catch (error) {
    lock.close();
    if (isBusy(error)) throw new FolderInUseError(folder, readHolder(holderFile));
    throw error;
  }
  writeFileSync(holderFile, JSON.stringify({ pid: process.pid }), { mode: 0o600 });
  return { release: () => lock.close() };
}

/** SQLITE_BUSY, extended codes included. */
function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === 5;
}

function readHolder(file: string): number | undefined {
  try {
    const { pid } = JSON.parse(readFileSync(file, 'utf8')) as { pid?: unknown };
    return typeof pid === 'number' ? pid : undefined;
  } catch {
    // The holder is just starting and has not written it yet: the sentence does without.
    return undefined;
  }
}
