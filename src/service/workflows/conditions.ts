import * as z from 'zod';
import { looksSame } from '../../core/comparison.ts';
import { holdsText } from '../../core/holds-text.ts';
import type { Mapping } from '../../core/mapping.ts';
import { isMapping } from '../../core/mapping.ts';
import type { Json } from '../engine/columns/json.ts';
import { isObject, toJson, toText } from '../engine/columns/json.ts';
import { orderIs } from '../engine/columns/order.ts';
import { compilePath } from '../engine/columns/json-path-query.ts';
import { CellProblem } from '../engine/problem.ts';
import { invalid } from '../http/problem.ts';

const operators = [
  '=',
  '!=',
  '<',
  '>',
  '<=',
  '>=',
  'in',
  'not_in',
  'is_null',
  'is_not_null',
] as const;

const Conditional = z.looseObject({
  position: z.int().min(0).optional(),
  operator: z.enum(operators),
  left_config: z.looseObject({}),
  right_config: z.looseObject({}).nullish(),
});
type Conditional = z.output<typeof Conditional>;

/** Throws a 400 for conditionals that can't be evaluated. */
export function checkConditionals(sent: unknown): void {
  const parsed = z.array(Conditional).min(1).safeParse(sent);
  if (!parsed.success) {
    throw invalid(
      `Conditionals are a list of { operator, left_config, right_config }: ${z.prettifyError(parsed.error)}`,
    );
  }
  for (const { left_config: left, right_config: right } of parsed.data) {
    for (const side of [left, right ?? {}]) {
      const { json_path: path } = side;
      if (typeof path === 'string' && path !== '') compilePath(path);
    }
  }
}

const QUICK_CONFIG = 10_000;

/** Whether they are quick for small values: of moderate length, and their paths linear. */
export const quickConditions = (sent: readonly unknown[]): boolean =>
  JSON.stringify(sent).length <= QUICK_CONFIG &&
  z
    .array(Conditional)
    .parse(sent)
    .flatMap(({ left_config, right_config }) => [left_config, right_config ?? {}])
    .every(({ json_path: path }) =>
      typeof path === 'string' && path !== '' ? compilePath(path).isLinear : true,
    );

/** Values of nodes and of input variables, by name; undefined for what is not there. */
export type ValueOf = (name: string) => Json | undefined;

/** The node, variable or column that one side of a comparison reads; undefined for a value of its own. */
export const comparedName = (side: Mapping): string | undefined => {
  const named = side['source'] ?? side['source_name'] ?? side['node_name'];
  const name = isMapping(named)
    ? (named['name'] ?? named['node_name'] ?? named['title'] ?? named['column_id'])
    : named;
  return typeof name === 'string' && name !== '' ? name : undefined;
};

/** All that conditionals read. */
export const comparedNames = (sent: readonly unknown[]): ReadonlySet<string> =>
  new Set(
    z
      .array(Conditional)
      .parse(sent)
      .flatMap(({ left_config, right_config }) => [left_config, right_config ?? {}])
      .flatMap((side) => comparedName(side) ?? []),
  );

/** One side: a value of its own, or that of a node, or what a path finds in it. */
function sideOf(side: Mapping, valueOf: ValueOf): Json {
  const name = comparedName(side);
  if (name === undefined) {
    const given = side['static_value'] ?? side['value'] ?? null;
    const inner = isMapping(given) && 'value' in given ? given['value'] : given;
    return (inner ?? null) as Json;
  }
  const value = valueOf(name) ?? null;
  const { json_path: path } = side;
  if (typeof path !== 'string' || path === '') return value;
  return compilePath(path).first(toJson(value, name));
}

function holds(left: Json, list: Json): boolean {
  if (Array.isArray(list)) return list.some((item) => looksSame(left, item));
  if (isObject(list)) return Object.hasOwn(list, toText(left));
  return holdsText(toText(list), toText(left));
}

function isTrue({ operator, left_config, right_config }: Conditional, valueOf: ValueOf): boolean {
  const left = sideOf(left_config, valueOf);
  const right = sideOf(right_config ?? {}, valueOf);
  switch (operator) {
    case '=':
      return looksSame(left, right);
    case '!=':
      return !looksSame(left, right);
    case '<':
      return orderIs(left, right, (order) => order < 0);
    case '>':
      return orderIs(left, right, (order) => order > 0);
    case '<=':
      return orderIs(left, right, (order) => order <= 0);
    case '>=':
      return orderIs(left, right, (order) => order >= 0);
    case 'in':
      return holds(left, right);
    case 'not_in':
      return !holds(left, right);
    case 'is_null':
      return left === null;
    case 'is_not_null':
      return left !== null;
  }
}

/**
 * Whether all conditionals hold, or one of them. They have been checked. One that can't be decided
 * fails the whole only where the others leave it open.
 */
export function conditionsHold(
  sent: readonly unknown[],
  isAnd: boolean,
  valueOf: ValueOf,
): boolean {
  const conditionals = z
    .array(Conditional)
    .parse(sent)
    .sort((left, right) => (left.position ?? 0) - (right.position ?? 0));
  let undecided: CellProblem | undefined;
  for (const one of conditionals) {
    try {
      if (isTrue(one, valueOf) !== isAnd) return !isAnd;
    } catch (error) {
      if (!(error instanceof CellProblem)) throw error;
      undecided ??= error;
    }
  }
  if (undecided !== undefined) throw undecided;
  return isAnd;
}
