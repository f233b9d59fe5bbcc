import type { Budget } from './budget.ts';
import type { Mapping } from '../mapping.ts';
import { plainText } from './python-text.ts';

/** `{name}`; a conversion or format after the name is allowed and has no effect. */
const variable = /\{([A-Za-z0-9_]+)(?:![A-Za-z]+)?(?::[^}]*)?\}/g;

export type Render = (variables: Mapping, budget?: Budget) => string;

/** Behind the last brace nothing ends, though every `{name:` would be followed to the end of the text. */
const matchesIn = (source: string): RegExpStringIterator<RegExpExecArray> =>
  source.slice(0, source.lastIndexOf('}') + 1).matchAll(variable);

/** The names in it, in their order. */
export const fStringVariables = (source: string): string[] =>
  Array.from(matchesIn(source), ([, name = '']) => name);

/** Undefined when there is nothing to render. */
export function compileFString(source: string): Render | undefined {
  const pieces: (string | { readonly name: string })[] = [];
  let copied = 0;
  for (const match of matchesIn(source)) {
    pieces.push(source.slice(copied, match.index), { name: match[1] ?? '' });
    copied = match.index + match[0].length;
  }
  if (pieces.length === 0) return undefined;
  pieces.push(source.slice(copied));
  return (variables, budget) => {
    let text = '';
    for (const piece of pieces) {
      if (typeof piece === 'string') text += piece;
      else if (Object.hasOwn(variables, piece.name)) {
        const value = variables[piece.name];
        budget?.charge(value);
        if (value !== undefined && value !== null) text += plainText(value);
      }
    }
    return text;
  };
}
