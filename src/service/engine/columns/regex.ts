import * as z from 'zod';
import { defineColumn, sourceName } from './column-kind.ts';
import { compilePattern } from './pattern.ts';
import { toText } from './json.ts';

const config = z.looseObject({ source: sourceName, regex_pattern: z.string().min(1) });

/** Whether a pattern occurs in the text of a column. */
export const regex = defineColumn('REGEX', config, ({ regex_pattern }) => {
  const pattern = compilePattern(regex_pattern);
  return {
    slow: pattern.kind === 'sandboxed',
    compute: (sources, tools) => {
      const text = toText(sources.one('source').value);
      return pattern.kind === 'linear'
        ? pattern.test(text)
        : tools.sandbox.testRegex(pattern.source, text, tools);
    },
  };
});

/** All matches: whole ones, or the groups of the pattern when it has some. */
export const regexExtraction = defineColumn('REGEX_EXTRACTION', config, ({ regex_pattern }) => {
  const pattern = compilePattern(regex_pattern);
  return {
    slow: pattern.kind === 'sandboxed',
    compute: (sources, tools) => {
      const text = toText(sources.one('source').value);
      return pattern.kind === 'linear'
        ? pattern.findAll(text)
        : tools.sandbox.findAllRegex(pattern.source, text, tools);
    },
  };
});
