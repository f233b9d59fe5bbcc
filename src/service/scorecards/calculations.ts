import { randomUUID } from 'node:crypto';
import type { Database, Session, SqlValue } from '../store/database.ts';
import { isWorkOf, type WorkOf } from '../store/own-work.ts';
import type { SheetRecord } from '../store/records.ts';
import type { CalculationRecord, CalculationStatus, ScoredRowRecord } from './records.ts';

const LEASE_MS = 15_000;
/** Calculations of one sheet whose rows are kept; older ones keep their sums. */
const ROWS_OF = 5;

export const SCORE_CHANNEL = 'prompt_tables_scores';

export type CalculationDraft = Pick<
  CalculationRecord,
  'kind' | 'owner_id' | 'config_json' | 'config_hash' | 'selection_json' | 'cost_ceiling'
> & { readonly is_restricted: boolean };

/**
 * Queues a calculation in the transaction that holds the sheet. One that is under way for the same
 * owner makes room: what counts is the sheet as it is now.
 */
export async function queueCalculation(
  session: Session,
  sheet: SheetRecord,
  draft: CalculationDraft,
): Promise<CalculationRecord> {
  await cancelOpen(session, sheet.key, draft.kind);
  const last = await session.one<{ number: number | null }>(
    'select max(number) as number from score_calculations where sheet_key = ?',
    [sheet.key],
  );
  const record = await session.one<CalculationRecord>(
    `insert into score_calculations (sheet_key, number, id, workspace_id, kind, owner_id, status, sheet_version,
       config_json, config_hash, selection_json, cost_ceiling, is_restricted, total_rows, created_at)
     values (?, ?, ?, ?, ?, ?, 'queued', ?, ?, ?, ?, ?, ?, ?, ?) returning *`,
    [
      sheet.key,
      (last?.number ?? 0) + 1,
      randomUUID(),
      sheet.workspace_id,
      draft.kind,
      draft.owner_id,
      sheet.version_count,
      draft.config_json,
      draft.config_hash,
      draft.selection_json,
      draft.cost_ceiling,
      draft.is_restricted ? 1 : 0,
      sheet.row_count,
      Date.now(),
    ],
  );
  if (record === undefined) throw new Error('The database did not answer the calculation.');
  return record;
}

/** Whoever works on it can't commit any more; what was found so far stays. */
export async function cancelOpen(
  session: Session,
  sheetKey: number,
  kind: CalculationRecord['kind'],
): Promise<CalculationRecord[]> {
  return session.query<CalculationRecord>(
    `update score_calculations set status = 'cancelled', token = null, completed_at = ?
     where sheet_key = ? and kind = ? and status in ('queued', 'running') returning *`,
    [Date.now(), sheetKey, kind],
  );
}

const workspaceOfSheet =
  '(select s.workspace_id from sheets s where s.key = score_calculations.sheet_key)';

/** Takes the oldest calculation that nobody works on; its token fences off whoever had it before. */
export async function claimCalculation(
  database: Database,
  workOf: WorkOf,
): Promise<CalculationRecord | undefined> {
  const own = isWorkOf(database, workspaceOfSheet, workOf);
  return database.transaction(async (session) => {
    const found = await session.one<CalculationRecord>(
      `select * from score_calculations where status in ('queued', 'running') and lease_until < ${database.dialect.now}${own.sql}
       order by created_at limit 1${database.dialect.skipLocked}`,
      own.values,
    );
    if (found === undefined) return undefined;
    return session.one<CalculationRecord>(
      `update score_calculations set status = 'running', token = ?, started_at = coalesce(started_at, ?), attempts = attempts + 1,
         lease_until = ${database.dialect.now} + ? where sheet_key = ? and number = ? returning *`,
      [randomUUID(), Date.now(), LEASE_MS, found.sheet_key, found.number],
    );
  });
}

/** In an embedded database nobody else can be at work when the service starts. */
export async function releaseCalculations(database: Database): Promise<void> {
  await database.run(
    `update score_calculations set lease_until = 0 where status in ('queued', 'running')`,
  );
}

/** Whoever stops in good order has not been stopped by it. */
export async function leaveCalculation(database: Database, work: CalculationRecord): Promise<void> {
  await database.run(
    'update score_calculations set attempts = 0, lease_until = 0 where sheet_key = ? and number = ? and token = ?',
    [work.sheet_key, work.number, work.token],
  );
}

/** Why it may ask no more models; undefined when it may. */
export async function stopMessageOf(
  database: Database,
  work: CalculationRecord,
): Promise<string | undefined> {
  const found = await database.one<{ stop_message: string | null }>(
    'select stop_message from score_calculations where sheet_key = ? and number = ?',
    [work.sheet_key, work.number],
  );
  return found?.stop_message ?? undefined;
}

