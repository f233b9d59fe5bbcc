import type { Database, Session, SqlValue } from '../../store/database.ts';
import { placeholders } from '../../store/dialect.ts';
import { rowsIn, type RowsIn } from '../../store/rows-in.ts';
import { raiseVersion } from '../../store/scope.ts';
import { lockSheet } from '../operations/lock-sheet.ts';
import { BACK_TO_BEFORE, backToBefore } from '../operations/stop.ts';
import type { Claim } from './claim.ts';
import type { CellResult } from './compute-cell.ts';
import { finishIfDone } from './finish-operation.ts';
import {
  endTasks,
  heldRanges,
  insertRanges,
  rangesOfRows,
  rowsOfRanges,
  type HeldRange,
} from './task-ranges.ts';

/** Results of one row. */
export interface RowCommit {
  readonly rowIndex: number;
  /** Of the row when its cells were read. */
  readonly revision: number;
  readonly results: readonly CellResult[];
  readonly orphanKeys: readonly number[];
  /** Nothing of the row is left to do for this claim. */
  readonly isLast: boolean;
}

export interface CommitOutcome {
  /** Rows that this claim does not hold any more: cancelled, or the lease was lost. */
  readonly lostRows: ReadonlySet<number>;
  /** Rows whose revision this commit has raised itself. */
  readonly revisions: ReadonlyMap<number, number>;
}

const CELL_COLUMNS = {
  sheet_key: 'int',
  row_index: 'int',
  column_key: 'int',
  status: 'text',
  previous_status: 'text',
  operation_key: 'int',
  value: 'text',
  num: 'real',
  error: 'text',
  error_message: 'text',
  input_hash: 'text',
  execution_id: 'text',
  metrics: 'text',
  last_computed_version: 'int',
  updated_at: 'int',
} as const;

const REPLACE = `on conflict (sheet_key, row_index, column_key) do update set display = null, ${Object.keys(
  CELL_COLUMNS,
)
  .slice(3)
  .map((name) => `${name} = excluded.${name}`)
  .join(', ')}`;

/**
 * Writes results, with those of the last rows of a claim the end of its tasks. A result whose inputs
 * have changed since they were read is kept, but its cell stays queued, so that the sheet converges.
 */
export async function commitRows(
  database: Database,
  claim: Claim,
  commits: readonly RowCommit[],
): Promise<CommitOutcome> {
  const outcome = await database.transaction(async (session) => {
    const version = await lockSheet(database, session, claim.sheetKey);
    const commit = new Commit(database, session, claim);
    const ranges = version === undefined ? [] : await heldRanges(session, claim);
    const { kept, lostRows } = keptOf(claim, commits, ranges);
    const isLost = ranges.length === 0 || (commits.length > 0 && kept.length === 0);
    if (version === undefined || isLost) return { lostRows, revisions: new Map() };
    const fresh = await commit.freshness(kept);
    const revisions = await commit.markDependents(kept, fresh);
    const written = await commit.writeResults(kept, fresh, version + 1);
    await commit.resetOrphans(kept, written.goneKeys);
    await commit.putStoppedBack(written.stopped);
    await commit.finishRows(kept, ranges, claim.rowsLeft <= endedIn(commits, lostRows));
    await finishIfDone(session, { ...claim, ...written.counts });
    await raiseVersion(session, claim.sheetKey);
    return { lostRows, revisions };
  });
  claim.rowsLeft -= endedIn(commits, outcome.lostRows);
  return outcome;
}

/** Those of rows that the claim still holds: mostly all. */
function keptOf(
  { rowIndices }: Claim,
  commits: readonly RowCommit[],
  ranges: readonly HeldRange[],
): { kept: readonly RowCommit[]; lostRows: ReadonlySet<number> } {
  const heldCount = ranges.reduce((sum, range) => sum + range.last_row - range.first_row + 1, 0);
  if (heldCount === rowIndices.length) return { kept: commits, lostRows: new Set() };
  const held = new Set(rowsOfRanges(ranges));
  const lost = commits.filter(({ rowIndex }) => !held.has(rowIndex));
  return {
    kept: commits.filter(({ rowIndex }) => held.has(rowIndex)),
    lostRows: new Set(lost.map(({ rowIndex }) => rowIndex)),
  };
}

