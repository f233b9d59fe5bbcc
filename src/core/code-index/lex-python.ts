/** Tokens of Python, also of code that is half typed. */
import type { Lexing } from './tokens.ts';
import {
  beginsName,
  beginsNumber,
  kind,
  lineEnd,
  nameEnd,
  numberEnd,
  shortStringEnd,
  Tokens,
  tokensAtOnce,
} from './tokens.ts';

const prefix = /^(?:[rbuft]|br|rb|fr|rf|tr|rt)$/i;
const withEquals = '=!<>+-*/%&|^@:';

/** Where the replacement field of an f-string ends that begins at `from`: behind its brace. */
function fieldEnd(text: string, from: number, quote: string): number {
  const isLong = quote.length === 3;
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    const sign = text[at] ?? '';
    if ('{[('.includes(sign)) depth += 1;
    else if ('}])'.includes(sign)) {
      depth -= 1;
      if (depth <= 0) return at + 1;
    } else if (sign === '\n' && !isLong) return at;
    else if (isLong && text.startsWith(quote, at)) return at;
    // A string in a string, which may have the same quotes since Python 3.12.
    else if (sign === '"' || sign === "'") at = shortStringEnd(text, at + 1, sign) - 1;
  }
  return text.length;
}

interface FoundString {
  readonly end: number;
  readonly isComputed: boolean;
}

function stringFrom(text: string, at: number, letters: string): FoundString {
  const sign = text[at] ?? '';
  const quote = text.startsWith(sign.repeat(3), at) ? sign.repeat(3) : sign;
  const isBytes = /b/i.test(letters);
  if (!/[ft]/i.test(letters)) {
    return { end: plainEnd(text, at, quote), isComputed: isBytes };
  }
  let isComputed = /t/i.test(letters);
  for (let here = at + quote.length; here < text.length; here += 1) {
    const found = text[here];
    if (text.startsWith(quote, here)) return { end: here + quote.length, isComputed };
    if (found === '\n' && quote.length === 1) return { end: here, isComputed };
    if (found === '\\') here += 1;
    else if (found === '{' || found === '}') {
      isComputed = true;
      if (text[here + 1] === found) here += 1;
      else if (found === '{') here = Math.max(here, fieldEnd(text, here, quote) - 1);
    }
  }
  return { end: text.length, isComputed };
}

function plainEnd(text: string, at: number, quote: string): number {
  if (quote.length === 1) return shortStringEnd(text, at + 1, quote);
  for (let here = at + 3; here < text.length; here += 1) {
    if (text[here] === '\\') here += 1;
    else if (text.startsWith(quote, here)) return here + 3;
  }
  return text.length;
}

/** Adds what begins here; answers where the next begins. */
function addNext(tokens: Tokens, text: string, at: number): number {
  const code = text.charCodeAt(at);
  const sign = text[at] ?? '';
  const put = (what: (typeof kind)[keyof typeof kind], to: number): number => {
    tokens.add(what, at, to);
    return to;
  };
  if (code <= 32) return at + 1;
  if (sign === '#') return lineEnd(text, at);
  if (sign === '\\') return at + 1;
  if (beginsName(code)) {
    const end = nameEnd(text, at);
    const letters = text.slice(at, end);
    const next = text[end];
    if ((next !== '"' && next !== "'") || !prefix.test(letters)) return put(kind.name, end);
    const found = stringFrom(text, end, letters);
    return put(found.isComputed ? kind.opaque : kind.string, found.end);
  }
  if (sign === '"' || sign === "'") return put(kind.string, stringFrom(text, at, '').end);
  if (beginsNumber(text, at)) return put(kind.number, numberEnd(text, at));
  if ('([{'.includes(sign)) return put(kind.open, at + 1);
  if (')]}'.includes(sign)) return put(kind.close, at + 1);
  if (text.startsWith('**', at) || text.startsWith('->', at)) return put(kind.sign, at + 2);
  const isAssigning = withEquals.includes(sign) && text[at + 1] === '=';
  return put(kind.sign, at + (isAssigning ? 2 : 1));
}

export function* lexPython(text: string): Lexing {
  const tokens = new Tokens(text);
  let steps = 0;
  let at = 0;
  while (at < text.length) {
    at = addNext(tokens, text, at);
    steps += 1;
    if (steps % tokensAtOnce === 0) yield;
  }
  return tokens;
}
