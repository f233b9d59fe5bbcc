import type { Node } from './ast.ts';
import { PatternError, childrenOf, holds, widthOf } from './ast.ts';

const nothing: ReadonlySet<number> = new Set();

/** Groups that have matched whenever this has. */
function setBy(node: Node): ReadonlySet<number> {
  switch (node.type) {
    case 'group':
      return new Set([node.index, ...setBy(node.body)]);
    case 'sequence':
      return new Set(node.items.flatMap((item) => [...setBy(item)]));
    case 'choice': {
      const [first = nothing, ...others] = node.branches.map(setBy);
      return new Set([...first].filter((index) => others.every((other) => other.has(index))));
    }
    case 'repeat':
      return node.least === 0 ? nothing : setBy(node.body);
    case 'look':
      return node.isNegated ? nothing : setBy(node.body);
    default:
      return nothing;
  }
}

/** JavaScript lets a reference to a group that has not matched pass, and Python does not. */
function checkReferences(node: Node, known: ReadonlySet<number>): void {
  if (node.type === 'reference' && !known.has(node.index)) {
    throw new PatternError(
      `a reference to group ${String(node.index)}, which may not have matched, is not known here`,
    );
  }
  if (node.type !== 'sequence') {
    for (const child of childrenOf(node)) checkReferences(child, known);
    return;
  }
  const set = new Set(known);
  for (const item of node.items) {
    checkReferences(item, set);
    for (const index of setBy(item)) set.add(index);
  }
}

const isGroup = (node: Node): boolean => node.type === 'group';

const repeatsGroups = (node: Node): node is Node & { readonly type: 'repeat' } =>
  node.type === 'repeat' && node.most > 1 && holds(node.body, isGroup);

/** What a group holds after a turn that took nothing: each engine has an answer of its own. */
const repeatsNothing = (node: Node): boolean =>
  repeatsGroups(node) && widthOf(node.body).least === 0;

/** JavaScript forgets the groups of a repetition each time round, and Python keeps the last ones. */
const forgetsGroups = (node: Node): boolean => {
  if (!repeatsGroups(node)) return false;
  const set = setBy(node.body);
  return holds(node.body, (one) => one.type === 'group' && !set.has(one.index));
};

/** Something that takes nothing before it takes more. */
const takesNothingFirst = (node: Node): boolean =>
  node.type === 'choice'
    ? node.branches.slice(0, -1).some((branch) => widthOf(branch).least === 0)
    : node.type === 'repeat' && node.isLazy && node.most > node.least;

/** Python ends a repetition with a turn that takes nothing, and JavaScript looks for another turn. */
const endsWithNothing = (node: Node): boolean =>
  node.type === 'repeat' &&
  node.most > Math.max(node.least, 1) &&
  widthOf(node.body).least === 0 &&
  holds(node.body, takesNothingFirst);

/** Refuses what the engines see differently. `areShown`: whether somebody is shown what is found. */
export function checkGroups(node: Node, isLinear: boolean, areShown: boolean): void {
  checkReferences(node, nothing);
  if (areShown && holds(node, endsWithNothing)) {
    throw new PatternError(
      'a repetition of something that may be empty before it is more is not known here',
    );
  }
  const isReferred = holds(node, (one) => one.type === 'reference');
  if ((isReferred || areShown) && holds(node, repeatsNothing)) {
    throw new PatternError('a group that may be empty in a repetition is not known here');
  }
  if ((isReferred || (areShown && !isLinear)) && holds(node, forgetsGroups)) {
    throw new PatternError(
      'a group that does not match each time in a repetition, together with look-around or references, is not known here',
    );
  }
}
