import { broken, refuse } from '../python-text.ts';
import type {
  Arguments,
  Bounds,
  Comparator,
  Comparison,
  Expression,
  FilterNode,
  Operator,
  Pair,
} from './nodes.ts';
import type { TokenStream } from './token-stream.ts';

const constants: Readonly<Record<string, unknown>> = {
  true: true,
  True: true,
  false: false,
  False: false,
  none: null,
  None: null,
};
const comparators = ['==', '!=', '<', '<=', '>', '>='] as const;
/** Deeper than this, and the stack of a process ends. Python gives up earlier still. */
const DEEPEST = 80;
/** Each part is a level of its own: Python's limit on brackets in brackets is 200. */
const LONGEST = 150;
const none: Arguments = { positional: [], named: [] };

/** Expressions, rule by rule as `jinja2.parser` reads them. */
export class ExpressionParser {
  readonly stream: TokenStream;
  #depth = 0;

  constructor(stream: TokenStream) {
    this.stream = stream;
  }

  protected nested<Result>(parse: () => Result): Result {
    this.#depth += 1;
    if (this.#depth > DEEPEST) return refuse('an expression or block nested this deep');
    const result = parse();
    this.#depth -= 1;
    return result;
  }

  expression(isConditional = true): Expression {
    return this.nested(() => (isConditional ? this.#condition() : this.#or()));
  }

  #condition(): Expression {
    let yes = this.#or();
    while (this.stream.skipName('if')) {
      const test = this.#or();
      const no = this.stream.skipName('else') ? this.nested(() => this.#condition()) : undefined;
      yes = { type: 'Condition', test, yes, no };
    }
    return yes;
  }

  #or(): Expression {
    let left = this.#and();
    while (this.stream.skipName('or')) left = { type: 'Or', left, right: this.#and() };
    return left;
  }

  #and(): Expression {
    let left = this.#not();
    while (this.stream.skipName('and')) left = { type: 'And', left, right: this.#not() };
    return left;
  }

  #not(): Expression {
    if (!this.stream.skipName('not')) return this.#compare();
    return { type: 'Not', operand: this.nested(() => this.#not()) };
  }

  #comparator(): Comparator | undefined {
    const operator = comparators.find((text) => this.stream.skipOperator(text));
    if (operator !== undefined) return operator;
    if (this.stream.skipName('in')) return 'in';
    const { following } = this.stream;
    if (!this.stream.isName('not') || following.type !== 'name' || following.text !== 'in') {
      return undefined;
    }
    this.stream.next();
    this.stream.next();
    return 'not in';
  }

  #compare(): Expression {
    const first = this.#sum();
    const rest: Comparison[] = [];
    for (;;) {
      const operator = this.#comparator();
      if (operator === undefined) break;
      rest.push({ operator, operand: this.#sum() });
    }
    return rest.length === 0 ? first : { type: 'Compare', first, rest };
  }

  #binary(operators: readonly Operator[], operand: () => Expression): Expression {
    let left = operand();
    for (let count = 0; ; count += 1) {
      if (count > LONGEST) return refuse('an expression with this many parts');
      const operator = operators.find((text) => this.stream.skipOperator(text));
      if (operator === undefined) return left;
      left = { type: 'Arithmetic', operator, left, right: operand() };
    }
  }

  #sum(): Expression {
    return this.#binary(['+', '-'], () => this.#concat());
  }

  #concat(): Expression {
    const first = this.#product();
    const items = [first];
    while (this.stream.skipOperator('~')) items.push(this.#product());
    return items.length === 1 ? first : { type: 'Concat', items };
  }

  #product(): Expression {
    return this.#binary(['*', '/', '//', '%'], () => this.#power());
  }

  #power(): Expression {
    return this.#binary(['**'], () => this.#unary());
  }

