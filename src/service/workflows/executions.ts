import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { stringifyJson } from '../../core/http/json.ts';
import type { Json } from '../engine/columns/json.ts';
import { jsonAsWritten, jsonFromText } from '../engine/columns/json.ts';
import { dropCalls, executionOwner } from '../engine/kept-calls.ts';
import { notFound } from '../http/problem.ts';
import { cutOffType } from '../requests/records.ts';
import type { Database, Session } from '../store/database.ts';
import { isWorkOf, type WorkOf } from '../store/own-work.ts';
import { Definition } from './definition.ts';
import type { ExecutionRecord, NodeStateRecord, WorkflowVersionRecord } from './records.ts';
import type { NodeState } from './run-graph.ts';
import { isFinal, queued } from './run-graph.ts';

/** Whoever runs an execution says so every third of this; who is silent for longer has died. */
export const LEASE_MS = 15_000;

/** Names of notices between processes. */
export const channels = {
  /** There is an execution to run. */
  waiting: 'workflow_waiting',
  /** One has ended, or was cancelled. */
  ended: 'workflow_ended',
} as const;

export interface NewExecution {
  readonly version: WorkflowVersionRecord;
  readonly definition: Definition;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly metadata: Readonly<Record<string, string>>;
  readonly returnsAll: boolean;
  readonly callbackUrl: string | null;
  /** Begun by a window in Restricted Mode. */
  readonly isRestricted: boolean;
}

export async function insertExecution(session: Session, given: NewExecution): Promise<number> {
  const { version, definition } = given;
  const execution = await session.one<{ id: number }>(
    `insert into workflow_executions
       (workspace_id, workflow_id, version_id, status, input_json, metadata_json, returns_all, callback_url, is_restricted, created_at)
     values (?, ?, ?, 'queued', ?, ?, ?, ?, ?, ?) returning id`,
    [
      version.workspace_id,
      version.workflow_id,
      version.id,
      stringifyJson(given.variables),
      stringifyJson(given.metadata),
      given.returnsAll ? 1 : 0,
      given.callbackUrl,
      given.isRestricted ? 1 : 0,
      Date.now(),
    ],
  );
  if (execution === undefined) throw new Error('The database did not answer the execution.');
  await session.insertMany(
    {
      table: 'workflow_node_states',
      columns: { execution_id: 'int', node_name: 'text', status: 'text' },
    },
    definition.nodes.map(({ name }) => [execution.id, name, 'QUEUED']),
  );
  return execution.id;
}

export async function findExecution(
  session: Session,
  workspaceId: number,
  id: number,
): Promise<ExecutionRecord> {
  const found =
    Number.isSafeInteger(id) && Math.abs(id) <= 2 ** 48
      ? await session.one<ExecutionRecord>(
          'select * from workflow_executions where id = ? and workspace_id = ?',
          [id, workspaceId],
        )
      : undefined;
  if (found === undefined) throw notFound('This execution of a workflow');
  return found;
}

/** Takes executions that nobody runs, the oldest first. */
export function claimExecutions(
  database: Database,
  most: number,
  workOf: WorkOf,
): Promise<ExecutionRecord[]> {
  const own = isWorkOf(database, 'workspace_id', workOf);
  const { now, skipLocked } = database.dialect;
  return database.transaction(async (session) => {
    const free = await session.query<{ id: number }>(
      `select id from workflow_executions
       where status in ('queued', 'running') and lease_until < ${now}${own.sql} order by id limit ?${skipLocked}`,
      [...own.values, most],
    );
    const claimed: ExecutionRecord[] = [];
    for (const { id } of free) {
      const execution = await session.one<ExecutionRecord>(
        `update workflow_executions set status = 'running', token = ?, attempts = attempts + 1,
           lease_until = ${now} + ${String(LEASE_MS)}
         where id = ? returning *`,
        [randomUUID(), id],
      );
      if (execution !== undefined) claimed.push(execution);
    }
    return claimed;
  });
}

