import type { Arguments, Block, Expression, Parameter, Statement, Target } from './nodes.ts';

/** The names that a target sets. Members of a namespace set none. */
export function targetNames(target: Target): readonly string[] {
  if (target.type === 'Targets') return target.targets.flatMap(targetNames);
  return target.type === 'Name' ? [target.name] : [];
}

/** Namespaces that a target changes: they are read. */
export function changedNames(target: Target): readonly string[] {
  if (target.type === 'Targets') return target.targets.flatMap(changedNames);
  return target.type === 'Member' ? [target.name] : [];
}

function argumentExpressions({ positional, named }: Arguments): readonly Expression[] {
  return [...positional, ...named.map(({ value }) => value)];
}

const given = (...nodes: readonly (Expression | undefined)[]): readonly Expression[] =>
  nodes.filter((node) => node !== undefined);

/** The expressions directly inside of one. */
function innerExpressions(node: Expression): readonly Expression[] {
  switch (node.type) {
    case 'Const':
    case 'Name':
      return [];
    case 'Tuple':
    case 'List':
    case 'Concat':
      return node.items;
    case 'Dict':
      return node.pairs.flatMap(({ key, value }) => [key, value]);
    case 'Attribute':
      return [node.object];
    case 'Item':
      return [node.object, node.key];
    case 'Slice':
      return given(node.object, node.bounds.start, node.bounds.stop, node.bounds.step);
    case 'Call':
      return [node.callee, ...argumentExpressions(node.args)];
    case 'Filter':
      return [...given(node.operand), ...argumentExpressions(node.args)];
    case 'Test':
      return [node.operand, ...argumentExpressions(node.args)];
    case 'Not':
    case 'Sign':
      return [node.operand];
    case 'Arithmetic':
    case 'And':
    case 'Or':
      return [node.left, node.right];
    case 'Compare':
      return [node.first, ...node.rest.map(({ operand }) => operand)];
    case 'Condition':
      return given(node.yes, node.test, node.no);
  }
}

/** The names that an expression reads, in their order. */
export function* namesRead(node: Expression): Iterable<string> {
  if (node.type === 'Name') yield node.name;
  for (const inner of innerExpressions(node)) yield* namesRead(inner);
}

/** What a part of a template costs, in characters. */
const PART = 4;

/** What all parts of an expression cost. */
const partsOf = (node: Expression): number =>
  innerExpressions(node).reduce((sum, inner) => sum + partsOf(inner), PART);

/** What a block costs at most to go through once, in characters; loops in it count as one turn. */
export function weightOf(block: Block): number {
  const all = (nodes: readonly Expression[]): number =>
    nodes.reduce((sum, node) => sum + partsOf(node), 0);
  return block.reduce((sum, statement) => {
    const { read, inner, branches } = effectOf(statement);
    const inside = inner.reduce((size, one) => size + all(one.read) + weightOf(one.body), 0);
    const chosen = branches.reduce((size, branch) => size + weightOf(branch), 0);
    return sum + PART + all(read) + inside + chosen;
  }, 0);
}

/** A block with names of its own. */
export interface Inner {
  readonly body: Block;
  readonly names: readonly string[];
  /** What it reads itself, before its body. */
  readonly read: readonly Expression[];
}

/** What a statement does to names, in the order in which Jinja2 looks at it. */
export interface Effect {
  readonly read: readonly Expression[];
  readonly changed: readonly string[];
  readonly inner: readonly Inner[];
  readonly branches: readonly Block[];
  /** Whether one of the branches is always taken. */
  readonly isOneTaken: boolean;
  readonly set: readonly string[];
}

const nothing: Effect = {
  read: [],
  changed: [],
  inner: [],
  branches: [],
  isOneTaken: false,
  set: [],
};

const restNames = ['varargs', 'kwargs'];
const macroNames = ['caller', ...restNames];

function macroInner(
  parameters: readonly Parameter[],
  body: Block,
  names: readonly string[],
): Inner {
  return {
    body,
    names: [...parameters.map(({ name }) => name), ...names],
    read: parameters.flatMap(({ fallback }) => given(fallback)),
  };
}

