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
