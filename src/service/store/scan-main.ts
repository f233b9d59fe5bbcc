/** The entry of the thread that does what takes long in an SQLite database, with a connection of its own. */
import { parentPort, workerData } from 'node:worker_threads';
import type { SQLInputValue } from 'node:sqlite';
import { loadSqlite } from './load-sqlite.ts';
import type { ScanAnswer, ScanMore, ScanOrder } from './scan-thread.ts';

const { DatabaseSync } = loadSqlite();
const handle = new DatabaseSync(String(workerData), { timeout: 10_000 });
handle.exec('pragma temp_store = memory');
handle.exec('pragma synchronous = full');

/** Received at once. */
const PIECE = 500;

let wanted = Promise.withResolvers<undefined>();

async function answer({ id, sql, params }: ScanOrder): Promise<void> {
  const tell = (answered: ScanAnswer): void => parentPort?.postMessage(answered);
  try {
    let rows: object[] = [];
    for (const row of handle.prepare(sql).iterate(...(params as SQLInputValue[]))) {
      rows.push({ ...row });
      if (rows.length < PIECE) continue;
      wanted = Promise.withResolvers();
      tell({ id, rows, hasMore: true });
      rows = [];
      await wanted.promise;
    }
    tell({ id, rows });
  } catch (error) {
    const { message, errcode } = error as Error & { readonly errcode?: number };
    tell({ id, failed: { message, errcode } });
  }
}

let turn = Promise.resolve();

parentPort?.on('message', (message: ScanOrder | ScanMore) => {
  if ('more' in message) wanted.resolve(undefined);
  else turn = turn.then(() => answer(message));
});
