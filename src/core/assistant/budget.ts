import { cutText } from '../shortened.ts';

/** Answers of tools land in the context of a model, which is small and paid for. */
export const usualTokens = 4_000;
export const mostTokens = 20_000;

const asciiLettersPerToken = 3.5;
const lastAscii = 0x7f;

/** About as many tokens as a text has: four ASCII letters make one, any other letter is one. */
export function tokensIn(text: string): number {
  let ascii = 0;
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) <= lastAscii) ascii += 1;
  return Math.ceil(ascii / asciiLettersPerToken + (text.length - ascii));
}

/** The beginning of a text that has about so many tokens at most; never half a letter. */
export function withinTokens(text: string, tokens: number): string {
  let used = 0;
  for (let at = 0; at < text.length; at += 1) {
    used += text.charCodeAt(at) <= lastAscii ? 1 / asciiLettersPerToken : 1;
    if (used > tokens) return cutText(text, at);
  }
  return text;
}
