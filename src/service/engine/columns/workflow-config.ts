import * as z from 'zod';
import type { WorkflowOrder } from '../prompts.ts';

const number = z.int().positive().nullish();

/** The fields of a column, or of a part of one, that runs a workflow. */
export const workflowConfig = z
  .looseObject({
    workflow_id: z.union([z.int().positive(), z.string().min(1)]).nullish(),
    workflow_version_id: number,
    workflow_version_number: number,
    workflow_label: z.string().min(1).nullish(),
  })
  .refine((given) => (given.workflow_id ?? given.workflow_version_id ?? undefined) !== undefined, {
    error: 'give workflow_id',
  })
  .refine((given) => !given.workflow_version_number || !given.workflow_label, {
    error: 'give workflow_version_number or workflow_label, not both',
  });

export function workflowOf(given: z.output<typeof workflowConfig>): WorkflowOrder['workflow'] {
  const { workflow_id: id, workflow_version_id: versionId } = given;
  if (id === undefined || id === null) return { versionId: versionId ?? 0 };
  return {
    nameOrId: String(id),
    version: given.workflow_version_number ?? undefined,
    label: given.workflow_label ?? undefined,
  };
}
