import { storeErrorIn } from '../store/store-error.ts';
import { Problem } from './problem.ts';

/**
 * A failure of the store, as a response that the caller can act on: 507 for a full disk,
 * 503 for a database that is away. Undefined for everything else.
 */
export function storeTrouble(error: unknown): Problem | undefined {
  switch (storeErrorIn(error)?.kind) {
    case 'full':
      return new Problem(
        507,
        'storage_full',
        'The disk of the service is full, so nothing was changed. Make room on it and send the request again.',
      );
    case 'away':
      return new Problem(
        503,
        'database_unavailable',
        'The database of the service does not answer. Send the request again in a moment.',
      );
    case undefined:
      return undefined;
  }
}
