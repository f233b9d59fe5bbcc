import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Log } from '../../log.ts';
import { errorText } from '../../log.ts';
import type { Observer } from '../../observe/observer.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { Database } from '../../store/database.ts';
import type { Tools } from '../columns/column-kind.ts';
import type { Outside } from '../outside.ts';
import { CallContext, type PromptRunner } from '../prompts.ts';
import type { Claim } from './claim.ts';
import { commitRows } from './commit.ts';
import { computeCell, contentOf, stoppedCell, type CellResult } from './compute-cell.ts';
import { GroupCommit } from './group-commit.ts';
import { RunningMarks, type RunningMark } from './mark-running.ts';
import type { Place } from './place.ts';
import { readBatch, type Batch, type BatchRow } from './read-batch.ts';
import type { PlannedColumn, SheetPlan } from './sheet-plan.ts';

export interface WorkerContext {
  readonly database: Database;
  readonly sandbox: Sandbox;
  readonly log: Log;
  readonly prompts: PromptRunner | undefined;
  readonly outside: Outside | undefined;
  readonly observer: Observer;
  readonly place: Place;
}

export interface ClaimOutcome {
  readonly plan: SheetPlan;
  readonly isSlow: boolean;
  /** Characters of values per row. */
  readonly rowSize: number;
  /** Milliseconds per row. */
  readonly rowTime: number;
}

/**
 * Rows with slow cells under way, or as many as models may be asked at once, if that is more: most of
 * them wait in line for the sandbox, or for a commit.
 */
const LANES = 64;
/** Quick cells keep the thread busy for so long at most. */
const BUSY_MS = 20;

/**
 * Computes and commits the rows of a claim. Rejects when the claim's signal aborts. `slow` is notified
 * before the first of slow cells is computed, and how many characters of values a row has.
 */
export async function runClaim(
  context: WorkerContext,
  claim: Claim,
  {
    known,
    slow,
  }: { readonly known: SheetPlan | undefined; readonly slow: (rowSize: number) => void },
): Promise<ClaimOutcome> {
  const began = performance.now();
  const batch = await readBatch(context.database, claim, known);
  claim.rowsLeft = batch.rows.length;
  const isSlow = batch.rows.some(isSlowRow);
  const tools: Tools = {
    sandbox: context.sandbox,
    prompts: context.prompts,
    outside: context.outside,
    callContext: new CallContext({
      kind: 'operation',
      sheetKey: claim.sheetKey,
      operationKey: claim.operationKey,
      isRestricted: claim.isRestricted === 1,
    }),
    signal: claim.abort.signal,
  };
  if (isSlow) {
    slow(batch.size / batch.rows.length);
    await runSlowly(context, claim, batch, tools);
  } else await runQuickly(context, claim, batch, tools);
  const rowCount = Math.max(1, batch.rows.length);
  return {
    plan: batch.plan,
    isSlow,
    rowSize: batch.size / rowCount,
    rowTime: (performance.now() - began) / rowCount,
  };
}

/** Values that are too large to be quick for certain go to the sandbox, where many are at work at once. */
function isSlowRow({ targets, cells }: BatchRow): boolean {
  return targets.some(({ compiled: { slow, quickUpTo }, edges }) => {
    if (slow || quickUpTo === undefined) return slow;
    let size = 0;
    for (const { column } of edges) size += (column && cells.get(column.key)?.value?.length) ?? 0;
    return size > quickUpTo;
  });
}

/** All rows in memory, then one commit. */
async function runQuickly(
  context: WorkerContext,
  claim: Claim,
  batch: Batch,
  tools: Tools,
): Promise<void> {
  const { sheetKey, operationKey } = claim;
  const commits = [];
  let turnEnds = performance.now() + BUSY_MS;
  for (const row of batch.rows) {
    const results: CellResult[] = [];
    const place = { sheetKey, operationKey, rowIndex: row.rowIndex };
    for (const column of row.targets) {
      const computing = context.place.in(place, () => computeCell(column, row.cells, tools));
      const result = computing instanceof Promise ? await computing : computing;
      note(context, result);
      row.cells.set(column.key, contentOf(result));
      results.push(result);
    }
    commits.push({ ...row, results, isLast: true });
    if (performance.now() > turnEnds) {
      await nextTurn();
      tools.signal.throwIfAborted();
      turnEnds = performance.now() + BUSY_MS;
    }
  }
  await commitRows(context.database, claim, commits);
}

