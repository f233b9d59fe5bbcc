import { RE2JS } from 're2js';
import type { Engine, Groups, Translated } from '../../../core/regex/python-pattern.ts';
import {
  backtrackingEngine,
  PatternError,
  translatePattern,
} from '../../../core/regex/python-pattern.ts';
import { CellProblem, EngineProblem, messageOf, tooManyMatches } from '../problem.ts';
import type { Json } from './json.ts';

const MAX_TEXT = 2_000_000;
const MAX_PATTERN = 5000;
/** A pattern such as `\w{1000}{100}` is short and large all the same. */
const MAX_PROGRAM = 200_000;
/** More matches than this would fill the database. */
const MAX_MATCHES = 10_000;
/** Steps of the linear engine that take about 20 ms. */
const QUICK_STEPS = 1_000_000;

/** A regular expression of Python's, whatever engine runs it. */
export interface Pattern {
  readonly test: (text: string) => boolean;
  readonly findAll: (text: string) => Json;
  /** Up to how many characters it is quick, if `isQuick` says so of the text. */
  readonly quickUpTo: number;
  /** Whether the linear engine is right for a text. */
  readonly isQuick: (text: string) => boolean;
}

function refused(source: string, cause: unknown): EngineProblem {
  return new EngineProblem(
    'invalid_config',
    `The regular expression ${JSON.stringify(source)} is not valid: ${messageOf(cause)}.`,
    { cause },
  );
}

/** Words and ends of texts mean the same to the linear engine only in these texts. */
function isSame(text: string, { isOfAsciiWords, isOfLastLine, isOfInsides }: Translated): boolean {
  if (isOfInsides && text === '') return false;
  if (isOfLastLine && text.endsWith('\n')) return false;
  return !isOfAsciiWords || !/(?!\p{ASCII})[\p{L}\p{N}]/u.test(text);
}

function inWords<Result>(source: string, make: () => Result): Result {
  try {
    return make();
  } catch (error) {
    if (error instanceof PatternError) throw refused(source, error);
    throw error;
  }
}

/** Throws an EngineProblem for what Python refuses, and for the little of it that is not done here. */
export function compilePattern(source: string, use: 'test' | 'find'): Pattern {
  if (source.length > MAX_PATTERN) {
    throw new EngineProblem(
      'invalid_config',
      `The regular expression is longer than ${String(MAX_PATTERN)} characters.`,
    );
  }
  const result = inWords(source, () => translatePattern(source, use));
  const linear = result.nonEmpty === undefined ? linearEngine(source, result.linear) : undefined;
  const backtracking = inWords(source, () => backtrackingEngine(result));
  const isQuick = (text: string): boolean => linear !== undefined && isSame(text, result);
  const engineFor = (text: string): Engine =>
    linear !== undefined && isSame(text, result) ? linear.engine : backtracking;
  const steps = linear === undefined ? 0 : Math.floor(QUICK_STEPS / linear.size);
  return {
    // Each match may read on to the end of the text.
    quickUpTo: use === 'test' ? steps : Math.floor(Math.sqrt(steps)),
    isQuick,
    test: (text) => engineFor(text).test(checked(text)),
    findAll(text) {
      const found: Json[] = [];
      for (const groups of engineFor(text).matches(checked(text))) {
        if (found.length >= MAX_MATCHES)
          throw tooManyMatches('The regular expression', MAX_MATCHES);
        found.push(matchToJson(groups));
      }
      return found;
    },
  };
}

function checked(text: string): string {
  if (text.length <= MAX_TEXT) return text;
  throw new CellProblem(
    'limit_exceeded',
    `The text has ${String(text.length)} characters; regular expressions search at most ${String(MAX_TEXT)}.`,
  );
}

/** Each character costs one step for each part of the pattern at most. Undefined: it cannot say it. */
function linearEngine(
  source: string,
  text: string | undefined,
): { readonly engine: Engine; readonly size: number } | undefined {
  if (text === undefined) return undefined;
  let compiled: RE2JS;
  try {
    compiled = RE2JS.compile(text);
  } catch {
    // More repetitions than it has room for: the other engine counts them.
    return undefined;
  }
  const size = Math.max(1, compiled.programSize());
  if (size > MAX_PROGRAM) {
    throw refused(source, 'it repeats its parts too often; use smaller numbers in {n,m}');
  }
  return {
    size,
    engine: {
      test: (one) => compiled.test(one),
      *matches(one) {
        const matcher = compiled.matcher(one);
        while (matcher.find()) {
          yield Array.from({ length: matcher.groupCount() + 1 }, (_, at) => matcher.group(at));
        }
      },
    },
  };
}

/**
 * A match as a cell shows it: the text of the only group, a list of the groups when there are
 * several, else the whole match. `groups[0]` is the whole match.
 */
function matchToJson(groups: Groups): Json {
  if (groups.length === 1) return groups[0] ?? null;
  if (groups.length === 2) return groups[1] ?? null;
  return groups.slice(1).map((group) => group ?? null);
}
