import { Worker as Thread } from 'node:worker_threads';
import type { OutsideSettings } from '../../egress/outside.ts';
import type { Log } from '../../log.ts';
import type { ModelLimits } from '../../models/limits.ts';
import type { HandedKeys } from '../../models/window-keys.ts';
import type { Database } from '../../store/database.ts';
import { CANCEL_CHANNEL, WORK_CHANNEL } from '../operations/channels.ts';
import type { SandboxOptions } from '../../sandbox/sandbox.ts';
import type { Measured } from '../../observe/meter.ts';
import type { Observed, ThreadData, ThreadMessage, ThreadOrder } from './thread-messages.ts';
import type { RunningWorker } from './worker.ts';

export interface ThreadOptions {
  /** The thread opens the same database with connections of its own. */
  readonly database: Database;
  readonly log: Log;
  readonly sandbox?: SandboxOptions;
  /** A file with prices of models. */
  readonly pricesFile?: string | undefined;
  /** Without it, cells reach nothing but models. */
  readonly outside?: OutsideSettings | undefined;
  readonly limits?: ModelLimits | undefined;
  readonly observe?: Observed;
  /** The keys of providers that windows have handed over; without it, those of the environment. */
  readonly keys?: (() => HandedKeys) | undefined;
}

export interface RunningThread extends RunningWorker {
  /** What the thread has counted; undefined when it does not answer in time. */
  measured(): Promise<Measured | undefined>;
  /** Hands over the keys that count from now on. */
  give(keys: HandedKeys): void;
  /** Whether it has been heard of lately. */
  isAlive(): boolean;
}

/** A thread that says nothing for so long hangs in a computation. */
const SILENCE_MS = 30_000;
const MEASURE_MS = 2000;
const RESTART_MS = 500;
const STOP_MS = 5000;

/** The worker of an embedded database: a thread, so that computing never holds up an answer. */
export async function startWorkerThread(options: ThreadOptions): Promise<RunningThread> {
  const keeper = new ThreadKeeper(options);
  await keeper.start();
  return keeper;
}

class ThreadKeeper implements RunningThread {
  readonly #options: ThreadOptions;
  readonly #stopListening: (() => Promise<void>)[] = [];
  #thread: Thread | undefined;
  #heardAt = performance.now();
  #watch: NodeJS.Timeout | undefined;
  readonly #asking = new Set<(measured: Measured | undefined) => void>();
  #isStopped = false;

  constructor(options: ThreadOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    const { database } = this.#options;
    this.#startThread();
    this.#stopListening.push(
      await database.listen(WORK_CHANNEL, () => this.#send('wake')),
      await database.listen(CANCEL_CHANNEL, () => this.#send('wake')),
    );
    this.#watch = setInterval(() => this.#checkSilence(), SILENCE_MS / 6);
    this.#watch.unref();
  }

  wake(): void {
    this.#send('wake');
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#watch);
    for (const stop of this.#stopListening) await stop();
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
    return this.#thread !== undefined && performance.now() - this.#heardAt < SILENCE_MS / 2;
  }

  #startThread(): void {
    const { database, log, sandbox, pricesFile, outside, limits, observe, keys } = this.#options;
    const data: ThreadData = {
      address: database.address,
      pricesFile,
      outside,
      limits,
      observe: observe ?? { metrics: false, traces: false },
      ...(sandbox && { sandbox }),
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
    });
    thread.on('error', (error) => log.error('The worker thread failed.', { error: String(error) }));
    thread.on('exit', () => {
      if (this.#thread !== thread || this.#isStopped) return;
      this.#thread = undefined;
      setTimeout(() => {
        if (!this.#isStopped) this.#startThread();
      }, RESTART_MS);
    });
  }

  #send(order: ThreadOrder): void {
    this.#thread?.postMessage(order);
  }

  #checkSilence(): void {
    if (!this.#thread || performance.now() - this.#heardAt < SILENCE_MS) return;
    this.#options.log.error('The worker thread hangs in a computation and is started anew.');
    void this.#thread.terminate();
  }
}

/** From the sources or from the bundles, which lie side by side. */
const threadEntry = (): URL =>
  new URL(import.meta.url.endsWith('.ts') ? './thread-main.ts' : './worker.mjs', import.meta.url);
