import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { calculationOwner, dropCalls } from '../engine/kept-calls.ts';
import { loadColumns } from '../engine/sheet-columns.ts';
import type { Log } from '../log.ts';
import { errorText } from '../log.ts';
import { storeErrorIn } from '../store/store-error.ts';
import {
  SCORE_CHANNEL,
  claimCalculation,
  commitRows,
  finishCalculation,
  leaveCalculation,
  renewCalculation,
  stopMessageOf,
} from './calculations.ts';
import type { Scored, ScoringTools } from './compute-rows.ts';
import { RowScorer, readBatch } from './compute-rows.ts';
import { driftOf } from './drift.ts';
import type { Sums } from './judge.ts';
import { addRows, criterionSummaries, meanOf, noSums, sheetVerdict } from './judge.ts';
import { calculateScore } from './legacy-score.ts';
import { planSteps } from './plan-steps.ts';
import { isSetAside, setAsideText } from '../store/attempts.ts';
import { patiently } from '../store/patiently.ts';
import type { WorkOf } from '../store/own-work.ts';
import type { Database } from '../store/database.ts';
import type { CalculationRecord } from './records.ts';
import { parseConfig } from './scorecard.ts';

const BATCH_ROWS = 100;
/** Rows at the same time when a step asks somebody: the providers' own limits hold as well. */
const ROWS_AT_ONCE = 8;
/** Finds calculations whose runner, maybe on another machine, is gone. */
const POLL_MS = 3000;
const CHECK_MS = 1000;

export interface ScoreRunnerOptions extends ScoringTools {
  /** Whose calculations it takes up. */
  readonly workOf?: WorkOf;
  readonly log: Log;
}

/** Runs waiting calculations one after the other, in small steps, wherever prompts can be asked. */
export class ScoreRunner {
  readonly #options: ScoreRunnerOptions;
  readonly #timers: NodeJS.Timeout[] = [];
  #stopListening: (() => Promise<void>) | undefined;
  #running: Promise<void> | undefined;
  #current: { readonly work: CalculationRecord; readonly abort: AbortController } | undefined;
  #isWoken = false;
  #isStopped = false;

