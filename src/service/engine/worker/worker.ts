import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Log } from '../../log.ts';
import { errorText } from '../../log.ts';
import { unobserved, type Observer } from '../../observe/observer.ts';
import { Sandbox, type SandboxOptions } from '../../sandbox/sandbox.ts';
import type { Database } from '../../store/database.ts';
import type { WorkOf } from '../../store/own-work.ts';
import { patiently } from '../../store/patiently.ts';
import { StoreError } from '../../store/store-error.ts';
import { CANCEL_CHANNEL, WORK_CHANNEL } from '../operations/channels.ts';
import {
  claimTasks,
  findWaiting,
  isHeld,
  releaseClaim,
  renewClaim,
  type Claim,
  type WaitingOperation,
} from './claim.ts';
import { catchUpMirrors } from '../mirrors.ts';
import type { Outside } from '../outside.ts';
import type { PromptRunner } from '../prompts.ts';
import { failClaim } from './fail-claim.ts';
import { Place } from './place.ts';
import { reapTasks } from './reap.ts';
import { runClaim, type ClaimOutcome, type WorkerContext } from './run-claim.ts';
import type { SheetPlan } from './sheet-plan.ts';

export interface WorkerOptions {
  readonly database: Database;
  readonly log: Log;
  readonly sandbox?: SandboxOptions;
  /** Without it, cells of prompt columns fail. */
  readonly prompts?: PromptRunner;
  /** Without it, cells reach nothing but models. */
  readonly outside?: Outside;
  readonly observer?: Observer;
  /** Whose operations it takes up. */
  readonly workOf?: WorkOf;
  /** A worker that does not renew for so long is taken for dead. */
  readonly leaseMs?: number;
  /** How often an idle worker looks for work by itself. */
  readonly pollMs?: number;
  /** Begins the tokens of its claims. */
  readonly name?: string;
  /** Where it writes down which row it is at. */
  readonly place?: Place;
}

export interface RunningWorker {
  /** There may be work, or a cancel: look now. */
  wake(): void;
  /** Gives back what is not finished, and ends. */
  stop(): Promise<void>;
}

const LEASE_MS = 20_000;
const POLL_MS = 2000;
const CHECK_MS = 1000;
const MIRROR_MS = 500;
/** Operations at the same time; they take turns, so a long one does not hold up the others. */
const MAX_OPERATIONS = 6;
/** Claims, or milliseconds, after which an operation lets others have its place. */
const CLAIMS_A_TURN = 20;
const TURN_MS = 4000;
const FIRST_ROWS = 16;
const MAX_ROWS = 1000;
/** Of quick cells: a commit of more writes fewer pages twice, and holds others up for longer. */
const MAX_QUICK_ROWS = 2000;
/** How long a claim with slow cells should take: the next operation waits for so long. */
const SLOW_CLAIM_MS = 2000;
const MIN_SLOW_ROWS = 8;
const GROWTH = 8;
/** Characters of values that a batch should hold. */
const BATCH_SIZE = 4 * 2 ** 20;
const BACKOFF_MS = 1000;
/** The longest pause between two attempts while the store fails: so soon is its return noticed. */
const MOST_BACKOFF_MS = 15_000;

export async function startWorker(options: WorkerOptions): Promise<RunningWorker> {
  const worker = new Worker(options);
  await worker.start();
  return worker;
}

/** Of the claims of one operation. */
interface Failures {
  /** How often they have failed, one after the other. */
  readonly count: number;
  /** Up to this row one is computed at a time, so that what fails again is alone. */
  readonly lastRow: number;
}

const fittingRows = (rowSize: number): number => Math.floor(BATCH_SIZE / Math.max(1, rowSize));

const nameOf = ({ sheetKey, operationKey }: WaitingOperation): string =>
  `${String(sheetKey)}.${String(operationKey)}`;

class Worker implements RunningWorker {
  readonly #context: WorkerContext;
  readonly #name: string;
  readonly #workOf: WorkOf;
  readonly #leaseMs: number;
  readonly #pollMs: number;
  readonly #claims = new Set<Claim>();
  readonly #runs = new Map<string, Promise<void>>();
  readonly #stopListening: (() => Promise<void>)[] = [];
  readonly #timers: NodeJS.Timeout[] = [];
  readonly #failures = new Map<string, Failures>();
  readonly #stopping = new AbortController();
  #lastSheet = 0;
  #renewedAt = -Infinity;
  #isChecking = false;
  #isCatchingUp = false;
  #isStopped = false;
  #wakeUp: (() => void) | undefined;
  #hasNews = false;
  #loop: Promise<void> = Promise.resolve();

