import * as z from 'zod';
import { defineColumn, sourceName, word } from './column-kind.ts';
import { toText } from './json.ts';

const sentences = new Intl.Segmenter('en', { granularity: 'sentence' });

const counters = {
  /** Code points, so that an emoji of one code point counts once. */
  chars: (text: string) => {
    let count = 0;
    for (const _ of text) count += 1;
    return count;
  },
  words: (text: string) => text.match(/\S+/g)?.length ?? 0,
  sentences: (text: string) => {
    let count = 0;
    for (const { segment } of sentences.segment(text)) if (/\S/.test(segment)) count += 1;
    return count;
  },
  paragraphs: (text: string) => text.split(/\n[^\S\n]*\n/).filter((part) => /\S/.test(part)).length,
} as const;

const config = z.looseObject({
  source: sourceName,
  type: word(['chars', 'words', 'sentences', 'paragraphs']),
});

export const count = defineColumn('COUNT', config, ({ type }) => {
  const counter = counters[type];
  return (sources) => counter(toText(sources.one('source').value).replaceAll('\r\n', '\n'));
});
