import type { Entries } from '../texts.ts';

/** What a program or a model asks for, and can correct itself. */
export const callReasons = {
  'invalid-argument': { program: '{doing}: {problem}.' },
  'no-template-name': { program: "A template can't be published without a name." },
  'no-template-content': {
    program: 'The template "{name}" can\'t be published without its content.',
  },
  /** What a model asked of a tool; the words are for the model. */
  'tool-call': { program: '{words}' },
  /** The user was asked, and did not want it. */
  declined: { program: '{words}' },
  'nothing-called': { program: 'There is no {thing} "{name}".' },
  'several-called': { program: '{found} {thing}s are called "{name}": use the id.' },
  'no-column-called': { program: 'The sheet has no column "{name}". It has: {known}.' },
  'nothing-evaluates': {
    text: 'No column of the sheet evaluates its rows. Add one that returns true, false, or a score, such as LLM_ASSERTION or COMPARE.',
  },
} as const satisfies Entries;
