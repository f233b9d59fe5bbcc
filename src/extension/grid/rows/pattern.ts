import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { orAborted } from './shared-work.ts';
import type { Translate } from '../../shell/translate.ts';

/** Runs beside the extension host: a pattern that backtracks for ever must not stop it. */
const program = `
const { parentPort, workerData } = require('node:worker_threads');
const pattern = new RegExp(workerData.source, workerData.flags);
parentPort.on('message', (texts) => parentPort.postMessage(texts.map((text) => pattern.test(text))));
`;
const patienceMs = 3000;

/** The pattern is no pattern, or takes too long. */
export class PatternError extends Error {
  override readonly name = 'PatternError';
  readonly code = 'validation';
}

/** Tests texts against a regular expression that the user has written. One list after another. */
export class Pattern {
  readonly #worker: Worker;
  readonly #online: Promise<unknown>;
  readonly #t: Translate;

  constructor(source: string, flags: string, t: Translate) {
    this.#t = t;
    try {
      new RegExp(source, flags);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new PatternError(t("The pattern can't be used. {0}", reason));
    }
    this.#worker = new Worker(program, { eval: true, workerData: { source, flags } });
    this.#online = once(this.#worker, 'online');
  }

  async test(texts: readonly string[], signal: AbortSignal): Promise<readonly boolean[]> {
    // A slow start is no fault of the pattern.
    await orAborted(this.#online, signal);
    const answered = once(this.#worker, 'message', { signal });
    const t = this.#t;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => {
        const hint = t('The pattern takes too long. Avoid nested repetition such as (a+)+.');
        reject(new PatternError(hint));
      }, patienceMs);
    });
    this.#worker.postMessage(texts);
    try {
      const [hits] = (await Promise.race([answered, late])) as [readonly boolean[]];
      return hits;
    } finally {
      clearTimeout(timer);
      // After a pattern that was given up, nobody waits for its answer.
      answered.catch(() => undefined);
    }
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }
}
