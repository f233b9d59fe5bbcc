import {
  FunctionExpressionType,
  JSONPathEnvironment,
  type FilterFunction,
  type JSONValue,
} from 'json-p3';
import { RE2JS } from 're2js';
import { ExactNumber } from '../../../api/exact-number.ts';
import { CellProblem, EngineProblem, messageOf } from '../problem.ts';
import type { Json } from './json.ts';

const MAX_MATCHES = 100_000;
/** Each `..` multiplies the nodes that are visited. */
const MAX_DESCENTS = 3;

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

class Environment extends JSONPathEnvironment {
  protected override setupFilterFunctions(): void {
    super.setupFilterFunctions();
    this.functionRegister.set('match', new LinearRegex(true));
    this.functionRegister.set('search', new LinearRegex(false));
  }

  /** An exact number is a number, though it is kept as an object. */
  override entries(value: Record<string, JSONValue>): [string, JSONValue][] {
    return value instanceof ExactNumber ? [] : super.entries(value);
  }
}

const environment = new Environment();

/** Accepts RFC 9535 and, as people write them, paths without the leading `$`: `a.b[0]`. */
export function compilePath(path: string): (json: Json) => Json[] {
  const trimmed = path.trim();
  const rooted = trimmed.startsWith('$')
    ? trimmed
    : trimmed.startsWith('[')
      ? `$${trimmed}`
      : `$.${trimmed.replace(/^\.(?!\.)/, '')}`;
  if ((rooted.match(/\.\./g) ?? []).length > MAX_DESCENTS) {
    throw new EngineProblem(
      'invalid_config',
      `The JSONPath ${JSON.stringify(path)} uses ".." more than ${String(MAX_DESCENTS)} times.`,
    );
  }
  const query = compileRooted(path, rooted);
  return (json) => {
    try {
      const found: Json[] = [];
      for (const node of query.lazyQuery(json as JSONValue)) {
        if (found.length >= MAX_MATCHES) break;
        found.push(node.value as Json);
      }
      return found;
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
}

function compileRooted(path: string, rooted: string): ReturnType<Environment['compile']> {
  try {
    return environment.compile(rooted);
  } catch (error) {
    throw new EngineProblem(
      'invalid_config',
      `The JSONPath ${JSON.stringify(path)} is not valid: ${messageOf(error)}.`,
      { cause: error },
    );
  }
}
