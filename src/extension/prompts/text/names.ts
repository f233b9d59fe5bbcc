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

// None of these looks at a character more than a few times, whatever is never closed.
const fString = /\{([A-Za-z0-9_]+)(?:![A-Za-z]+)?(?::[^{}]*)?\}/g;
/** Names in an expression; not after a dot, not before `=`, not in a string. */
const jinjaName =
  /"(?:[^"\\]|\\[^]?)*(?:"|$)|'(?:[^'\\]|\\[^]?)*(?:'|$)|(?<![\w.])([A-Za-z_]\w*)(?!\s*=(?!=))/g;
const snippet = /@@@(.+?)@@@/g;

const rawOf = (lines: readonly Line[]): string => lines.map(({ text }) => text).join('\n');

/** From offsets in the joined lines to places in the document. */
export function placesIn(lines: readonly Line[]): (from: number, length: number) => Place {
  const starts: number[] = [];
  let length = 0;
  for (const { text } of lines) {
    starts.push(length);
    length += text.length + 1;
  }
  return (from, width) => {
    let [low, high] = [0, lines.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if ((starts[middle] ?? 0) <= from) low = middle;
      else high = middle - 1;
    }
    const line = lines[low];
    const rest = from - (starts[low] ?? 0);
    if (line !== undefined && rest <= line.text.length) {
      return { from: line.from + rest, to: line.from + rest + width };
    }
    const end = line === undefined ? 0 : line.from + line.text.length;
    return { from: end, to: end };
  };
}

/** What stands between the marks of Jinja2, and where it begins. */
function* jinjaTags(text: string): Generator<{ readonly inside: string; readonly from: number }> {
  const opening = /\{(?:\{|%)/g;
  const unclosed = new Set<string>();
  for (let found = opening.exec(text); found !== null; found = opening.exec(text)) {
    const [mark] = found;
    const from = opening.lastIndex;
    const end = unclosed.has(mark) ? -1 : text.indexOf(mark === '{{' ? '}}' : '%}', from);
    if (end < 0) {
      // Of these there is no further end either: it is looked for once.
      unclosed.add(mark);
      opening.lastIndex = from - 1;
      continue;
    }
    yield { inside: text.slice(from, end), from };
    opening.lastIndex = end + 2;
  }
}

/** Every place of every variable of a text. */
export function variablesAt(span: TextSpan): readonly NameAt[] {
  const raw = rawOf(span.lines);
  const placeOf = placesIn(span.lines);
  const at = (name: string, from: number): NameAt => ({
    name,
    message: span.message,
    ...placeOf(from, name.length),
  });
  if (span.format !== 'jinja2') {
    return [...raw.matchAll(fString)].map(({ index, 1: name = '' }) => at(name, index + 1));
  }
  const names = new Set(variablesOfText(textOf(span.lines), 'jinja2'));
  return [...jinjaTags(raw)].flatMap(({ inside, from }) =>
    [...inside.matchAll(jinjaName)].flatMap(({ index, 1: name }) =>
      name !== undefined && names.has(name) ? [at(name, from + index)] : [],
    ),
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
