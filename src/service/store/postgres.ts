import type { ClientBase, Pool, PoolClient } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { copyLines, storable } from './copy-lines.ts';
import type {
  BulkInsert,
  ColumnKind,
  Database,
  DatabaseAddress,
  Session,
  SqlValue,
} from './database.ts';
import { StartError } from './database-url.ts';
import { postgresDialect } from './dialect.ts';
import { StoreError, fromPostgres } from './store-error.ts';

const ATTEMPTS = 6;
const CONNECTIONS = 10;
const CONNECT_MS = 15_000;
const OLDEST_VERSION = 15;
/** serialization_failure, deadlock_detected */
const RETRYABLE = new Set(['40001', '40P01']);
/** int8, numeric: our integers and sums stay below 2^53. */
const AS_NUMBER = new Set([20, 1700]);
const ARRAY_TYPES: Record<ColumnKind, string> = {
  int: 'bigint[]',
  real: 'double precision[]',
  text: 'text[]',
  bytes: 'bytea[]',
};

/** So many rows are worth the second answer of the server that COPY takes. */
const COPY_FROM_ROWS = 50;

const numbered = new Map<string, string>();

/** `?` outside of quotes becomes `$1`, `$2`, ... */
export function numberPlaceholders(sql: string): string {
  const known = numbered.get(sql);
  if (known !== undefined) return known;
  let count = 0;
  const text = sql.replace(/'(?:[^']|'')*'|\?/g, (match) =>
    match === '?' ? `$${String(++count)}` : match,
  );
  if (numbered.size > 1000) numbered.clear();
  numbered.set(sql, text);
  return text;
}

type Queryable = Pick<PoolClient, 'query'>;

/** Answers of the server itself have a severity; errors of the connection have not. */
const isAnswer = (error: unknown): boolean => error instanceof Error && 'severity' in error;

/** Every call of the driver: what befell the store leaves it as a StoreError. */
async function reported<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    throw fromPostgres(error, isAnswer(error));
  }
}

class PostgresSession implements Session {
  readonly dialect = postgresDialect;
  readonly #client: Queryable;

  constructor(client: Queryable) {
    this.#client = client;
  }

  async query<Row extends object>(sql: string, params: readonly SqlValue[] = []): Promise<Row[]> {
    const answer = this.#client.query<Row>(numberPlaceholders(sql), params.map(storable));
    return (await reported(answer)).rows;
  }

  async lists<Row extends readonly unknown[]>(
    sql: string,
    params: readonly SqlValue[] = [],
  ): Promise<Row[]> {
    const [text, values] = [numberPlaceholders(sql), params.map(storable)];
    const answer = this.#client.query<unknown[]>({ text, values, rowMode: 'array' });
    const rows: readonly unknown[] = (await reported(answer)).rows;
    return rows as Row[];
  }

  async one<Row extends object>(
    sql: string,
    params: readonly SqlValue[] = [],
  ): Promise<Row | undefined> {
    return (await this.query<Row>(sql, params))[0];
  }

  async run(sql: string, params: readonly SqlValue[] = []): Promise<number> {
    const answer = this.#client.query(numberPlaceholders(sql), params.map(storable));
    return (await reported(answer)).rowCount ?? 0;
  }

  insertMany(insert: BulkInsert, rows: readonly (readonly SqlValue[])[]): Promise<number> {
    if (isCopied(insert, rows)) return this.#copy(insert, rows);
    return this.#insert(insert, rows);
  }

