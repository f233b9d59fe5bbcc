import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import type { BulkInsert, Session, SqlValue } from './database.ts';
import { placeholders, sqliteDialect } from './dialect.ts';
import { loadSqlite } from './load-sqlite.ts';
import { fromSqlite } from './store-error.ts';

const CACHED_STATEMENTS = 400;
const WRITER_WAIT_MS = 10_000;

interface Prepared {
  readonly statement: StatementSync;
  readonly names: readonly string[];
}
type Values = readonly unknown[];

/** Statements answer lists, which their types do not know. */
function valuesOf(row: unknown): Values {
  if (Array.isArray(row)) return row;
  throw new TypeError('A statement answers no list.');
}

/** Rows come as arrays and become objects here: half the time of the objects that SQLite's binding makes. */
function named(names: readonly string[], values: Values): object {
  const row: Record<string, unknown> = {};
  for (let index = 0; index < names.length; index += 1) row[names[index] ?? ''] = values[index];
  return row;
}

/** Every call of the driver: what befell the store leaves it as a StoreError. */
function reported<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw fromSqlite(error);
  }
}

export interface ConnectionOptions {
  readonly cacheKb: number;
  readonly isReader?: boolean;
  /** After how many pages in the log a transaction moves them to their place; 0: never. */
  readonly checkpointPages?: number;
  /** How long it waits for others; it keeps its thread meanwhile. */
  readonly waitMs?: number;
}

/** One connection with its prepared statements. Synchronous inside, so each call is short. */
export class Connection implements Session {
  readonly dialect = sqliteDialect;
  readonly #handle: DatabaseSync;
  readonly #statements = new Map<string, Prepared>();

  constructor(
    path: string,
    { cacheKb, isReader = false, checkpointPages, waitMs = WRITER_WAIT_MS }: ConnectionOptions,
  ) {
    const { DatabaseSync } = loadSqlite();
    const options = { timeout: waitMs, enableForeignKeyConstraints: true };
    this.#handle = reported(() => new DatabaseSync(path, options));
    // Only a database without tables takes it: a file keeps what it was made with.
    if (!isReader) this.exec('pragma auto_vacuum = incremental');
    this.exec('pragma journal_mode = wal');
    this.exec('pragma synchronous = full');
    this.exec('pragma temp_store = memory');
    this.exec(`pragma cache_size = -${String(cacheKb)}`);
    this.exec('pragma journal_size_limit = 67108864');
    if (checkpointPages !== undefined) {
      this.exec(`pragma wal_autocheckpoint = ${String(checkpointPages)}`);
    }
    if (isReader) this.exec('pragma query_only = on');
  }

  #prepare(sql: string): Prepared {
    const known = this.#statements.get(sql);
    if (known) return known;
    if (this.#statements.size >= CACHED_STATEMENTS) this.#statements.clear();
    const statement = this.#handle.prepare(sql);
    statement.setReturnArrays(true);
    const prepared = { statement, names: statement.columns().map(({ name }) => name) };
    this.#statements.set(sql, prepared);
    return prepared;
  }

  exec(sql: string): void {
    reported(() => this.#handle.exec(sql));
  }

  /** The same as `query`, row by row. */
  *rows(sql: string, params: readonly SqlValue[]): Generator<object> {
    const { statement, names } = reported(() => this.#prepare(sql));
    const found = reported(() => statement.iterate(...(params as SQLInputValue[])));
    for (;;) {
      const next = reported(() => found.next());
      if (next.done === true) return;
      yield named(names, valuesOf(next.value));
    }
  }

  async query<Row extends object>(sql: string, params: readonly SqlValue[] = []): Promise<Row[]> {
    return reported(() => {
      const { statement, names } = this.#prepare(sql);
      const rows: readonly unknown[] = statement.all(...(params as SQLInputValue[]));
      return rows.map((row) => named(names, valuesOf(row))) as Row[];
    });
  }

  async lists<Row extends readonly unknown[]>(
    sql: string,
    params: readonly SqlValue[] = [],
  ): Promise<Row[]> {
    const rows: readonly unknown[] = reported(() =>
      this.#prepare(sql).statement.all(...(params as SQLInputValue[])),
    );
    return rows as Row[];
  }

  async one<Row extends object>(
    sql: string,
    params: readonly SqlValue[] = [],
  ): Promise<Row | undefined> {
    return reported(() => {
      const { statement, names } = this.#prepare(sql);
      const row: unknown = statement.get(...(params as SQLInputValue[]));
      return row === undefined ? undefined : (named(names, valuesOf(row)) as Row);
    });
  }

  async run(sql: string, params: readonly SqlValue[] = []): Promise<number> {
    return reported(() => {
      const { statement } = this.#prepare(sql);
      return Number(statement.run(...(params as SQLInputValue[])).changes);
    });
  }

  async insertMany(insert: BulkInsert, rows: readonly (readonly SqlValue[])[]): Promise<number> {
    const names = Object.keys(insert.columns);
    return reported(() => {
      const { statement } = this.#prepare(
        `insert into ${insert.table} (${names.join(', ')}) values ${placeholders(names.length)} ${insert.conflict ?? ''}`,
      );
      let changed = 0;
      for (const row of rows) changed += Number(statement.run(...(row as SQLInputValue[])).changes);
      return changed;
    });
  }

  close(): void {
    this.#statements.clear();
    this.#handle.close();
  }
}

/** What a transaction needs, on a connection of this thread or of another one. */
interface Bracketed extends Session {
  exec(sql: string): void | Promise<void>;
}

export async function bracket<T>(
  connection: Bracketed,
  begin: 'begin' | 'begin immediate',
  work: (session: Session) => Promise<T>,
): Promise<T> {
  await connection.exec(begin);
  try {
    const result = await work(connection);
    await connection.exec('commit');
    return result;
  } catch (error) {
    await rollBack(connection);
    throw error;
  }
}

/** Ends a transaction that failed, unless SQLite has ended it already, as it does on a full disk. */
async function rollBack(connection: Bracketed): Promise<void> {
  try {
    await connection.exec('rollback');
  } catch (error) {
    if (!(error instanceof Error) || !/no transaction is active/.test(error.message)) throw error;
  }
}
