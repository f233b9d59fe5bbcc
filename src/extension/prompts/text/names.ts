import { snippetOf } from '../../../core/templates/snippet-references.ts';
import type { SnippetReference } from '../../../core/templates/snippet-references.ts';
import { variablesOfText } from '../../../core/templates/template-variables.ts';
import type { Line } from './blocks.ts';
import { textOf } from './blocks.ts';
import type { Place } from './front-matter.ts';
import type { TextSpan } from './read.ts';

/** A variable where it stands in a text. */
export interface NameAt extends Place {
  readonly name: string;
  readonly message: number;
}

export interface SnippetAt extends Place {
  readonly reference: SnippetReference;
}

const fString = /\{([A-Za-z0-9_]+)(?:![A-Za-z]+)?(?::[^}]*)?\}/g;
const jinjaTag = /\{\{([\s\S]*?)\}\}|\{%([\s\S]*?)%\}/g;
/** Names in an expression; not after a dot, not before `=`, not in a string. */
const jinjaName = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|(?<![\w.])([A-Za-z_]\w*)(?!\s*=(?!=))/g;
const snippet = /@@@(.+?)@@@/g;

const rawOf = (lines: readonly Line[]): string => lines.map(({ text }) => text).join('\n');

/** From an offset in the joined lines to one in the document. */
export function placeIn(lines: readonly Line[], from: number, length: number): Place {
  let rest = from;
  for (const line of lines) {
    if (rest <= line.text.length) return { from: line.from + rest, to: line.from + rest + length };
    rest -= line.text.length + 1;
  }
  const last = lines.at(-1);
  const end = last === undefined ? 0 : last.from + last.text.length;
  return { from: end, to: end };
}

/** Every place of every variable of a text. */
export function variablesAt(span: TextSpan): readonly NameAt[] {
  const raw = rawOf(span.lines);
  const at = (name: string, from: number): NameAt => ({
    name,
    message: span.message,
    ...placeIn(span.lines, from, name.length),
  });
  if (span.format !== 'jinja2') {
    return [...raw.matchAll(fString)].map(({ index, 1: name = '' }) => at(name, index + 1));
  }
  const names = new Set(variablesOfText(textOf(span.lines), 'jinja2'));
  return [...raw.matchAll(jinjaTag)].flatMap(({ index, 1: printed, 2: statement }) =>
    [...(printed ?? statement ?? '').matchAll(jinjaName)].flatMap((found) => {
      const { 1: name } = found;
      return name !== undefined && names.has(name) ? [at(name, index + 2 + found.index)] : [];
    }),
  );
}

export const snippetsAt = ({ lines }: TextSpan): readonly SnippetAt[] =>
  lines.flatMap(({ text, from }) =>
    [...text.matchAll(snippet)].map(({ 0: whole, 1: inside = '', index }) => ({
      reference: snippetOf(inside),
      from: from + index,
      to: from + index + whole.length,
    })),
  );
