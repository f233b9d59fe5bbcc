import { shortened } from '../../core/shortened.ts';

/** As much of a text that the client sent is enough to know it again. */
const LONGEST_ECHO = 200;
/** Longer than any sentence of ours with what it quotes. */
const LONGEST_TEXT = 2000;
/** Echoes are found in blocks of so many characters. */
const BLOCK = 25;
const KEPT_BLOCKS = LONGEST_ECHO / BLOCK - 2;
/** Bounds of what is searched for an echo: an answer must not cost more than its request. */
const [LONGEST_SENT, MOST_SENT] = [64 * 1024, 1024 * 1024];

/** The long texts in what a client has sent, keys included; short ones may be quoted whole. */
export function longTextsIn(sent: unknown): readonly string[] {
  const found = new Set<string>();
  let size = 0;
  const waiting: unknown[] = [sent];
  const add = (text: string): void => {
    if (text.length <= LONGEST_ECHO) return;
    const part = text.slice(0, LONGEST_SENT).toLowerCase();
    size += part.length;
    found.add(part);
  };
  while (waiting.length > 0 && size < MOST_SENT) {
    const value = waiting.pop();
    if (typeof value === 'string') add(value);
    else if (Array.isArray(value)) for (const item of value) waiting.push(item);
    else if (typeof value === 'object' && value !== null) {
      for (const [key, item] of Object.entries(value)) {
        add(key);
        waiting.push(item);
      }
    }
  }
  return [...found];
}

/** A text of an answer without more of any long text than its beginning. */
export function withoutEchoes(text: string, sent: readonly string[]): string {
  if (text.length <= LONGEST_ECHO) return text;
  const whole = shortened(text, LONGEST_TEXT);
  if (sent.length === 0) return whole;
  const kept: string[] = [];
  let run = 0;
  for (let at = 0; at < whole.length; at += BLOCK) {
    const block = whole.slice(at, at + BLOCK);
    const isEcho = block.length === BLOCK && sent.some((one) => one.includes(block.toLowerCase()));
    run = isEcho ? run + 1 : 0;
    if (run <= KEPT_BLOCKS) kept.push(block);
    else if (run === KEPT_BLOCKS + 1) kept.push('…');
  }
  return kept.join('').toWellFormed();
}

/** The body of an error, each of its texts without echoes. */
export function bodyWithoutEchoes(
  body: Readonly<Record<string, unknown>>,
  sent: readonly string[],
): Readonly<Record<string, unknown>> {
  const shown = (value: unknown): unknown => {
    if (typeof value === 'string') return withoutEchoes(value, sent);
    if (Array.isArray(value)) return value.map(shown);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shown(item)]));
  };
  return Object.fromEntries(Object.entries(body).map(([key, item]) => [key, shown(item)]));
}
