import type { Database } from '../../store/database.ts';
import { raiseVersion } from '../../store/scope.ts';
import { lockSheet } from '../operations/lock-sheet.ts';
import { releaseClaim, type Claim } from './claim.ts';
import { MAX_ATTEMPTS, giveUp } from './reap.ts';

const REASON = `The service could not compute or store this row, ${String(MAX_ATTEMPTS)} times. Its log has the reason.`;

/**
 * Gives the rest of a claim back that failed by no fault of the store: the attempt counts, and
 * rows that have had all of theirs end with an error.
 */
export async function failClaim(database: Database, claim: Claim): Promise<void> {
  const { sheetKey, operationKey, token } = claim;
  await database.transaction(async (session) => {
    const version = await lockSheet(database, session, sheetKey);
    const spent = await session.query<{ row_index: number }>(
      `select row_index from tasks where sheet_key = ? and operation_key = ? and token = ? and attempts >= ?`,
      [sheetKey, operationKey, token, MAX_ATTEMPTS],
    );
    if (spent.length === 0) return;
    const rows = JSON.stringify(spent.map(({ row_index }) => row_index));
    await giveUp(session, claim, rows, REASON);
    if (version !== undefined) await raiseVersion(session, sheetKey);
  });
  await releaseClaim(database, claim, { countsAttempt: true });
}
