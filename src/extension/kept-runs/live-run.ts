import { randomUUID } from 'node:crypto';
import type { App } from '../shell/app.ts';
import type { EndedRun, RunHistory } from './run-history.ts';

type LiveApp = Pick<App, 'errors' | 'history'>;

/**
 * A run that goes on, written down with what has come of it: should its window go, the list of runs
 * has it all the same. One write at a time; of what comes meanwhile the latest counts.
 */
export class LiveRun {
  /** Of its entry, also when it has ended. */
  readonly id = randomUUID();
  readonly #app: LiveApp;
  #next: EndedRun | undefined;
  #writing: Promise<void> | undefined;
  #isOver = false;

  constructor(app: LiveApp) {
    this.#app = app;
  }

  update(run: EndedRun): void {
    if (this.#isOver) return;
    this.#next = run;
    this.#writing ??= this.#write();
  }

  /** Nothing is written any more; resolves when the last write is done. */
  async end(): Promise<void> {
    this.#isOver = true;
    this.#next = undefined;
    await this.#writing;
  }

  async #write(): Promise<void> {
    try {
      const history: RunHistory = await this.#app.history();
      for (let run = this.#next; run !== undefined; run = this.#next) {
        this.#next = undefined;
        await history.update({ ...run, id: this.id });
      }
    } catch (error) {
      this.#app.errors.note(error, 'Keeping a run that goes on');
    } finally {
      this.#writing = undefined;
    }
  }
}
