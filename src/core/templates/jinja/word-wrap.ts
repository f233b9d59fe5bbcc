import { refuse } from '../python-text.ts';
import type { Env, Given } from './env.ts';
import { linesOf, stripped } from './letters.ts';
import { indexOf } from './numbers.ts';
import { WIDEST } from './percent-format.ts';
import { isTrue, lettersOf, textIn } from './values.ts';

/** What `textwrap` takes for a place where a line may end; other blanks are letters to it. */
const blanks = /([\t\n\v\f\r ]+)/;

interface Wrap {
  readonly width: number;
  readonly breaksWords: boolean;
}

/** One line in lines of at most so many letters, as `textwrap.wrap` makes them. */
function wrapped(env: Env, line: string, { width, breaksWords }: Wrap): readonly string[] {
  const rest = line
    .split(blanks)
    .filter((chunk) => chunk !== '')
    .map((text) => lettersOf(text))
    .reverse();
  const lines: string[] = [];
  const isBlank = (chunk: readonly string[] | undefined): boolean =>
    chunk !== undefined && stripped(chunk.join('')) === '';
  while (rest.length > 0) {
    const taken: (readonly string[])[] = [];
    let length = 0;
    if (lines.length > 0 && isBlank(rest.at(-1))) rest.pop();
    for (let next = rest.at(-1); next !== undefined; next = rest.at(-1)) {
      if (length + next.length > width) break;
      taken.push(next);
      length += next.length;
      rest.pop();
    }
    const long = rest.at(-1);
    if (long !== undefined && long.length > width) {
      if (breaksWords) {
        rest.pop();
        taken.push(long.slice(0, width - length));
        // All of a word at once; blanks one line at a time, for what is left of them may be dropped.
        const step = isBlank(long) ? long.length : width;
        env.budget.spend(long.length);
        const left: (readonly string[])[] = [];
        for (let at = width - length; at < long.length; at += step)
          left.push(long.slice(at, at + step));
        for (const piece of left.reverse()) rest.push(piece);
      } else if (taken.length === 0) {
        taken.push(long);
        rest.pop();
      }
    }
    if (isBlank(taken.at(-1))) taken.pop();
    if (taken.length > 0) lines.push(taken.flat().join(''));
  }
  return lines;
}

/** Words with hyphens, which it parts by rules of their own, are refused. */
export function wordwrap(env: Env, value: unknown, given: Given): unknown {
  const parameters = given.read('wordwrap', [
    ...['width', 'break_long_words', 'wrapstring', 'break_on_hyphens'],
  ]);
  const width = parameters.as('width', indexOf, 79);
  if (width < 1 || width > WIDEST) return refuse('wordwrap to such a width');
  const end = parameters.get('wrapstring', null);
  const between = end === null ? '\n' : (textIn(end) ?? refuse('wordwrap with such a wrapstring'));
  const text =
    typeof value === 'string' ? value : refuse("wordwrap of something that isn't a text");
  if (text.includes('-') && isTrue(parameters.get('break_on_hyphens', true)))
    return refuse('wordwrap of a text with hyphens');
  const wrap = { width, breaksWords: isTrue(parameters.get('break_long_words', true)) };
  const lines = linesOf(text).map((line) => wrapped(env, line, wrap));
  env.budget.spend(lines.reduce((sum, line) => sum + line.length + 1, 0) * between.length);
  return lines.map((line) => line.join(between)).join(between);
}
