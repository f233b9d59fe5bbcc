import type { Session } from './database.ts';

/** What was asked for and did not come to its end, until it is asked for again. */
export interface SheetProblem {
  readonly kind: 'import' | 'score';
  readonly message: string;
}

/** Of the latest import and the latest calculation of a score of each sheet, where it has failed. */
export async function problemsOfSheets(
  session: Session,
  sheetKeys: readonly number[],
): Promise<ReadonlyMap<number, readonly SheetProblem[]>> {
  const { isOneOf } = session.dialect;
  const keys = JSON.stringify(sheetKeys);
  const found = new Map<number, SheetProblem[]>();
  const add = (kind: SheetProblem['kind'], key: number, message: string | null): void => {
    const problem = { kind, message: message ?? '' };
    const known = found.get(key);
    if (known === undefined) found.set(key, [problem]);
    else known.push(problem);
  };
  const imports = await session.query<{ sheet_key: number; message: string | null }>(
    `select sheet_key, error_message as message from imports i
     where sheet_key ${isOneOf} and status = 'failed' and not exists
       (select 1 from imports later where later.sheet_key = i.sheet_key and later.created_at > i.created_at)`,
    [keys],
  );
  for (const { sheet_key: key, message } of imports) add('import', key, message);
  const scores = await session.query<{ sheet_key: number; message: string | null }>(
    `select sheet_key, error_summary as message from score_calculations c
     where sheet_key ${isOneOf} and status = 'failed' and not exists
       (select 1 from score_calculations later where later.sheet_key = c.sheet_key and later.number > c.number)`,
    [keys],
  );
  for (const { sheet_key: key, message } of scores) add('score', key, message);
  return found;
}
