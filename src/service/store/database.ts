import type { Dialect } from './dialect.ts';

/** What a parameter may be. Booleans are stored as 0 and 1, times as milliseconds, JSON as text. */
export type SqlValue = string | number | null | Uint8Array;

export type ColumnKind = 'int' | 'real' | 'text' | 'bytes';

/** A bulk insert: column names with their kinds, in the order in which each row gives its values. */
export interface BulkInsert {
  readonly table: string;
  readonly columns: Readonly<Record<string, ColumnKind>>;
  /** For example `on conflict (sheet_key, row_index) do nothing`. */
  readonly conflict?: string;
}

/**
 * Statements use `?` for parameters in both dialects. Row types are trusted here, once: the
 * records of `records.ts` mirror the migrations.
 */
export interface Session {
  readonly dialect: Dialect;
  query<Row extends object>(sql: string, params?: readonly SqlValue[]): Promise<Row[]>;
  /** The same as lists, in the order of the statement: half the time where there are thousands. */
  lists<Row extends readonly unknown[]>(sql: string, params?: readonly SqlValue[]): Promise<Row[]>;
  one<Row extends object>(sql: string, params?: readonly SqlValue[]): Promise<Row | undefined>;
  /** Answers how many rows changed. */
  run(sql: string, params?: readonly SqlValue[]): Promise<number>;
  /** Fastest way to write many rows in either dialect; answers how many rows changed. */
  insertMany(insert: BulkInsert, rows: readonly (readonly SqlValue[])[]): Promise<number>;
}

/** Enough to open the same database again, in another thread too: it survives structured cloning. */
export type DatabaseAddress =
  | { readonly kind: 'sqlite'; readonly path: string; readonly writeLock: SharedArrayBuffer }
  | { readonly kind: 'postgres'; readonly url: string; readonly connections?: number };

/**
 * Outside `transaction`, reads see only what is committed and a write is a transaction of its own.
 *
 * `transaction` may call `work` again after a serialization failure or a deadlock, so `work` must
 * not change memory that outlives it. On SQLite it holds the only write lock: never wait for a
 * timer, a socket or a child process inside it.
 */
export interface Database extends Session {
  readonly address: DatabaseAddress;
  /** Several reads that see one moment of the database. */
  read<T>(work: (session: Session) => Promise<T>): Promise<T>;
  transaction<T>(work: (session: Session) => Promise<T>): Promise<T>;
  /**
   * A transaction of a moment. On SQLite, where each end waits for the disk, those that are asked for
   * in the same turn of the event loop, or while another one is at work, end together: each is
   * answered when all are on the disk, and one that throws undoes itself alone.
   */
  shortTransaction<T>(work: (session: Session) => Promise<T>): Promise<T>;
  /**
   * A transaction that changes very much. On SQLite its end would stop this thread for seconds: the
   * disk takes what is written meanwhile, and another thread moves it to its place afterwards.
   */
  largeTransaction<T>(work: (session: Session) => Promise<T>): Promise<T>;
  /**
   * A read that may look at all of a large table, beside everything else: on SQLite in a thread of
   * its own, because a statement there holds up whoever waits for this one.
   */
  scan<Row extends object>(sql: string, params?: readonly SqlValue[]): Promise<Row[]>;
  /**
   * Gives the disk what large things have left free, a little at a time while others work, and the
   * memory what was read and written for them. Does nothing on PostgreSQL, which looks after that itself.
   */
  giveBack(): Promise<void>;
  /**
   * Wakes whoever listens: on PostgreSQL in every process, on SQLite in every thread of this one.
   */
  notify(channel: string): Promise<void>;
  /** Answers a function that stops listening. Notices can be lost: poll as well, slowly. */
  listen(channel: string, onNotice: () => void): Promise<() => Promise<void>>;
  /** How many are at work, how many are not, and how many callers wait for one. */
  connections(): { readonly busy: number; readonly idle: number; readonly waiting: number };
  close(): Promise<void>;
}

/** So many characters are very much. */
const LARGE = 1_000_000;

export const transactionFor = (characters: number): 'transaction' | 'largeTransaction' =>
  characters > LARGE ? 'largeTransaction' : 'transaction';

export async function openDatabase(address: DatabaseAddress): Promise<Database> {
  if (address.kind === 'sqlite') {
    const { openSqlite } = await import('./sqlite.ts');
    return openSqlite(address);
  }
  const { openPostgres } = await import('./postgres.ts');
  return openPostgres(address);
}
