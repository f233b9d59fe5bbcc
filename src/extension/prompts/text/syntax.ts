import type { Translate } from '../../shell/translate.ts';
import { parseJinja } from '../../../core/templates/jinja/parser.ts';
import { BrokenTemplate } from '../../../core/templates/python-text.ts';
import type { Line } from './blocks.ts';
import { textOf } from './blocks.ts';
import { placesIn } from './names.ts';
import type { Problem } from './problem.ts';
import type { TextSpan } from './read.ts';

const closers: Readonly<Record<string, string>> = {
  endif: 'if',
  endfor: 'for',
  endset: 'set',
  endmacro: 'macro',
  endcall: 'call',
  endfilter: 'filter',
  endraw: 'raw',
  endwith: 'with',
  endblock: 'block',
  endautoescape: 'autoescape',
};
const branches: Readonly<Record<string, readonly string[]>> = {
  else: ['if', 'for'],
  elif: ['if'],
};
const openers = new Set(Object.values(closers));
const ends: Readonly<Record<string, string>> = { '{{': '}}', '{%': '%}', '{#': '#}' };

interface Opened {
  readonly word: string;
  readonly at: number;
}

/** Where the end of a tag stands; strings in it may hold anything. */
function endOf(text: string, from: number, mark: string): number {
  if (mark === '#}') return text.indexOf(mark, from);
  let quote: string | undefined;
  for (let at = from; at < text.length; at += 1) {
    const char = text[at];
    if (quote !== undefined) {
      if (char === '\\') at += 1;
      else if (char === quote) quote = undefined;
    } else if (char === '"' || char === "'") quote = char;
    else if (text.startsWith(mark, at)) return at;
  }
  return -1;
}

/** What is broken in any Jinja: tags without an end, blocks that do not match. */
function jinjaFaults(
  text: string,
  t: Translate,
): readonly (Opened & { readonly message: string })[] {
  const faults: (Opened & { readonly message: string })[] = [];
  const open: Opened[] = [];
  let at = 0;
  for (;;) {
    const start = /\{[{%#]/g;
    start.lastIndex = at;
    const found = start.exec(text);
    if (found === null) break;
    const [mark] = found;
    const end = ends[mark] ?? '}}';
    const to = endOf(text, found.index + 2, end);
    if (to < 0) {
      const message = t('{0} is not closed by {1}.', mark, end);
      return [...faults, { word: mark, at: found.index, message }];
    }
    at = to + 2;
    if (mark !== '{%') continue;
    const inside = text
      .slice(found.index + 2, to)
      .replace(/^[-+]/, '')
      .trim();
    const [word = ''] = /^\w+/.exec(inside) ?? [];
    const tag = { word, at: found.index };
    const opened = open.at(-1);
    const wanted = closers[word];
    if (wanted !== undefined) {
      if (opened?.word === wanted) open.pop();
      else faults.push({ ...tag, message: t('{0} has no {1} before it.', word, wanted) });
    } else if (branches[word] !== undefined) {
      if (opened === undefined || !branches[word].includes(opened.word)) {
        const wants = branches[word].join(', ');
        faults.push({ ...tag, message: t('{0} has no {1} before it.', word, wants) });
      }
    } else if (word === 'raw') {
      const close = /\{%[-+]?\s*endraw\s*[-+]?%\}/g;
      close.lastIndex = at;
      const last = close.exec(text);
      if (last === null)
        return [...faults, { ...tag, message: t('{0} is not closed by {1}.', 'raw', 'endraw') }];
      at = close.lastIndex;
    } else if (openers.has(word) && !(word === 'set' && /^set\b[^=]*=/.test(inside))) {
      open.push(tag);
    }
  }
  const unclosed = open.map((tag) => ({
    ...tag,
    message: t('{0} is not closed by {1}.', tag.word, `end${tag.word}`),
  }));
  return [...faults, ...unclosed];
}

function jinjaProblems(span: TextSpan, t: Translate): readonly Problem[] {
  const raw = span.lines.map(({ text }) => text).join('\n');
  const placeOf = placesIn(span.lines);
  const faults = jinjaFaults(raw, t);
  if (faults.length > 0) {
    return faults.map(({ at, word, message }) => ({
      ...placeOf(at, Math.max(2, word.length)),
      severity: 'error',
      message,
    }));
  }
  try {
    parseJinja(textOf(span.lines));
    return [];
  } catch (error) {
    const tag = raw.search(/\{[{%]/);
    if (!(error instanceof BrokenTemplate) || tag < 0) return [];
    const message = t('This may be broken Jinja2: {0}', error.message);
    return [{ ...placeOf(tag, 2), severity: 'warning', message }];
  }
}

/** What an f-string leaves as it is, although it looks like a variable. */
const doubtful =
  /\{\{\s*[A-Za-z_][\w.]*\s*\}\}|\{\s+[A-Za-z_]\w*\s*\}|\{\s*[A-Za-z_]\w*\s+\}|\{[A-Za-z_]\w*(?:\.\w+)+\}/g;

const fStringProblems = ({ lines }: TextSpan, t: Translate): readonly Problem[] =>
  lines.flatMap(({ text, from }: Line) =>
    [...text.matchAll(doubtful)].map(({ 0: whole, index }): Problem => ({
      from: from + index,
      to: from + index + whole.length,
      severity: 'warning',
      message: whole.startsWith('{{')
        ? t(
            '{0} is Jinja2, and this text is an f-string. Write {name}, or set template_format: jinja2.',
            whole,
          )
        : t(
            "{0} isn't a variable in an f-string and is sent as is. Write {name} without spaces and dots.",
            whole,
          ),
    })),
  );

/** What is wrong with the template syntax of a text. */
export const syntaxProblems = (span: TextSpan, t: Translate): readonly Problem[] =>
  span.format === 'jinja2' ? jinjaProblems(span, t) : fStringProblems(span, t);
