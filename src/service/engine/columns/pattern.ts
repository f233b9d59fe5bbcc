import { RE2JS } from 're2js';
import { CellProblem, EngineProblem, messageOf } from '../problem.ts';
import { MAX_MATCHES, matchToJson } from '../../sandbox/matches.ts';
import type { Json } from './json.ts';

/** Beyond this the linear engine is still linear, but slow enough to hold up other columns. */
const MAX_TEXT = 2_000_000;
const MAX_PATTERN = 5000;

export type Pattern =
  | {
      readonly kind: 'linear';
      test(text: string): boolean;
      findAll(text: string): Json;
    }
  /** Look-around and back-references need an engine that can take exponential time. */
  | { readonly kind: 'sandboxed'; readonly source: string };

export function compilePattern(source: string): Pattern {
  if (source.length > MAX_PATTERN) {
    throw new EngineProblem(
      'invalid_config',
      `The regular expression is longer than ${String(MAX_PATTERN)} characters.`,
    );
  }
  try {
    return linearPattern(RE2JS.compile(RE2JS.translateRegExp(source)));
  } catch (linearError) {
    try {
      new RegExp(source, 'u');
    } catch {
      throw new EngineProblem(
        'invalid_config',
        `The regular expression ${JSON.stringify(source)} is not valid: ${messageOf(linearError)}.`,
        { cause: linearError },
      );
    }
    return { kind: 'sandboxed', source };
  }
}

function linearPattern(compiled: RE2JS): Pattern {
  const checked = (text: string): string => {
    if (text.length <= MAX_TEXT) return text;
    throw new CellProblem(
      'limit_exceeded',
      `The text has ${String(text.length)} characters; regular expressions search at most ${String(MAX_TEXT)}.`,
    );
  };
  return {
    kind: 'linear',
    test: (text) => compiled.test(checked(text)),
    findAll(text) {
      const matcher = compiled.matcher(checked(text));
      const found: Json[] = [];
      while (matcher.find()) {
        if (found.length >= MAX_MATCHES) break;
        const groups: (string | null)[] = [];
        for (let group = 0; group <= matcher.groupCount(); group += 1) {
          groups.push(matcher.group(group));
        }
        found.push(matchToJson(groups));
      }
      return found;
    },
  };
}
