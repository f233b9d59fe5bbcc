import { Budget } from './budget.ts';
import type { Render } from './f-string.ts';
import type { Evaluate, Scope } from './jinja-expressions.ts';
import { compileExpression } from './jinja-expressions.ts';
import type { Node } from './jinja-nodes.ts';
import { parseJinja } from './jinja-nodes.ts';
import { LoopState, isTrue, put } from './jinja-values.ts';
import type { Mapping } from '../mapping.ts';
import { isMapping } from '../mapping.ts';
import { NotFaithful, jsonText } from './python-text.ts';

class Names implements Scope {
  readonly #own = new Map<string, unknown>();
  readonly #outer: Names | Mapping;
  readonly #budget: Budget;

  constructor(outer: Names | Mapping, budget?: Budget) {
    this.#outer = outer;
    this.#budget = budget ?? (outer instanceof Names ? outer.#budget : new Budget());
  }

  find(name: string): unknown {
    if (this.#own.has(name)) return this.#own.get(name);
    if (this.#outer instanceof Names) return this.#outer.find(name);
    return Object.hasOwn(this.#outer, name) ? this.#outer[name] : undefined;
  }

  set(name: string, value: unknown): void {
    this.#own.set(name, value);
  }

  step(): void {
    this.#budget.step();
  }

  charge(value: unknown): void {
    this.#budget.charge(value);
  }
}

type Print = (names: Names) => string;

function compileBlock(nodes: readonly Node[]): Print {
  const parts = nodes.map(compileStatement);
  return (names) => {
    let text = '';
    for (const part of parts) text += part(names);
    return text;
  };
}

function assignable(node: Node): string {
  if (node.type === 'Identifier' && node.value !== 'loop') return node.value;
  throw new NotFaithful('an assignment to something else');
}

/** The names a loop gives its items: one, or one for each part of an item. */
function compileLoopNames(node: Node): (names: Names, item: unknown) => void {
  if (node.type !== 'TupleLiteral') {
    const name = assignable(node);
    return (names, item) => names.set(name, item);
  }
  const targets = node.value.map(assignable);
  return (names, item) => {
    if (!Array.isArray(item) || item.length !== targets.length) throw new NotFaithful('unpacking');
    targets.forEach((target, at) => names.set(target, item[at]));
  };
}

function itemsOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (value === undefined) return [];
  if (isMapping(value)) return Object.keys(value);
  throw new NotFaithful('a loop over something else');
}

function compileFor(node: Node & { readonly type: 'For' }): Print {
  // A pair under one name could be printed, which Python does as a tuple.
  if (node.loopvar.type !== 'TupleLiteral' && holdsPairs(node.iterable, ['items'])) {
    throw new NotFaithful('pairs');
  }
  const iterable = compileExpression(node.iterable);
  const give = compileLoopNames(node.loopvar);
  const body = compileBlock(node.body);
  const instead = compileBlock(node.defaultBlock);
  return (names) => {
    const items = itemsOf(iterable(names));
    if (items.length === 0) return instead(new Names(names));
    let text = '';
    items.forEach((item, index) => {
      names.step();
      const inner = new Names(names);
      inner.set('loop', new LoopState(index, items.length));
      give(inner, item);
      text += body(inner);
    });
    return text;
  };
}

/** Views of a dict print differently in Python, and so do its pairs: they may only be walked. */
function holdsPairs(node: Node, methods = ['items', 'keys', 'values']): boolean {
  if (node.type === 'CallExpression') {
    return (
      node.callee.type === 'MemberExpression' &&
      node.callee.property.type === 'Identifier' &&
      methods.includes(node.callee.property.value)
    );
  }
  return (
    node.type === 'FilterExpression' &&
    node.filter.type === 'Identifier' &&
    node.filter.value === 'items'
  );
}

function refusePairs(node: unknown, isTop = false): void {
  if (typeof node !== 'object' || node === null) return;
  if (!isTop && 'type' in node && holdsPairs(node as Node)) throw new NotFaithful('pairs');
  for (const part of Object.values(node)) refusePairs(part);
}

function compilePrinted(node: Node): Print {
  if (
    node.type === 'FilterExpression' &&
    node.filter.type === 'Identifier' &&
    node.filter.value === 'tojson'
  ) {
    // What it gives is marked as safe in Jinja, which changes all that is done with it: print only.
    const operand: Evaluate = compileExpression(node.operand);
    return (names) => {
      const value = operand(names);
      if (value === undefined) throw new NotFaithful('JSON of nothing');
      return jsonText(value);
    };
  }
  const value = compileExpression(node);
  return (names) => put(value(names));
}

function compileStatement(node: Node): Print {
  switch (node.type) {
    case 'Comment':
      return () => '';
    case 'If': {
      refusePairs(node.test);
      // Jinja takes no `a if b else c` there without parentheses, which leave no trace.
      if (node.test.type === 'Ternary') throw new NotFaithful('a condition on a condition');
      const test = compileExpression(node.test);
      const body = compileBlock(node.body);
      const alternate = compileBlock(node.alternate);
      return (names) => (isTrue(test(names)) ? body(names) : alternate(names));
    }
    case 'For':
      refusePairs(node.iterable, true);
      return compileFor(node);
    case 'Set': {
      const name = assignable(node.assignee);
      if (node.value === null) throw new NotFaithful('an assignment of a block');
      refusePairs(node.value);
      const value = compileExpression(node.value);
      return (names) => {
        names.set(name, value(names));
        return '';
      };
    }
    default:
      refusePairs(node);
      return compilePrinted(node);
  }
}

/**
 * A template as a function, made of what is proven to give the same text as Jinja2 in Python.
 * Throws NotFaithful for anything else; so may the function, for values it cannot vouch for.
 * Undefined when there is nothing to render.
 */
export function compileJinja(source: string): Render | undefined {
  const nodes = parseJinja(source);
  const [only] = nodes;
  if (nodes.length === 1 && only?.type === 'StringLiteral' && only.value === source) {
    return undefined;
  }
  const print = compileBlock(nodes);
  return (variables, budget) => print(new Names(variables, budget));
}
