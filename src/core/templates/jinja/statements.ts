import { refuse } from '../python-text.ts';
import { Callable } from './env.ts';
import type { Evaluate } from './expressions.ts';
import { compileArguments, compileExpression, compileFilter } from './expressions.ts';
import { Namespace } from './functions.ts';
import { LoopState } from './loop-state.ts';
import { compileMacro } from './macros.ts';
import { weightOf } from './names.ts';
import type { Block, Expression, Statement, Target } from './nodes.ts';
import type { Scope } from './scope.ts';
import { isDict, isTrue, sizeOf, strOf, textIn } from './values.ts';

export type Print = (scope: Scope) => string;
type Assign = (scope: Scope, value: unknown) => void;
type Of<Type extends Statement['type']> = Statement & { readonly type: Type };

export function compileBlock(block: Block): Print {
  const parts = block.map(compileStatement);
  const [only] = parts;
  if (parts.length === 1 && only !== undefined) return only;
  return (scope) => {
    let text = '';
    for (const part of parts) text += part(scope);
    return text;
  };
}

/** What `{{ value }}` puts into the text: the service prints nothing for null, in both formats. */
const put = (value: unknown): string => (value === null ? '' : strOf(value));

function compileTarget(target: Target): Assign {
  switch (target.type) {
    case 'Name':
      return (scope, value) => scope.set(target.name, value);
    case 'Member':
      return (scope, value) => {
        const holder = scope.find(target.name);
        if (!(holder instanceof Namespace)) {
          return refuse(`a value for ${target.name}.${target.member}, which isn't a namespace`);
        }
        holder.set(target.member, value);
      };
    case 'Targets': {
      const targets = target.targets.map(compileTarget);
      return (scope, value) => {
        const items = Array.from(scope.env.walk(value));
        if (items.length !== targets.length) refuse('a value of other parts than its names');
        targets.forEach((assign, at) => assign(scope, items[at]));
      };
    }
  }
}

function* chosen(
  scope: Scope,
  items: Iterable<unknown>,
  assign: Assign,
  test: Evaluate,
): Iterable<unknown> {
  for (const item of items) {
    const inner = scope.inner();
    assign(inner, item);
    if (isTrue(test(inner))) yield item;
  }
}

function compileFor(node: Of<'For'>): Print {
  const iterable = compileExpression(node.iterable);
  const assign = compileTarget(node.target);
  const test = node.filter && compileExpression(node.filter);
  const turn = weightOf(node.body);
  const [body, otherwise] = [compileBlock(node.body), compileBlock(node.otherwise)];
  return (scope) => {
    const value = iterable(scope);
    const size = isDict(value) ? sizeOf(value) : 0;
    const items = scope.env.walk(value);
    const loop =
      test === undefined
        ? new LoopState(scope.env, items, value)
        : new LoopState(scope.env, chosen(scope, items, assign, test), undefined);
    let text = '';
    let isEmpty = true;
    for (let next = loop.next(); next.done !== true; next = loop.next()) {
      isEmpty = false;
      scope.env.budget.spend(turn);
      const inner = scope.inner();
      inner.set('loop', loop);
      assign(inner, next.value);
      text += body(inner);
      if (isDict(value) && sizeOf(value) !== size)
        refuse('a dictionary changed while it is walked');
    }
    return isEmpty ? otherwise(scope.inner()) : text;
  };
}

/** The text of a block, or what its filter makes of it. */
function compileText(body: Block, filter: (Expression & { type: 'Filter' }) | undefined): Evaluate {
  const print = compileBlock(body);
  if (filter === undefined) return (scope) => print(scope.inner());
  const filtered = compileFilter(filter, print);
  return (scope) => filtered(scope.inner());
}

function compileCallBlock(node: Of<'CallBlock'>): Print {
  const caller = compileMacro('caller', node.parameters, node.body, compileBlock(node.body));
  const callee = compileExpression(node.call.callee);
  const given = compileArguments(node.call.args);
  return (scope) => {
    const called = callee(scope);
    if (!(called instanceof Callable) || !called.isMacro) {
      return refuse("a call block around something that isn't a macro");
    }
    return strOf(called.call(scope.env, given(scope).with('caller', caller(scope))));
  };
}

function compileStatement(node: Statement): Print {
  switch (node.type) {
    case 'Text': {
      const { text } = node;
      return (scope) => {
        scope.env.budget.spend(text.length);
        return text;
      };
    }
    case 'Print': {
      const value = compileExpression(node.value);
      return (scope) => put(value(scope));
    }
    case 'If': {
      const branches = node.branches.map(({ test, body }) => ({
        test: compileExpression(test),
        body: compileBlock(body),
      }));
      const otherwise = compileBlock(node.otherwise);
      return (scope) =>
        (branches.find(({ test }) => isTrue(test(scope)))?.body ?? otherwise)(scope);
    }
    case 'For':
      return compileFor(node);
    case 'FilterBlock': {
      const text = compileText(node.body, node.filter);
      return (scope) => textIn(text(scope)) ?? refuse('a filter block that gives no text');
    }
    default:
      return compileAssignment(node);
  }
}

/** Statements that print nothing, and those with names of their own. */
function compileAssignment(node: Of<'Set' | 'SetBlock' | 'With' | 'Macro' | 'CallBlock'>): Print {
  switch (node.type) {
    case 'Set':
    case 'SetBlock': {
      const assign = compileTarget(node.target);
      const value =
        node.type === 'Set' ? compileExpression(node.value) : compileText(node.body, node.filter);
      return (scope) => {
        assign(scope, value(scope));
        return '';
      };
    }
    case 'With': {
      const assignments = node.assignments.map(({ target, value }) => ({
        assign: compileTarget(target),
        value: compileExpression(value),
      }));
      const body = compileBlock(node.body);
      return (scope) => {
        const inner = scope.inner();
        for (const { assign, value } of assignments) assign(inner, value(scope));
        return body(inner);
      };
    }
    case 'Macro': {
      const macro = compileMacro(node.name, node.parameters, node.body, compileBlock(node.body));
      return (scope) => {
        scope.set(node.name, macro(scope));
        return '';
      };
    }
    case 'CallBlock':
      return compileCallBlock(node);
  }
}
