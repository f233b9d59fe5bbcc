import path from 'node:path';
import type { AnswerStore } from '../../core/index.ts';
import type { AnswerFiles } from './answer-files.ts';

/** Answers of models that may be used again: loaded with the first run that wants one. */
export class KeptAnswers implements AnswerStore {
  readonly #folder: string;
  #opening: Promise<AnswerFiles> | undefined;

  constructor(storage: string) {
    this.#folder = path.join(storage, 'answers');
  }

  async read(key: string): Promise<unknown> {
    return (await this.#open()).read(key);
  }

  async write(key: string, value: Readonly<Record<string, unknown>>): Promise<void> {
    await (await this.#open()).write(key, value);
  }

  /** Answers how many there were. */
  async clear(): Promise<number> {
    return (await this.#open()).clear();
  }

  #open(): Promise<AnswerFiles> {
    return (this.#opening ??= import('./answer-files.ts').then(
      ({ AnswerFiles }) => new AnswerFiles(this.#folder),
    ));
  }
}
