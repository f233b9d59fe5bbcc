import { setTimeout as pause } from 'node:timers/promises';
import { hasErrorCode } from '../../core/errors.ts';
import { ProviderError } from '../../core/providers/provider-error.ts';
import { CellProblem } from '../engine/problem.ts';
import type { Log } from '../log.ts';
import type { Database } from '../store/database.ts';
import { Pauses } from './pauses.ts';
import { Slots } from './slots.ts';
import { Turns } from './turns.ts';

/**
 * How long a request waits for a provider that is asked too often, in all. Less than the longest pause:
 * who comes in the moment after it was asked for fails like those before, and does not wait it out.
 */
const PATIENCE_MS = 9 * 60_000;
/** A provider that has refused so often without one answer is not waited for. */
const MOST_REFUSALS = 8;
const LOOK_MS = 1000;
/** So that not all who have waited ask in the same moment. */
const SPREAD_MS = 250;

/** An attempt that failed, or did not. */
interface Attempt {
  readonly outcome: { readonly kind: string; readonly error?: unknown };
}

/** An account without money answers in the same way, and does not get richer by waiting. */
const isQuota = ({ message, providerCode }: ProviderError): boolean =>
  /insufficient.?(?:quota|funds|credits?|balance)|billing/i.test(
    `${providerCode ?? ''} ${message}`,
  );

function rateLimitOf({ outcome }: Attempt): ProviderError | undefined {
  const { error } = outcome;
  if (!(error instanceof ProviderError) || !hasErrorCode(error, 'provider')) return undefined;
  const { status, retryAfterMs } = error;
  const isLimit =
    status === 429 || ((status === 503 || status === 529) && retryAfterMs !== undefined);
  return isLimit && !isQuota(error) ? error : undefined;
}

export interface GateOptions {
  readonly database: Database;
  readonly log: Log;
  readonly provider: string;
  /** Requests at the same time, of all processes on the database together. */
  readonly most: number;
}

/** The way to one provider: so many at a time, and none while it wants to be left alone. */
export class ProviderGate {
  readonly #log: Log;
  readonly #provider: string;
  readonly #turns: Turns;
  readonly #slots: Slots;
  readonly #pauses: Pauses;

  constructor({ database, log, provider, most }: GateOptions) {
    this.#log = log;
    this.#provider = provider;
    this.#turns = new Turns(most);
    this.#slots = new Slots(database, log, provider, most);
    this.#pauses = new Pauses(database, provider);
  }

  /**
   * Makes attempts until one is not refused for being one too many, or patience is over. Its place
   * is kept until `settle` has stored what came of it: so a process that is killed has no more
   * answers to lose than it has places.
   */
  async pass<Result extends Attempt, Settled>(
    attempt: () => Promise<Result>,
    settle: (result: Result) => Promise<Settled>,
    signal: AbortSignal,
  ): Promise<Settled> {
    const end = performance.now() + PATIENCE_MS;
    for (;;) {
      await this.#waitUntilOpen(end, signal);
      const trySettled = async () => {
        const result = await attempt();
        const refusal = rateLimitOf(result);
        // Before its place is another's: what leaves from it next must find the pause.
        return refusal === undefined
          ? { result, settled: await settle(result) }
          : { result, paused: await this.#pauses.begin(refusal.retryAfterMs) };
      };
      const tried = await this.#turns.take(() => this.#tryOnce(trySettled, signal), signal);
      // A pause began while it waited for its turn.
      if (tried === undefined) continue;
      const { result, paused } = tried;
      if (paused === undefined) {
        if (result.outcome.kind === 'whole') await this.#pauses.forgive();
        return tried.settled;
      }
      const { remainingMs: waitMs, failures } = paused;
      if (failures >= MOST_REFUSALS || performance.now() + waitMs > end) return settle(result);
      signal.throwIfAborted();
      this.#log.info('A provider asks for a pause; requests to it wait.', {
        provider: this.#provider,
        waitMs,
      });
    }
  }

  close(): Promise<void> {
    return this.#slots.close();
  }

  async #waitUntilOpen(end: number, signal: AbortSignal): Promise<void> {
    for (;;) {
      const { remainingMs, failures } = await this.#pauses.state();
      if (remainingMs === 0) return;
      if (failures >= MOST_REFUSALS || performance.now() + remainingMs > end) {
        throw new CellProblem(
          'model_failed',
          `${this.#provider} refuses requests, because it is asked too often, for ${String(Math.ceil(remainingMs / 1000))} more seconds at least. Run this again later, or raise the limit of your account.`,
        );
      }
      // The pause may be made longer meanwhile, and a clock may be set.
      const wait = Math.min(remainingMs, LOOK_MS) + Math.random() * SPREAD_MS;
      await pause(wait, undefined, { signal });
    }
  }

  #tryOnce<Result>(
    attempt: () => Promise<Result>,
    signal: AbortSignal,
  ): Promise<Result | undefined> {
    return this.#slots.with(
      // What another process has heard a moment ago counts as well.
      async () => ((await this.#pauses.look()).remainingMs > 0 ? undefined : attempt()),
      signal,
    );
  }
}