  async #insert(insert: BulkInsert, rows: readonly (readonly SqlValue[])[]): Promise<number> {
    if (rows.length === 0) return 0;
    const names = Object.keys(insert.columns);
    const arrays = Object.values(insert.columns).map(
      (kind, index) => `$${String(index + 1)}::${ARRAY_TYPES[kind]}`,
    );
    const values = names.map((_, index) => rows.map((row) => storable(row[index] ?? null)));
    const answer = this.#client.query(
      `insert into ${insert.table} (${names.join(', ')}) select * from unnest(${arrays.join(', ')}) ${insert.conflict ?? ''}`,
      values,
    );
    return (await reported(answer)).rowCount ?? 0;
  }

  /** A third of the time of an `insert`, of both processors: rows come as they are, many to a page. */
  #copy({ table, columns }: BulkInsert, rows: readonly (readonly SqlValue[])[]): Promise<number> {
    const names = Object.keys(columns);
    const bytes = copyLines(rows, names.length);
    const copied = new Promise<number>((resolve, reject) => {
      const stream = this.#client.query(copyFrom(`copy ${table} (${names.join(', ')}) from stdin`));
      stream.on('error', reject);
      stream.on('finish', () => resolve(stream.rowCount));
      stream.end(bytes);
    });
    return reported(copied);
  }
}

const isCopied = ({ conflict }: BulkInsert, rows: readonly unknown[]): boolean =>
  conflict === undefined && rows.length >= COPY_FROM_ROWS;

class PostgresDatabase extends PostgresSession implements Database {
  readonly address: DatabaseAddress;
  readonly #pool: Pool;
  readonly #listeners = new Map<string, Set<() => void>>();
  #listening: Promise<PoolClient> | undefined;
  #closed = false;

  constructor(address: DatabaseAddress, pool: Pool) {
    super(pool);
    this.address = address;
    this.#pool = pool;
  }

  read<T>(work: (session: Session) => Promise<T>): Promise<T> {
    return this.#retrying('begin isolation level repeatable read read only', work);
  }

  largeTransaction<T>(work: (session: Session) => Promise<T>): Promise<T> {
    return this.transaction(work);
  }

  /** The server itself has those that end together wait for its disk once. */
  shortTransaction<T>(work: (session: Session) => Promise<T>): Promise<T> {
    return this.transaction(work);
  }

  scan<Row extends object>(sql: string, params?: readonly SqlValue[]): Promise<Row[]> {
    return this.query<Row>(sql, params);
  }

  giveBack(): Promise<void> {
    return Promise.resolve();
  }

  transaction<T>(work: (session: Session) => Promise<T>): Promise<T> {
    return this.#retrying('begin', work);
  }

  override insertMany(insert: BulkInsert, rows: readonly (readonly SqlValue[])[]): Promise<number> {
    // COPY needs one connection from its beginning to its end.
    return isCopied(insert, rows)
      ? this.transaction((session) => session.insertMany(insert, rows))
      : super.insertMany(insert, rows);
  }

