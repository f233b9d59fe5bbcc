import { refuse } from '../python-text.ts';
import { Callable, Given } from './env.ts';
import { compileExpression } from './expressions.ts';
import { namesIn, weightOf } from './names.ts';
import type { Block, Parameter } from './nodes.ts';
import type { Scope } from './scope.ts';
import { Dict, Tuple } from './values.ts';

type Print = (scope: Scope) => string;

/** Sets the parameters of a macro: what is given, or else their defaults, which may name others. */
function compileParameters(
  name: string,
  parameters: readonly Parameter[],
): (scope: Scope, given: Given) => void {
  const names = parameters.map((parameter) => parameter.name);
  const read = parameters.map(({ name: own, fallback }) => ({
    own,
    fallback: fallback && compileExpression(fallback),
  }));
  return (scope, given) => {
    const values = given.read(`the macro ${name}`, names);
    for (const { own, fallback } of read) {
      scope.set(own, values.has(own) ? values.get(own) : fallback?.(scope));
    }
  };
}

/** A macro whose body names `varargs` or `kwargs` takes more than it has parameters for. */
function compileRest(
  parameters: readonly Parameter[],
  used: ReadonlySet<string>,
): (scope: Scope, given: Given) => Given {
  const [takesMore, takesNamed] = [used.has('varargs'), used.has('kwargs')];
  const names = new Set(parameters.map(({ name }) => name));
  return (scope, given) => {
    let { positional, named } = given;
    if (takesMore) {
      scope.set('varargs', new Tuple(positional.slice(names.size)));
      positional = positional.slice(0, names.size);
    }
    if (takesNamed) {
      scope.set('kwargs', new Dict(Array.from(named).filter(([name]) => !names.has(name))));
      named = new Map(Array.from(named).filter(([name]) => names.has(name)));
    }
    return takesMore || takesNamed ? new Given(positional, named) : given;
  };
}

/** A macro, bound to the place where it is defined. */
export function compileMacro(
  name: string,
  parameters: readonly Parameter[],
  body: Block,
  print: Print,
): (scope: Scope) => Callable {
  const assign = compileParameters(name, parameters);
  const used = namesIn(body);
  const hasCaller = used.has('caller');
  const takeRest = compileRest(parameters, used);
  const weight = weightOf(body);
  return (outer) =>
    new Callable(
      `the macro ${name}`,
      (env, given) =>
        env.deeper(() => {
          env.budget.step();
          env.budget.spend(weight);
          const scope = outer.inner();
          const caller = given.named.get('caller');
          if (caller !== undefined && !hasCaller) {
            return refuse(`a call block around the macro ${name}, which has no caller()`);
          }
          scope.set('caller', caller);
          assign(scope, takeRest(scope, given.without('caller')));
          return print(scope);
        }),
      true,
    );
}