  constructor(options: ScoreRunnerOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    this.#stopListening = await this.#options.database.listen(SCORE_CHANNEL, () => {
      void this.#check();
      this.wake();
    });
    this.#timers.push(
      setInterval(() => this.wake(), POLL_MS).unref(),
      setInterval(() => void this.#check(), CHECK_MS).unref(),
    );
    this.wake();
  }

  wake(): void {
    this.#isWoken = true;
    if (this.#isStopped) return;
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
      if (this.#isWoken && !this.#isStopped) this.wake();
    });
  }

  /** Stops in the middle of a batch; the next start goes on from the batch before. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const timer of this.#timers) clearInterval(timer);
    await this.#stopListening?.();
    this.#current?.abort.abort();
    await this.#running;
  }

  /** Renews the lease; a calculation that was cancelled stops at once. */
  async #check(): Promise<void> {
    const current = this.#current;
    if (current === undefined) return;
    try {
      const isOurs = await renewCalculation(this.#options.database, current.work);
      if (!isOurs) current.abort.abort();
    } catch (error) {
      this.#options.log.warn('A calculation could not be checked.', { error: errorText(error) });
    }
  }

  async #run(): Promise<void> {
    this.#isWoken = false;
    const { database, log, workOf } = this.#options;
    try {
      while (!this.#isStopped) {
        const work = await claimCalculation(database, workOf);
        if (work === undefined) return;
        await this.#calculate(work);
      }
    } catch (error) {
      log.error('Scores wait for the next attempt', { error: errorText(error) });
    }
  }

  async #calculate(work: CalculationRecord): Promise<void> {
    const { database, log } = this.#options;
    const abort = new AbortController();
    this.#current = { work, abort };
    try {
      // An edit of this very millisecond must not look as if it came later.
      await pause(2);
      if (isSetAside(work)) await setAside(database, work);
      else if (work.kind === 'score') await calculateScore(this.#options, work, abort.signal);
      else await this.#scoreRows(work, abort.signal);
      log.info('Score calculated', { calculation: work.id });
    } catch (error) {
      if (abort.signal.aborted) {
        if (this.#isStopped) await leaveCalculation(database, work);
        return;
      }
      // Whoever finds it when its lease has run out goes on from the last batch.
      if (storeErrorIn(error) !== undefined) {
        abort.abort();
        // It was the database, not the calculation.
        await patiently(() => leaveCalculation(database, work)).catch((cause: unknown) => {
          log.warn('A calculation was not released', { error: errorText(cause) });
        });
        throw error;
      }
      log.warn('A score could not be calculated', {
        calculation: work.id,
        error: errorText(error),
      });
      await finishCalculation(database, work, {
        status: 'failed',
        score: null,
        result: {},
        error: 'The service failed to calculate the score; its log has the reason.',
        scoredRows: work.scored_rows,
        totalRows: work.total_rows,
      });
    } finally {
      this.#current = undefined;
      if (!abort.signal.aborted) await dropCalls(database, calculationOwner(work.id));
    }
  }

  async #scoreRows(work: CalculationRecord, signal: AbortSignal): Promise<void> {
    const { database } = this.#options;
    const config = parseConfig(work.config_json);
    const plan = planSteps(config.steps, await loadColumns(database, work.sheet_key));
    const scorer = new RowScorer(this.#options, work, config, plan);
    let sums = work.scored_rows === 0 ? noSums() : (JSON.parse(work.progress_json) as Sums);
    let scoredRows = work.scored_rows;
    let after = work.next_row;
    for (;;) {
      signal.throwIfAborted();
      const readAt = Date.now();
      const window = { after, limit: BATCH_ROWS };
      const batch = await database.read((session) => readBatch(session, work, plan, window));
      const last = batch.indices.at(-1);
      if (last === undefined) break;
      const found: Scored[] = [];
      await inParallel(batch.indices, plan.isSlow ? ROWS_AT_ONCE : 1, async (index, position) => {
        found[position] = await scorer.score(index, batch, readAt, signal);
      });
      const whole = found.filter(({ isWhole }) => isWhole);
      sums = addRows(
        sums,
        whole.map(({ row: { score, verdict }, results }) => ({ score, verdict, results })),
      );
      scoredRows += whole.length;
      after = last;
      const progress = { scoredRows, lastRow: last, sums };
      // Also of a row that is not whole: what it has paid for is not asked again.
      const rows = found
        .filter(({ results }) => Object.keys(results).length > 0)
        .map(({ row }) => row);
      if (!(await commitRows(database, work, rows, progress))) return;
      const stopMessage = await stopMessageOf(database, work);
      if (stopMessage !== undefined) {
        const end = { status: 'failed', score: null, result: {}, error: stopMessage } as const;
        await finishCalculation(database, work, { ...end, scoredRows, totalRows: work.total_rows });
        return;
      }
      // Requests that came meanwhile are answered first.
      await nextTurn();
    }
    const summaries = criterionSummaries(config, sums);
    const score = meanOf(sums);
    await finishCalculation(database, work, {
      status: 'completed',
      score,
      result: {
        aggregate_verdict: sheetVerdict(config, sums),
        criterion_summaries: summaries,
        drift_summary: await driftOf(database, work, { score, summaries }),
        verdict_counts: sums.verdicts,
      },
      error: null,
      scoredRows,
      totalRows: scoredRows,
    });
  }
}

const setAside = (database: Database, work: CalculationRecord): Promise<void> =>
  finishCalculation(database, work, {
    status: 'failed',
    score: null,
    result: {},
    error: setAsideText('Check its steps and the values of the rows, then calculate it again.'),
    scoredRows: work.scored_rows,
    totalRows: work.total_rows,
  });

async function inParallel<Item>(
  items: readonly Item[],
  most: number,
  work: (item: Item, position: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  const run = async (): Promise<void> => {
    for (let at = next++; at < items.length; at = next++) await work(items[at] as Item, at);
  };
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, run));
}