export function effectOf(node: Statement): Effect {
  switch (node.type) {
    case 'Text':
      return nothing;
    case 'Print':
      return { ...nothing, read: [node.value] };
    case 'If':
      return {
        ...nothing,
        read: node.branches.map(({ test }) => test),
        branches: [...node.branches.map(({ body }) => body), node.otherwise],
        isOneTaken: true,
      };
    case 'For': {
      const names = targetNames(node.target);
      const filter = node.filter === undefined ? [] : [{ body: [], names, read: [node.filter] }];
      return {
        ...nothing,
        read: [node.iterable],
        inner: [
          ...filter,
          { body: node.body, names: [...names, 'loop'], read: [] },
          { body: node.otherwise, names: [], read: [] },
        ],
      };
    }
    case 'Set':
      return {
        ...nothing,
        read: [node.value],
        changed: changedNames(node.target),
        set: targetNames(node.target),
      };
    case 'SetBlock':
      return {
        ...nothing,
        changed: changedNames(node.target),
        inner: [{ body: node.body, names: [], read: given(node.filter) }],
        set: targetNames(node.target),
      };
    case 'With':
      return {
        ...nothing,
        read: node.assignments.map(({ value }) => value),
        inner: [
          {
            body: node.body,
            names: node.assignments.flatMap(({ target }) => targetNames(target)),
            read: [],
          },
        ],
      };
    case 'FilterBlock':
      return {
        ...nothing,
        read: [node.filter],
        inner: [{ body: node.body, names: [], read: [] }],
      };
    case 'Macro':
      return {
        ...nothing,
        inner: [macroInner(node.parameters, node.body, macroNames)],
        set: [node.name],
      };
    case 'CallBlock':
      return {
        ...nothing,
        read: [node.call],
        inner: [macroInner(node.parameters, node.body, restNames)],
      };
  }
}

/** Every name that is read in a block or deeper in it, whoever has set it. */
export function namesIn(block: Block, found = new Set<string>()): Set<string> {
  const add = (nodes: readonly Expression[]): void => {
    for (const node of nodes) for (const name of namesRead(node)) found.add(name);
  };
  for (const statement of block) {
    const { read, changed, inner, branches } = effectOf(statement);
    add(read);
    for (const name of changed) found.add(name);
    for (const one of inner) {
      add(one.read);
      namesIn(one.body, found);
    }
    for (const branch of branches) namesIn(branch, found);
  }
  return found;
}

/** Names that mean something of their own, the innermost first; never copied, however many there are. */
class Bound {
  readonly #own: Set<string>;
  readonly #outer: Bound | undefined;

  constructor(names: Iterable<string>, outer?: Bound) {
    this.#own = new Set(names);
    this.#outer = outer;
  }

  has(name: string): boolean {
    return this.#own.has(name) || this.#outer?.has(name) === true;
  }

  add(name: string): void {
    this.#own.add(name);
  }

  get own(): ReadonlySet<string> {
    return this.#own;
  }
}

function addVariables(block: Block, bound: Bound, found: Set<string>): void {
  const read = (nodes: readonly Expression[], names: Bound): void => {
    for (const node of nodes) {
      for (const name of namesRead(node)) if (!names.has(name)) found.add(name);
    }
  };
  for (const statement of block) {
    const effect = effectOf(statement);
    read(effect.read, bound);
    for (const name of effect.changed) if (!bound.has(name)) found.add(name);
    for (const inner of effect.inner) {
      const names = new Bound(inner.names, bound);
      // A macro may call itself.
      if (statement.type === 'Macro') names.add(statement.name);
      read(inner.read, names);
      addVariables(inner.body, names, found);
    }
    const [first, ...others] = effect.branches.map((branch) => {
      const names = new Bound([], bound);
      addVariables(branch, names, found);
      return names.own;
    });
    for (const name of first ?? []) if (others.every((names) => names.has(name))) bound.add(name);
    for (const name of effect.set) bound.add(name);
  }
}

/** The variables that a template is to be given, in the order in which they first stand in it. */
export function inputVariables(block: Block, builtIn: Iterable<string>): string[] {
  const found = new Set<string>();
  addVariables(block, new Bound([], new Bound(builtIn)), found);
  return [...found];
}

/**
 * Names that Jinja2 takes for not set in an inner block, because the block around it sets them
 * later on, even where there is a variable of that name.
 */
export function namesHiddenEarly(
  block: Block,
  own: Iterable<string> = [],
  isKnown: (name: string) => boolean = () => false,
  hidden = new Set<string>(),
): Set<string> {
  const known = new Set(own);
  const readInside = new Set<string>();
  const inners: Inner[] = [];
  const visit = (statements: Block, isConditional: boolean): void => {
    for (const statement of statements) {
      const { read, changed, inner, branches, set } = effectOf(statement);
      for (const node of read) for (const name of namesRead(node)) known.add(name);
      for (const name of changed) known.add(name);
      for (const one of inner) {
        inners.push(one);
        for (const node of one.read) for (const name of namesRead(node)) readInside.add(name);
        namesIn(one.body, readInside);
      }
      for (const branch of branches) visit(branch, true);
      for (const name of set) {
        if (!isConditional && !known.has(name) && !isKnown(name) && readInside.has(name)) {
          hidden.add(name);
        }
        known.add(name);
      }
    }
  };
  visit(block, false);
  const isKnownInside = (name: string): boolean => known.has(name) || isKnown(name);
  for (const { body, names } of inners) namesHiddenEarly(body, names, isKnownInside, hidden);
  return hidden;
}
