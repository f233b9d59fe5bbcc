import { withSourceTitles } from '../engine/index.ts';
import type { JsonText } from '../http/json-text.ts';
import type { Session } from '../store/database.ts';
import type { ColumnRecord } from '../store/records.ts';
import { columnJson, type ColumnOwner } from './answers.ts';

/** Columns as they are sent: what they name by id because of a title, by its present title. */
export async function columnsJson(
  session: Session,
  columns: readonly ColumnRecord[],
  sheet: ColumnOwner,
): Promise<JsonText[]> {
  const named = await withSourceTitles(session, columns);
  return named.map((column) => columnJson(column, sheet));
}
