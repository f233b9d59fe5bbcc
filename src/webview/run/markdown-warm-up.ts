import { lexer } from 'marked';

/** One of each kind, beginning with what most texts are. */
const samples = [
  'a b\n\nc',
  '# a\n\n## b',
  '- a\n- b\n\n1. c',
  '**a** *b* `c` [d](#e)',
  '```js\na\n```',
  '| a | b |\n| - | - |\n| c | d |',
] as const;

let isBegun = false;

/**
 * Has the patterns of Markdown compiled before they are needed. At their first use they take longer
 * than some frames together, and that would be the frame in which an answer is whole. Each sample
 * comes twice: what runs a second time is compiled once more, for speed.
 */
export function warmUpMarkdown(): void {
  if (isBegun) return;
  isBegun = true;
  const waiting = [...samples, ...samples];
  const next = (): void => {
    const sample = waiting.shift();
    if (sample === undefined) return;
    lexer(sample);
    requestIdleCallback(next);
  };
  requestIdleCallback(next);
}