  #unary(isFiltered = true): Expression {
    const sign = (['-', '+'] as const).find((text) => this.stream.skipOperator(text));
    const operand: Expression =
      sign === undefined
        ? this.primary()
        : { type: 'Sign', sign, operand: this.nested(() => this.#unary(false)) };
    const node = this.#postfix(operand);
    return isFiltered ? this.#filtered(node) : node;
  }

  primary(): Expression {
    const token = this.stream.current;
    switch (token.type) {
      case 'name':
        this.stream.next();
        return Object.hasOwn(constants, token.text)
          ? { type: 'Const', value: constants[token.text] }
          : { type: 'Name', name: token.text };
      case 'string':
        return { type: 'Const', value: this.#strings() };
      case 'integer':
      case 'constant':
        this.stream.next();
        return { type: 'Const', value: token.value };
      default:
        return this.nested(() => this.#bracketed());
    }
  }

  /** Texts side by side are one, as in Python. */
  #strings(): string {
    let text = '';
    while (this.stream.current.type === 'string') text += String(this.stream.next().value);
    return text;
  }

  #bracketed(): Expression {
    if (this.stream.skipOperator('(')) {
      const node = this.tuple({ isInParentheses: true });
      this.stream.expectOperator(')');
      return node;
    }
    if (this.stream.skipOperator('[')) {
      return { type: 'List', items: this.#listed(']', () => this.expression()) };
    }
    if (this.stream.skipOperator('{')) {
      return { type: 'Dict', pairs: this.#listed('}', () => this.#pair()) };
    }
    return this.stream.unexpected('an expression');
  }

  #pair(): Pair {
    const key = this.expression();
    this.stream.expectOperator(':');
    return { key, value: this.expression() };
  }

  #listed<Item>(closer: string, item: () => Item): readonly Item[] {
    const items: Item[] = [];
    while (!this.stream.isOperator(closer)) {
      if (items.length > 0) this.stream.expectOperator(',');
      if (this.stream.isOperator(closer)) break;
      items.push(item());
    }
    this.stream.next();
    return items;
  }

  /** An expression, or several with commas between them. `ends` are words that end it. */
  tuple({
    isConditional = true,
    isInParentheses = false,
    ends = [],
    item = () => this.expression(isConditional),
  }: {
    readonly isConditional?: boolean;
    readonly isInParentheses?: boolean;
    readonly ends?: readonly string[];
    readonly item?: () => Expression;
  } = {}): Expression {
    const items: Expression[] = [];
    let isTuple = false;
    for (;;) {
      if (items.length > 0) this.stream.expectOperator(',');
      if (this.#isTupleEnd(ends)) break;
      items.push(item());
      if (!this.stream.isOperator(',')) break;
      isTuple = true;
    }
    const [only] = items;
    if (!isTuple && only !== undefined) return only;
    if (!isTuple && !isInParentheses) return this.stream.unexpected('an expression');
    return { type: 'Tuple', items };
  }

  #isTupleEnd(ends: readonly string[]): boolean {
    const { type } = this.stream.current;
    if (type === 'print_end' || type === 'block_end') return true;
    return this.stream.isOperator(')') || this.stream.isName(...ends);
  }

  #postfix(start: Expression): Expression {
    let node = start;
    for (let count = 0; ; count += 1) {
      if (count > LONGEST) return refuse('an expression with this many parts');
      if (this.stream.skipOperator('.')) node = this.#member(node);
      else if (this.stream.skipOperator('[')) node = this.#subscript(node);
      else if (this.stream.isOperator('(')) {
        node = { type: 'Call', callee: node, args: this.#arguments() };
      } else return node;
    }
  }

  #member(object: Expression): Expression {
    const token = this.stream.next();
    if (token.type === 'name') return { type: 'Attribute', object, name: token.text };
    if (token.type !== 'integer') return broken('a dot without a name behind it');
    return { type: 'Item', object, key: { type: 'Const', value: token.value } };
  }

