import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import type { Api } from './api.ts';

const EVERY_MS = 20;
/** Of work that lets nobody have a turn it would be one or two, on a slow machine too. */
const LEAST_ANSWERS = 8;
/** A quick machine may be done before. */
const USUAL_MS = 250;

/** Asks the service for its health again and again, and knows how long the longest answer took. */
export class Heartbeat {
  readonly #api: Api;
  readonly #beating: Promise<void>;
  #isStopped = false;
  longestMs = 0;
  count = 0;

  constructor(api: Api) {
    this.#api = api;
    this.#beating = this.#beat();
  }

  async #beat(): Promise<void> {
    while (!this.#isStopped) {
      const began = performance.now();
      await this.#api.get('/_local/health');
      this.longestMs = Math.max(this.longestMs, performance.now() - began);
      this.count += 1;
      await pause(EVERY_MS);
    }
  }

  /** The longest of all waits. */
  async stop(): Promise<number> {
    this.#isStopped = true;
    await this.#beating;
    return this.longestMs;
  }

  /** Ends it; fails where the service has answered hardly anybody while the work was under way. */
  async assertServed(): Promise<void> {
    const longest = await this.stop();
    const isServed = this.count >= LEAST_ANSWERS || longest < USUAL_MS;
    assert.ok(isServed, `${String(this.count)} answers, the longest took ${String(longest)} ms.`);
  }
}
