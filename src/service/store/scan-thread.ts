import { Worker as Thread } from 'node:worker_threads';
import type { SqlValue } from './database.ts';
import { fromSqlite } from './store-error.ts';

export interface ScanOrder {
  readonly id: number;
  readonly sql: string;
  readonly params: readonly SqlValue[];
}

/** The next rows are wanted: a piece at a time, so that receiving them holds up nobody. */
export interface ScanMore {
  readonly more: number;
}

export interface ScanAnswer {
  readonly id: number;
  readonly rows?: readonly object[];
  readonly hasMore?: boolean;
  readonly failed?: { readonly message: string; readonly errcode: number | undefined };
}

interface Waiting {
  readonly rows: object[];
  readonly resolve: (rows: readonly object[]) => void;
  readonly reject: (error: unknown) => void;
}

interface Running {
  readonly thread: Thread;
  readonly waiting: Map<number, Waiting>;
}

/** A thread that nobody has asked anything for so long ends; it takes some megabytes. */
const IDLE_MS = 30_000;

/**
 * Statements that may look at all of a large table: SQLite answers at once or not at all, so they
 * have a thread of their own, which is started when it is needed. One after the other.
 */
export class ScanThread {
  readonly #path: string;
  #running: Running | undefined;
  #idle: NodeJS.Timeout | undefined;
  #count = 0;

  constructor(path: string) {
    this.#path = path;
  }

  query<Row extends object>(sql: string, params: readonly SqlValue[]): Promise<Row[]> {
    clearTimeout(this.#idle);
    const { thread, waiting } = (this.#running ??= this.#start());
    this.#count += 1;
    const order: ScanOrder = { id: this.#count, sql, params };
    return new Promise((resolve, reject) => {
      waiting.set(order.id, { rows: [], resolve: (rows) => resolve(rows as Row[]), reject });
      thread.postMessage(order);
    });
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle);
    const running = this.#running;
    this.#running = undefined;
    await running?.thread.terminate();
  }

  #start(): Running {
    const thread = new Thread(entry(), { workerData: this.#path });
    thread.unref();
    const waiting: Running['waiting'] = new Map();
    thread.on('message', ({ id, rows = [], hasMore = false, failed }: ScanAnswer) => {
      const asked = waiting.get(id);
      for (const row of rows) asked?.rows.push(row);
      if (hasMore) {
        setImmediate(() => thread.postMessage({ more: id } satisfies ScanMore));
        return;
      }
      waiting.delete(id);
      if (failed === undefined) asked?.resolve(asked.rows);
      else asked?.reject(fromSqlite(Object.assign(new Error(failed.message), failed)));
      if (waiting.size > 0 || this.#running?.thread !== thread) return;
      this.#idle = setTimeout(() => void this.close(), IDLE_MS).unref();
    });
    let reason: unknown = new Error('The thread that reads the database has ended.');
    thread.on('error', (error) => {
      reason = error;
    });
    thread.on('exit', () => {
      if (this.#running?.thread === thread) this.#running = undefined;
      for (const { reject } of waiting.values()) reject(reason);
    });
    return { thread, waiting };
  }
}

/** From the sources or from the bundles, which lie side by side. */
const entry = (): URL =>
  new URL(import.meta.url.endsWith('.ts') ? './scan-main.ts' : './scan.mjs', import.meta.url);