const ours = 'where sheet_key = ? and number = ? and token = ?';
const claimOf = (work: CalculationRecord): SqlValue[] => [work.sheet_key, work.number, work.token];

/** Answers false when the work is no longer ours. */
export async function renewCalculation(
  database: Database,
  work: CalculationRecord,
): Promise<boolean> {
  const changed = await database.run(
    `update score_calculations set lease_until = ${database.dialect.now} + ? ${ours}`,
    [LEASE_MS, ...claimOf(work)],
  );
  return changed > 0;
}

export type ScoredRow = Omit<ScoredRowRecord, 'sheet_key' | 'calculation'>;

/** Rows and how far they bring the calculation, together. Answers false when it is no longer ours. */
export async function commitRows(
  database: Database,
  work: CalculationRecord,
  rows: readonly ScoredRow[],
  progress: { readonly scoredRows: number; readonly lastRow: number; readonly sums: unknown },
): Promise<boolean> {
  return database.transaction(async (session) => {
    const changed = await session.run(
      `update score_calculations set scored_rows = ?, next_row = ?, progress_json = ?, attempts = 0,
         lease_until = ${database.dialect.now} + ? ${ours}`,
      [
        progress.scoredRows,
        progress.lastRow,
        JSON.stringify(progress.sums),
        LEASE_MS,
        ...claimOf(work),
      ],
    );
    if (changed === 0) return false;
    await session.insertMany(
      {
        table: 'score_rows',
        columns: {
          sheet_key: 'int',
          calculation: 'int',
          row_index: 'int',
          score: 'real',
          verdict: 'text',
          results_json: 'text',
          input_hash: 'text',
          error_summary: 'text',
          computed_at: 'int',
        },
      },
      rows.map((row) => [
        work.sheet_key,
        work.number,
        row.row_index,
        row.score,
        row.verdict,
        row.results_json,
        row.input_hash,
        row.error_summary,
        row.computed_at,
      ]),
    );
    return true;
  });
}

/** Ends a calculation that is still ours. */
export async function finishCalculation(
  database: Database,
  work: CalculationRecord,
  end: {
    readonly status: Extract<CalculationStatus, 'completed' | 'failed'>;
    readonly score: number | null;
    readonly result: object;
    readonly error: string | null;
    readonly scoredRows: number;
    readonly totalRows: number;
  },
): Promise<void> {
  await database.transaction(async (session) => {
    const changed = await session.run(
      `update score_calculations set status = ?, aggregate_score = ?, result_json = ?, error_summary = ?,
         scored_rows = ?, total_rows = ?, completed_at = ?, token = null ${ours}`,
      [
        end.status,
        end.score,
        JSON.stringify(end.result),
        end.error,
        end.scoredRows,
        end.totalRows,
        Date.now(),
        ...claimOf(work),
      ],
    );
    if (changed > 0) await dropOldRows(session, work);
  });
}

async function dropOldRows(
  session: Session,
  { sheet_key, kind }: CalculationRecord,
): Promise<void> {
  const kept = await session.query<{ number: number }>(
    'select number from score_calculations where sheet_key = ? and kind = ? order by number desc limit ?',
    [sheet_key, kind, ROWS_OF],
  );
  const oldest = kept.at(-1)?.number;
  if (kept.length < ROWS_OF || oldest === undefined) return;
  await session.run('delete from score_rows where sheet_key = ? and calculation < ?', [
    sheet_key,
    oldest,
  ]);
}

export interface Latest {
  readonly latest: CalculationRecord | undefined;
  /** The last one that has come to its end, to be shown while another is under way. */
  readonly completed: CalculationRecord | undefined;
}

export async function latestCalculations(
  session: Session,
  sheetKey: number,
  ownerId: string,
): Promise<Latest> {
  const find = (condition: string): Promise<CalculationRecord | undefined> =>
    session.one<CalculationRecord>(
      `select * from score_calculations where sheet_key = ? and owner_id = ? ${condition} order by number desc limit 1`,
      [sheetKey, ownerId],
    );
  return { latest: await find(''), completed: await find(`and status = 'completed'`) };
}

export async function findCalculation(
  session: Session,
  sheetKey: number,
  id: string,
): Promise<CalculationRecord | undefined> {
  return session.one<CalculationRecord>(
    `select * from score_calculations where sheet_key = ? and id = ? and kind = 'scorecard'`,
    [sheetKey, id.toLowerCase()],
  );
}
