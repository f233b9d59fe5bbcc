import { PatternError } from './ast.ts';
import { checkGroups } from './groups.ts';
import type { Translated } from './emit.ts';
import { translate } from './emit.ts';
import { parsePattern } from './parse.ts';

export { PatternError } from './ast.ts';
export type { Translated } from './emit.ts';

/** What a match holds: the whole of it, and its groups. */
export type Groups = readonly (string | null | undefined)[];

/** One engine at work. */
export interface Engine {
  readonly test: (text: string) => boolean;
  readonly matches: (text: string) => Iterable<Groups>;
}

/**
 * A regular expression of Python's in the words of the engines that there are. Errors: PatternError
 * for what Python refuses, and for the little of it that isn't done here.
 */
export function translatePattern(source: string, use: 'test' | 'find'): Translated {
  const pattern = parsePattern(source);
  const result = translate(pattern, use);
  const isLinear = result.linear !== undefined && result.nonEmpty === undefined;
  checkGroups(
    pattern.node,
    isLinear && !result.isOfAsciiWords && !result.isOfLastLine,
    use === 'find',
  );
  return result;
}

/** The engine also looks between the halves of a character, where Python sees no place. */
function nextMatch(expression: RegExp, text: string): RegExpExecArray | null {
  for (;;) {
    const match = expression.exec(text);
    if (match === null || match.index === 0) return match;
    const isInside = (text.codePointAt(match.index - 1) ?? 0) > 0xffff;
    if (!isInside) return match;
    expression.lastIndex = match.index + 1;
  }
}

/**
 * JavaScript's engine: right for every text, and may take exponential time, so whoever runs it bounds
 * it. Errors: PatternError when the engine has no room for the pattern.
 */
export function backtrackingEngine({ backtracking, nonEmpty }: Translated): Engine {
  let expressions: { readonly any: RegExp; readonly longer: RegExp | undefined };
  try {
    expressions = {
      any: new RegExp(backtracking, 'gv'),
      longer: nonEmpty === undefined ? undefined : new RegExp(nonEmpty, 'yv'),
    };
  } catch (cause) {
    throw new PatternError(cause instanceof Error ? cause.message : String(cause), { cause });
  }
  const { any, longer } = expressions;
  return {
    test: (text) => {
      any.lastIndex = 0;
      return nextMatch(any, text) !== null;
    },
    *matches(text) {
      any.lastIndex = 0;
      for (let match = nextMatch(any, text); match !== null; match = nextMatch(any, text)) {
        yield match;
        if (match[0] !== '') continue;
        if (longer !== undefined) {
          longer.lastIndex = match.index;
          const next = longer.exec(text);
          if (next !== null) {
            yield [next[0], ...next.slice(2)];
            any.lastIndex = longer.lastIndex;
            continue;
          }
        }
        any.lastIndex = match.index + ((text.codePointAt(match.index) ?? 0) > 0xffff ? 2 : 1);
      }
    },
  };
}
