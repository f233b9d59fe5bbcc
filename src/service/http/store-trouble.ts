import { Problem } from './problem.ts';

/** `disk full` of PostgreSQL; SQLite's own number comes in `errcode`. */
const POSTGRES_FULL = '53100';
const SQLITE_FULL = 13;
/** What PostgreSQL quotes of its system where it has no number of its own. */
const noSpace = /no space left on device/i;
/** Out of connections, memory or files, or in trouble with its system: classes 53 and 58. */
const overtaxed = /^(?:53|58)[0-9A-Z]{3}$/;
/** Going down, gone, coming up; and what sockets say of a server that is not there. */
const away = new Set([
  '57P01',
  '57P02',
  '57P03',
  '08001',
  '08003',
  '08006',
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
]);

/**
 * What befell the store, told in a way that the caller can do something about: 507 for a full disk,
 * 503 for a database that is away. Undefined for everything else.
 */
export function storeTrouble(error: unknown): Problem | undefined {
  for (let at = error; at instanceof Error; at = at.cause) {
    const { code, errcode } = at as { code?: unknown; errcode?: unknown };
    const isFull = code === POSTGRES_FULL || code === 'ENOSPC' || errcode === SQLITE_FULL;
    if (isFull || noSpace.test(at.message)) {
      return new Problem(
        507,
        'storage_full',
        'The disk of the service is full, so nothing was changed. Make room on it and send the request again.',
      );
    }
    const isGone =
      /^Connection terminated|timeout exceeded when trying to connect|is not queryable$/.test(
        at.message,
      );
    if (isGone || (typeof code === 'string' && (away.has(code) || overtaxed.test(code)))) {
      return new Problem(
        503,
        'database_unavailable',
        'The database of the service does not answer. Send the request again in a moment.',
      );
    }
  }
  return undefined;
}
