import type { Translate } from './translate.ts';

/** Lines of code that ask for a prompt, as people find them: `src/answer.ts:12`. */
export interface CodeUses {
  readonly lines: readonly string[];
  /** There is more code than was looked through. */
  readonly isPartial: boolean;
}

const mostLines = 5;

/** For a question; undefined: there is nothing to say. */
export function usesText({ lines, isPartial }: CodeUses, t: Translate): string | undefined {
  const left = lines.length - mostLines;
  const texts = [
    ...(lines.length === 0
      ? []
      : [t('Code asks for this label: {0}', lines.slice(0, mostLines).join(', '))]),
    ...(left > 0 ? [t('Further places: {0}', left)] : []),
    ...(isPartial ? [t('Only the first 20,000 code files were searched.')] : []),
  ];
  return texts.length === 0 ? undefined : texts.join('\n');
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
