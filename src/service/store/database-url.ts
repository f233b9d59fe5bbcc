import { isPostgresAddress } from '../../core/database-address.ts';

/** A reason why a service can't start that a person can put right; the message says how. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

/** The address, when it is one of PostgreSQL; undefined when none is set. Throws a StartError for another. */
export function readDatabaseUrl(text: string | undefined): string | undefined {
  const url = text?.trim() ?? '';
  if (url === '') return undefined;
  if (isPostgresAddress(url)) return url;
  const kind = /^[a-z][a-z0-9+.-]*:/i.exec(url)?.[0];
  throw new StartError(
    `DATABASE_URL is the address of another kind of database (${kind ?? 'without postgres://'}), and Prompt Tables keeps its data in PostgreSQL or in a folder only: set DATABASE_URL=postgres://user:password@host/database, or unset it to use the folder.`,
  );
}
