import { Worker as Thread } from 'node:worker_threads';
import type { BulkInsert, Session, SqlValue } from './database.ts';
import { sqliteDialect } from './dialect.ts';
import type { ConnectionOptions } from './sqlite-connection.ts';
import { fromSqlite } from './store-error.ts';

export interface StatementThreadData {
  readonly path: string;
  readonly options: ConnectionOptions;
}

/** What the thread is to do. */
export type Statement<Value = SqlValue> =
  | {
      readonly kind: 'query' | 'one' | 'run';
      readonly sql: string;
      readonly params: readonly Value[];
    }
  | {
      readonly kind: 'insertMany';
      readonly insert: BulkInsert;
      readonly rows: readonly (readonly Value[])[];
    }
  | { readonly kind: 'exec'; readonly sql: string };

/** A long text as bytes, which go to the thread without being copied. */
export interface SentText {
  readonly utf8: Uint8Array<ArrayBuffer>;
}

export type SentValue = SqlValue | SentText;

export interface StatementOrder {
  readonly id: number;
  readonly statement: Statement<SentValue>;
}

/** Shorter texts are sent as they are. */
const LONG_CHARACTERS = 64 * 1024;

/** A statement as it is sent, and what of it is handed over. */
function packed(statement: Statement): readonly [Statement<SentValue>, ArrayBuffer[]] {
  const handed: ArrayBuffer[] = [];
  const sent = (value: SqlValue): SentValue => {
    if (typeof value !== 'string' || value.length < LONG_CHARACTERS) return value;
    const utf8 = new TextEncoder().encode(value);
    handed.push(utf8.buffer);
    return { utf8 };
  };
  switch (statement.kind) {
    case 'exec':
      return [statement, handed];
    case 'insertMany':
      return [{ ...statement, rows: statement.rows.map((row) => row.map(sent)) }, handed];
    default:
      return [{ ...statement, params: statement.params.map(sent) }, handed];
  }
}

/** The next rows are wanted: a piece at a time, so that receiving them holds up nobody. */
export interface MoreRows {
  readonly more: number;
}

export interface StatementAnswer {
  readonly id: number;
  readonly rows?: readonly object[];
  readonly hasMore?: boolean;
  /** How many rows were changed. */
  readonly changes?: number;
  readonly failed?: { readonly message: string; readonly errcode: number | undefined };
}

interface Outcome {
  readonly rows: readonly object[];
  readonly changes: number;
}

interface Waiting {
  readonly rows: object[];
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: unknown) => void;
}

interface Running {
  readonly thread: Thread;
  readonly waiting: Map<number, Waiting>;
  /** Why it has ended, once it has. */
  ended: Error | undefined;
}

/** A thread that nobody has asked anything for so long ends; it takes some 25 MB. */
const IDLE_MS = 10_000;

/**
 * A connection in a thread of its own, for what may take long: SQLite answers at once or not at
 * all. The thread is started when it is needed; statements follow one another.
 */
export class StatementThread {
  readonly #data: StatementThreadData;
  #running: Running | undefined;
  #idle: NodeJS.Timeout | undefined;
  #count = 0;
  #held = 0;

  constructor(path: string, options: ConnectionOptions) {
    this.#data = { path, options };
  }

  query<Row extends object>(sql: string, params: readonly SqlValue[]): Promise<Row[]> {
    return this.together((session) => session.query<Row>(sql, params));
  }

  /** All statements of the session go to one connection; they fail when its thread has ended. */
  async together<T>(work: (session: ThreadSession) => Promise<T>): Promise<T> {
    clearTimeout(this.#idle);
    const running = (this.#running ??= this.#start());
    this.#held += 1;
    try {
      return await work(new ThreadSession((statement) => this.#ask(running, statement)));
    } finally {
      this.#held -= 1;
      if (this.#held === 0 && this.#running === running) {
        this.#idle = setTimeout(() => void this.close(), IDLE_MS).unref();
      }
    }
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle);
    const running = this.#running;
    this.#running = undefined;
    await running?.thread.terminate();
  }

  #ask({ thread, waiting, ended }: Running, statement: Statement): Promise<Outcome> {
    if (ended !== undefined) return Promise.reject(ended);
    this.#count += 1;
    const id = this.#count;
    const [sent, handed] = packed(statement);
    return new Promise((resolve, reject) => {
      thread.postMessage({ id, statement: sent } satisfies StatementOrder, handed);
      waiting.set(id, { rows: [], resolve, reject });
    });
  }

  #start(): Running {
    const thread = new Thread(entry(), { workerData: this.#data });
    thread.unref();
    const running: Running = { thread, waiting: new Map(), ended: undefined };
    const { waiting } = running;
    thread.on('message', (answer: StatementAnswer) => {
      const { id, rows = [], hasMore = false, changes = 0, failed } = answer;
      const asked = waiting.get(id);
      for (const row of rows) asked?.rows.push(row);
      if (hasMore) {
        setImmediate(() => thread.postMessage({ more: id } satisfies MoreRows));
        return;
      }
      waiting.delete(id);
      if (failed === undefined) asked?.resolve({ rows: asked.rows, changes });
      else asked?.reject(fromSqlite(Object.assign(new Error(failed.message), failed)));
    });
    let reason = new Error('The thread of the database has ended.');
    thread.on('error', (cause) => {
      reason = new Error('The thread of the database has failed.', { cause });
    });
    thread.on('exit', () => {
      if (this.#running === running) this.#running = undefined;
      running.ended = reason;
      for (const { reject } of waiting.values()) reject(reason);
      waiting.clear();
    });
    return running;
  }
}

/** The connection of a thread, as others see it. */
export class ThreadSession implements Session {
  readonly dialect = sqliteDialect;
  readonly #ask: (statement: Statement) => Promise<Outcome>;

  constructor(ask: (statement: Statement) => Promise<Outcome>) {
    this.#ask = ask;
  }

  async exec(sql: string): Promise<void> {
    await this.#ask({ kind: 'exec', sql });
  }

  async query<Row extends object>(sql: string, params: readonly SqlValue[] = []): Promise<Row[]> {
    const { rows } = await this.#ask({ kind: 'query', sql, params });
    return rows as Row[];
  }

  async lists<Row extends readonly unknown[]>(
    sql: string,
    params: readonly SqlValue[] = [],
  ): Promise<Row[]> {
    const rows: readonly unknown[][] = (await this.query(sql, params)).map(Object.values);
    return rows as readonly unknown[] as Row[];
  }

  async one<Row extends object>(
    sql: string,
    params: readonly SqlValue[] = [],
  ): Promise<Row | undefined> {
    const { rows } = await this.#ask({ kind: 'one', sql, params });
    return rows[0] as Row | undefined;
  }

  async run(sql: string, params: readonly SqlValue[] = []): Promise<number> {
    const { changes } = await this.#ask({ kind: 'run', sql, params });
    return changes;
  }

  async insertMany(insert: BulkInsert, rows: readonly (readonly SqlValue[])[]): Promise<number> {
    const { changes } = await this.#ask({ kind: 'insertMany', insert, rows });
    return changes;
  }
}

/** From the sources or from the bundles, which lie side by side. */
const entry = (): URL =>
  new URL(
    import.meta.url.endsWith('.ts') ? './statement-main.ts' : './statements.mjs',
    import.meta.url,
  );
