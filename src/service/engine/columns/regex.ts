import * as z from 'zod';
import { defineColumn, sourceName } from './column-kind.ts';
import { readAt } from '../problem.ts';
import type { Pattern } from './pattern.ts';
import { compilePattern } from './pattern.ts';
import { toText } from './json.ts';

const config = z.looseObject({ source: sourceName, regex_pattern: z.string().min(1) });

const patternOf = (source: string, use: 'test' | 'find'): Pattern =>
  readAt(['regex_pattern'], () => compilePattern(source, use));

/** Whether a pattern occurs in the text of a column. */
export const regex = defineColumn('REGEX', config, ({ regex_pattern }) => {
  const { test, quickUpTo, isQuick } = patternOf(regex_pattern, 'test');
  return {
    slow: false,
    quickUpTo,
    isQuick: (sources) => isQuick(toText(sources.one('source').value)),
    compute: (sources) => test(toText(sources.one('source').value)),
  };
});

/** All matches: whole ones, or the groups of the pattern when it has some. */
export const regexExtraction = defineColumn('REGEX_EXTRACTION', config, ({ regex_pattern }) => {
  const { findAll, quickUpTo, isQuick } = patternOf(regex_pattern, 'find');
  return {
    slow: false,
    quickUpTo,
    isQuick: (sources) => isQuick(toText(sources.one('source').value)),
    compute: (sources) => findAll(toText(sources.one('source').value)),
  };
});
