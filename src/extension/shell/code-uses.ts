import type { FoundPlaces } from '../../core/assistant/tool.ts';
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

interface CodeSearch {
  usesOfLabel(asked: AskedLabel, signal: AbortSignal): Promise<CodeUses>;
  places(signal: AbortSignal): Promise<FoundPlaces>;
}

/** What code asks for: whoever takes a label away names the code that it is taken from. */
export class UsesInCode {
  #search: (() => Promise<CodeSearch | undefined>) | undefined;

  use(search: () => Promise<CodeSearch | undefined>): void {
    this.#search = search;
  }

  /** Undefined: nobody looks at code here. */
  async ofLabel(asked: AskedLabel, signal: AbortSignal): Promise<CodeUses | undefined> {
    return (await this.#search?.())?.usesOfLabel(asked, signal);
  }

  /** All that code of the folder asks for; undefined: nobody looks at code here. */
  async places(signal: AbortSignal): Promise<FoundPlaces | undefined> {
    return (await this.#search?.())?.places(signal);
  }
}
