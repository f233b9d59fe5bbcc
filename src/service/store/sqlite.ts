import { open } from 'node:fs/promises';
import { BroadcastChannel } from 'node:worker_threads';
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import type { BulkInsert, Database, DatabaseAddress, Session, SqlValue } from './database.ts';
import { placeholders, sqliteDialect } from './dialect.ts';
import { loadSqlite } from './load-sqlite.ts';
import { createPrivately } from './private-files.ts';
import { ScanThread } from './scan-thread.ts';
import { fromSqlite } from './store-error.ts';
import { WriteLock } from './write-lock.ts';

const READERS = 3;
const CACHED_STATEMENTS = 400;
const WRITER_WAIT_MS = 10_000;
/** SQLite's own default. */
const CHECKPOINT_PAGES = 1000;
const WRITER_CACHE_KB = 65_536;
const READER_CACHE_KB = 21_845;
const SMALL_CACHE_KB = 2048;

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

/** One connection with its prepared statements. Synchronous inside, so each call is short. */
class Connection implements Session {
  readonly dialect = sqliteDialect;
  readonly #handle: DatabaseSync;
  readonly #statements = new Map<string, Prepared>();

  constructor(path: string, mode: 'reader' | 'writer') {
    const { DatabaseSync } = loadSqlite();
    const options = { timeout: WRITER_WAIT_MS, enableForeignKeyConstraints: true };
    this.#handle = reported(() => new DatabaseSync(path, options));
    this.exec('pragma journal_mode = wal');
    this.exec('pragma synchronous = full');
    this.exec('pragma temp_store = memory');
    this.exec(
      `pragma cache_size = -${String(mode === 'writer' ? WRITER_CACHE_KB : READER_CACHE_KB)}`,
    );
    this.exec('pragma journal_size_limit = 67108864');
    if (mode === 'reader') this.exec('pragma query_only = on');
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

  /** Ends a transaction that failed, unless SQLite has ended it already, as it does on a full disk. */
  rollBack(): void {
    try {
      this.exec('rollback');
    } catch (error) {
      if (!(error instanceof Error) || !/no transaction is active/.test(error.message)) throw error;
    }
  }

  async query<Row extends object>(sql: string, params: readonly SqlValue[] = []): Promise<Row[]> {
    return reported(() => {
      const { statement, names } = this.#prepare(sql);
      const rows: readonly unknown[] = statement.all(...(params as SQLInputValue[]));
      return rows.map((row) => named(names, valuesOf(row))) as Row[];
    });
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

/** Hands out a few connections, one user each; whoever finds none waits in line. */
class ReaderPool {
  readonly #path: string;
  readonly #idle: Connection[] = [];
  readonly #waiting: ((connection: Connection) => void)[] = [];
  #opened = 0;

  constructor(path: string) {
    this.#path = path;
  }

  async use<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const connection = await this.#take();
    try {
      return await work(connection);
    } finally {
      const next = this.#waiting.shift();
      if (next) next(connection);
      else this.#idle.push(connection);
    }
  }

  #take(): Promise<Connection> | Connection {
    const idle = this.#idle.pop();
    if (idle) return idle;
    if (this.#opened < READERS) {
      this.#opened += 1;
      return new Connection(this.#path, 'reader');
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Of the readers: the writer is one, and whoever wants it waits in line for the lock. */
  counts(): { busy: number; idle: number; waiting: number } {
    const idle = this.#idle.length;
    return { busy: this.#opened - idle, idle, waiting: this.#waiting.length };
  }

  close(): void {
    for (const connection of this.#idle) connection.close();
    this.#idle.length = 0;
  }
}

type SqliteAddress = Extract<DatabaseAddress, { kind: 'sqlite' }>;

class SqliteDatabase implements Database {
  readonly dialect = sqliteDialect;
  readonly #address: SqliteAddress;
  readonly #writer: Connection;
  readonly #readers: ReaderPool;
  readonly #scans: ScanThread;
  readonly #lock: WriteLock;
  readonly #listeners = new Map<string, Set<() => void>>();
  /** Reaches the other threads of this process, which have objects of their own. */
  readonly #threads: BroadcastChannel;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(address: SqliteAddress) {
    this.#address = address;
    this.#writer = new Connection(address.path, 'writer');
    this.#readers = new ReaderPool(address.path);
    this.#scans = new ScanThread(address.path);
    this.#lock = new WriteLock(address.writeLock);
    this.#threads = new BroadcastChannel(`prompt-tables ${address.path}`);
    this.#threads.onmessage = (message) => this.#tell(String(message.data));
    this.#threads.unref();
  }

  get address(): DatabaseAddress {
    return this.#address;
  }

  query<Row extends object>(sql: string, params?: readonly SqlValue[]): Promise<Row[]> {
    return this.#readers.use((reader) => reader.query<Row>(sql, params));
  }

  one<Row extends object>(sql: string, params?: readonly SqlValue[]): Promise<Row | undefined> {
    return this.#readers.use((reader) => reader.one<Row>(sql, params));
  }

  run(sql: string, params?: readonly SqlValue[]): Promise<number> {
    return this.transaction((session) => session.run(sql, params));
  }

  insertMany(insert: BulkInsert, rows: readonly (readonly SqlValue[])[]): Promise<number> {
    return this.transaction((session) => session.insertMany(insert, rows));
  }

  read<T>(work: (session: Session) => Promise<T>): Promise<T> {
    return this.#readers.use((reader) => bracket(reader, 'begin', work));
  }

  scan<Row extends object>(sql: string, params: readonly SqlValue[] = []): Promise<Row[]> {
    return this.#scans.query<Row>(sql, params);
  }

  async largeTransaction<T>(work: (session: Session) => Promise<T>): Promise<T> {
    const { path } = this.#address;
    try {
      return await this.transaction(async (session) => {
        this.#writer.exec('pragma wal_autocheckpoint = 0');
        // What does not fit goes to the disk as it comes, not all of it at the end.
        this.#writer.exec(`pragma cache_size = -${String(SMALL_CACHE_KB)}`);
        const result = await work(session);
        // Its last step waits for the disk: by then most is there.
        await using log = await open(`${path}-wal`, 'r+');
        await log.datasync();
        return result;
      });
    } finally {
      // What is not moved now the next transactions move, as they always do.
      await this.#scans.query('pragma wal_checkpoint(passive)', []).catch(() => undefined);
      this.#writer.exec(`pragma wal_autocheckpoint = ${String(CHECKPOINT_PAGES)}`);
      this.#writer.exec(`pragma cache_size = -${String(WRITER_CACHE_KB)}`);
    }
  }

  /** One connection: transactions of this thread follow one another, however long one takes. */
  transaction<T>(work: (session: Session) => Promise<T>): Promise<T> {
    const result = this.#turn.then(() => this.#alone(work));
    // Whoever asked for the transaction gets its error; the next one in line only waits for its end.
    this.#turn = result.then(
      () => undefined,
      () => undefined,
    );
    return result;
  }

  /** Alone among the threads. */
  async #alone<T>(work: (session: Session) => Promise<T>): Promise<T> {
    const release = await this.#lock.acquire();
    try {
      return await bracket(this.#writer, 'begin immediate', work);
    } finally {
      release();
    }
  }

  async notify(channel: string): Promise<void> {
    this.#tell(channel);
    this.#threads.postMessage(channel);
  }

  #tell(channel: string): void {
    for (const listener of this.#listeners.get(channel) ?? []) listener();
  }

  async listen(channel: string, onNotice: () => void): Promise<() => Promise<void>> {
    const listeners = this.#listeners.get(channel) ?? new Set();
    this.#listeners.set(channel, listeners.add(onNotice));
    return async () => void listeners.delete(onNotice);
  }

  connections(): { busy: number; idle: number; waiting: number } {
    return this.#readers.counts();
  }

  async close(): Promise<void> {
    this.#threads.close();
    await this.#turn;
    await this.#scans.close();
    const release = await this.#lock.acquire();
    try {
      this.#readers.close();
      this.#writer.exec('pragma wal_checkpoint(truncate)');
      this.#writer.close();
    } finally {
      release();
    }
  }
}

async function bracket<T>(
  connection: Connection,
  begin: 'begin' | 'begin immediate',
  work: (session: Session) => Promise<T>,
): Promise<T> {
  connection.exec(begin);
  try {
    const result = await work(connection);
    connection.exec('commit');
    return result;
  } catch (error) {
    connection.rollBack();
    throw error;
  }
}

export function openSqlite(address: SqliteAddress): Database {
  // What SQLite writes beside it has the same mode.
  createPrivately(address.path);
  return new SqliteDatabase(address);
}
