import { setTimeout as pause } from 'node:timers/promises';
import { BroadcastChannel } from 'node:worker_threads';
import type { BulkInsert, Database, DatabaseAddress, Session, SqlValue } from './database.ts';
import { sqliteDialect } from './dialect.ts';
import { createPrivately } from './private-files.ts';
import { bracket, Connection } from './sqlite-connection.ts';
import { ShortTransactions } from './short-transactions.ts';
import { StatementThread, type ThreadSession } from './statement-thread.ts';
import { WriteLock } from './write-lock.ts';

const READERS = 3;
/** SQLite's own default. */
const CHECKPOINT_PAGES = 1000;
const WRITER_CACHE_KB = 65_536;
const READER_CACHE_KB = 21_845;
const SMALL_CACHE_KB = 2048;
/** What does not fit goes to the disk as it comes, not all of it at the end. */
const LARGE_CACHE_KB = 8192;
const MOVE_AGAIN_MS = 1000;
/** Then the transactions that follow move the rest, each a part: a log that only grows slows all reading. */
const MOST_MOVES = 3;
/** Reading waits for nobody; moving the log waits for readers, while others wait to write. */
const SCAN_WAIT_MS = 100;

/** Pages that are given back at once: a few milliseconds. */
const GIVE_BACK_PAGES = 250;
const GIVE_BACK_REST_MS = 50;

/** Leaves the memory to others that a connection has for pages of the file. */
const FORGET = 'pragma shrink_memory';

/** Answers how many pages are free afterwards. */
async function giveBackSome(session: ThreadSession): Promise<number> {
  await session.exec(`pragma incremental_vacuum(${String(GIVE_BACK_PAGES)})`);
  const row = await session.one<{ freelist_count: number }>('pragma freelist_count');
  return row?.freelist_count ?? 0;
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
      return new Connection(this.#path, { cacheKb: READER_CACHE_KB, isReader: true });
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Of the readers: the writer is one, and whoever wants it waits in line for the lock. */
  counts(): { busy: number; idle: number; waiting: number } {
    const idle = this.#idle.length;
    return { busy: this.#opened - idle, idle, waiting: this.#waiting.length };
  }

  /** Those that nobody uses; the others will need what they have. */
  forget(): void {
    for (const connection of this.#idle) connection.exec(FORGET);
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
  readonly #scans: StatementThread;
  readonly #large: StatementThread;
  readonly #lock: WriteLock;
  readonly #short: ShortTransactions;
  readonly #listeners = new Map<string, Set<() => void>>();
  /** Reaches the other threads of this process, which have objects of their own. */
  readonly #threads: BroadcastChannel;
  #turn: Promise<unknown> = Promise.resolve();
  /** Large transactions whose pages are still in the log. */
  #unmoved = 0;
  #isClosing = false;

  constructor(address: SqliteAddress) {
    this.#address = address;
    this.#writer = new Connection(address.path, { cacheKb: WRITER_CACHE_KB });
    this.#readers = new ReaderPool(address.path);
    this.#scans = new StatementThread(address.path, {
      cacheKb: SMALL_CACHE_KB,
      waitMs: SCAN_WAIT_MS,
    });
    // It moves nothing itself at its end, which others wait for.
    this.#large = new StatementThread(address.path, {
      cacheKb: LARGE_CACHE_KB,
      checkpointPages: 0,
    });
    this.#lock = new WriteLock(address.writeLock);
    this.#short = new ShortTransactions((work) => this.transaction(() => work(this.#writer)));
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

  lists<Row extends readonly unknown[]>(sql: string, params?: readonly SqlValue[]): Promise<Row[]> {
    return this.#readers.use((reader) => reader.lists<Row>(sql, params));
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
    this.#unmoved += 1;
    this.#writer.exec('pragma wal_autocheckpoint = 0');
    try {
      return await this.#inTurn(() =>
        this.#lock.hold(
          () => this.#large.together((session) => bracket(session, 'begin immediate', work)),
          { isLong: true },
        ),
      );
    } finally {
      await this.#moveLog('passive');
      void this.#moveRest();
    }
  }

  async giveBack(): Promise<void> {
    await this.#giveBackPages();
    // Each connection keeps what it has read and written last, up to 64 MB of it.
    await this.#inTurn(async () => {
      if (this.#isClosing) return;
      this.#writer.exec(FORGET);
      this.#readers.forget();
    });
  }

  async #giveBackPages(): Promise<void> {
    for (let free = Infinity; free > 0 && !this.#isClosing;) {
      const before = free;
      free = await this.#inTurn(() =>
        this.#lock.hold(() => this.#large.together(giveBackSome), { isLong: true }),
      );
      // That connection moves nothing itself, and this thread is not to move all of it at once.
      await this.#moveLog('passive');
      // An older file keeps its free pages for what comes next.
      if (free >= before) return;
      await pause(GIVE_BACK_REST_MS, undefined, { ref: false });
    }
  }

  /** In another thread, from the log to its place. Answers whether that was all. */
  async #moveLog(how: 'passive' | 'restart'): Promise<boolean> {
    const [moved] = await this.#scans
      .query<{ busy: number }>(`pragma wal_checkpoint(${how})`, [])
      // What is not moved now the next transactions move, as they always do.
      .catch(() => [{ busy: 0 }]);
    return moved?.busy === 0;
  }

  /**
   * What has come meanwhile, while nobody writes, so that the log begins anew: small transactions
   * would look through all of it. A reader may be in the way, for as long as an export takes.
   */
  async #moveRest(): Promise<void> {
    for (let tries = 0; !this.#isClosing && tries < MOST_MOVES; tries += 1) {
      const move = async (): Promise<boolean> =>
        // The database may have been closed while others wrote.
        this.#isClosing || this.#moveLog('restart');
      if (await this.#lock.hold(move, { isLong: true })) break;
      await pause(MOVE_AGAIN_MS, undefined, { ref: false });
    }
    this.#unmoved -= 1;
    if (this.#unmoved > 0 || this.#isClosing) return;
    this.#writer.exec(`pragma wal_autocheckpoint = ${String(CHECKPOINT_PAGES)}`);
  }

  /** One connection: transactions of this thread follow one another, however long one takes. */
  transaction<T>(work: (session: Session) => Promise<T>): Promise<T> {
    return this.#inTurn(() =>
      this.#lock.hold(() => bracket(this.#writer, 'begin immediate', work)),
    );
  }

  shortTransaction<T>(work: (session: Session) => Promise<T>): Promise<T> {
    return this.#short.add(work);
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(work);
    // Whoever asked for the transaction gets its error; the next one in line only waits for its end.
    this.#turn = result.then(
      () => undefined,
      () => undefined,
    );
    return result;
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
    this.#isClosing = true;
    await this.#short.endTogether();
    await this.#turn;
    await this.#large.close();
    await this.#scans.close();
    await this.#lock.hold(async () => {
      this.#readers.close();
      this.#writer.exec('pragma wal_checkpoint(truncate)');
      this.#writer.close();
    });
  }
}

export function openSqlite(address: SqliteAddress): Database {
  // What SQLite writes beside it has the same mode.
  createPrivately(address.path);
  return new SqliteDatabase(address);
}
