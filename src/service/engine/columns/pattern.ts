import { RE2JS } from 're2js';
import { CellProblem, EngineProblem, messageOf } from '../problem.ts';
import type { Json } from './json.ts';

const MAX_TEXT = 2_000_000;
const MAX_PATTERN = 5000;
/** A pattern such as `\pL{1000}{100}` is short and large all the same. */
const MAX_PROGRAM = 200_000;
/** More matches than this are left out: nobody reads them, and they would fill the database. */
const MAX_MATCHES = 10_000;
/** Steps of the linear engine that take about 20 ms. */
const QUICK_STEPS = 1_000_000;

export interface Pattern {
  readonly test: (text: string) => boolean;
  readonly findAll: (text: string) => Json;
  /** Up to how many characters `test` is quick. */
  readonly testsUpTo: number;
  /** Up to how many characters `findAll` is quick: each match may read on to the end of the text. */
  readonly findsUpTo: number;
}

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
    if (linearError instanceof EngineProblem) throw linearError;
    try {
      return backtrackingPattern(new RegExp(source, 'gu'));
    } catch {
      throw new EngineProblem(
        'invalid_config',
        `The regular expression ${JSON.stringify(source)} is not valid: ${messageOf(linearError)}.`,
        { cause: linearError },
      );
    }
  }
}

function checked(text: string): string {
  if (text.length <= MAX_TEXT) return text;
  throw new CellProblem(
    'limit_exceeded',
    `The text has ${String(text.length)} characters; regular expressions search at most ${String(MAX_TEXT)}.`,
  );
}

/** Each character costs one step for each part of the pattern at most. */
function linearPattern(compiled: RE2JS): Pattern {
  const size = Math.max(1, compiled.programSize());
  if (size > MAX_PROGRAM) {
    throw new EngineProblem(
      'invalid_config',
      'The regular expression repeats its parts too often. Use smaller numbers in {n,m}.',
    );
  }
  const testsUpTo = Math.floor(QUICK_STEPS / size);
  return {
    testsUpTo,
    findsUpTo: Math.floor(Math.sqrt(testsUpTo)),
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

/** Look-around and back-references need an engine that can take exponential time: never quick. */
function backtrackingPattern(compiled: RegExp): Pattern {
  return {
    testsUpTo: 0,
    findsUpTo: 0,
    test: (text) => {
      compiled.lastIndex = 0;
      return compiled.test(checked(text));
    },
    findAll(text) {
      const found: Json[] = [];
      for (const match of checked(text).matchAll(compiled)) {
        if (found.length >= MAX_MATCHES) break;
        found.push(matchToJson(match));
      }
      return found;
    },
  };
}

/**
 * A match as a cell shows it: the text of the only group, a list of the groups when there are
 * several, else the whole match. `groups[0]` is the whole match.
 */
function matchToJson(groups: readonly (string | null | undefined)[]): Json {
  if (groups.length === 1) return groups[0] ?? null;
  if (groups.length === 2) return groups[1] ?? null;
  return groups.slice(1).map((group) => group ?? null);
}
