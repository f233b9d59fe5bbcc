import { WORK_CHANNEL, mirrorsBehind } from '../engine/index.ts';
import { errorText, type Log } from '../log.ts';
import { SCORE_CHANNEL } from '../scorecards/calculations.ts';
import type { Database } from '../store/database.ts';
import { channels } from '../workflows/executions.ts';

/** As often as a worker looks for columns that show another sheet, of which there is no notice. */
const LOOK_MS = 500;

const isOpen = `status in ('queued', 'running')`;

/** Whatever the thread that computes may have to do; each is found by a small index. */
const anyWork = `select 1 as found
  where exists (select 1 from operations where ${isOpen})
    or exists (select 1 from score_calculations where ${isOpen})
    or exists (select 1 from workflow_executions where ${isOpen})
    or exists (select 1 from ${mirrorsBehind})`;

export interface FirstWork {
  stop(): Promise<void>;
}

/**
 * Calls `begin`, once, when there is work, also such as waits already. Most windows compute nothing for
 * long, and what computes takes a fifth of the memory and a third of the start of a service.
 */
export async function awaitFirstWork(
  database: Database,
  log: Log,
  begin: () => void,
): Promise<FirstWork> {
  const watch = new Watch(database, log, begin);
  await watch.start();
  return watch;
}

class Watch implements FirstWork {
  readonly #database: Database;
  readonly #log: Log;
  readonly #begin: () => void;
  readonly #unlisten: (() => Promise<void>)[] = [];
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;
  #isOver = false;

  constructor(database: Database, log: Log, begin: () => void) {
    this.#database = database;
    this.#log = log;
    this.#begin = begin;
  }

  async start(): Promise<void> {
    for (const channel of [WORK_CHANNEL, SCORE_CHANNEL, channels.waiting]) {
      this.#unlisten.push(await this.#database.listen(channel, () => this.#found()));
    }
    this.#timer = setInterval(() => void this.#look(), LOOK_MS);
    this.#timer.unref();
    await this.#look();
  }

  async stop(): Promise<void> {
    this.#end();
    await this.#looking;
    for (const unlisten of this.#unlisten) await unlisten();
  }

  #end(): void {
    this.#isOver = true;
    clearInterval(this.#timer);
  }

  #found(): void {
    if (this.#isOver) return;
    this.#end();
    this.#begin();
  }

  #look(): Promise<void> {
    this.#looking ??= this.#lookOnce().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  async #lookOnce(): Promise<void> {
    try {
      if ((await this.#database.one(anyWork)) !== undefined) this.#found();
    } catch (error) {
      this.#log.warn('Work could not be looked for; the worker thread looks for it.', {
        error: errorText(error),
      });
      this.#found();
    }
  }
}
