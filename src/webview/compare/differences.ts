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
/** Of longer ones even the words are not looked for: it would hold the page up. */
const longest = 400_000;

export function differencesOf(left: string, right: string): Differences {
  const changes =
    left.length + right.length > longest
      ? undefined
      : diffWordsWithSpace(left, right, { timeout: patienceMs });
  if (changes === undefined) return aroundTheMiddle(left, right);
  const side = (isOther: (change: ChangeObject<string>) => boolean): readonly Part[] =>
    changes
      .filter((change) => !isOther(change))
      .map(({ value, added, removed }) => ({ text: value, isChanged: added || removed }));
  return { left: side(({ added }) => added), right: side(({ removed }) => removed) };
}

const isBlank = (text: string, at: number): boolean => /\s/.test(text.charAt(at));

/** All between the words that both begin and end with. */
function aroundTheMiddle(left: string, right: string): Differences {
  const most = Math.min(left.length, right.length);
  let [start, end] = [0, 0];
  while (start < most && left[start] === right[start]) start += 1;
  while (start > 0 && start < Math.max(left.length, right.length) && !isBlank(left, start - 1)) {
    start -= 1;
  }
  while (end < most - start && left.at(-1 - end) === right.at(-1 - end)) end += 1;
  while (end > 0 && !isBlank(left, left.length - end)) end -= 1;
  const parts = (text: string): readonly Part[] =>
    [
      { text: text.slice(0, start), isChanged: false },
      { text: text.slice(start, text.length - end), isChanged: true },
      { text: text.slice(text.length - end), isChanged: false },
    ].filter((part) => part.text !== '');
  return { left: parts(left), right: parts(right) };
}

export const partElements = (parts: readonly Part[], tag: 'ins' | 'del'): readonly Node[] =>
  parts.map(({ text, isChanged }) =>
    isChanged ? el(tag, 'change', {}, [text]) : document.createTextNode(text),
  );