  async #retrying<T>(begin: string, work: (session: Session) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#bracket(begin, work);
      } catch (error) {
        if (!RETRYABLE.has(sqlState(error))) throw error;
        // Others were quicker each time.
        if (attempt >= ATTEMPTS) throw new StoreError('away', error);
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 10 * 2 ** attempt));
      }
    }
  }

  async #bracket<T>(begin: string, work: (session: Session) => Promise<T>): Promise<T> {
    const client = await reported(this.#pool.connect());
    let broken: Error | undefined;
    // A connection that breaks between two queries: without a listener it would end the process.
    const onError = (error: Error): void => {
      broken = error;
    };
    client.on('error', onError);
    try {
      await reported(client.query(begin));
      const result = await work(new PostgresSession(client));
      await reported(client.query('commit'));
      return result;
    } catch (error) {
      await client.query('rollback').catch((cause: unknown) => {
        broken = new Error('A connection did not roll back and is thrown away.', { cause });
      });
      throw error;
    } finally {
      client.off('error', onError);
      client.release(broken);
    }
  }

  async notify(channel: string): Promise<void> {
    await this.run('select pg_notify(?, ?)', [channel, '']);
  }

  async listen(channel: string, onNotice: () => void): Promise<() => Promise<void>> {
    const listeners = this.#listeners.get(channel) ?? new Set();
    this.#listeners.set(channel, listeners.add(onNotice));
    const client = await (this.#listening ??= this.#openListener());
    await reported(client.query(`listen ${client.escapeIdentifier(channel)}`));
    return async () => void listeners.delete(onNotice);
  }

  async #openListener(): Promise<PoolClient> {
    const client = await reported(this.#pool.connect());
    client.on('notification', ({ channel }) => {
      for (const listener of this.#listeners.get(channel) ?? []) listener();
    });
    let isGone = false;
    client.on('error', () => {
      // Closing releases it itself, and one connection may report its end more than once.
      if (this.#closed || isGone) return;
      isGone = true;
      this.#listening = undefined;
      client.release(true);
      setTimeout(() => void this.#listenAgain(), 1000).unref();
    });
    return client;
  }

  /** Notices are only a hint beside polling, so a database that is away just means: try later. */
  async #listenAgain(): Promise<void> {
    try {
      const client = await (this.#listening ??= this.#openListener());
      for (const [channel, listeners] of this.#listeners) {
        await client.query(`listen ${client.escapeIdentifier(channel)}`);
        for (const listener of listeners) listener();
      }
    } catch {
      this.#listening = undefined;
      if (!this.#closed) setTimeout(() => void this.#listenAgain(), 5000).unref();
    }
  }

  connections(): { busy: number; idle: number; waiting: number } {
    const { totalCount, idleCount, waitingCount } = this.#pool;
    return { busy: totalCount - idleCount, idle: idleCount, waiting: waitingCount };
  }

  async close(): Promise<void> {
    this.#closed = true;
    const listening = await this.#listening?.catch(() => undefined);
    listening?.release(true);
    await this.#pool.end();
  }
}

function sqlState(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : '';
}

/** As clients of PostgreSQL read it from the address, in seconds; they take 0 for no limit. */
function connectMs(url: string): number {
  const seconds = URL.canParse(url) ? new URL(url).searchParams.get('connect_timeout') : null;
  return seconds !== null && /^[1-9]\d{0,4}$/.test(seconds) ? Number(seconds) * 1000 : CONNECT_MS;
}

/** Whether the server is there, and one that will do: heard of within seconds, not minutes. */
export async function checkPostgres(url: string): Promise<void> {
  const { default: pg } = await import('pg');
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: connectMs(url),
  });
  // What breaks later is the trouble of the query.
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ version: string }>(
      `select current_setting('server_version') as version`,
    );
    const version = rows[0]?.version ?? '';
    if (Number.parseInt(version, 10) < OLDEST_VERSION) {
      throw new StartError(
        `The PostgreSQL of DATABASE_URL is of version ${version}: update it to version ${String(OLDEST_VERSION)} or newer.`,
      );
    }
  } finally {
    await client.end();
  }
}

/** The server ends what a process that was killed has left it to do, with the locks that it holds. */
function endWithProcess(client: ClientBase): unknown {
  // A server on Windows can't look, and does without.
  return client.query(`set client_connection_check_interval = '5s'`).catch(() => undefined);
}

export async function openPostgres(
  address: Extract<DatabaseAddress, { kind: 'postgres' }>,
): Promise<Database> {
  const { default: pg } = await import('pg');
  const pool = new pg.Pool({
    connectionString: address.url,
    max: address.connections ?? CONNECTIONS,
    application_name: 'prompt-tables',
    // A host that is gone without a word is noticed, by the listener too, which only waits.
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    // The pool waits for what is answered here, although its types don't say so.
    onConnect: endWithProcess,
    types: {
      getTypeParser: (oid): ((text: string) => unknown) =>
        AS_NUMBER.has(oid)
          ? Number
          : (pg.types.getTypeParser(oid, 'text') as (text: string) => unknown),
    },
  });
  // An idle connection that breaks is replaced by the pool; without a listener it ends the process.
  pool.on('error', () => undefined);
  return new PostgresDatabase(address, pool);
}
