import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { errorText } from '../log.ts';
import type { Log } from '../log.ts';
import type { Database } from '../store/database.ts';

/** A process that does not renew for so long has died; its slots are free again. */
const LEASE_MS = 15_000;
/** How long a slot goes from one request to the next here, before other processes have a chance. */
const TURN_MS = 3000;
const LOOK_MS = 100;

interface Slot {
  readonly number: number;
  readonly since: number;
}

/** For the one process of an embedded database: whoever had slots before has ended. */
export const freeSlots = (database: Database): Promise<number> =>
  database.run('update provider_slots set token = null, lease_until = 0');

/**
 * Places at one provider, which all processes on the database share. What has a place here first
 * waited for its turn in this process, so that at most `most` wait.
 */
export class Slots {
  readonly #database: Database;
  readonly #log: Log;
  readonly #provider: string;
  readonly #most: number;
  readonly #token = randomUUID();
  readonly #idle: Slot[] = [];
  #held = 0;
  #prepared: Promise<unknown> | undefined;
  /** One at a time looks for a free slot. */
  #line = Promise.resolve();
  #renewal: NodeJS.Timeout | undefined;

  constructor(database: Database, log: Log, provider: string, most: number) {
    this.#database = database;
    this.#log = log;
    this.#provider = provider;
    this.#most = most;
  }

  /** `isWanted` says whether somebody else here waits for a slot when the work is done. */
  async with<Result>(
    work: () => Promise<Result>,
    isWanted: () => boolean,
    signal: AbortSignal,
  ): Promise<Result> {
    const slot = this.#idle.pop() ?? (await this.#acquire(signal));
    try {
      return await work();
    } finally {
      if (isWanted() && performance.now() - slot.since < TURN_MS) this.#idle.push(slot);
      else await this.#release(slot);
    }
  }

  /** Gives back what nobody uses. */
  async close(): Promise<void> {
    for (const slot of this.#idle.splice(0)) await this.#release(slot);
    clearInterval(this.#renewal);
  }

  #acquire(signal: AbortSignal): Promise<Slot> {
    const found = this.#line.then(() => this.#look(signal));
    this.#line = found.then(
      () => undefined,
      () => undefined,
    );
    return found;
  }

  async #look(signal: AbortSignal): Promise<Slot> {
    await (this.#prepared ??= this.#prepare());
    const { now, skipLocked } = this.#database.dialect;
    for (;;) {
      signal.throwIfAborted();
      // Somebody here may have passed one on meanwhile.
      const idle = this.#idle.pop();
      if (idle !== undefined) return idle;
      const taken = await this.#database.transaction((session) =>
        session.one<{ slot: number }>(
          `update provider_slots set token = ?, lease_until = ${now} + ${String(LEASE_MS)}
           where provider = ? and slot = (select slot from provider_slots
             where provider = ? and slot < ? and lease_until < ${now} order by slot limit 1${skipLocked})
           returning slot`,
          [this.#token, this.#provider, this.#provider, this.#most],
        ),
      );
      if (taken !== undefined) return this.#taken(taken.slot);
      await pause(LOOK_MS * (0.5 + Math.random()), undefined, { signal });
    }
  }

  #prepare(): Promise<unknown> {
    return this.#database
      .insertMany(
        {
          table: 'provider_slots',
          columns: { provider: 'text', slot: 'int' },
          conflict: 'on conflict (provider, slot) do nothing',
        },
        Array.from({ length: this.#most }, (_none, slot) => [this.#provider, slot]),
      )
      .catch((error: unknown) => {
        this.#prepared = undefined;
        throw error;
      });
  }

  #taken(number: number): Slot {
    this.#held += 1;
    this.#renewal ??= setInterval(() => void this.#renew(), LEASE_MS / 3).unref();
    return { number, since: performance.now() };
  }

  async #renew(): Promise<void> {
    // Whoever was to have it may have been cancelled.
    const old = this.#idle.findIndex(({ since }) => performance.now() - since > TURN_MS);
    for (const slot of old < 0 ? [] : this.#idle.splice(old)) await this.#release(slot);
    try {
      await this.#database.run(
        `update provider_slots set lease_until = ${this.#database.dialect.now} + ${String(LEASE_MS)}
         where provider = ? and token = ?`,
        [this.#provider, this.#token],
      );
    } catch (error) {
      this.#log.warn('Places at a provider could not be renewed.', { error: errorText(error) });
    }
  }

  async #release({ number }: Slot): Promise<void> {
    this.#held -= 1;
    if (this.#held === 0) {
      clearInterval(this.#renewal);
      this.#renewal = undefined;
    }
    try {
      await this.#database.run(
        'update provider_slots set token = null, lease_until = 0 where provider = ? and slot = ? and token = ?',
        [this.#provider, number, this.#token],
      );
    } catch (error) {
      // Its lease runs out; the work that it was for is done.
      this.#log.warn('A place at a provider could not be given back.', { error: errorText(error) });
    }
  }
}
