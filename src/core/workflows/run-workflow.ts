import { runWorkflow as startWorkflow } from '../../api/workflow.ts';
import type { RunWorkflowCallOptions, RunWorkflowOptions } from './options.ts';
import { givenWorkflow } from './options.ts';
import { judge } from './outputs.ts';
import { ProgressReporter } from './progress.ts';
import type { WorkflowContext } from './wait.ts';
import { waitForResult } from './wait.ts';

/** Specification 4.4: starts a workflow and waits for its result. */
export async function runWorkflow(
  context: WorkflowContext,
  options: RunWorkflowOptions,
  callOptions: RunWorkflowCallOptions,
): Promise<unknown> {
  const { signal, onProgress, numbersAsWritten = false } = callOptions;
  const { name, body, timeoutMs } = givenWorkflow(options, callOptions);
  const { warning, workflow_version_execution_id: executionId } = await context.call(
    startWorkflow,
    { params: { name }, body },
    { signal },
  );
  if (typeof warning === 'string' && warning !== '') context.settled.logger.warn(warning);
  const what = `The workflow "${name}" (execution ${executionId})`;
  const returnAllOutputs = body.return_all_outputs;
  const result = await waitForResult(context, {
    id: executionId,
    what,
    returnAllOutputs,
    timeoutMs,
    numbersAsWritten,
    signal,
    progress: onProgress && new ProgressReporter(executionId, onProgress),
  });
  const { redact } = context.settled;
  return judge(result, { what, executionId, returnAllOutputs, redact });
}
