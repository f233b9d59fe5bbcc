import { broken, refuse } from '../python-text.ts';
import { ExpressionParser } from './expression-parser.ts';
import { tokensOf } from './lexer.ts';
import type {
  Block,
  Expression,
  FilterNode,
  MacroNode,
  Parameter,
  Statement,
  Target,
} from './nodes.ts';
import { TokenStream } from './token-stream.ts';

/** Words that cannot be given a value. */
const constants = new Set(['true', 'false', 'none', 'True', 'False', 'None']);
/** Names that Jinja2 gives a meaning where they are found. */
const special = new Set(['loop', 'caller', 'varargs', 'kwargs', 'self', 'super']);

/** Statements, rule by rule as `jinja2.parser` reads them. */
class Parser extends ExpressionParser {
  template(): Block {
    return this.#block([]);
  }

  /** Up to one of the words, which are left where they stand, behind the beginning of their tag. */
  #block(ends: readonly string[]): Block {
    return this.nested(() => {
      const block: Statement[] = [];
      for (;;) {
        const token = this.stream.next();
        if (token.type === 'data') block.push({ type: 'Text', text: token.text });
        else if (token.type === 'print_begin') {
          block.push({ type: 'Print', value: this.tuple() });
          this.stream.expect('print_end', '"}}"');
        } else if (token.type === 'block_begin') {
          if (this.stream.isName(...ends)) return block;
          block.push(...this.#statement());
          this.stream.expect('block_end', '"%}"');
        } else if (ends.length === 0) return block;
        else return broken(`a block without ${ends.at(-1) ?? 'its end'}`);
      }
    });
  }

  /** The body of a tag, from behind its head to one of the words. */
  #body(ends: readonly string[]): Block {
    this.stream.skipOperator(':');
    this.stream.expect('block_end', '"%}"');
    return this.#block(ends);
  }

  #bodyTo(end: string): Block {
    const body = this.#body([end]);
    this.stream.next();
    return body;
  }

  #statement(): readonly Statement[] {
    const { text: tag } = this.stream.expect('name', 'the name of a tag');
    switch (tag) {
      case 'if':
        return [this.#if()];
      case 'for':
        return [this.#for()];
      case 'set':
        return [this.#set()];
      case 'with':
        return [this.#with()];
      case 'filter': {
        const filter = this.filters(undefined, true) ?? broken('a filter block without a filter');
        return [{ type: 'FilterBlock', filter, body: this.#bodyTo('endfilter') }];
      }
      case 'macro':
        return [this.#macro()];
      case 'call':
        return [this.#call()];
      case 'print':
        return this.#print();
      default:
        return refuse(`the tag ${tag}`);
    }
  }

  #if(): Statement {
    const branches: { test: Expression; body: Block }[] = [];
    for (;;) {
      const test = this.tuple({ isConditional: false });
      branches.push({ test, body: this.#body(['elif', 'else', 'endif']) });
      const { text } = this.stream.next();
      if (text === 'elif') continue;
      const otherwise = text === 'else' ? this.#bodyTo('endif') : [];
      return { type: 'If', branches, otherwise };
    }
  }

  #for(): Statement {
    const target = this.#target(['in']);
    this.stream.expectName('in');
    const iterable = this.tuple({ isConditional: false, ends: ['recursive'] });
    const filter = this.stream.skipName('if') ? this.expression() : undefined;
    if (this.stream.isName('recursive')) return refuse('a recursive loop');
    const body = this.#body(['endfor', 'else']);
    const otherwise = this.stream.next().text === 'else' ? this.#bodyTo('endfor') : [];
    return { type: 'For', target, iterable, filter, body, otherwise };
  }

  #set(): Statement {
    const target = this.#target([], true);
    if (this.stream.skipOperator('=')) return { type: 'Set', target, value: this.tuple() };
    const filter: FilterNode | undefined = this.filters(undefined);
    return { type: 'SetBlock', target, filter, body: this.#bodyTo('endset') };
  }

  #with(): Statement {
    const assignments: { target: Target; value: Expression }[] = [];
    while (this.stream.current.type !== 'block_end') {
      if (assignments.length > 0) this.stream.expectOperator(',');
      const target = this.#target([]);
      this.stream.expectOperator('=');
      assignments.push({ target, value: this.expression() });
    }
    return { type: 'With', assignments, body: this.#bodyTo('endwith') };
  }

  #parameters(): readonly Parameter[] {
    this.stream.expectOperator('(');
    const parameters: Parameter[] = [];
    while (!this.stream.isOperator(')')) {
      if (parameters.length > 0) this.stream.expectOperator(',');
      const name = this.#ownName();
      if (parameters.some((other) => other.name === name)) {
        return broken(`the parameter ${name} named twice`);
      }
      const fallback = this.stream.skipOperator('=') ? this.expression() : undefined;
      if (fallback === undefined && parameters.at(-1)?.fallback !== undefined) {
        return broken('a parameter without a default after one with a default');
      }
      parameters.push({ name, fallback });
    }
    this.stream.next();
    return parameters;
  }

  #macro(): MacroNode {
    const name = this.#ownName();
    const parameters = this.#parameters();
    return { type: 'Macro', name, parameters, body: this.#bodyTo('endmacro') };
  }

  #call(): Statement {
    const parameters = this.stream.isOperator('(') ? this.#parameters() : [];
    const call = this.expression();
    if (call.type !== 'Call') return broken('a call block without a call');
    return { type: 'CallBlock', call, parameters, body: this.#bodyTo('endcall') };
  }

  #print(): readonly Statement[] {
    const printed: Statement[] = [];
    while (this.stream.current.type !== 'block_end') {
      if (printed.length > 0) this.stream.expectOperator(',');
      printed.push({ type: 'Print', value: this.expression() });
    }
    return printed;
  }

  #ownName(): string {
    const { text } = this.stream.expect('name', 'a name');
    return constants.has(text) || special.has(text) ? refuse(`a value for ${text}`) : text;
  }

  #target(ends: readonly string[], takesMembers = false): Target {
    const members = new Map<Expression, Target>();
    const item = (): Expression => {
      const node = this.primary();
      if (!takesMembers || node.type !== 'Name' || !this.stream.skipOperator('.')) return node;
      const member = this.stream.expect('name', 'a name').text;
      members.set(node, { type: 'Member', name: node.name, member });
      return node;
    };
    return targetOf(this.tuple({ ends, item }), members);
  }
}

function targetOf(node: Expression, members: ReadonlyMap<Expression, Target>): Target {
  const member = members.get(node);
  if (member !== undefined) return member;
  if (node.type === 'Tuple') {
    return { type: 'Targets', targets: node.items.map((item) => targetOf(item, members)) };
  }
  if (node.type !== 'Name') return broken("an assignment to something that isn't a name");
  return special.has(node.name) ? refuse(`a value for ${node.name}`) : node;
}

/** The nodes of a template's source. Throws NotFaithful for what is no Jinja2, or refused here. */
export const parseJinja = (source: string): Block =>
  new Parser(new TokenStream(tokensOf(source))).template();