  constructor(options: WorkerOptions) {
    const { database, log, sandbox, prompts, outside, observer = unobserved } = options;
    const place = options.place ?? new Place();
    const tools = { sandbox: new Sandbox(sandbox), prompts, outside };
    this.#context = { database, log, observer, place, ...tools };
    this.#name = options.name ?? randomUUID();
    this.#workOf = options.workOf;
    this.#leaseMs = options.leaseMs ?? LEASE_MS;
    this.#pollMs = options.pollMs ?? POLL_MS;
  }

  async start(): Promise<void> {
    const { database, log } = this.#context;
    const everything = database.dialect.name === 'sqlite';
    const found = await reapTasks(database, { everything });
    if (found > 0) log.info('Work of a worker that had ended is queued again.', { tasks: found });
    this.#stopListening.push(
      await database.listen(WORK_CHANNEL, () => this.wake()),
      await database.listen(CANCEL_CHANNEL, () => void this.#check()),
    );
    this.#timers.push(
      setInterval(() => void this.#check(), CHECK_MS),
      setInterval(() => void this.#reap(), this.#leaseMs / 2),
      setInterval(() => void this.#catchUp(), MIRROR_MS),
    );
    this.#loop = this.#run();
  }

  wake(): void {
    this.#hasNews = true;
    this.#wakeUp?.();
    void this.#check();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#stopping.abort();
    for (const timer of this.#timers) clearInterval(timer);
    for (const stop of this.#stopListening) await stop();
    for (const claim of this.#claims) claim.abort.abort();
    this.wake();
    await this.#loop;
    await Promise.all(this.#runs.values());
    this.#context.sandbox.close();
  }

  async #run(): Promise<void> {
    while (!this.#isStopped) {
      this.#hasNews = false;
      try {
        await this.#startRuns();
      } catch (error) {
        this.#context.log.error('Looking for work failed.', { error: errorText(error) });
        await this.#sleep(BACKOFF_MS);
      }
      await this.#sleep(this.#pollMs);
    }
  }

  /** Ends at once when there has been news since the last look. */
  #sleep(milliseconds: number): Promise<void> {
    if (this.#hasNews) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      this.#wakeUp = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  async #startRuns(): Promise<void> {
    if (this.#runs.size >= MAX_OPERATIONS) return;
    const waiting = await findWaiting(
      this.#context.database,
      this.#lastSheet,
      2 * MAX_OPERATIONS,
      this.#workOf,
    );
    for (const operation of waiting) {
      const name = nameOf(operation);
      if (this.#runs.has(name) || this.#runs.size >= MAX_OPERATIONS) continue;
      this.#lastSheet = operation.sheetKey;
      const run = this.#runOperation(operation).finally(() => {
        this.#runs.delete(name);
        this.#hasNews = true;
        this.#wakeUp?.();
      });
      this.#runs.set(name, run);
    }
  }

  /** One operation, until nothing of it waits or it is others' turn. Never rejects. */
  async #runOperation(operation: WaitingOperation): Promise<void> {
    let second: Promise<void> | undefined;
    const atOnce = this.#context.prompts?.mostAtOnce ?? 0;
    await this.#claimInTurn(operation, FIRST_ROWS, (rowSize) => {
      // As many as fill the places at a model from the beginning, if there are more than usual.
      const rows = Math.max(FIRST_ROWS, Math.min(atOnce, fittingRows(rowSize)));
      second ??= this.#claimInTurn(operation, rows, () => undefined);
    });
    await second;
  }

  /**
   * Batches of an operation, one after the other. Of slow cells the last ones of a batch leave most
   * places at their model or tool empty: `slow` then starts a second series, which fills them.
   */
  async #claimInTurn(
    operation: WaitingOperation,
    firstRows: number,
    slow: (rowSize: number) => void,
  ): Promise<void> {
    const { database } = this.#context;
    let last: ClaimOutcome | undefined;
    let rows = firstRows;
    let after = -1;
    const began = performance.now();
    for (let turn = 0; !this.#isStopped; turn += 1) {
      const isLong = turn >= CLAIMS_A_TURN || performance.now() - began > TURN_MS;
      if (isLong && this.#runs.size >= MAX_OPERATIONS) return;
      let claim: Claim | undefined;
      try {
        const isSuspect = this.#failures.has(nameOf(operation));
        claim = await claimTasks(database, operation, {
          worker: this.#name,
          limit: isSuspect ? 1 : rows,
          leaseMs: this.#leaseMs,
          after,
        });
        if (!claim) return;
        after = claim.rowIndices.at(-1) ?? after;
        this.#claims.add(claim);
        last = await this.#observed(claim, last?.plan, slow);
        rows = this.#nextRows(rows, last);
        this.#forgive(operation, claim);
      } catch (error) {
        await this.#recover(operation, claim, error);
        return;
      } finally {
        if (claim) this.#claims.delete(claim);
      }
    }
  }

  #observed(
    claim: Claim,
    known: SheetPlan | undefined,
    slow: (rowSize: number) => void,
  ): Promise<ClaimOutcome> {
    const { observer } = this.#context;
    observer.rowsClaimed(claim.rowIndices.length);
    const attributes = {
      'prompt_tables.sheet': claim.sheetKey,
      'prompt_tables.execution_id': claim.executionId,
      'prompt_tables.rows': claim.rowIndices.length,
    };
    const span = { name: 'compute rows', kind: 'internal', attributes } as const;
    return observer.inSpan(span, () => runClaim(this.#context, claim, { known, slow }));
  }

  #nextRows(rows: number, { isSlow, rowSize, rowTime }: ClaimOutcome): number {
    const fitting = Math.min(fittingRows(rowSize), rows * GROWTH);
    if (!isSlow) return Math.max(1, Math.min(fitting, MAX_QUICK_ROWS));
    const timely = Math.floor(SLOW_CLAIM_MS / Math.max(1, rowTime));
    return Math.max(1, Math.min(fitting, Math.max(timely, MIN_SLOW_ROWS), MAX_ROWS));
  }

  #forgive(operation: WaitingOperation, { rowIndices }: Claim): void {
    const name = nameOf(operation);
    const lastRow = this.#failures.get(name)?.lastRow ?? -Infinity;
    if ((rowIndices.at(-1) ?? Infinity) >= lastRow) this.#failures.delete(name);
  }

  /**
   * After a claim that failed. A store that is away is waited for, longer each time; any other
   * failure counts against a row that was alone, which is not tried for ever.
   */
  async #recover(
    operation: WaitingOperation,
    claim: Claim | undefined,
    error: unknown,
  ): Promise<void> {
    const isWanted = claim?.abort.signal.aborted !== true;
    const ofStore = error instanceof StoreError;
    const isAlone = claim?.rowIndices.length === 1;
    if (claim) await this.#giveBack(claim, isWanted && !ofStore && isAlone);
    if (!isWanted) return;
    const before = this.#failures.get(nameOf(operation));
    const count = (before?.count ?? 0) + 1;
    const lastRow = Math.max(before?.lastRow ?? -Infinity, claim?.rowIndices.at(-1) ?? -Infinity);
    this.#failures.set(nameOf(operation), { count, lastRow });
    const waitMs = ofStore ? Math.min(BACKOFF_MS * 2 ** (count - 1), MOST_BACKOFF_MS) : 0;
    this.#context.log.error('Computing rows failed.', { error: errorText(error), waitMs });
    await pause(waitMs, undefined, { signal: this.#stopping.signal }).catch(() => {
      // The worker stops.
    });
  }

