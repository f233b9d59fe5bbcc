import { ExactNumber } from '../../api/exact-number.ts';
import { unprocessable } from './problem.ts';

/** Seconds since the epoch are below this, milliseconds above: 1973 and 5138 meet here. */
const MILLISECONDS_FROM = 1e11;
/** The last moment that a date can name. */
const LAST_MS = 8.64e15;

/**
 * A time as clients send it (ISO 8601, milliseconds or seconds since the epoch) in milliseconds.
 * Undefined for undefined; throws a 422 for what is no time.
 */
export function timeOf(place: readonly (string | number)[], sent: unknown): number | undefined {
  if (sent === undefined || sent === null) return undefined;
  const time = parseTime(sent instanceof ExactNumber ? sent.valueOf() : sent);
  if (Number.isFinite(time) && Math.abs(time) <= LAST_MS) return Math.round(time);
  throw unprocessable(
    place,
    'Give a time as ISO 8601 text, or in milliseconds since 1970.',
    'datetime_parsing',
  );
}

function parseTime(sent: unknown): number {
  if (typeof sent === 'number') return sent >= MILLISECONDS_FROM ? sent : sent * 1000;
  if (typeof sent !== 'string') return Number.NaN;
  // A time without a zone is one in UTC, not one of wherever the service runs.
  const text = sent.trim().replace(' ', 'T');
  const isLocal = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?$/.test(text);
  return Date.parse(isLocal ? `${text}Z` : text);
}
