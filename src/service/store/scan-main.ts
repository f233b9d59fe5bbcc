/** The entry of the thread that does what takes long in an SQLite database, with a connection of its own. */
import { parentPort, workerData } from 'node:worker_threads';
import type { SQLInputValue } from 'node:sqlite';
import { loadSqlite } from './load-sqlite.ts';
import type { ScanAnswer, ScanOrder } from './scan-thread.ts';

const { DatabaseSync } = loadSqlite();
const handle = new DatabaseSync(String(workerData), { timeout: 10_000 });
handle.exec('pragma temp_store = memory');
handle.exec('pragma synchronous = full');

function answer({ id, sql, params }: ScanOrder): ScanAnswer {
  try {
    const rows = handle.prepare(sql).all(...(params as SQLInputValue[]));
    return { id, rows: rows.map((row) => ({ ...row })) };
  } catch (error) {
    const { message, errcode } = error as Error & { readonly errcode?: number };
    return { id, failed: { message, errcode } };
  }
}

parentPort?.on('message', (order: ScanOrder) => parentPort?.postMessage(answer(order)));
