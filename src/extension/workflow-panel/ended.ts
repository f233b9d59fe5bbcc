import type { RunVariable } from '../../protocol/run.ts';
import type { WorkflowPageState } from '../../protocol/workflow.ts';
import type { App } from '../shell/app.ts';
import type { EndedRun } from '../kept-runs/run-history.ts';
import { placeOf } from '../panels/run-problem.ts';
import type { WorkflowRecord } from './records.ts';
import { finalOf, textOf } from './report.ts';

/** A run of a workflow as the history keeps it. `page`: what it was begun with. */
export function endedWorkflow(
  app: App,
  { connectionId, workflowName: name, choice }: WorkflowPageState,
  version: number | undefined,
  variables: readonly RunVariable[],
  record: WorkflowRecord,
): EndedRun {
  const { state, elapsedMs, executionId, problem } = record.status;
  const final = finalOf(record.nodes);
  return {
    ...{ kind: 'workflow', connectionId, name, choice, state, elapsedMs },
    workspace: placeOf(app, connectionId).name,
    startedAt: Date.now() - elapsedMs,
    ...(version !== undefined && { version }),
    ...(executionId !== undefined && { executionId }),
    ...(problem !== undefined && { problem: problem.message }),
    detail: { variables, output: final === undefined ? '' : textOf(final.value), record },
  };
}
