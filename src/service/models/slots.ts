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
/** Nobody here may want a slot for a moment only: between two claims of rows, for example. */
const IDLE_MS = 50;

interface Slot {
  readonly number: number;
  readonly since: number;
}

/** Somebody who waits for a slot. */
interface Asker {
  readonly give: (slot: Slot) => void;
  readonly refuse: (reason: unknown) => void;
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
  #idle: Slot[] = [];
  readonly #askers: Asker[] = [];
  #held = 0;
  #prepared: Promise<unknown> | undefined;
  #isLooking = false;
  #idleTimer: NodeJS.Timeout | undefined;
  #releasing: Promise<unknown> = Promise.resolve();
  #renewal: NodeJS.Timeout | undefined;

  constructor(database: Database, log: Log, provider: string, most: number) {
    this.#database = database;
    this.#log = log;
    this.#provider = provider;
    this.#most = most;
  }

  async with<Result>(work: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
    const slot = this.#idle.pop() ?? (await this.#ask(signal));
    try {
      return await work();
    } finally {
      this.#passOn(slot);
    }
  }

  /** Gives back what nobody uses. */
  async close(): Promise<void> {
    this.#releaseIdle();
    await this.#releasing;
    clearInterval(this.#renewal);
  }

  #passOn(slot: Slot): void {
    if (performance.now() - slot.since > TURN_MS) {
      this.#release([slot]);
      return;
    }
    const next = this.#askers.shift();
    if (next !== undefined) {
      next.give(slot);
      return;
    }
    this.#idle.push(slot);
    clearTimeout(this.#idleTimer);
    this.#idleTimer = setTimeout(() => this.#releaseIdle(), IDLE_MS);
  }

  #ask(signal: AbortSignal): Promise<Slot> {
    signal.throwIfAborted();
    return new Promise((resolve, reject) => {
      const end = (): void => signal.removeEventListener('abort', leave);
      const asker: Asker = {
        give: (slot) => {
          end();
          resolve(slot);
        },
        refuse: (reason) => {
          end();
          reject(reason);
        },
      };
      const leave = (): void => {
        this.#askers.splice(this.#askers.indexOf(asker), 1);
        reject(signal.reason as Error);
      };
      signal.addEventListener('abort', leave, { once: true });
      this.#askers.push(asker);
      if (!this.#isLooking) void this.#look();
    });
  }

  /** As many at once as are wanted here, until nobody wants one. */
  async #look(): Promise<void> {
    this.#isLooking = true;
    try {
      await (this.#prepared ??= this.#prepare());
      while (this.#askers.length > 0) {
        for (const slot of await this.#takeFree(this.#askers.length)) {
          const next = this.#askers.shift();
          if (next === undefined) this.#passOn(slot);
          else next.give(slot);
        }
        if (this.#askers.length > 0) await pause(LOOK_MS * (0.5 + Math.random()));
      }
    } catch (error) {
      for (const asker of this.#askers.splice(0)) asker.refuse(error);
    } finally {
      this.#isLooking = false;
    }
  }

  async #takeFree(count: number): Promise<Slot[]> {
    const { now, skipLocked, isOneOf } = this.#database.dialect;
    const taken = await this.#database.shortTransaction(async (session) => {
      const free = await session.query<{ slot: number }>(
        `select slot from provider_slots
         where provider = ? and slot < ? and lease_until < ${now} order by slot limit ?${skipLocked}`,
        [this.#provider, this.#most, count],
      );
      const numbers = free.map(({ slot }) => slot);
      if (numbers.length === 0) return numbers;
      await session.run(
        `update provider_slots set token = ?, lease_until = ${now} + ${String(LEASE_MS)}
         where provider = ? and slot ${isOneOf}`,
        [this.#token, this.#provider, JSON.stringify(numbers)],
      );
      return numbers;
    });
    if (taken.length > 0) {
      this.#held += taken.length;
      this.#renewal ??= setInterval(() => void this.#renew(), LEASE_MS / 3).unref();
    }
    const since = performance.now();
    return taken.map((number) => ({ number, since }));
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

  async #renew(): Promise<void> {
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

  #releaseIdle(): void {
    clearTimeout(this.#idleTimer);
    this.#release(this.#idle);
    this.#idle = [];
  }

  #release(slots: readonly Slot[]): void {
    if (slots.length === 0) return;
    this.#held -= slots.length;
    if (this.#held === 0) {
      clearInterval(this.#renewal);
      this.#renewal = undefined;
    }
    const numbers = JSON.stringify(slots.map(({ number }) => number));
    const released = this.#database.shortTransaction((session) =>
      session.run(
        `update provider_slots set token = null, lease_until = 0
         where provider = ? and token = ? and slot ${session.dialect.isOneOf}`,
        [this.#provider, this.#token, numbers],
      ),
    );
    this.#releasing = Promise.all([
      this.#releasing,
      released.catch((error: unknown) => {
        // Its lease runs out; the work that it was for is done.
        this.#log.warn('Places at a provider could not be given back.', {
          error: errorText(error),
        });
      }),
    ]);
  }
}
