import {
  JSONPathNodeList,
  Nothing,
  jsonpath,
  type JSONPathNode,
  type JSONPathQuery,
} from 'json-p3';
import { ExactNumber } from '../../../api/exact-number.ts';
import { compareTexts, orderOf, sameJson } from '../../../core/comparison.ts';
import { jsonFromText, type Json } from './json.ts';

const { expressions, selectors } = jsonpath;
type Expression = jsonpath.expressions.FilterExpression;
type Context = jsonpath.FilterContext;

/** An exact number is a number, though it is kept as an object: it has no names in it. */
class MemberSelector extends selectors.NameSelector {
  override resolve(node: JSONPathNode): JSONPathNode[] {
    return node.value instanceof ExactNumber ? [] : super.resolve(node);
  }

  override *lazyResolve(node: JSONPathNode): Generator<JSONPathNode> {
    if (!(node.value instanceof ExactNumber)) yield* super.lazyResolve(node);
  }
}

/** What one side of a comparison is; undefined for Nothing. */
function sideOf(side: Expression, context: Context): Json | undefined {
  // The library keeps a double; the token has all digits.
  if (side instanceof expressions.NumberLiteral) return jsonFromText(side.token.value);
  const found: unknown = side.evaluate(context);
  // A comparison takes queries that find one node at most.
  const value: unknown = found instanceof JSONPathNodeList ? found.nodes[0]?.value : found;
  return value === undefined || value === Nothing ? undefined : (value as Json);
}

const isNumber = (value: Json | undefined): value is number | ExactNumber =>
  typeof value === 'number' || value instanceof ExactNumber;

/** RFC 9535: numbers and texts have an order, each among themselves; "5" is a text. */
function isBefore(left: Json | undefined, right: Json | undefined): boolean {
  if (typeof left === 'string' && typeof right === 'string') return compareTexts(left, right) < 0;
  if (!isNumber(left) || !isNumber(right)) return false;
  const order = orderOf(left, right);
  return typeof order === 'number' && order < 0;
}

const same = (left: Json | undefined, right: Json | undefined): boolean =>
  left === undefined || right === undefined ? left === right : sameJson(left, right);

/** A comparison that loses no digit. */
class Comparison extends expressions.InfixExpression {
  override evaluate(context: Context): boolean {
    const [left, right] = [sideOf(this.left, context), sideOf(this.right, context)];
    switch (this.operator) {
      case '==':
        return same(left, right);
      case '!=':
        return !same(left, right);
      case '<':
        return isBefore(left, right);
      case '>':
        return isBefore(right, left);
      case '<=':
        return isBefore(left, right) || same(left, right);
      case '>=':
        return isBefore(right, left) || same(left, right);
      default:
        throw new Error(`Not a comparison: ${this.operator}`);
    }
  }
}

function exactExpression(sent: Expression): Expression {
  if (sent instanceof expressions.InfixExpression) {
    const [left, right] = [exactExpression(sent.left), exactExpression(sent.right)];
    return sent.logical
      ? new expressions.InfixExpression(sent.token, left, sent.operator, right)
      : new Comparison(sent.token, left, sent.operator, right);
  }
  if (sent instanceof expressions.PrefixExpression) {
    return new expressions.PrefixExpression(sent.token, sent.operator, exactExpression(sent.right));
  }
  if (sent instanceof expressions.FunctionExtension) {
    return new expressions.FunctionExtension(sent.token, sent.name, sent.args.map(exactExpression));
  }
  if (sent instanceof expressions.FilterQuery) makeExact(sent.path);
  return sent;
}

function exactSelector(sent: jsonpath.JSONPathSelector): jsonpath.JSONPathSelector {
  if (sent instanceof selectors.NameSelector) {
    return new MemberSelector(sent.environment, sent.token, sent.name);
  }
  if (sent instanceof selectors.FilterSelector) {
    const { token, expression } = sent.expression;
    const exact = new expressions.LogicalExpression(token, exactExpression(expression));
    return new selectors.FilterSelector(sent.environment, sent.token, exact);
  }
  return sent;
}

/** Makes a query, just compiled, compare as everything else does: the library knows doubles only. */
export function makeExact({ segments }: JSONPathQuery): void {
  for (const segment of segments) {
    for (const [at, selector] of segment.selectors.entries()) {
      segment.selectors[at] = exactSelector(selector);
    }
  }
}