/** Several rows at a time; each slow cell is committed when it is done. */
async function runSlowly(
  context: WorkerContext,
  claim: Claim,
  batch: Batch,
  tools: Tools,
): Promise<void> {
  const { database, log, prompts } = context;
  const laneCount = Math.min(Math.max(LANES, prompts?.mostAtOnce ?? 0), batch.rows.length);
  const committer = new GroupCommit(database, claim, laneCount);
  const marks = new RunningMarks(database, claim, (error) => {
    log.warn('Cells could not be shown as running.', { error: errorText(error) });
  });
  const work: SlowWork = { context, claim, tools, committer, marks };
  const rows = batch.rows.values();
  const lane = async (): Promise<void> => {
    try {
      for (const row of rows) await runRow(work, row);
    } finally {
      committer.leave();
    }
  };
  const lanes = await Promise.allSettled(Array.from({ length: laneCount }, lane));
  const failure = lanes.find((outcome) => outcome.status === 'rejected');
  if (failure) throw failure.reason;
}

/** What the rows of a claim with slow cells share. */
interface SlowWork {
  readonly context: WorkerContext;
  readonly claim: Claim;
  readonly tools: Tools;
  readonly committer: GroupCommit;
  readonly marks: RunningMarks;
}

async function runRow(work: SlowWork, row: BatchRow): Promise<void> {
  const { committer } = work;
  let { revision } = row;
  let pending: CellResult[] = [];
  const stopped = new Map<number, string>();
  const lastSlow = row.targets.findLastIndex(({ compiled }) => compiled.slow);
  for (const [position, column] of row.targets.entries()) {
    work.tools.signal.throwIfAborted();
    const result = await computeShown(work, row, { column, stopped });
    note(work.context, result);
    if (result.status === 'stopped') stopped.set(column.key, result.errorMessage ?? '');
    else row.cells.set(column.key, contentOf(result));
    pending.push(result);
    const isLast = position === row.targets.length - 1;
    // After the last slow cell the rest of the row takes no time: it is committed with it.
    if (!isLast && (!column.compiled.slow || position === lastSlow)) continue;
    const outcome = await committer.commit({ ...row, revision, results: pending, isLast });
    if (outcome.lostRows.has(row.rowIndex)) return;
    revision = outcome.revisions.get(row.rowIndex) ?? revision;
    pending = [];
  }
  if (row.targets.length === 0) await committer.commit({ ...row, results: [], isLast: true });
}

/** One cell of a row, unless one that it uses was stopped. */
function computeShown(
  { context, claim, tools, marks }: SlowWork,
  row: BatchRow,
  { column, stopped }: { column: PlannedColumn; stopped: ReadonlyMap<number, string> },
): CellResult | Promise<CellResult> {
  for (const { column: source } of column.edges) {
    const reason = source && stopped.get(source.key);
    if (reason !== undefined) return stoppedCell(column, reason);
  }
  const running = marks.of(row.rowIndex, column.key);
  const callContext = tools.callContext.of(`${String(row.rowIndex)}.${String(column.key)}`);
  const place = { ...claim, rowIndex: row.rowIndex };
  const computing = context.place.in(place, () =>
    computeCell(column, row.cells, { ...tools, callContext, onBegin: running.begin }),
  );
  return computing instanceof Promise ? unmarkedAfter(computing, running) : computing;
}

async function unmarkedAfter(
  computing: Promise<CellResult>,
  running: RunningMark,
): Promise<CellResult> {
  try {
    return await computing;
  } finally {
    await running.end();
  }
}

function note({ log, observer }: WorkerContext, { fault, column, status }: CellResult): void {
  observer.cellComputed(column.type, status);
  if (fault !== undefined) {
    log.error('A cell could not be computed.', { type: column.type, error: errorText(fault) });
  }
}