  async #giveBack(claim: Claim, counts: boolean): Promise<void> {
    const { database } = this.#context;
    try {
      await patiently(() => (counts ? failClaim(database, claim) : releaseClaim(database, claim)));
    } catch (error) {
      this.#context.log.warn('A claim could not be given back; its lease will run out.', {
        error: errorText(error),
      });
    }
  }

  /** Stops the work of cancelled operations, and renews the leases of the others. */
  async #check(): Promise<void> {
    if (this.#isChecking || this.#claims.size === 0 || this.#isStopped) return;
    this.#isChecking = true;
    const isDue = performance.now() - this.#renewedAt > this.#leaseMs / 4;
    if (isDue) this.#renewedAt = performance.now();
    try {
      for (const claim of this.#claims) {
        const { database } = this.#context;
        const isOurs = isDue
          ? await renewClaim(database, claim, this.#leaseMs)
          : await isHeld(database, claim);
        // A claim that was finished between the two lines is not in the set any more.
        if (isOurs || !this.#claims.has(claim)) continue;
        claim.abort.abort();
        this.#context.observer.claimLost(claim.rowIndices.length);
      }
    } catch (error) {
      this.#context.log.warn('Claims could not be checked.', { error: errorText(error) });
    } finally {
      this.#isChecking = false;
    }
  }

  async #catchUp(): Promise<void> {
    if (this.#isCatchingUp || this.#isStopped) return;
    this.#isCatchingUp = true;
    try {
      await catchUpMirrors(this.#context.database);
    } catch (error) {
      this.#context.log.warn('Columns that show another sheet could not be checked.', {
        error: errorText(error),
      });
    } finally {
      this.#isCatchingUp = false;
    }
  }

  async #reap(): Promise<void> {
    try {
      const found = await reapTasks(this.#context.database, { everything: false });
      if (found > 0) this.wake();
    } catch (error) {
      this.#context.log.warn('Expired leases could not be looked for.', {
        error: errorText(error),
      });
    }
  }
}
