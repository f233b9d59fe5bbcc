/** Modules of types that were generated before. */
import { pythonEntry } from './python.ts';
import type { PromptType } from './read.ts';
import { typescriptEntry } from './typescript.ts';

const headLine = /^(?:\/\/|#) Made by Prompt Tables of the prompts of a workspace\./;

/** Whether a text was generated, whatever it is called. */
export const isGenerated = (text: string): boolean => headLine.test(text);

/** What a generated module says of prompts. */
export class GeneratedModule {
  readonly #lines: readonly string[];
  readonly #isPython: boolean;

  constructor(text: string) {
    this.#lines = text.split(/\r?\n/);
    this.#isPython = text.startsWith('#');
  }

  /** Whether it would be generated like that now. A prompt that it lacks was published since. */
  fits(prompt: PromptType): boolean {
    const entry = this.#isPython ? pythonEntry : typescriptEntry;
    const { former, made } = entry(this.#lines, prompt);
    return former === made;
  }
}
