import { refuse } from '../python-text.ts';
import { hasHalves, wordsOf } from './letters.ts';
import { Markup, strOf } from './values.ts';

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  "'": '&#39;',
  '"': '&#34;',
};

/** `markupsafe.escape`. */
export const escapedHtml = (value: unknown): Markup =>
  value instanceof Markup
    ? value
    : new Markup(strOf(value).replaceAll(/[&<>'"]/g, (letter) => escapes[letter] ?? letter));

const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&apos;': "'",
  '&#39;': "'",
  '&#34;': '"',
  '&nbsp;': '\u00a0',
};

/** All from each beginning to the next end; a beginning without an end stays, and all behind it. */
function without(text: string, beginning: string, end: string): string {
  let result = '';
  let rest = text;
  for (;;) {
    const start = rest.indexOf(beginning);
    // The end is sought from the beginning on, so "<!-->" is a whole comment.
    const stop = start < 0 ? -1 : rest.indexOf(end, start);
    if (stop < 0) return result + rest;
    result += rest.slice(0, start);
    rest = rest.slice(stop + end.length);
  }
}

/** `Markup(text).striptags()`. */
export function withoutTags(text: string): string {
  const withoutComments = without(text, '<!--', '-->');
  const left = withoutComments.indexOf('<!--');
  // What stands before and after a comment made a new one, which Python would see.
  if (left >= 0 && withoutComments.includes('-->', left)) return refuse('such comments');
  const joined = wordsOf(without(withoutComments, '<', '>')).join(' ');
  return joined.replaceAll(/&(?:#?\w+;?)?/g, (entity) => {
    if (entity === '&') return entity;
    return entities[entity] ?? refuse(`${entity} in a text without tags`);
  });
}

const unreserved = /[!'()*]/g;

/** `urllib.parse.quote`: of a path, or of a part of a query. */
export function quotedUrl(value: unknown, isQuery: boolean): string {
  const text = strOf(value);
  if (hasHalves(text)) return refuse('halves of characters');
  const quoted = encodeURIComponent(text).replaceAll(
    unreserved,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return isQuery ? quoted.replaceAll('%20', '+') : quoted.replaceAll('%2F', '/');
}
