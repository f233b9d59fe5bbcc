import { diffWordsWithSpace, type ChangeObject } from 'diff';
import { el } from '../common/dom.ts';

export interface Part {
  readonly text: string;
  readonly isChanged: boolean;
}

export interface Differences {
  readonly left: readonly Part[];
  readonly right: readonly Part[];
}

/** Comparing two long texts of nothing in common takes very long and tells nothing. */
const patienceMs = 400;

export function differencesOf(left: string, right: string): Differences {
  const changes = diffWordsWithSpace(left, right, { timeout: patienceMs });
  if (changes === undefined) {
    return { left: [{ text: left, isChanged: true }], right: [{ text: right, isChanged: true }] };
  }
  const side = (isOther: (change: ChangeObject<string>) => boolean): readonly Part[] =>
    changes
      .filter((change) => !isOther(change))
      .map(({ value, added, removed }) => ({ text: value, isChanged: added || removed }));
  return { left: side(({ added }) => added), right: side(({ removed }) => removed) };
}

export const partElements = (parts: readonly Part[], tag: 'ins' | 'del'): readonly Node[] =>
  parts.map(({ text, isChanged }) =>
    isChanged ? el(tag, 'change', {}, [text]) : document.createTextNode(text),
  );
