import type { PromptChoice } from '../../protocol/run.ts';

/** A workflow as the extension names it; without a choice it is the latest version. */
export interface WorkflowAddress {
  readonly connectionId: string;
  readonly workflowName: string;
  readonly choice?: PromptChoice | undefined;
}

export const isWorkflowAddress = (value: unknown): value is WorkflowAddress =>
  typeof value === 'object' &&
  value !== null &&
  'connectionId' in value &&
  typeof value.connectionId === 'string' &&
  'workflowName' in value &&
  typeof value.workflowName === 'string';
