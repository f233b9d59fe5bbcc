import type { Database } from '../store/database.ts';

/** How long what the database said is taken for granted. */
const FRESH_MS = 250;
const FIRST_WAIT_MS = 500;
const MOST_WAIT_MS = 30_000;
/**
 * Whatever a provider asks for, it is asked again after so long. What lasts longer was written before
 * the clock was set back.
 */
const MOST_PAUSE_MS = 10 * 60_000;
/** A provider that has not complained for so long is trusted anew. */
const FORGIVEN_MS = 30_000;

export interface PauseState {
  /** Milliseconds; 0 when the provider may be asked. */
  readonly remainingMs: number;
  /** How often it has refused since it last answered. */
  readonly failures: number;
}

/** How long one provider wants to be left alone: what one process hears, all of them keep to. */
export class Pauses {
  readonly #database: Database;
  readonly #provider: string;
  #known: PauseState = { remainingMs: 0, failures: 0 };
  #lookedAt = -Infinity;

  constructor(database: Database, provider: string) {
    this.#database = database;
    this.#provider = provider;
  }

  /** As all processes have it at this moment. */
  look(): Promise<PauseState> {
    return this.#read();
  }

  /** As it was a moment ago: enough to know how long to wait. */
  async state(): Promise<PauseState> {
    if (performance.now() - this.#lookedAt > FRESH_MS) await this.#read();
    const { remainingMs, failures } = this.#known;
    const left = remainingMs - (performance.now() - this.#lookedAt);
    return { remainingMs: Math.max(0, left), failures };
  }

  /** The provider has refused because it was asked too often, and may have said for how long. */
  async begin(askedMs: number | undefined): Promise<PauseState> {
    const { remainingMs, failures } = await this.#read();
    const backoff = Math.min(MOST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(failures, 10));
    // Requests that were under way together are refused together, which is one complaint.
    const own = remainingMs === 0 ? backoff : 0;
    const wait = askedMs !== undefined && askedMs > 0 ? Math.ceil(askedMs) : own;
    const { now } = this.#database.dialect;
    const isUnderWay = `provider_pauses.paused_until > ${now}
      and provider_pauses.paused_until <= ${now} + ${String(MOST_PAUSE_MS)}`;
    await this.#database.run(
      `insert into provider_pauses (provider, paused_until, failures) values (?, ${now} + ?, 1)
       on conflict (provider) do update set
         failures = case when ${isUnderWay} then provider_pauses.failures
           when provider_pauses.paused_until < ${now} - ${String(FORGIVEN_MS)} then 1
           else provider_pauses.failures + 1 end,
         paused_until = case when ${isUnderWay} and provider_pauses.paused_until > excluded.paused_until
           then provider_pauses.paused_until else excluded.paused_until end`,
      [this.#provider, Math.min(wait, MOST_PAUSE_MS)],
    );
    return this.#read();
  }

  /** The provider has answered. */
  async forgive(): Promise<void> {
    if (this.#known.failures === 0) return;
    this.#known = { ...this.#known, failures: 0 };
    await this.#database.run(
      'update provider_pauses set failures = 0 where provider = ? and failures > 0',
      [this.#provider],
    );
  }

  async #read(): Promise<PauseState> {
    const found = await this.#database.one<{ left: number; failures: number }>(
      `select paused_until - ${this.#database.dialect.now} as "left", failures from provider_pauses where provider = ?`,
      [this.#provider],
    );
    const said = found?.left ?? -Infinity;
    const left = said > MOST_PAUSE_MS ? 0 : said;
    this.#lookedAt = performance.now();
    this.#known = {
      remainingMs: Math.max(0, left),
      failures: left < -FORGIVEN_MS ? 0 : (found?.failures ?? 0),
    };
    return this.#known;
  }
}
