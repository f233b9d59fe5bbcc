import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker as Thread } from 'node:worker_threads';
import type { OutsideSettings } from '../../egress/outside.ts';
import { errorText, type Log } from '../../log.ts';
import type { ModelLimits } from '../../models/limits.ts';
import type { HandedKeys } from '../../models/window-keys.ts';
import type { WindowModels } from '../../models/window-models.ts';
import type { Database } from '../../store/database.ts';
import type { WorkOf } from '../../store/own-work.ts';
import type { Measured } from '../../observe/meter.ts';
import { Place, type RowPlace } from './place.ts';
import { reapHung } from './reap.ts';
import type { WindowQuestion } from '../../models/ask-window.ts';
import type {
  Duties,
  Observed,
  ThreadData,
  ThreadMessage,
  ThreadOrder,
} from './thread-messages.ts';

export interface ThreadOptions {
  /** The thread opens the same database with connections of its own. */
  readonly database: Database;
  readonly log: Log;
  /** A file with prices of models. */
  readonly pricesFile?: string | undefined;
  readonly outside: OutsideSettings;
  readonly limits?: ModelLimits | undefined;
  readonly observe?: Observed;
  /** The keys of providers that windows have handed over; without it, those of the environment. */
  readonly keys?: (() => HandedKeys) | undefined;
  /** Windows whose language models cells may ask. */
  readonly windowModels?: WindowModels | undefined;
  readonly duties: Duties;
  readonly workOf?: WorkOf;
  /** Instead of 20 s. */
  readonly silenceMs?: number | undefined;
}

export interface RunningThread {
  /** Gives back what is not finished, and ends, within 2 s whatever it computes. */
  stop(): Promise<void>;
  /** What the thread has counted; undefined when it does not answer in time. */
  measured(): Promise<Measured | undefined>;
  /** Hands over the keys that count from now on. */
  give(keys: HandedKeys): void;
  /** Whether it has been heard of lately. */
  isAlive(): boolean;
}

/** A thread that says nothing for so long hangs in a computation; its leases run out as well. */
const SILENCE_MS = 20_000;
const MEASURE_MS = 2000;
const RESTART_MS = 500;
/** Whoever stops the process waits 5 s in all. */
const STOP_MS = 2000;

/** Whatever computes is in a thread, so that it never holds up an answer or a signal. */
export function startWorkerThread(options: ThreadOptions): RunningThread {
  const supervisor = new ThreadSupervisor(options);
  supervisor.start();
  return supervisor;
}

class ThreadSupervisor implements RunningThread {
  readonly #options: ThreadOptions;
  readonly #silenceMs: number;
  #thread: Thread | undefined;
  #heardAt = performance.now();
  #watch: NodeJS.Timeout | undefined;
  readonly #asking = new Set<(measured: Measured | undefined) => void>();
  #isStopped = false;

  constructor(options: ThreadOptions) {
    this.#options = options;
    this.#silenceMs = options.silenceMs ?? SILENCE_MS;
  }

  start(): void {
    this.#startThread();
    this.#watch = setInterval(() => this.#checkSilence(), this.#silenceMs / 6);
    this.#watch.unref();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#watch);
    const thread = this.#thread;
    if (!thread) return;
    const ended = new Promise((resolve) => thread.once('exit', resolve));
    this.#send('stop');
    const timer = setTimeout(() => void thread.terminate(), STOP_MS);
    await ended;
    clearTimeout(timer);
  }

  measured(): Promise<Measured | undefined> {
    return new Promise((resolve) => {
      const tell = (measured: Measured | undefined): void => {
        clearTimeout(timer);
        this.#asking.delete(tell);
        resolve(measured);
      };
      const timer = setTimeout(() => tell(undefined), MEASURE_MS);
      this.#asking.add(tell);
      this.#send('measure');
    });
  }

  give(keys: HandedKeys): void {
    this.#send({ kind: 'keys', keys });
  }

  isAlive(): boolean {
    return this.#thread !== undefined && performance.now() - this.#heardAt < this.#silenceMs / 2;
  }

  #startThread(): void {
    const { database, log, pricesFile, outside, limits, observe, keys, duties, workOf } =
      this.#options;
    const name = randomUUID();
    const place = new SharedArrayBuffer(Place.bytes);
    const data: ThreadData = {
      address: database.address,
      duties,
      workOf,
      name,
      place,
      pricesFile,
      outside,
      limits,
      observe: observe ?? { metrics: false, traces: false },
      // A thread that is started anew gets those of now.
      ...(keys && { keys: keys() }),
    };
    const thread = new Thread(threadEntry(), { workerData: data });
    this.#thread = thread;
    this.#heardAt = performance.now();
    thread.on('message', (message: ThreadMessage) => {
      this.#heardAt = performance.now();
      if (message.kind === 'log') log[message.level](message.message, message.fields);
      if (message.kind === 'measured') for (const tell of this.#asking) tell(message.measured);
      if (message.kind === 'ask') this.#askWindow(thread, message);
      if (message.kind === 'stopAsking') this.#options.windowModels?.stop(message.id);
    });
    thread.on('error', (error) => log.error('The worker thread failed.', { error: String(error) }));
    thread.on('exit', () => {
      this.#options.windowModels?.stopAll();
      if (this.#thread !== thread || this.#isStopped) return;
      this.#thread = undefined;
      // Read now: nobody moves it any more.
      void this.#startAgain(name, new Place(place).row);
    });
  }

  async #startAgain(name: string, hung: RowPlace | undefined): Promise<void> {
    const { database, log } = this.#options;
    await pause(RESTART_MS);
    try {
      await reapHung(database, name, hung);
    } catch (error) {
      log.warn('What the thread had is taken back when its leases run out.', {
        error: errorText(error),
      });
    }
    if (!this.#isStopped) this.#startThread();
  }

  #askWindow(thread: Thread, { id, body }: WindowQuestion): void {
    this.#options.windowModels?.ask(id, body, (answer) => {
      thread.postMessage({ kind: 'answer', id, answer } satisfies ThreadOrder);
    });
  }

  #send(order: ThreadOrder): void {
    this.#thread?.postMessage(order);
  }

  #checkSilence(): void {
    if (!this.#thread || performance.now() - this.#heardAt < this.#silenceMs) return;
    this.#options.log.error('The worker thread hangs in a computation and is restarted.');
    this.#heardAt = performance.now();
    void this.#thread.terminate();
  }
}

/** From the sources or from the bundles, which lie side by side. */
const threadEntry = (): URL =>
  new URL(import.meta.url.endsWith('.ts') ? './thread-main.ts' : './worker.mjs', import.meta.url);