type Held = Pick<ExecutionRecord, 'id' | 'token'>;

/** False when somebody else has it, or it was cancelled. */
export async function renewLease(database: Database, { id, token }: Held): Promise<boolean> {
  const changed = await database.run(
    `update workflow_executions set lease_until = ${database.dialect.now} + ${String(LEASE_MS)}
     where id = ? and token = ? and status = 'running'`,
    [id, token],
  );
  return changed > 0;
}

/** For the one process of an embedded database: whatever ran before it has ended. */
export const releaseExecutions = (database: Database): Promise<number> =>
  database.run(`update workflow_executions set lease_until = 0 where status = 'running'`);

/** Lets somebody else go on with it. */
export async function releaseExecution(database: Database, { id, token }: Held): Promise<void> {
  await database.run(
    `update workflow_executions set status = 'queued', token = null, attempts = attempts - 1, lease_until = 0
     where id = ? and token = ? and status = 'running'`,
    [id, token],
  );
}

export async function completeExecution(database: Database, { id, token }: Held): Promise<boolean> {
  const changed = await database.run(
    `update workflow_executions set status = 'completed', token = null, ended_at = ?
     where id = ? and token = ? and status = 'running'`,
    [Date.now(), id, token],
  );
  if (changed > 0) await dropCalls(database, executionOwner(id));
  return changed > 0;
}

/** Ends an execution that the service can't go on with: nodes that have not ended have failed. */
export async function failExecution(database: Database, held: Held): Promise<boolean> {
  const { id, token } = held;
  return database.transaction(async (session) => {
    const changed = await session.run(
      `update workflow_executions set status = 'completed', token = null, ended_at = ?
       where id = ? and token = ? and status = 'running'`,
      [Date.now(), id, token],
    );
    if (changed === 0) return false;
    await dropCalls(session, executionOwner(id));
    await session.run(
      `update workflow_node_states set status = 'FAILED', error_message = ?, ended_at = ?
       where execution_id = ? and status in ('QUEUED', 'RUNNING')`,
      ['The service failed to run this node; its log has the reason.', Date.now(), id],
    );
    return true;
  });
}

/** False when the execution is no longer the holder's: then nothing is written. */
export async function writeState(
  database: Database,
  { id, token }: Held,
  name: string,
  state: NodeState,
): Promise<boolean> {
  const now = Date.now();
  const changed = await database.run(
    `update workflow_node_states set status = ?, value_json = ?, error_message = ?,
       raw_error_message = ?, request_ids_json = ?, ${state.status === 'RUNNING' ? 'started_at' : 'ended_at'} = ?
     where execution_id = ? and node_name = ? and exists
       (select 1 from workflow_executions where id = ? and token = ? and status = 'running')`,
    [
      state.status,
      stringifyJson(state.value),
      state.errorMessage,
      state.rawErrorMessage,
      stringifyJson(state.requestIds),
      now,
      id,
      name,
      id,
      token,
    ],
  );
  return changed > 0;
}

export async function readStates(
  session: Session,
  executionId: number,
): Promise<Map<string, NodeState>> {
  const records = await session.query<NodeStateRecord>(
    'select * from workflow_node_states where execution_id = ?',
    [executionId],
  );
  return new Map(
    records.map((record) => [
      record.node_name,
      {
        status: record.status,
        value: jsonAsWritten(record.value_json),
        errorMessage: record.error_message,
        rawErrorMessage: record.raw_error_message,
        requestIds: z.array(z.int()).parse(jsonFromText(record.request_ids_json)),
      },
    ]),
  );
}

/** One of its nodes has come to an end: it gets on. */
export async function forgetAttempts(database: Database, { id, token }: Held): Promise<void> {
  await database.run('update workflow_executions set attempts = 1 where id = ? and token = ?', [
    id,
    token,
  ]);
}

/** What is to be done again: a node that was at work when its process died begins anew. */
export const unfinished = (states: ReadonlyMap<string, NodeState>): Map<string, NodeState> =>
  new Map([...states].map(([name, state]) => [name, isFinal(state) ? state : queued]));

