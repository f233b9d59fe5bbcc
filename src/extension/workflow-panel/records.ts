import * as z from 'zod';
import { NodeOutput } from '../../api/workflow.ts';
import type { NodeOutputs } from '../../core/index.ts';
import { runStates } from '../../protocol/run.ts';
import type { WorkflowStatus } from '../../protocol/workflow.ts';
import { Records } from '../shell/records.ts';

/** The last run of a panel, to be shown again after the window was reloaded. */
export interface WorkflowRecord {
  readonly status: WorkflowStatus;
  readonly nodes: NodeOutputs;
}

const Kept = z.object({
  status: z.object({
    runId: z.int(),
    state: z.enum(runStates),
    elapsedMs: z.number(),
    executionId: z.number().exactOptional(),
    problem: z.object({ message: z.string(), hint: z.string().exactOptional() }).exactOptional(),
    note: z.string().exactOptional(),
  }),
  nodes: z.record(z.string(), NodeOutput),
});

export const readWorkflowRecord = (value: unknown): WorkflowRecord => Kept.parse(value);

/** The same without the values of its nodes. */
export const withoutValues = ({ status, nodes }: WorkflowRecord): WorkflowRecord => ({
  status,
  nodes: Object.fromEntries(
    Object.entries(nodes).map(([name, output]) => [name, { ...output, value: null }]),
  ),
});

/** Files of the panels of all windows. */
export const openWorkflowRecords = (folder: string): Records<WorkflowRecord> =>
  new Records<WorkflowRecord>(folder, { read: readWorkflowRecord, lighter: withoutValues });
