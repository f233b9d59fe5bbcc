import * as z from 'zod';
import type { WorkflowHostEvents, WorkflowHostRequests } from '../../protocol/workflow.ts';
import { checkMessage } from '../panels/check-message.ts';
import { SentVariables } from '../ask/run-variables.ts';

const nothing = z.null();
const node = z.object({ node: z.string().max(1000).nullable() });

/** One schema for each request: a name without one does not compile. */
const requestSchemas: {
  readonly [Name in keyof WorkflowHostRequests]: z.ZodType<WorkflowHostRequests[Name]['params']>;
} = {
  ready: nothing,
  run: z.object({ variables: SentVariables }),
  stop: nothing,
  copyOutput: node,
  openOutput: node,
  showAll: nothing,
  choose: nothing,
  reload: nothing,
  fill: z.object({ variables: SentVariables }),
};

const eventSchemas: {
  readonly [Name in keyof WorkflowHostEvents]: z.ZodType<WorkflowHostEvents[Name]>;
} = { variables: SentVariables };

/** The message as its schema has it; throws when it is none of ours or does not fit. */
export const checkFromWorkflowPanel = checkMessage('The workflow panel', {
  request: requestSchemas,
  event: eventSchemas,
});
