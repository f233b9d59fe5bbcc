import type { Database } from '../../store/database.ts';
import { raiseVersion } from '../../store/scope.ts';
import { lockSheet } from '../operations/lock-sheet.ts';
import { releaseClaim, type Claim } from './claim.ts';
import { MAX_ATTEMPTS, giveUp } from './reap.ts';
import { endTasks, heldRanges, rowsOfRanges } from './task-ranges.ts';

const REASON = `The service could not compute or store this row, ${String(MAX_ATTEMPTS)} times. Its log has the reason.`;

/**
 * Gives the rest of a claim back that failed by no fault of the store: the attempt counts, and
 * rows that have had all of theirs end with an error.
 */
export async function failClaim(database: Database, claim: Claim): Promise<void> {
  await database.transaction(async (session) => {
    const version = await lockSheet(database, session, claim.sheetKey);
    const held = await heldRanges(session, claim);
    if (held.every(({ attempts }) => attempts < MAX_ATTEMPTS)) return;
    await endTasks(session, claim);
    await giveUp(session, claim, rowsOfRanges(held), REASON);
    if (version !== undefined) await raiseVersion(session, claim.sheetKey);
  });
  await releaseClaim(database, claim, { countsAttempt: true });
}
