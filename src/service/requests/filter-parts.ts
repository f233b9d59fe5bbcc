import { invalid } from '../http/problem.ts';
import { timeOf } from '../http/times.ts';
import { ValidationProblem } from '../http/problem.ts';
import type { SqlValue } from '../store/database.ts';
import type { Dialect } from '../store/dialect.ts';
import { placeholders } from '../store/dialect.ts';
import { folded, like, likeEnd, likeStart } from '../store/folded.ts';
import { ownValue } from '../../api/own-value.ts';

/** A condition of a statement with its values. */
export interface Condition {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

export interface Filter {
  readonly field: string;
  readonly operator: string;
  readonly value: unknown;
  readonly nestedKey: string | undefined;
}

/** Null is no match, and so its opposite is one. */
export const not = ({ sql, values }: Condition): Condition => ({
  sql: `(${sql}) is not true`,
  values,
});

export const refuseOperator = ({ field, operator }: Filter): Error =>
  invalid(`The operator "${operator}" can't be used with the field "${field}".`);

const wrongValue = ({ field, operator }: Filter, wanted: string): Error =>
  invalid(`The filter on "${field}" with "${operator}" needs ${wanted} as its value.`);

export function textIn(filter: Filter): string {
  const { value } = filter;
  if (typeof value === 'string') return value.replaceAll('\0', '\u2400');
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw wrongValue(filter, 'a text');
}

const MOST_VALUES = 500;

export function listIn(filter: Filter): readonly unknown[] {
  const list: unknown[] = Array.isArray(filter.value) ? filter.value : [filter.value];
  if (list.length > MOST_VALUES) throw wrongValue(filter, `at most ${String(MOST_VALUES)} values`);
  return list;
}

const oneOf = (expression: string, values: readonly SqlValue[]): Condition =>
  values.length === 0
    ? { sql: '1 = 0', values }
    : { sql: `${expression} in ${placeholders(values.length)}`, values };

const each = (filter: Filter): Filter[] => listIn(filter).map((value) => ({ ...filter, value }));

/**
 * A text column. `isFolded` columns hold lower case; what others hold is compared as it is, and
 * searched without regard to case.
 */
export function textCondition(expression: string, filter: Filter, isFolded: boolean): Condition {
  const exact = (one: Filter): string => (isFolded ? folded(textIn(one)) : textIn(one));
  const lower = isFolded ? expression : `lower(${expression})`;
  const matches = (pattern: string): Condition => ({
    sql: String.raw`${lower} like ? escape '\'`,
    values: [pattern],
  });
  switch (filter.operator) {
    case 'is':
    case 'eq':
      return { sql: `${expression} = ?`, values: [exact(filter)] };
    case 'is_not':
    case 'neq':
      return not({ sql: `${expression} = ?`, values: [exact(filter)] });
    case 'in':
      return oneOf(expression, each(filter).map(exact));
    case 'not_in':
      return not(oneOf(expression, each(filter).map(exact)));
    case 'contains':
      return matches(like(textIn(filter)));
    case 'not_contains':
      return not(matches(like(textIn(filter))));
    case 'starts_with':
      return matches(likeStart(textIn(filter)));
    case 'ends_with':
      return matches(likeEnd(textIn(filter)));
    case 'is_empty':
    case 'is_null':
      return { sql: `coalesce(${expression}, '') = ''`, values: [] };
    case 'is_not_empty':
    case 'is_not_null':
      return { sql: `coalesce(${expression}, '') <> ''`, values: [] };
    default:
      throw refuseOperator(filter);
  }
}

/** Reads the value of a filter as a number of the column. */
type ReadNumber = (filter: Filter) => number;

const readNumber: ReadNumber = (filter) => {
  const { value } = filter;
  const number =
    typeof value === 'string' && value.trim() !== ''
      ? Number(value)
      : typeof value === 'object' && value !== null
        ? Number(value.valueOf())
        : value;
  if (typeof number === 'number' && Number.isFinite(number)) return number;
  throw wrongValue(filter, 'a number');
};

const readTime: ReadNumber = (filter) => {
  try {
    const time = timeOf([], filter.value);
    if (time !== undefined) return time;
  } catch (error) {
    if (!(error instanceof ValidationProblem)) throw error;
  }
  throw wrongValue(filter, 'a time, such as 2026-01-31T12:00:00Z,');
};

const signs: Readonly<Record<string, string>> = {
  is: '=',
  eq: '=',
  gt: '>',
  gte: '>=',
  lt: '<',
  lte: '<=',
  before: '<',
  after: '>',
};

function measured(expression: string, filter: Filter, read: ReadNumber): Condition {
  // A parameter of PostgreSQL would take the type of the column: whole numbers only.
  const place = 'cast(? as double precision)';
  const sign = ownValue(signs, filter.operator);
  if (sign !== undefined) {
    return { sql: `${expression} ${sign} ${place}`, values: [read(filter)] };
  }
  switch (filter.operator) {
    case 'is_not':
    case 'neq':
      return not({ sql: `${expression} = ${place}`, values: [read(filter)] });
    case 'in':
    case 'not_in': {
      const numbers = each(filter).map(read);
      const among: Condition =
        numbers.length === 0
          ? { sql: '1 = 0', values: [] }
          : { sql: `${expression} in (${numbers.map(() => place).join(', ')})`, values: numbers };
      return filter.operator === 'in' ? among : not(among);
    }
    case 'between': {
      const bounds = listIn(filter);
      if (bounds.length !== 2) throw wrongValue(filter, 'a list of two, from and to,');
      const [from = 0, to = 0] = each(filter).map(read);
      return {
        sql: `${expression} between ${place} and ${place}`,
        values: [Math.min(from, to), Math.max(from, to)],
      };
    }
    case 'is_empty':
    case 'is_null':
      return { sql: `${expression} is null`, values: [] };
    case 'is_not_empty':
    case 'is_not_null':
      return { sql: `${expression} is not null`, values: [] };
    default:
      throw refuseOperator(filter);
  }
}

export const numberCondition = (expression: string, filter: Filter): Condition =>
  measured(expression, filter, readNumber);

export const timeCondition = (expression: string, filter: Filter): Condition =>
  measured(expression, filter, readTime);

/** A yes or no, as a condition of its own. */
export function flagCondition(condition: string, filter: Filter): Condition {
  const yes = { sql: condition, values: [] };
  const { operator, value } = filter;
  if (operator === 'is_true') return yes;
  if (operator === 'is_false') return not(yes);
  const isYes = value === true || value === 'true';
  if (!isYes && value !== false && value !== 'false') throw wrongValue(filter, 'true or false');
  if (operator === 'is' || operator === 'eq') return isYes ? yes : not(yes);
  if (operator === 'is_not' || operator === 'neq') return isYes ? not(yes) : yes;
  throw refuseOperator(filter);
}

/** A column that holds a JSON array of texts, or the keys of a JSON object. */
export function listCondition(
  dialect: Dialect,
  expression: string,
  part: 'items' | 'keys',
  filter: Filter,
): Condition {
  const [from, item] =
    part === 'items'
      ? [dialect.jsonItems(expression), 'item.value']
      : [dialect.jsonFields(expression), 'item.key'];
  const some = ({ sql, values }: Condition): Condition => ({
    sql: `exists (select 1 from ${from} where ${sql})`,
    values,
  });
  const equal = (one: Filter): Condition => ({ sql: `${item} = ?`, values: [textIn(one)] });
  const any: Condition = { sql: `exists (select 1 from ${from})`, values: [] };
  switch (filter.operator) {
    case 'is':
    case 'eq':
    case 'contains':
    case 'key_equals':
      return some(equal(filter));
    case 'is_not':
    case 'neq':
    case 'not_contains':
    case 'key_not_equals':
      return not(some(equal(filter)));
    case 'in':
      return some(oneOf(item, each(filter).map(textIn)));
    case 'not_in':
      return not(some(oneOf(item, each(filter).map(textIn))));
    case 'key_contains':
      return some(textCondition(item, { ...filter, operator: 'contains' }, false));
    case 'starts_with':
    case 'ends_with':
      return some(textCondition(item, filter, false));
    case 'is_empty':
    case 'is_null':
      return not(any);
    case 'is_not_empty':
    case 'is_not_null':
      return any;
    default:
      throw refuseOperator(filter);
  }
}

const plainOperators: Readonly<Record<string, string>> = {
  key_equals: 'is',
  key_contains: 'contains',
};
const opposites: Readonly<Record<string, string>> = {
  key_not_equals: 'is',
  is_not: 'is',
  neq: 'is',
  not_contains: 'contains',
  not_in: 'in',
};
const comparisons = new Set(['gt', 'gte', 'lt', 'lte', 'between']);

/** A field of a JSON object. */
export function nestedCondition(dialect: Dialect, expression: string, filter: Filter): Condition {
  const from = dialect.jsonFields(expression);
  const { operator, nestedKey: key } = filter;
  const isEmpty = operator === 'is_empty' || operator === 'is_null';
  if (isEmpty || operator === 'is_not_empty' || operator === 'is_not_null') {
    const any: Condition =
      key === undefined
        ? { sql: `exists (select 1 from ${from})`, values: [] }
        : {
            sql: `exists (select 1 from ${from} where item.key = ? and coalesce(item.value, '') <> '')`,
            values: [key],
          };
    return isEmpty ? not(any) : any;
  }
  if (key === undefined) {
    throw invalid(`The filter on "${filter.field}" needs nested_key: which field is meant.`);
  }
  const some = ({ sql, values }: Condition): Condition => ({
    sql: `exists (select 1 from ${from} where item.key = ? and ${sql})`,
    values: [key, ...values],
  });
  if (comparisons.has(operator)) {
    const number = dialect.numberIn('item.value');
    return some(numberCondition(number, filter));
  }
  const positive = ownValue(opposites, operator);
  const plain = positive ?? ownValue(plainOperators, operator) ?? operator;
  const found = some(textCondition('item.value', { ...filter, operator: plain }, false));
  return positive === undefined ? found : not(found);
}
