import type { MarkedToken, Token, Tokens } from 'marked';
import { el } from '../common/dom.ts';
import { revealInPieces } from '../common/reveal.ts';
import { codeBlock } from '../common/text-flow.ts';
import { boundedTokens } from './bounded-lexer.ts';

/** Deeper than any text that was meant to be read. */
const deepest = 40;

const isSafe = (href: string): boolean => /^(?:https?:\/\/|mailto:)/i.test(href);

/** A link goes where it says it does, or stays text. Nothing is ever loaded from it. */
function linkOf(href: string, children: readonly Node[]): Node {
  const link = isSafe(href)
    ? el('a', '', { href, title: href, rel: 'noreferrer' })
    : el('span', 'dead-link', { title: href });
  link.append(...children);
  return link;
}

function cells(row: readonly Tokens.TableCell[], tag: 'th' | 'td', depth: number): Node {
  return el(
    'tr',
    '',
    {},
    row.map(({ tokens }) => el(tag, '', { dir: 'auto' }, nodesOf(tokens, depth))),
  );
}

function listNode({ ordered, start, items }: Tokens.List, depth: number): Node {
  const attributes = ordered && start !== '' && start !== 1 ? { start: String(start) } : {};
  return el(
    ordered ? 'ol' : 'ul',
    '',
    attributes,
    items.map((item) =>
      el('li', '', { dir: 'auto' }, [
        ...(item.task ? [item.checked === true ? '☑ ' : '☐ '] : []),
        ...nodesOf(
          item.tokens.filter(({ type }) => type !== 'checkbox'),
          depth,
        ),
      ]),
    ),
  );
}

/** What could disguise a text is shown by signs, as in text that is no Markdown. */
function textNode(text: string): Node | string {
  const pieces = revealInPieces(text);
  if (!pieces.some(({ isSign }) => isSign)) return text;
  return el(
    'span',
    '',
    {},
    pieces.map((piece) => (piece.isSign ? el('span', 'sign', {}, [piece.text]) : piece.text)),
  );
}

const headings = ['h3', 'h4', 'h5', 'h6', 'h6', 'h6'] as const;

function nodeOf(token: MarkedToken, depth: number): Node | string {
  const inner = (tokens: readonly Token[]): Node[] => nodesOf(tokens, depth);
  switch (token.type) {
    case 'space':
    case 'def':
      return '';
    case 'heading':
      return el(headings[token.depth - 1] ?? 'h6', '', { dir: 'auto' }, inner(token.tokens));
    case 'paragraph':
      return el('p', '', { dir: 'auto' }, inner(token.tokens));
    case 'blockquote':
      return el('blockquote', '', { dir: 'auto' }, inner(token.tokens));
    case 'list':
      return listNode(token, depth);
    case 'list_item':
      return el('li', '', { dir: 'auto' }, inner(token.tokens));
    case 'code':
      return codeBlock(token.lang ?? '', token.text);
    case 'table': {
      const head = el('thead', '', {}, [cells(token.header, 'th', depth)]);
      const body = el(
        'tbody',
        '',
        {},
        token.rows.map((row) => cells(row, 'td', depth)),
      );
      return el('table', '', {}, [head, body]);
    }
    case 'hr':
      return el('hr');
    case 'br':
      return el('br');
    case 'strong':
      return el('strong', '', {}, inner(token.tokens));
    case 'em':
      return el('em', '', {}, inner(token.tokens));
    case 'del':
      return el('del', '', {}, inner(token.tokens));
    case 'codespan':
      return el('code', '', {}, [textNode(token.text)]);
    case 'link':
      return linkOf(token.href, inner(token.tokens));
    case 'image':
      return linkOf(token.href, [el('span', '', {}, [textNode(token.text || token.href)])]);
    case 'text':
      return token.tokens === undefined
        ? textNode(token.text)
        : el('span', '', {}, inner(token.tokens));
    case 'checkbox':
      return token.checked ? '☑ ' : '☐ ';
    case 'escape':
      return textNode(token.text);
    // HTML of a model is shown, never run.
    case 'html':
      return textNode(token.raw);
  }
}

function nodesOf(tokens: readonly Token[], depth: number): Node[] {
  return tokens.map((token) => {
    const node = depth > deepest ? textNode(token.raw) : nodeOf(token as MarkedToken, depth + 1);
    return typeof node === 'string' ? document.createTextNode(node) : node;
  });
}

/** Markdown as elements that are made here one by one: no HTML of the text gets into the page. */
export const markdownNodes = (text: string): readonly Node[] => nodesOf(boundedTokens(text), 0);
