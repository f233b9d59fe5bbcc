import type { Node } from './jinja-nodes.ts';
import {
  attribute,
  element,
  filterNamed,
  isEqual,
  isIn,
  isTrue,
  methodNamed,
  order,
  printed,
  sliced,
  sum,
  testNamed,
} from './jinja-values.ts';
import { NotFaithful } from './python-text.ts';

/** Names in force, the innermost first. */
export interface Scope {
  find(name: string): unknown;
  /** Throws when what was computed so far has cost too much. */
  charge(value: unknown): void;
}

export type Evaluate = (scope: Scope) => unknown;

const constants: Readonly<Record<string, unknown>> = {
  true: true,
  True: true,
  false: false,
  False: false,
  none: null,
  None: null,
};
/** Global functions of Jinja, and names with a meaning of their own. */
const reserved = new Set(
  'range dict lipsum cycler joiner namespace self super caller varargs kwargs'.split(' '),
);
const comparisons = new Set(['==', '!=', '<', '>', '<=', '>=', 'in', 'not in']);

function refuse(what: string): never {
  throw new NotFaithful(what);
}

const isBinary = (node: Node, ...operators: readonly string[]): boolean =>
  node.type === 'BinaryExpression' && operators.includes(node.operator.value);

function binary(operator: string, left: Evaluate, right: Evaluate): Evaluate {
  switch (operator) {
    case 'and':
      return (scope) => {
        const value = left(scope);
        return isTrue(value) ? right(scope) : value;
      };
    case 'or':
      return (scope) => {
        const value = left(scope);
        return isTrue(value) ? value : right(scope);
      };
    case '==':
      return (scope) => isEqual(left(scope), right(scope));
    case '!=':
      return (scope) => !isEqual(left(scope), right(scope));
    case '<':
      return (scope) => order(left(scope), right(scope)) < 0;
    case '>':
      return (scope) => order(left(scope), right(scope)) > 0;
    case '<=':
      return (scope) => order(left(scope), right(scope)) <= 0;
    case '>=':
      return (scope) => order(left(scope), right(scope)) >= 0;
    case 'in':
      return (scope) => isIn(left(scope), right(scope));
    case 'not in':
      return (scope) => !isIn(left(scope), right(scope));
    case '~':
      return (scope) => printed(left(scope)) + printed(right(scope));
    case '+':
      return (scope) => sum(left(scope), right(scope), 1);
    case '-':
      return (scope) => sum(left(scope), right(scope), -1);
    default:
      return refuse(`operator ${operator}`);
  }
}

function compileBinary(node: Node & { readonly type: 'BinaryExpression' }): Evaluate {
  const { operator, left, right } = node;
  const name = operator.value;
  // Python chains comparisons, and Jinja binds "~" tighter than "+": this parser does neither.
  if (comparisons.has(name) && (isBinary(left, ...comparisons) || isBinary(right, ...comparisons)))
    return refuse('a chain of comparisons');
  if (comparisons.has(name) && endsInTest(left)) return refuse('a test before a comparison');
  const sums = ['+', '-'];
  if (name === '~' && (isBinary(left, ...sums) || isBinary(right, ...sums))) return refuse('~');
  if (sums.includes(name) && (isBinary(left, '~') || isBinary(right, '~'))) return refuse('~');
  return binary(name, compileExpression(left), compileExpression(right));
}

/** Operands whose extent this parser and Jinja agree on. */
const isSimple = ({ type }: Node): boolean =>
  type === 'Identifier' ||
  type === 'StringLiteral' ||
  type === 'MemberExpression' ||
  type === 'CallExpression' ||
  type === 'FilterExpression';

function compileFilter(node: Node & { readonly type: 'FilterExpression' }): Evaluate {
  if (!isSimple(node.operand)) return refuse('a filter on an expression');
  const operand = compileExpression(node.operand);
  const call = node.filter.type === 'CallExpression' ? node.filter : undefined;
  const name = call?.callee ?? node.filter;
  if (name.type !== 'Identifier') return refuse('a filter without a name');
  const args = (call?.args ?? []).map(compileExpression);
  const filter = filterNamed(name.value, args.length);
  return (scope) =>
    filter(
      operand(scope),
      args.map((argument) => argument(scope)),
    );
}

function compileMember(node: Node & { readonly type: 'MemberExpression' }): Evaluate {
  const object = compileExpression(node.object);
  const { property } = node;
  if (!node.computed) {
    if (property.type !== 'Identifier') return refuse('.0');
    return (scope) => attribute(object(scope), property.value);
  }
  if (property.type === 'SliceExpression') {
    if (property.step !== undefined) return refuse('a slice with a step');
    const start = property.start && compileExpression(property.start);
    const stop = property.stop && compileExpression(property.stop);
    return (scope) => sliced(object(scope), start?.(scope), stop?.(scope));
  }
  const key = compileExpression(property);
  return (scope) => element(object(scope), key(scope));
}

function compileIdentifier(name: string): Evaluate {
  if (reserved.has(name) || name.startsWith('__')) return refuse(name);
  if (Object.hasOwn(constants, name)) return () => constants[name];
  return (scope) => scope.find(name);
}

function endsInTest(node: Node): boolean {
  if (node.type === 'BinaryExpression') return endsInTest(node.right);
  if (node.type === 'UnaryExpression') return endsInTest(node.argument);
  return node.type === 'TestExpression';
}

export function compileExpression(node: Node): Evaluate {
  const evaluate = compileUncharged(node);
  return (scope) => {
    const value = evaluate(scope);
    scope.charge(value);
    return value;
  };
}

function compileUncharged(node: Node): Evaluate {
  switch (node.type) {
    case 'StringLiteral':
    case 'IntegerLiteral':
      return Number.isSafeInteger(node.value) || typeof node.value === 'string'
        ? () => node.value
        : refuse('a long number');
    case 'Identifier':
      return compileIdentifier(node.value);
    case 'ArrayLiteral': {
      const items = node.value.map(compileExpression);
      return (scope) => items.map((item) => item(scope));
    }
    case 'MemberExpression':
      return compileMember(node);
    case 'CallExpression': {
      const { callee } = node;
      if (callee.type !== 'MemberExpression' || callee.computed || node.args.length > 0) {
        return refuse('a call');
      }
      if (callee.property.type !== 'Identifier') return refuse('a call');
      const object = compileExpression(callee.object);
      const method = methodNamed(callee.property.value);
      return (scope) => method(object(scope), []);
    }
    case 'FilterExpression':
      return compileFilter(node);
    case 'TestExpression': {
      if (!isSimple(node.operand)) return refuse('a test of an expression');
      const operand = compileExpression(node.operand);
      const test = testNamed(node.test.value);
      return (scope) => test(operand(scope)) !== node.negate;
    }
    case 'BinaryExpression':
      return compileBinary(node);
    case 'UnaryExpression': {
      if (node.operator.value !== 'not') return refuse('a sign');
      const argument = compileExpression(node.argument);
      return (scope) => !isTrue(argument(scope));
    }
    case 'Ternary': {
      // Jinja would take the "if" for an argument of the test.
      if (endsInTest(node.trueExpr)) return refuse('a test before a condition');
      const condition = compileExpression(node.condition);
      const yes = compileExpression(node.trueExpr);
      const no = compileExpression(node.falseExpr);
      return (scope) => (isTrue(condition(scope)) ? yes(scope) : no(scope));
    }
    default:
      return refuse(node.type);
  }
}
