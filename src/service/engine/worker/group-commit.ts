import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../../store/database.ts';
import type { Claim } from './claim.ts';
import { commitRows, type CommitOutcome, type RowCommit } from './commit.ts';

interface Waiting {
  readonly commit: RowCommit;
  readonly resolve: (outcome: CommitOutcome) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * How long a result waits for others to share a commit with. What has cost money is in the log
 * already, where a process that goes on with the work finds it.
 */
const GATHER_MS = 50;

/**
 * Commits the results of slow cells soon after they are there: those that arrive within a moment,
 * or while a commit is under way, share one. It starts at once when nobody is left to wait for.
 */
export class GroupCommit {
  readonly #database: Database;
  readonly #claim: Claim;
  #users: number;
  #waiting: Waiting[] = [];
  #isRunning = false;
  #gathering: AbortController | undefined;

  /** `users` is how many commit one thing at a time, each until it leaves. */
  constructor(database: Database, claim: Claim, users: number) {
    this.#database = database;
    this.#claim = claim;
    this.#users = users;
  }

  commit(commit: RowCommit): Promise<CommitOutcome> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ commit, resolve, reject });
      this.#stopGatheringWhenAllWait();
      if (!this.#isRunning) void this.#run();
    });
  }

  leave(): void {
    this.#users -= 1;
    this.#stopGatheringWhenAllWait();
  }

  #stopGatheringWhenAllWait(): void {
    if (this.#waiting.length >= this.#users) this.#gathering?.abort();
  }

  async #gather(): Promise<void> {
    if (this.#waiting.length >= this.#users) return;
    this.#gathering = new AbortController();
    const { signal } = this.#gathering;
    await pause(GATHER_MS, undefined, { signal }).catch(() => {
      // Everybody waits already.
    });
    this.#gathering = undefined;
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    while (this.#waiting.length > 0) {
      await this.#gather();
      const group = this.#waiting;
      this.#waiting = [];
      try {
        const outcome = await commitRows(
          this.#database,
          this.#claim,
          group.map(({ commit }) => commit),
        );
        for (const { resolve } of group) resolve(outcome);
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
    this.#isRunning = false;
  }
}
