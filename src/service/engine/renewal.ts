import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Log } from '../log.ts';
import type { Database, Session } from '../store/database.ts';
import { raiseVersion } from '../store/scope.ts';

const PLACES_AT_ONCE = 200;

export interface RenewalPlace {
  readonly sheet_key: number;
  readonly key: number;
}

/**
 * Columns and steps keep what was found in them when they were saved. An older program has found less.
 * This finds it again, without anybody having to save them.
 */
export interface Renewal {
  /** For the log. */
  readonly what: string;
  /** The next places where there may be something to do, by sheet and key. */
  page(
    session: Session,
    after: RenewalPlace,
    limit: number,
  ): Promise<readonly (RenewalPlace & { readonly isDue: boolean })[]>;
  isNews(session: Session, sheetKey: number): Promise<boolean>;
  /** In a sheet that is held. Answers how many were renewed. */
  renew(session: Session, sheetKey: number): Promise<number>;
}

/** A little at a time, beside everything else. */
export async function renewSheets(
  database: Database,
  renewal: Renewal,
  log: Log,
  signal: AbortSignal,
): Promise<void> {
  const isEnded = (): boolean => signal.aborted;
  let place: RenewalPlace = { sheet_key: -1, key: -1 };
  let sheet = -1;
  while (!isEnded()) {
    const found = await renewal.page(database, place, PLACES_AT_ONCE);
    for (const { sheet_key: sheetKey, isDue } of found) {
      if (isEnded() || sheet === sheetKey || !isDue) continue;
      sheet = sheetKey;
      await renewApart(database, renewal, sheetKey, log);
      await nextTurn();
    }
    const last = found.at(-1);
    if (last === undefined) return;
    place = last;
    await nextTurn();
  }
}

/** A sheet holds nothing up in which there is nothing to do. */
async function renewApart(
  database: Database,
  renewal: Renewal,
  sheetKey: number,
  log: Log,
): Promise<void> {
  if (!(await database.read((session) => renewal.isNews(session, sheetKey)))) return;
  await database.transaction(async (session) => {
    const sheet = await session.one(
      `select key from sheets where key = ? and deleted_at is null${database.dialect.forUpdate}`,
      [sheetKey],
    );
    if (sheet === undefined) return;
    const count = await renewal.renew(session, sheetKey);
    if (count === 0) return;
    await raiseVersion(session, sheetKey);
    log.info(`${renewal.what} read what an older version had not seen in them`, {
      sheetKey,
      count,
    });
  });
}
