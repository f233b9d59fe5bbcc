/** Through which the watchdog says which job is late, one number a line. */
export const WATCH_FD = 3;
export const TICK_MS = 50;

export interface WatchdogData {
  readonly memory: SharedArrayBuffer;
  readonly servicePid: number;
}

const JOB = 0;
const TIME_MS = 1;

/** What the thread that computes and its watchdog share: the number of the job under way and its time. */
export class Watched {
  readonly memory: SharedArrayBuffer;
  readonly #cells: Int32Array;

  constructor(memory = new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT)) {
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
    Atomics.notify(this.#cells, JOB);
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

  waitForEnd(job: number, mostMs: number): void {
    Atomics.wait(this.#cells, JOB, job, mostMs);
  }
}
