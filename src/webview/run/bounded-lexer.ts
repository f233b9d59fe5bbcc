import { Lexer } from 'marked';
import type { Token } from 'marked';

/** The time for marks inside of a text grows with its square: a longer paragraph, item or cell has none. */
const longestInline = 8000;
/** Quotes and lists in each other, at the beginning of one line. Deeper ones are looked for one by one. */
const nested = /^(?:[ \t]*(?:[>*+-]|\d{1,9}[.)])){50}/m;
const textOf = (text: string): Token => ({ type: 'text', raw: text, text, escaped: false });

class BoundedLexer extends Lexer {
  override inlineTokens(source: string, tokens: Token[] = []): Token[] {
    if (source.length <= longestInline) return super.inlineTokens(source, tokens);
    tokens.push(textOf(source));
    return tokens;
  }
}

/** The tokens of Markdown in time that grows with its length; text where that can't be promised. */
export function boundedTokens(text: string): readonly Token[] {
  return nested.test(text) ? [textOf(text)] : new BoundedLexer().lex(text);
}
