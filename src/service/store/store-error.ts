export type StoreErrorKind = 'full' | 'away';

const words: Readonly<Record<StoreErrorKind, string>> = {
  full: 'The disk of the database is full',
  away: 'The database does not answer',
};

/**
 * The store itself can't do what was asked of it now: its disk is full, or it is not there. Thrown
 * by the database layer and by nobody else, whatever codes and words other errors bear: what meets
 * it did nothing wrong, and may be done again when the store is back.
 */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  readonly kind: StoreErrorKind;

  constructor(kind: StoreErrorKind, cause: unknown) {
    super(`${words[kind]}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    this.kind = kind;
  }
}

/** The store error that an error is, or was caused by. */
export function storeErrorIn(error: unknown): StoreError | undefined {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (at instanceof StoreError) return at;
  }
  return undefined;
}

/** Of SQLite: busy, locked, out of memory, I/O error, cannot open. */
const SQLITE_AWAY = new Set([5, 6, 7, 10, 14]);
const SQLITE_FULL = 13;

/** An error of `node:sqlite` as what it means; anything else as it is. */
export function fromSqlite(error: unknown): unknown {
  if (!(error instanceof Error) || !('errcode' in error)) return error;
  // The low byte is the kind, the rest its detail.
  const kind = Number(error.errcode) & 0xff;
  if (kind === SQLITE_FULL) return new StoreError('full', error);
  return SQLITE_AWAY.has(kind) ? new StoreError('away', error) : error;
}

const POSTGRES_FULL = '53100';
/** What PostgreSQL quotes of its system where it has no number of its own. */
const noSpace = /no space left on device/i;
/**
 * SQLSTATE of a server that takes no work now: connections (08), log-in (28), database gone (3D),
 * out of connections or memory (53), going down or coming up (57P), trouble with its system (58),
 * a standby that only reads (25006).
 */
const postgresAway = /^(?:(?:08|28|3D|53|58)[0-9A-Z]{3}|57P0[1-5]|25006)$/;

/**
 * An error of `pg` as what it means. What the server did not send itself (`hasAnswered`) is a
 * connection that was not made or was lost, except a fault of the program.
 */
export function fromPostgres(error: unknown, hasAnswered: boolean): unknown {
  if (!(error instanceof Error) || error instanceof StoreError) return error;
  if (!hasAnswered) {
    const isFault = error instanceof TypeError || error instanceof RangeError;
    return isFault ? error : new StoreError('away', error);
  }
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (code === POSTGRES_FULL || noSpace.test(error.message)) return new StoreError('full', error);
  return postgresAway.test(code) ? new StoreError('away', error) : error;
}
