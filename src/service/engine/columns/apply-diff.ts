import { applyPatch, parsePatch } from 'diff';
import * as z from 'zod';
import { CellProblem, messageOf } from '../problem.ts';
import { defineColumn, sourceName, type Compute } from './column-kind.ts';
import { toText } from './json.ts';

const MAX_TEXT = 1_000_000;
const MAX_LINES = 50_000;
const QUICK_CHARACTERS = 4000;

const config = z.looseObject({ content_source: sourceName, diff_source: sourceName });

/** The text of one column after the unified diff of another one. */
const compute: Compute = (sources) => {
  const content = sources.one('content_source');
  const diff = sources.one('diff_source');
  const before = checked(toText(content.value), content.title);
  const patch = onlyPatch(checked(toText(diff.value), diff.title), diff.title);
  const after = patch ? applyPatch(before, patch, { autoConvertLineEndings: true }) : before;
  if (after !== false) return after;
  throw new CellProblem(
    'invalid_input',
    `The diff in column "${diff.title}" doesn't apply to the text in column "${content.title}".`,
  );
};

/** Every part of a diff may be looked for in every line of the text. */
export const applyDiff = defineColumn('APPLY_DIFF', config, () => ({
  slow: false,
  quickUpTo: QUICK_CHARACTERS,
  compute,
}));

function checked(text: string, title: string): string {
  if (text.length <= MAX_TEXT && text.split('\n', MAX_LINES + 1).length <= MAX_LINES) return text;
  throw new CellProblem(
    'limit_exceeded',
    `Column "${title}" is too long for a diff (at most ${String(MAX_TEXT)} characters and ${String(MAX_LINES)} lines).`,
  );
}

function onlyPatch(text: string, title: string): ReturnType<typeof parsePatch>[number] | undefined {
  const patches = parse(text, title).filter(({ hunks }) => hunks.length > 0);
  if (patches.length === 0 && text.trim() !== '') {
    throw new CellProblem(
      'invalid_input',
      `Column "${title}" holds no unified diff (lines that start with "@@").`,
    );
  }
  if (patches.length > 1) {
    throw new CellProblem(
      'invalid_input',
      `The diff in column "${title}" changes ${String(patches.length)} files; it may change one.`,
    );
  }
  return patches[0];
}

function parse(text: string, title: string): ReturnType<typeof parsePatch> {
  try {
    return parsePatch(text);
  } catch (error) {
    throw new CellProblem(
      'invalid_input',
      `Column "${title}" does not hold a unified diff: ${messageOf(error)}`,
      { cause: error },
    );
  }
}