/** Of how many rows nothing more will come. */
const endedIn = (commits: readonly RowCommit[], lostRows: ReadonlySet<number>): number =>
  commits.reduce(
    (count, { isLast, rowIndex }) => count + (isLast || lostRows.has(rowIndex) ? 1 : 0),
    0,
  );

/** Whether the inputs of a result are still those that it was computed from. */
type IsFresh = (row: RowCommit, result: CellResult) => 'yes' | 'no' | 'column_gone';

interface StoppedCell {
  readonly rowIndex: number;
  readonly result: CellResult;
}

interface Written {
  readonly counts: { readonly completedCount: number; readonly failedCount: number };
  /** Columns of results that are not there any more. */
  readonly goneKeys: ReadonlySet<number>;
  readonly stopped: readonly StoppedCell[];
}

class Commit {
  readonly #database: Database;
  readonly #session: Session;
  readonly #claim: Claim;

  constructor(database: Database, session: Session, claim: Claim) {
    this.#database = database;
    this.#session = session;
    this.#claim = claim;
  }

  #in(rowIndices: readonly number[]): RowsIn {
    return rowsIn(this.#database.dialect, rowIndices);
  }

  async freshness(commits: readonly RowCommit[]): Promise<IsFresh> {
    const revisions = await this.#revisions(commits);
    const columns = await this.#session.query<{ key: number; config_revision: number }>(
      'select key, config_revision from columns where sheet_key = ? and deleted_at is null',
      [this.#claim.sheetKey],
    );
    const configs = new Map(columns.map(({ key, config_revision }) => [key, config_revision]));
    return (row, { column }) => {
      const config = configs.get(column.key);
      const revision = revisions === 'as read' ? row.revision : revisions.get(row.rowIndex);
      if (config === undefined || revision === undefined) return 'column_gone';
      return config === column.configRevision && revision === row.revision ? 'yes' : 'no';
    };
  }

