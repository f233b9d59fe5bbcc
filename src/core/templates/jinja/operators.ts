import { refuse } from '../python-text.ts';
import type { Env } from './env.ts';
import { ownList } from './env.ts';
import { escapedHtml } from './html.ts';
import type { Operator } from './nodes.ts';
import { calculate, indexOf, numericOf } from './numbers.ts';
import { percentFormat } from './percent-format.ts';
import { Markup, Tuple, lengthOf, textIn } from './values.ts';

/** `+` of what are no numbers. */
export function added(env: Env, left: unknown, right: unknown): unknown {
  if (typeof left === 'string' && typeof right === 'string') {
    env.budget.spend(left.length + right.length);
    return left + right;
  }
  if (textIn(left) !== undefined && textIn(right) !== undefined) {
    return new Markup(escapedHtml(left).value + escapedHtml(right).value);
  }
  const isList = Array.isArray(left) && Array.isArray(right);
  const size = (lengthOf(left) ?? 0) + (lengthOf(right) ?? 0);
  if (isList) {
    env.budget.spend(size);
    return ownList([...(left as unknown[]), ...(right as unknown[])]);
  }
  if (left instanceof Tuple && right instanceof Tuple) {
    env.budget.spend(size);
    return new Tuple([...left.items, ...right.items]);
  }
  return refuse('+ of such values');
}

/** `"-" * 20`, `[0] * 3`. Counted before it is made. */
function repeated(env: Env, value: unknown, count: number): unknown {
  const times = Math.max(0, count);
  const text = textIn(value);
  env.budget.spend(times * (text?.length ?? (lengthOf(value) ?? 0) * 4));
  if (text !== undefined) {
    return value instanceof Markup ? new Markup(text.repeat(times)) : text.repeat(times);
  }
  const items: readonly unknown[] = Array.isArray(value)
    ? value
    : value instanceof Tuple
      ? value.items
      : refuse('* of such values');
  const all = Array.from({ length: items.length * times }, (_, at) => items[at % items.length]);
  return Array.isArray(value) ? ownList(all) : new Tuple(all);
}

export function arithmetic(env: Env, operator: Operator, left: unknown, right: unknown): unknown {
  if (operator === '%' && textIn(left) !== undefined) {
    return typeof left === 'string' && right !== undefined
      ? percentFormat(env, left, right)
      : refuse('% of a text that is marked as safe');
  }
  const [one, other] = [numericOf(left), numericOf(right)];
  if (one !== undefined && other !== undefined) return calculate(operator, one, other);
  if (operator === '+') return added(env, left, right);
  if (operator === '*') {
    const [count, value] = one === undefined ? [indexOf(right), left] : [indexOf(left), right];
    if (count !== undefined) return repeated(env, value, count);
  }
  return refuse(`${operator} of such values`);
}
