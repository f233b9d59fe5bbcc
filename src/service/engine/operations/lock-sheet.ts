import type { Database, Session } from '../../store/database.ts';

/**
 * Holds the sheet until the end of the transaction, as everything that writes to a sheet does.
 * Answers its version, or undefined when the sheet is gone.
 */
export async function lockSheet(
  database: Database,
  session: Session,
  sheetKey: number,
): Promise<number | undefined> {
  const sheet = await session.one<{ version_count: number }>(
    `select version_count from sheets where key = ? and deleted_at is null${database.dialect.forUpdate}`,
    [sheetKey],
  );
  return sheet?.version_count;
}

/**
 * Before tasks of operations are deleted: claims that are being made come to their end, so that their
 * tasks are seen, and none are made until the end of the transaction.
 */
export async function holdClaims(session: Session, sheetKey: number): Promise<void> {
  await session.query(
    `select key from operations where sheet_key = ? and status in ('queued', 'running')
     order by key${session.dialect.forUpdate}`,
    [sheetKey],
  );
}