/** Ends an execution early; answers how many of its nodes will not run to their end. */
export async function cancelExecution(
  session: Session,
  execution: ExecutionRecord,
): Promise<number> {
  const changed = await session.run(
    `update workflow_executions set status = 'cancelled', token = null, ended_at = ?
     where id = ? and status in ('queued', 'running')`,
    [Date.now(), execution.id],
  );
  if (changed === 0) return 0;
  await dropCalls(session, executionOwner(execution.id));
  return session.run(
    `update workflow_node_states set status = 'SKIPPED', error_message = 'The run was canceled.', ended_at = ?
     where execution_id = ? and status in ('QUEUED', 'RUNNING')`,
    [Date.now(), execution.id],
  );
}

export interface ExecutionView {
  readonly execution: ExecutionRecord;
  readonly definition: Pick<Definition, 'nodes'>;
  readonly states: ReadonlyMap<string, NodeState>;
  /** Names of nodes whose values are made of answers that were cut off. */
  readonly cutOff: ReadonlySet<string>;
}

async function cutOffAmong(
  session: Session,
  states: ReadonlyMap<string, NodeState>,
): Promise<ReadonlySet<string>> {
  const done = [...states].filter(([, { status }]) => status === 'SUCCESS');
  const ids = done.flatMap(([, { requestIds }]) => requestIds);
  if (ids.length === 0) return new Set();
  const found = await session.query<{ id: number }>(
    `select id from requests where id ${session.dialect.isOneOf} and error_type = ?`,
    [JSON.stringify(ids), cutOffType],
  );
  const halves = new Set(found.map(({ id }) => id));
  const names = done.flatMap(([name, { requestIds }]) =>
    requestIds.some((id) => halves.has(id)) ? [name] : [],
  );
  return new Set(names);
}

const cutOffWarning =
  'An answer of the model was cut off at its limit of tokens. Raise the limit, or ask for less.';

export async function viewExecution(
  session: Session,
  execution: ExecutionRecord,
): Promise<ExecutionView> {
  const version = await session.one<Pick<WorkflowVersionRecord, 'nodes_json'>>(
    'select nodes_json from workflow_versions where id = ?',
    [execution.version_id],
  );
  const nodes = Definition.shape.nodes.parse(jsonFromText(version?.nodes_json ?? '[]'));
  const states = await readStates(session, execution.id);
  const cutOff = await cutOffAmong(session, states);
  return { execution, definition: { nodes }, states, cutOff };
}

export const isOver = ({ status }: ExecutionRecord): boolean =>
  status === 'completed' || status === 'cancelled';

/** Every node by name, in the order of the workflow. */
export function nodeMap(
  { definition, states, cutOff }: ExecutionView,
  only: (isOutput: boolean) => boolean = () => true,
): { [name: string]: Json } {
  const shown = definition.nodes.filter((node) => only(node.is_output_node));
  return Object.fromEntries(
    shown.map((node) => {
      const state = states.get(node.name) ?? queued;
      return [
        node.name,
        {
          status: state.status,
          value: state.value,
          error_message: state.errorMessage,
          raw_error_message: state.rawErrorMessage,
          is_output_node: node.is_output_node,
          ...(cutOff.has(node.name) && { warning: cutOffWarning }),
        },
      ];
    }),
  );
}

/**
 * The result as it is asked for: every node, or the value of the output node. Where none of the
 * output nodes has succeeded, or several have, it is a map of them.
 */
export function resultOf(view: ExecutionView, returnsAll: boolean): Json {
  if (returnsAll || !isOver(view.execution)) return nodeMap(view);
  const done = view.definition.nodes.filter(
    (node) => node.is_output_node && view.states.get(node.name)?.status === 'SUCCESS',
  );
  const [only] = done;
  if (done.length === 1 && only !== undefined) return view.states.get(only.name)?.value ?? null;
  return nodeMap(view, (isOutput) => isOutput);
}
