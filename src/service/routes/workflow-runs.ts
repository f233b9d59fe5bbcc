import {
  cancelWorkflow,
  getWorkflowResults,
  requestChannelToken,
  runWorkflow,
} from '../../api/workflow.ts';
import { stringifyJson } from '../../core/http/json.ts';
import { JsonText, jsonObject } from '../http/json-text.ts';
import { invalid } from '../http/problem.ts';
import type { Route } from '../http/route.ts';
import { accepted, created, ok, route } from '../http/route.ts';
import { idOf } from '../prompts/store.ts';
import { checkCallback } from '../workflows/callback.ts';
import { channelToken } from '../workflows/channel-token.ts';
import type { Definition } from '../workflows/definition.ts';
import {
  cancelExecution,
  channels,
  findExecution,
  insertExecution,
  isOver,
  resultOf,
  viewExecution,
} from '../workflows/executions.ts';
import { channelPrefix } from '../workflows/realtime-names.ts';
import { definitionOf, findWorkflow, findWorkflowVersion } from '../workflows/store.ts';

const quoted = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(', ');

/** Says which input variables are missing, and which ones nobody asks for. */
function warningOf(
  { variables }: Definition,
  given: Readonly<Record<string, unknown>>,
): string | null {
  const missing = Object.keys(variables).filter((name) => !Object.hasOwn(given, name));
  const unused = Object.keys(given).filter((name) => !Object.hasOwn(variables, name));
  const parts = [
    ...(missing.length > 0 ? [`Missing input variables: ${quoted(missing)}.`] : []),
    ...(unused.length > 0 ? [`Unused input variables: ${quoted(unused)}.`] : []),
  ];
  return parts.length > 0 ? parts.join(' ') : null;
}

const run = route(runWorkflow, async (call) => {
  const { params, body, workspaceId, isRestricted, services } = call;
  const label = body?.workflow_label_name;
  const number = body?.workflow_version_number;
  if ((label ?? null) !== null && (number ?? null) !== null) {
    throw invalid('Give workflow_label_name or workflow_version_number, not both.');
  }
  const callbackUrl = body?.callback_url ?? null;
  if (callbackUrl !== null) checkCallback(callbackUrl, services.callbackHosts);
  const given = body?.input_variables ?? {};
  const { id, warning } = await services.database.transaction(async (session) => {
    const workflow = await findWorkflow(session, workspaceId, params.name);
    const version = await findWorkflowVersion(session, workflow, { version: number, label });
    const definition = definitionOf(version);
    // A missing variable is empty, as it is in a prompt.
    const empty = Object.keys(definition.variables).map((name) => [name, null] as const);
    const executionId = await insertExecution(session, {
      version,
      definition,
      variables: { ...Object.fromEntries(empty), ...given },
      metadata: body?.metadata ?? {},
      returnsAll: body?.return_all_outputs ?? false,
      callbackUrl,
      isRestricted,
    });
    return { id: executionId, warning: warningOf(definition, given) };
  });
  await services.database.notify(channels.waiting);
  const answer = jsonObject({
    success: true,
    message: 'The workflow is started.',
    warning,
    workflow_version_execution_id: id,
  });
  return callbackUrl === null ? created(answer) : accepted(answer);
});

const results = route(getWorkflowResults, async ({ query, workspaceId, services }) => {
  const view = await services.database.read(async (session) =>
    viewExecution(
      session,
      await findExecution(session, workspaceId, query.workflow_version_execution_id),
    ),
  );
  const answer = new JsonText(stringifyJson(resultOf(view, query.return_all_outputs)));
  return isOver(view.execution) ? ok(answer) : accepted(answer);
});

const cancel = route(cancelWorkflow, async ({ query, workspaceId, services }) => {
  const count = await services.database.transaction(async (session) => {
    const id = query.workflow_version_execution_id;
    return cancelExecution(session, await findExecution(session, workspaceId, id));
  });
  await services.database.notify(channels.ended);
  return ok(
    jsonObject({
      success: true,
      message: count === 0 ? 'The run is over already.' : 'The run is canceled.',
      cancelled_node_count: count,
    }),
  );
});

const token = route(requestChannelToken, async ({ query, workspaceId, services }) => {
  const { capability } = query;
  const executionId = capability.startsWith(channelPrefix)
    ? idOf(capability.slice(channelPrefix.length))
    : undefined;
  if (executionId === undefined) {
    throw invalid(`The capability is "${channelPrefix}" and the id of an execution.`);
  }
  await findExecution(services.database, workspaceId, executionId);
  return ok(
    jsonObject({
      success: true,
      // Older clients would choose another service without it.
      messaging_backend: 'centrifugo',
      token_details: { token: channelToken(services.secret, { executionId, workspaceId }) },
    }),
  );
});

export const workflowRunRoutes: readonly Route[] = [run, results, cancel, token];
