/** Lines of code that ask for a prompt, as people find them: `src/answer.ts:12`. */
export interface CodeUses {
  readonly lines: readonly string[];
  /** There is more code than was looked through. */
  readonly isPartial: boolean;
}

interface AskedLabel {
  readonly promptName: string;
  readonly label: string;
}

type FindUses = (asked: AskedLabel, signal: AbortSignal) => Promise<CodeUses | undefined>;

/** What code asks for: whoever takes a label away names the code that it is taken from. */
export class UsesInCode {
  #find: FindUses | undefined;

  use(find: FindUses): void {
    this.#find = find;
  }

  /** Undefined: nobody looks at code here. */
  async ofLabel(asked: AskedLabel, signal: AbortSignal): Promise<CodeUses | undefined> {
    return this.#find?.(asked, signal);
  }
}
