import { startWorkerThread, type RunningThread } from '../engine/index.ts';
import type { Log } from '../log.ts';
import type { WindowKeys } from '../models/window-keys.ts';
import type { WindowModels } from '../models/window-models.ts';
import type { ObserveSettings } from '../observe/observe.ts';
import type { Database } from '../store/database.ts';
import type { WorkOf } from '../store/own-work.ts';
import { awaitFirstWork, type FirstWork } from './first-work.ts';
import type { Settings } from './settings.ts';

export interface WorkParts {
  readonly database: Database;
  readonly log: Log;
}

/** Keys that windows hand over, and the work that may be done with them. */
export interface Windows {
  readonly keys: WindowKeys;
  readonly models: WindowModels;
  readonly workOf: WorkOf;
}

export const isOn = ({
  metricsPort,
  traces,
}: ObserveSettings): { metrics: boolean; traces: boolean } => ({
  metrics: metricsPort !== undefined,
  traces,
});

/** What computes: a thread of its own, so that it never holds up an answer or a signal. */
export class Work {
  readonly #settings: Settings;
  readonly #parts: WorkParts;
  readonly #windows: Windows | undefined;
  #thread: RunningThread | undefined;
  #awaiting: Promise<FirstWork> | undefined;

  constructor(settings: Settings, parts: WorkParts, windows?: Windows) {
    this.#settings = settings;
    this.#parts = parts;
    this.#windows = windows;
  }

  /** Undefined until there has been work. */
  get thread(): RunningThread | undefined {
    return this.#thread;
  }

  /**
   * On a database that others use too, a process is there to compute; on its own one it may never have
   * to. What is measured is that of both threads.
   */
  begin(): void {
    const { database, log } = this.#parts;
    const isShared = database.dialect.name !== 'sqlite';
    if (isShared || isOn(this.#settings.observe).metrics) this.#start();
    else this.#awaiting = awaitFirstWork(database, log, () => this.#start());
  }

  async stop(): Promise<void> {
    const awaiting = await this.#awaiting;
    await awaiting?.stop();
    await this.#thread?.stop();
  }

  #start(): void {
    const { pricesFile, outside, limits, observe, worker, hangAfterMs } = this.#settings;
    const windows = this.#windows;
    this.#thread = startWorkerThread({
      ...this.#parts,
      ...{ pricesFile, outside, limits },
      keys: windows && (() => windows.keys.keys),
      windowModels: windows?.models,
      workOf: windows?.workOf,
      silenceMs: hangAfterMs,
      observe: isOn(observe),
      duties: {
        operations: worker !== 'none',
        scores: worker !== 'none',
        workflows: worker !== 'only',
      },
    });
  }
}
