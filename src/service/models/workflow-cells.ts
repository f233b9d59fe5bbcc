import type { RequestMetrics } from '../../api/cell.ts';
import { totalOf } from '../engine/columns/ask-about.ts';
import type { Json } from '../engine/columns/json.ts';
import { CellProblem } from '../engine/problem.ts';
import type { WorkflowOrder } from '../engine/prompts.ts';
import { Metered, MeteredProblem } from '../engine/prompts.ts';
import { Problem } from '../http/problem.ts';
import type { RequestRecord } from '../requests/records.ts';
import { vscodeProvider } from './ask-window.ts';
import { cutOffType } from '../requests/records.ts';
import type { Database, Session } from '../store/database.ts';
import { placeholders } from '../store/dialect.ts';
import type { Definition } from '../workflows/definition.ts';
import type { WorkflowVersionRecord } from '../workflows/records.ts';
import { runGraph, type NodeState } from '../workflows/run-graph.ts';
import { conditionsMet, runNode } from '../workflows/run-node.ts';
import { definitionOf, findWorkflow, findWorkflowVersion } from '../workflows/store.ts';

/** A workflow may run others, and by a mistake itself. */
const MOST_DEPTH = 8;
/** Of one cell or one run, in all: a few that run each other could go on for ever. */
const MOST_WORKFLOWS = 10_000;

async function findDefinition(
  session: Session,
  workspaceId: number,
  wanted: WorkflowOrder['workflow'],
): Promise<Definition> {
  if ('versionId' in wanted) {
    const version = await session.one<WorkflowVersionRecord>(
      `select v.* from workflow_versions v join workflows w on w.id = v.workflow_id
       where v.id = ? and v.workspace_id = ? and w.deleted_at is null`,
      [wanted.versionId, workspaceId],
    );
    if (version !== undefined) return definitionOf(version);
    throw new CellProblem(
      'invalid_config',
      `There is no workflow version ${String(wanted.versionId)}.`,
    );
  }
  const workflow = await findWorkflow(session, workspaceId, wanted.nameOrId);
  return definitionOf(await findWorkflowVersion(session, workflow, wanted));
}

type Cost = Pick<
  RequestRecord,
  'latency_ms' | 'price' | 'input_tokens' | 'output_tokens' | 'error_type' | 'provider'
>;

async function metricsOf(
  session: Session,
  workspaceId: number,
  ids: readonly number[],
): Promise<RequestMetrics> {
  if (ids.length === 0) return { request_count: 0, request_ids: [], trace_ids: [] };
  const found = await session.query<Cost>(
    `select latency_ms, price, input_tokens, output_tokens, error_type, provider from requests
     where workspace_id = ? and id in ${placeholders(ids.length)}`,
    [workspaceId, ...ids],
  );
  const [first, ...rest] = found.map(({ error_type: type, provider, ...cost }): RequestMetrics => ({
    ...cost,
    request_count: 1,
    ...(type === cutOffType && { cut_off_count: 1 }),
    ...(provider === vscodeProvider && { estimated_count: 1 }),
  }));
  if (first === undefined) return { request_count: 0, request_ids: [], trace_ids: [] };
  return {
    ...(rest.length === 0 ? first : totalOf([first, ...rest])),
    request_ids: [...ids],
    trace_ids: [],
  };
}

/** The value of the output node that has succeeded; of several, a map by name. */
function resultOf({ nodes }: Definition, states: ReadonlyMap<string, NodeState>): Json {
  const done = nodes.filter(
    ({ name, is_output_node: isOutput }) => isOutput && states.get(name)?.status === 'SUCCESS',
  );
  const values = done.map(({ name }) => [name, states.get(name)?.value ?? null] as const);
  return values.length === 1 ? (values[0]?.[1] ?? null) : Object.fromEntries(values);
}

/** Why no output node has a value. */
function failureOf({ nodes }: Definition, states: ReadonlyMap<string, NodeState>): string {
  const failed = nodes.find(({ name }) => states.get(name)?.status === 'FAILED');
  if (failed === undefined)
    return 'The workflow ended without an output: all its output nodes were skipped.';
  const reason = states.get(failed.name)?.errorMessage ?? 'no reason given';
  return `Node "${failed.name}" of the workflow failed: ${reason}`;
}

/** Runs a workflow inside a cell or a node, in this process; it ends with what it belongs to. */
export async function runWorkflowCell(
  database: Database,
  workspaceId: number,
  { tools, workflow, variables }: WorkflowOrder,
): Promise<Metered> {
  const { signal, onBegin } = tools;
  const callContext = tools.callContext.deeper();
  if (callContext.depth > MOST_DEPTH) {
    throw new CellProblem(
      'limit_exceeded',
      `Workflows run each other more than ${String(MOST_DEPTH)} levels deep. Does one of them run itself?`,
    );
  }
  if (callContext.workflowCount > MOST_WORKFLOWS) {
    throw new CellProblem(
      'limit_exceeded',
      `More than ${String(MOST_WORKFLOWS)} workflows would run for this one. Do they run each other?`,
    );
  }
  const definition = await database
    .read((session) => findDefinition(session, workspaceId, workflow))
    .catch((error: unknown) => {
      if (!(error instanceof Problem)) throw error;
      throw new CellProblem('invalid_config', error.message, { cause: error });
    });
  onBegin?.();
  const states = new Map<string, NodeState>();
  await runGraph({
    definition,
    variables,
    states,
    execute: (node, valueOf) => runNode(node, valueOf, { ...tools, callContext }),
    isMet: (conditions, valueOf) => conditionsMet(conditions, valueOf, { ...tools, callContext }),
    onState: async () => signal.throwIfAborted(),
    signal,
  });
  const requestIds = [...states.values()].flatMap((state) => state.requestIds);
  const metrics = await database.read((session) => metricsOf(session, workspaceId, requestIds));
  const hasOutput = definition.nodes.some(
    ({ name, is_output_node: isOutput }) => isOutput && states.get(name)?.status === 'SUCCESS',
  );
  if (hasOutput) return new Metered(resultOf(definition, states), metrics);
  throw new MeteredProblem(failureOf(definition, states), metrics);
}