  /** Of the rows that are still there. Revisions only rise: where their sum is the same, all are. */
  async #revisions(
    commits: readonly RowCommit[],
  ): Promise<'as read' | ReadonlyMap<number, number>> {
    const within = this.#in(commits.map(({ rowIndex }) => rowIndex));
    const where = `where sheet_key = ? and ${within.sql}`;
    const params = [this.#claim.sheetKey, ...within.params];
    const all = await this.#session.one<{ count: number; sum: number | null }>(
      `select count(*) as count, sum(revision) as sum from rows ${where}`,
      params,
    );
    const sum = commits.reduce((total, { revision }) => total + revision, 0);
    if (all?.count === commits.length && all.sum === sum) return 'as read';
    const rows = await this.#session.query<{ row_index: number; revision: number }>(
      `select row_index, revision from rows ${where}`,
      params,
    );
    return new Map(rows.map(({ row_index, revision }) => [row_index, revision]));
  }

  /**
   * Before the results are written, so that dependants among them end as completed. Answers the
   * rows whose revision was raised because another operation is working on a dependant.
   */
  async markDependents(
    commits: readonly RowCommit[],
    isFresh: IsFresh,
  ): Promise<Map<number, number>> {
    const revisions = new Map<number, number>();
    for (const { keys, rows } of dependentGroups(commits, isFresh)) {
      // No range: beside it the index by status looks better, and leads through the whole column.
      const { isOneOf } = this.#database.dialect;
      const where = `sheet_key = ? and row_index ${isOneOf} and column_key in ${placeholders(keys.length)}`;
      const params = [this.#claim.sheetKey, JSON.stringify(rows), ...keys];
      const found = await this.#session.query<{
        row_index: number;
        status: string;
        operation_key: number | null;
      }>(
        `select row_index, status, operation_key from cells where ${where} and status <> 'stale'`,
        params,
      );
      const isPending = ({ status }: { status: string }) =>
        status === 'queued' || status === 'running';
      if (found.some((cell) => !isPending(cell))) {
        await this.#session.run(
          `update cells set status = 'stale', updated_at = ? where ${where} and status in ('completed', 'error', 'cancelled')`,
          [Date.now(), ...params],
        );
      }
      const pending = found.filter(isPending);
      if (pending.length === 0) continue;
      await this.#session.run(
        `update cells set previous_status = 'stale' where ${where} and status in ('queued', 'running')`,
        params,
      );
      const ofOthers = pending.filter(
        ({ operation_key }) => operation_key !== this.#claim.operationKey,
      );
      for (const [row, revision] of await this.#raiseRevisions(ofOthers))
        revisions.set(row, revision);
    }
    return revisions;
  }

  async #raiseRevisions(
    cells: readonly { readonly row_index: number }[],
  ): Promise<[number, number][]> {
    if (cells.length === 0) return [];
    const within = this.#in([...new Set(cells.map(({ row_index }) => row_index))]);
    const raised = await this.#session.query<{ row_index: number; revision: number }>(
      `update rows set revision = revision + 1 where sheet_key = ? and ${within.sql}
       returning row_index, revision`,
      [this.#claim.sheetKey, ...within.params],
    );
    return raised.map(({ row_index, revision }) => [row_index, revision]);
  }

  async writeResults(
    commits: readonly RowCommit[],
    isFresh: IsFresh,
    version: number,
  ): Promise<Written> {
    const { sheetKey, operationKey, executionId } = this.#claim;
    const now = Date.now();
    const counts = { completedCount: 0, failedCount: 0 };
    const goneKeys = new Set<number>();
    const stopped: StoppedCell[] = [];
    const records: SqlValue[][] = [];
    for (const commit of commits) {
      for (const result of commit.results) {
        const fresh = isFresh(commit, result);
        if (fresh === 'column_gone') goneKeys.add(result.column.key);
        if (result.status === 'stopped') stopped.push({ rowIndex: commit.rowIndex, result });
        if (fresh === 'column_gone' || result.status === 'stopped') continue;
        const isFinal = fresh === 'yes';
        if (isFinal) counts[result.status === 'error' ? 'failedCount' : 'completedCount'] += 1;
        records.push([
          sheetKey,
          commit.rowIndex,
          result.column.key,
          isFinal ? result.status : 'queued',
          isFinal ? null : 'stale',
          isFinal ? null : operationKey,
          result.value,
          result.num,
          result.error,
          result.errorMessage,
          result.inputHash,
          executionId,
          result.metrics,
          version,
          now,
        ]);
        if (result.column.metricColumns.length === 0) continue;
        records.push(
          ...metricRecords(sheetKey, commit.rowIndex, result, { executionId, version, now }),
        );
      }
    }
    if (records.length > 0) {
      await this.#session.insertMany(
        { table: 'cells', columns: CELL_COLUMNS, conflict: REPLACE },
        records,
      );
    }
    return { counts, goneKeys, stopped };
  }

  /** Queued cells of columns that were deleted belong to nobody any more. */
  async resetOrphans(commits: readonly RowCommit[], goneKeys: ReadonlySet<number>): Promise<void> {
    const keys = new Set(goneKeys);
    for (const { orphanKeys } of commits) for (const key of orphanKeys) keys.add(key);
    if (keys.size === 0) return;
    const within = this.#in(commits.map(({ rowIndex }) => rowIndex));
    await this.#session.run(
      `update cells set status = coalesce(previous_status, 'stale'), previous_status = null, operation_key = null
       where sheet_key = ? and ${within.sql} and column_key in ${placeholders(keys.size)} and operation_key = ?`,
      [this.#claim.sheetKey, ...within.params, ...keys, this.#claim.operationKey],
    );
  }

  /** Cells that were not computed, because the operation has stopped from within. */
  async putStoppedBack(stopped: readonly StoppedCell[]): Promise<void> {
    const { sheetKey, operationKey } = this.#claim;
    let count = 0;
    for (const { rowIndex, result } of stopped) {
      count += await this.#session.run(
        `update cells set ${BACK_TO_BEFORE}
         where sheet_key = ? and row_index = ? and column_key = ? and operation_key = ?`,
        [
          ...backToBefore(result.errorMessage ?? ''),
          ...[sheetKey, rowIndex, result.column.key, operationKey],
        ],
      );
    }
    if (count === 0) return;
    await this.#session.run(
      'update operations set cancelled_count = cancelled_count + ? where sheet_key = ? and key = ?',
      [count, sheetKey, operationKey],
    );
  }

  /**
   * The end of rows takes no writing: their cells don't belong to the operation any more. Of a
   * finished row with cells that are queued again, a new task waits for its turn. At the end of the
   * claim that is all that its tasks have left.
   */
  async finishRows(
    commits: readonly RowCommit[],
    ranges: readonly HeldRange[],
    isEnd: boolean,
  ): Promise<void> {
    const { sheetKey, operationKey, token } = this.#claim;
    const held = rowsOfRanges(ranges);
    const last = commits.filter(({ isLast }) => isLast).map(({ rowIndex }) => rowIndex);
    const within = this.#in(isEnd ? held : last.sort((a, b) => a - b));
    const queued = await this.#session.query<{ row_index: number }>(
      `select distinct row_index from cells where sheet_key = ? and ${within.sql} and operation_key = ?
       order by row_index`,
      [sheetKey, ...within.params, operationKey],
    );
    if (!isEnd && queued.length === 0) return;
    await endTasks(this.#session, this.#claim);
    const again = new Set(queued.map(({ row_index }) => row_index));
    await insertRanges(this.#session, this.#claim, rangesOfRows([...again]));
    const [first] = ranges;
    if (isEnd || !first) return;
    const rest = rangesOfRows(held.filter((row) => !again.has(row)));
    await insertRanges(this.#session, this.#claim, rest, { token, ...first });
  }
}

/** Rows by the dependants that their changed results reach: one statement for all rows alike. */
function dependentGroups(
  commits: readonly RowCommit[],
  isFresh: IsFresh,
): { keys: number[]; rows: number[] }[] {
  const groups = new Map<string, { keys: number[]; rows: number[] }>();
  for (const commit of commits) {
    const reached = new Set<number>();
    for (const result of commit.results) {
      if (!result.isChanged || result.column.dependentKeys.length === 0) continue;
      if (isFresh(commit, result) === 'column_gone') continue;
      for (const key of result.column.dependentKeys) reached.add(key);
    }
    if (commit.isLast) {
      // What was computed after its sources in this very commit is not stale.
      for (const { column } of commit.results) reached.delete(column.key);
    }
    if (reached.size === 0) continue;
    const keys = [...reached].sort((a, b) => a - b);
    const group = groups.get(keys.join());
    if (group) group.rows.push(commit.rowIndex);
    else groups.set(keys.join(), { keys, rows: [commit.rowIndex] });
  }
  return [...groups.values()];
}

/** The price and the latency of a cell stand in system columns beside it. */
function metricRecords(
  sheetKey: number,
  rowIndex: number,
  { column, metrics }: CellResult,
  { executionId, version, now }: { executionId: string; version: number; now: number },
): SqlValue[][] {
  const known: Readonly<Record<string, unknown>> =
    metrics === null ? {} : (JSON.parse(metrics) as Readonly<Record<string, unknown>>);
  return column.metricColumns.map(({ key, metric }) => {
    const value = known[metric];
    const num = typeof value === 'number' ? value : null;
    const text = num === null ? null : String(num);
    return [
      ...[sheetKey, rowIndex, key, 'completed', null, null, text, num, null, null, null],
      ...[executionId, null, version, now],
    ];
  });
}
