import { refuse } from '../python-text.ts';
import { Callable, Given, ownList } from './env.ts';
import { filterNamed } from './filters.ts';
import { attribute, element, sliced } from './members.ts';
import type { Arguments, Comparator, Comparison, Expression, FilterNode } from './nodes.ts';
import { negated, numericOf } from './numbers.ts';
import { arithmetic } from './operators.ts';
import type { Scope } from './scope.ts';
import { testNamed } from './tests.ts';
import { Dict, Tuple, isEqual, isIn, isTrue, order, strOf } from './values.ts';

export type Evaluate = (scope: Scope) => unknown;

const refused = new Set(['self', 'super', 'lipsum']);

/** Every value costs as much as it is long, for those who walk or copy it. */
export function compileExpression(node: Expression): Evaluate {
  const evaluate = compileUncharged(node);
  if (node.type === 'Const') return evaluate;
  return (scope) => {
    const value = evaluate(scope);
    scope.env.budget.charge(value);
    return value;
  };
}

function compileName(name: string): Evaluate {
  if (refused.has(name) || name.startsWith('__')) return refuse(name);
  return (scope) => scope.find(name);
}

export function compileArguments({ positional, named }: Arguments): (scope: Scope) => Given {
  const items = positional.map(compileExpression);
  if (items.length + named.length === 0) {
    const none = new Given();
    return () => none;
  }
  if (named.length === 0) return (scope) => new Given(items.map((item) => item(scope)));
  const values = named.map(({ name, value }) => [name, compileExpression(value)] as const);
  return (scope) =>
    new Given(
      items.map((item) => item(scope)),
      new Map(values.map(([name, value]) => [name, value(scope)])),
    );
}

/** `text` is what a filter without an operand works on. */
export function compileFilter(node: FilterNode, text?: Evaluate): Evaluate {
  const { operand: inner } = node;
  const isOfText = inner === undefined;
  const operand = isOfText
    ? (text ?? refuse('a filter without a value'))
    : inner.type === 'Filter'
      ? compileFilter(inner, text)
      : compileExpression(inner);
  const filter = filterNamed(node.name);
  const given = compileArguments(node.args);
  return (scope) => {
    const value = filter(scope.env, operand(scope), given(scope));
    scope.env.budget.charge(value);
    return value;
  };
}

function compileCall(callee: Expression, args: Arguments): Evaluate {
  const called = compileExpression(callee);
  const given = compileArguments(args);
  const name = callee.type === 'Name' || callee.type === 'Attribute' ? callee.name : 'such a value';
  return (scope) => {
    const value = called(scope);
    if (!(value instanceof Callable)) return refuse(`a call of ${name}`);
    return value.call(scope.env, given(scope));
  };
}

function compared(scope: Scope, operator: Comparator, left: unknown, right: unknown): boolean {
  switch (operator) {
    case '==':
      return isEqual(left, right);
    case '!=':
      return !isEqual(left, right);
    case '<':
      return order(left, right) < 0;
    case '<=':
      return order(left, right) <= 0;
    case '>':
      return order(left, right) > 0;
    case '>=':
      return order(left, right) >= 0;
    case 'in':
    case 'not in': {
      const is = isIn(left, right, (value) => scope.env.walk(value));
      return is === (operator === 'in');
    }
  }
}

/** Python chains comparisons: `1 < x < 3`. */
function compileCompare(first: Expression, rest: readonly Comparison[]): Evaluate {
  const start = compileExpression(first);
  const steps = rest.map(({ operator, operand }) => ({
    operator,
    operand: compileExpression(operand),
  }));
  return (scope) => {
    let left = start(scope);
    for (const { operator, operand } of steps) {
      const right = operand(scope);
      if (!compared(scope, operator, left, right)) return false;
      left = right;
    }
    return true;
  };
}

function compileSlice({ object, bounds }: Expression & { type: 'Slice' }): Evaluate {
  const value = compileExpression(object);
  const bound = (node: Expression | undefined): Evaluate =>
    node === undefined ? () => null : compileExpression(node);
  const [start, stop, step] = [bound(bounds.start), bound(bounds.stop), bound(bounds.step)];
  return (scope) =>
    sliced(value(scope), { start: start(scope), stop: stop(scope), step: step(scope) });
}

function compileUncharged(node: Expression): Evaluate {
  switch (node.type) {
    case 'Const': {
      const { value } = node;
      return () => value;
    }
    case 'Name':
      return compileName(node.name);
    case 'Tuple': {
      const items = node.items.map(compileExpression);
      return (scope) => new Tuple(items.map((item) => item(scope)));
    }
    case 'List': {
      const items = node.items.map(compileExpression);
      return (scope) => ownList(items.map((item) => item(scope)));
    }
    case 'Dict': {
      const pairs = node.pairs.map(
        ({ key, value }) => [compileExpression(key), compileExpression(value)] as const,
      );
      return (scope) => new Dict(pairs.map(([key, value]) => [key(scope), value(scope)]));
    }
    case 'Attribute': {
      const object = compileExpression(node.object);
      const { name } = node;
      if (name.startsWith('__')) return refuse(`.${name}`);
      return (scope) => attribute(object(scope), name);
    }
    case 'Item': {
      const [object, key] = [compileExpression(node.object), compileExpression(node.key)];
      return (scope) => element(object(scope), key(scope));
    }
    case 'Slice':
      return compileSlice(node);
    case 'Call':
      return compileCall(node.callee, node.args);
    case 'Filter':
      return compileFilter(node);
    case 'Test': {
      const operand = compileExpression(node.operand);
      const test = testNamed(node.name);
      const given = compileArguments(node.args);
      return (scope) => test(scope.env, operand(scope), given(scope));
    }
    default:
      return compileOperator(node);
  }
}

type OperatorNode = Exclude<
  Expression,
  {
    type:
      | 'Const'
      | 'Name'
      | 'Tuple'
      | 'List'
      | 'Dict'
      | 'Attribute'
      | 'Item'
      | 'Slice'
      | 'Call'
      | 'Filter'
      | 'Test';
  }
>;

function compileOperator(node: OperatorNode): Evaluate {
  switch (node.type) {
    case 'Not': {
      const operand = compileExpression(node.operand);
      return (scope) => !isTrue(operand(scope));
    }
    case 'Sign': {
      const operand = compileExpression(node.operand);
      const isNegative = node.sign === '-';
      return (scope) => {
        const number =
          numericOf(operand(scope)) ?? refuse("a sign of something that isn't a number");
        return isNegative ? negated(number) : number;
      };
    }
    case 'Arithmetic': {
      const [left, right] = [compileExpression(node.left), compileExpression(node.right)];
      const { operator } = node;
      return (scope) => arithmetic(scope.env, operator, left(scope), right(scope));
    }
    case 'Concat': {
      const items = node.items.map(compileExpression);
      return (scope) => items.map((item) => strOf(item(scope))).join('');
    }
    case 'Compare':
      return compileCompare(node.first, node.rest);
    case 'And':
    case 'Or': {
      const [left, right] = [compileExpression(node.left), compileExpression(node.right)];
      const isAnd = node.type === 'And';
      return (scope) => {
        const value = left(scope);
        return isTrue(value) === isAnd ? right(scope) : value;
      };
    }
    case 'Condition': {
      const [test, yes] = [compileExpression(node.test), compileExpression(node.yes)];
      const no = node.no === undefined ? () => undefined : compileExpression(node.no);
      return (scope) => (isTrue(test(scope)) ? yes(scope) : no(scope));
    }
  }
}
