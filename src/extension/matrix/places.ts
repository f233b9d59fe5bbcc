/** So many that wait for something are looked at: what they wait for, those behind them do as well. */
const mostLater = 64;

/** What is to be done with a place of a provider. Never throws: what goes wrong is a state of its cell. */
export interface Job {
  readonly provider: string;
  /** `later`: something else must be known first. `never`: it isn't wanted any more. */
  readonly ready: () => 'now' | 'later' | 'never';
  readonly run: () => Promise<void>;
}

/**
 * Work for providers: of each, so much at a time and no more, first come, first served. One that is
 * slow or fails keeps nobody else's work waiting.
 */
export class Places {
  readonly #placesOf: (provider: string) => number;
  readonly #waiting = new Map<string, Job[]>();
  readonly #running = new Map<string, number>();
  readonly #idle: () => void;
  #isFilling = false;

  /** `idle`: nothing runs, and nothing that waits could. */
  constructor(placesOf: (provider: string) => number, idle: () => void) {
    this.#placesOf = placesOf;
    this.#idle = idle;
  }

  get running(): number {
    return [...this.#running.values()].reduce((sum, count) => sum + count, 0);
  }

  /** Something waits for what is not known yet. */
  get waits(): boolean {
    return [...this.#waiting.values()].some(({ length }) => length > 0);
  }

  add(jobs: readonly Job[]): void {
    for (const job of jobs) {
      const waiting = this.#waiting.get(job.provider);
      if (waiting === undefined) this.#waiting.set(job.provider, [job]);
      else waiting.push(job);
    }
  }

  /** Something may be ready that was not. */
  fill(): void {
    // What a job does at once may lead here again.
    if (this.#isFilling) return;
    this.#isFilling = true;
    for (const provider of this.#waiting.keys()) this.#fill(provider);
    this.#isFilling = false;
    if (this.running === 0) this.#idle();
  }

  clear(): void {
    this.#waiting.clear();
  }

  #fill(provider: string): void {
    const waiting = this.#waiting.get(provider) ?? [];
    const later: Job[] = [];
    let at = 0;
    for (; at < waiting.length; at += 1) {
      const running = this.#running.get(provider) ?? 0;
      if (running >= this.#placesOf(provider) || later.length >= mostLater) break;
      const job = waiting[at];
      const ready = job?.ready();
      if (job === undefined || ready === 'never') continue;
      if (ready === 'later') {
        later.push(job);
        continue;
      }
      this.#running.set(provider, running + 1);
      void job.run().finally(() => {
        this.#running.set(provider, (this.#running.get(provider) ?? 1) - 1);
        this.fill();
      });
    }
    waiting.splice(0, at, ...later);
  }
}
