import {
  FunctionExpressionType,
  JSONPathEnvironment,
  Nothing,
  jsonpath,
  type FilterFunction,
  type JSONValue,
} from 'json-p3';
import { RE2JS } from 're2js';
import { ExactNumber } from '../../../api/exact-number.ts';
import { CellProblem, EngineProblem, messageOf, tooManyMatches } from '../problem.ts';
import { makeExact } from './exact-path.ts';
import type { Json } from './json.ts';

const MAX_MATCHES = 100_000;
const MAX_PATH = 5000;

/** The library's own `match` and `search` use an engine that a pattern can hang. */
class LinearRegex implements FilterFunction {
  readonly argTypes = [FunctionExpressionType.ValueType, FunctionExpressionType.ValueType];
  readonly returnType = FunctionExpressionType.LogicalType;
  readonly #whole: boolean;
  readonly #compiled = new Map<string, RE2JS | undefined>();

  constructor(whole: boolean) {
    this.#whole = whole;
  }

  call(text: unknown, pattern: unknown): boolean {
    if (typeof text !== 'string' || typeof pattern !== 'string') return false;
    const compiled = this.#compile(pattern);
    if (!compiled) return false;
    return this.#whole ? compiled.testExact(text) : compiled.test(text);
  }

  /** RFC 9535: an invalid pattern matches nothing. */
  #compile(pattern: string): RE2JS | undefined {
    if (this.#compiled.has(pattern)) return this.#compiled.get(pattern);
    if (this.#compiled.size >= 100) this.#compiled.clear();
    let compiled: RE2JS | undefined;
    try {
      compiled = RE2JS.compile(pattern);
    } catch {
      compiled = undefined;
    }
    this.#compiled.set(pattern, compiled);
    return compiled;
  }
}

/** An exact number is kept as an object, and has no length. */
class Length extends jsonpath.functions.Length {
  override call(value: JSONValue): number | typeof Nothing {
    return value instanceof ExactNumber ? Nothing : super.call(value);
  }
}

class Environment extends JSONPathEnvironment {
  protected override setupFilterFunctions(): void {
    super.setupFilterFunctions();
    this.functionRegister.set('length', new Length());
    this.functionRegister.set('match', new LinearRegex(true));
    this.functionRegister.set('search', new LinearRegex(false));
  }

  /** An exact number is a number, though it is kept as an object. */
  override entries(value: Record<string, JSONValue>): [string, JSONValue][] {
    return value instanceof ExactNumber ? [] : super.entries(value);
  }
}

const environment = new Environment();

export interface CompiledPath {
  readonly find: (json: Json) => Json[];
  /** The first of them, or null. */
  readonly first: (json: Json) => Json;
  /** Whether its cost grows no faster than what it is applied to. */
  readonly isLinear: boolean;
}

/** `quickUpTo` of a column that uses such paths. */
export const quickWithPath = (path: CompiledPath | undefined): number | undefined =>
  path === undefined || path.isLinear ? undefined : 0;

/** Accepts RFC 9535 and, as people write them, paths without the leading `$`: `a.b[0]`. */
export function compilePath(path: string): CompiledPath {
  const trimmed = path.trim();
  const rooted = trimmed.startsWith('$')
    ? trimmed
    : trimmed.startsWith('[')
      ? `$${trimmed}`
      : `$.${trimmed.replace(/^\.(?!\.)/, '')}`;
  if (rooted.length > MAX_PATH) {
    throw new EngineProblem(
      'invalid_config',
      `The JSONPath has ${String(rooted.length)} characters; it may have at most ${String(MAX_PATH)}.`,
    );
  }
  const query = compileRooted(path, rooted);
  const matches = function* (json: Json): Generator<Json, void> {
    try {
      for (const node of query.lazyQuery(json as JSONValue)) yield node.value as Json;
    } catch (error) {
      throw new CellProblem(
        'invalid_input',
        `The JSONPath could not be applied: ${messageOf(error)}`,
        {
          cause: error,
        },
      );
    }
  };
  const find = (json: Json): Json[] => {
    const found: Json[] = [];
    for (const value of matches(json)) {
      if (found.length >= MAX_MATCHES) throw tooManyMatches('The JSONPath', MAX_MATCHES);
      found.push(value);
    }
    return found;
  };
  const first = (json: Json): Json => {
    const { value, done } = matches(json).next();
    return done === true ? null : value;
  };
  return { find, first, isLinear: isLinear(query) };
}

/**
 * Names, places, ranges and wildcards one by one reach every value once at most. Everything else
 * (`..`, filters, several selectors in one step) may multiply what is visited.
 */
const isLinear = ({ segments }: ReturnType<Environment['compile']>): boolean =>
  segments.every(
    (segment) =>
      !segment.toString().startsWith('..') &&
      segment.selectors.length === 1 &&
      linearSelectors.some((kind) => segment.selectors[0] instanceof kind),
  );

const linearSelectors = [
  jsonpath.selectors.NameSelector,
  jsonpath.selectors.IndexSelector,
  jsonpath.selectors.SliceSelector,
  jsonpath.selectors.WildcardSelector,
];

/** Texts in quotes, which stay, and numbers such as 0.5 and 0.25e3. */
const smallNumber =
  /('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")|(?<![\w.])0\.(\d+)(?:e([-+]?\d+))?(?![\w.])/gi;

/** The library refuses numbers between 0 and 1 that RFC 9535 allows: 0.5 becomes 5e-1. */
const withReadableNumbers = (path: string): string =>
  path.replaceAll(
    smallNumber,
    (all, quoted: string | undefined, rest: string | undefined, power = '0') => {
      if (quoted !== undefined || rest === undefined) return all;
      const digits = rest.replace(/^0+/, '');
      return digits === '' ? '0' : `${digits}e${String(Number(power) - rest.length)}`;
    },
  );

function compileRooted(path: string, rooted: string): ReturnType<Environment['compile']> {
  try {
    const query = environment.compile(withReadableNumbers(rooted));
    makeExact(query);
    return query;
  } catch (error) {
    throw new EngineProblem(
      'invalid_config',
      `The JSONPath ${JSON.stringify(path)} is not valid: ${messageOf(error)}.`,
      { cause: error },
    );
  }
}
