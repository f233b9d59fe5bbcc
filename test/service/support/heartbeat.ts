import { setTimeout as pause } from 'node:timers/promises';
import type { Api } from './api.ts';

const EVERY_MS = 20;

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
}
