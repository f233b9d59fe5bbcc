import type { Entries } from '../texts.ts';

/** `what` is the workflow: `The workflow "a"`. */
export const workflowReasons = {
  'workflow-late': { sdk: '{what} was not done within {seconds} seconds.' },
  'workflow-nodes-failed': { sdk: '{what} gave no result: {words}.' },
  'workflow-without-output': { sdk: '{what} gave no result: it has no output node.' },
  'workflow-without-success': { sdk: '{what} gave no result: no output node has succeeded.' },
  'workflow-ended': { sdk: '{what} ended with {result}.' },
} as const satisfies Entries;
