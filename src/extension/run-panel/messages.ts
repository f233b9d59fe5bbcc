import * as z from 'zod';
import type { HostEvents, HostRequests } from '../../protocol/run.ts';
import { longestResult } from '../../protocol/chat.ts';
import { checkMessage } from '../panels/check-message.ts';
import { SentParameters } from '../shell/choice-schema.ts';
import { SentVariables } from '../ask/run-variables.ts';

const nothing = z.null();
/** Bounds that no honest page reaches. */
const longestTyped = 1_000_000;
const turn = z.int().positive();
const callId = z.string().max(1000);
/** One schema for each request: a name without one does not compile. */
const requestSchemas: {
  readonly [Name in keyof HostRequests]: z.ZodType<HostRequests[Name]['params']>;
} = {
  ready: nothing,
  run: z.object({ variables: SentVariables, parameters: SentParameters, usesCache: z.boolean() }),
  stop: nothing,
  copyOutput: nothing,
  copyAsCode: nothing,
  openOutput: nothing,
  showRaw: nothing,
  choose: nothing,
  reloadPrompt: nothing,
  fill: z.object({ variables: SentVariables }),
  pickMedia: nothing,
  compare: nothing,
  chooseModel: nothing,
  resetModel: nothing,
  checkParameters: z.object({ parameters: SentParameters }),
  saveParameters: z.object({ parameters: SentParameters }),
  chatSay: z.object({
    text: z.string().max(longestTyped),
    edits: turn.nullable(),
    ...{ variables: SentVariables, parameters: SentParameters, usesCache: z.boolean() },
  }),
  chatAnswer: z.object({ turn, call: callId, text: z.string().max(10 * longestResult) }),
  chatAnswerWith: z.object({ turn, call: callId }),
  chatAgain: z.object({ turn }),
  chatGoTo: z.object({ turn }),
  chatNew: nothing,
  chatStopBefore: nothing,
  chatSave: nothing,
  showRequest: z.object({ requestId: z.int() }),
  setKey: z.object({ variable: z.string().regex(/^[A-Z][A-Z0-9_]{2,80}$/) }),
  loadImage: z.object({ id: z.string().min(1).max(100) }),
};

const eventSchemas: {
  readonly [Name in keyof HostEvents]: z.ZodType<HostEvents[Name]>;
} = {
  variables: SentVariables,
  parameters: SentParameters,
  markdown: z.boolean(),
  chatDraft: z.object({ text: z.string().max(longestTyped), edits: turn.nullable() }),
  chatResultDraft: z.object({ turn, call: callId, text: z.string().max(10 * longestResult) }),
};

/** The message as its schema has it; throws when it is none of ours or does not fit. */
export const checkFromPanel = checkMessage('The run panel', {
  request: requestSchemas,
  event: eventSchemas,
});
