/** Through which the watchdog says which job is late, one number a line. */
export const WATCH_FD = 3;
const TICK_MS = 50;

export interface WatchdogData {
  readonly memory: SharedArrayBuffer;
  readonly servicePid: number;
}

const JOB = 0;
const TIME_MS = 1;
/** Nobody changes it or says that it has changed: who waits for it sleeps. */
const NEVER = 2;

/**
 * What the thread that computes and its watchdog share: the number of the job under way and its time.
 * The watchdog looks at it every 50 ms. To wake it for each job would cost more than most jobs do.
 */
export class Watched {
  readonly memory: SharedArrayBuffer;
  readonly #cells: Int32Array;

  constructor(memory = new SharedArrayBuffer(3 * Int32Array.BYTES_PER_ELEMENT)) {
    this.memory = memory;
    this.#cells = new Int32Array(memory);
  }

  begin(job: number, timeMs: number): void {
    Atomics.store(this.#cells, TIME_MS, timeMs);
    Atomics.store(this.#cells, JOB, job);
    Atomics.notify(this.#cells, JOB);
  }

  end(): void {
    Atomics.store(this.#cells, JOB, 0);
  }

  get timeMs(): number {
    return Atomics.load(this.#cells, TIME_MS);
  }

  /** The number of the job that is under way, as soon as one is. */
  waitForWork(): number {
    let job = Atomics.load(this.#cells, JOB);
    while (job === 0) {
      Atomics.wait(this.#cells, JOB, 0);
      job = Atomics.load(this.#cells, JOB);
    }
    return job;
  }

  isAt(job: number): boolean {
    return Atomics.load(this.#cells, JOB) === job;
  }

  waitTick(): void {
    Atomics.wait(this.#cells, NEVER, 0, TICK_MS);
  }
}