  #subscript(object: Expression): Expression {
    const keys: (Expression | Bounds)[] = [];
    while (!this.stream.isOperator(']')) {
      if (keys.length > 0) this.stream.expectOperator(',');
      keys.push(this.#subscripted());
    }
    this.stream.next();
    const [key] = keys;
    if (key === undefined || keys.length > 1) return refuse('an index of several parts');
    return 'type' in key ? { type: 'Item', object, key } : { type: 'Slice', object, bounds: key };
  }

  #subscripted(): Expression | Bounds {
    const start = this.stream.isOperator(':') ? undefined : this.expression();
    if (start !== undefined && !this.stream.isOperator(':')) return start;
    this.stream.next();
    const bound = (): Expression | undefined =>
      this.stream.isOperator(':', ']', ',') ? undefined : this.expression();
    const stop = bound();
    const step = this.stream.skipOperator(':') ? bound() : undefined;
    return { start, stop, step };
  }

  #filtered(start: Expression): Expression {
    let node = start;
    for (let count = 0; ; count += 1) {
      if (count > LONGEST) return refuse('an expression with this many parts');
      if (this.stream.isOperator('|')) node = this.filters(node);
      else if (this.stream.isName('is')) node = this.#test(node);
      else if (this.stream.isOperator('(')) {
        node = { type: 'Call', callee: node, args: this.#arguments() };
      } else return node;
    }
  }

  #dottedName(): string {
    let name = this.stream.expect('name', 'a name').text;
    while (this.stream.skipOperator('.')) name += `.${this.stream.expect('name', 'a name').text}`;
    return name;
  }

  /** `|name(...)`, one or more. `isInline`: the first comes without its "|". */
  filters(operand: Expression, isInline?: boolean): FilterNode;
  filters(operand: Expression | undefined, isInline?: boolean): FilterNode | undefined;
  filters(operand: Expression | undefined, isInline = false): Expression | undefined {
    let node: Expression | undefined = operand;
    let isFirst = isInline;
    while (isFirst || this.stream.skipOperator('|')) {
      isFirst = false;
      const name = this.#dottedName();
      const args = this.stream.isOperator('(') ? this.#arguments() : none;
      node = { type: 'Filter', operand: node, name, args };
    }
    return node;
  }

  #test(operand: Expression): Expression {
    this.stream.next();
    const isNegated = this.stream.skipName('not');
    const name = this.#dottedName();
    const node: Expression = { type: 'Test', operand, name, args: this.#testArguments() };
    return isNegated ? { type: 'Not', operand: node } : node;
  }

  #testArguments(): Arguments {
    if (this.stream.isOperator('(')) return this.#arguments();
    const { type } = this.stream.current;
    const isArgument =
      ['name', 'string', 'integer', 'constant'].includes(type) || this.stream.isOperator('[', '{');
    if (!isArgument || this.stream.isName('else', 'or', 'and')) return none;
    if (this.stream.isName('is')) return broken('a test of a test');
    return { positional: [this.#postfix(this.primary())], named: [] };
  }

  #arguments(): Arguments {
    this.stream.expectOperator('(');
    const positional: Expression[] = [];
    const named: { name: string; value: Expression }[] = [];
    let isFirst = true;
    while (!this.stream.isOperator(')')) {
      if (!isFirst) this.stream.expectOperator(',');
      if (!isFirst && this.stream.isOperator(')')) break;
      isFirst = false;
      if (this.stream.isOperator('*', '**')) return refuse('* or ** before an argument');
      const { current, following } = this.stream;
      if (current.type === 'name' && following.type === 'operator' && following.text === '=') {
        this.stream.next();
        this.stream.next();
        if (named.some(({ name }) => name === current.text)) {
          return broken(`the argument ${current.text} given twice`);
        }
        named.push({ name: current.text, value: this.expression() });
      } else if (named.length > 0)
        return broken('an argument without a name after one with a name');
      else positional.push(this.expression());
    }
    this.stream.next();
    return { positional, named };
  }
}
