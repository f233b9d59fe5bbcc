import { stringifyJson } from '../../core/http/json.ts';
import { jsonFromText } from '../engine/columns/json.ts';
import { notFound } from '../http/problem.ts';
import { idOf } from '../prompts/store.ts';
import type { Session } from '../store/database.ts';
import { Definition } from './definition.ts';
import type { WorkflowRecord, WorkflowVersionRecord } from './records.ts';

const LARGEST = 2 ** 48;

/** By name; a number that is no name is an id. */
export async function findWorkflow(
  session: Session,
  workspaceId: number,
  nameOrId: string,
): Promise<WorkflowRecord> {
  const named = await session.one<WorkflowRecord>(
    'select * from workflows where workspace_id = ? and name = ? and deleted_at is null',
    [workspaceId, nameOrId],
  );
  const found = named ?? (await workflowById(session, workspaceId, idOf(nameOrId) ?? 0));
  if (found === undefined) throw notFound('This workflow');
  return found;
}

export async function workflowById(
  session: Session,
  workspaceId: number,
  id: number,
): Promise<WorkflowRecord | undefined> {
  if (!Number.isSafeInteger(id) || Math.abs(id) > LARGEST) return undefined;
  return session.one<WorkflowRecord>(
    'select * from workflows where workspace_id = ? and id = ? and deleted_at is null',
    [workspaceId, id],
  );
}

export interface VersionChoice {
  readonly version?: number | null | undefined;
  readonly label?: string | null | undefined;
}

export async function findWorkflowVersion(
  session: Session,
  workflow: WorkflowRecord,
  { version, label }: VersionChoice,
): Promise<WorkflowVersionRecord> {
  const hasVersion = version !== undefined && version !== null;
  const hasLabel = label !== undefined && label !== null;
  const found = hasVersion
    ? await session.one<WorkflowVersionRecord>(
        'select * from workflow_versions where workflow_id = ? and number = ?',
        [workflow.id, Math.max(0, Math.min(version, LARGEST))],
      )
    : hasLabel
      ? await session.one<WorkflowVersionRecord>(
          `select v.* from workflow_versions v join workflow_labels l on l.version_id = v.id
           where l.workflow_id = ? and l.name = ?`,
          [workflow.id, label],
        )
      : await session.one<WorkflowVersionRecord>(
          'select * from workflow_versions where workflow_id = ? order by number desc limit 1',
          [workflow.id],
        );
  if (found !== undefined) return found;
  throw notFound(
    hasVersion
      ? `Version ${String(version)} of the workflow "${workflow.name}"`
      : `The label "${label ?? ''}" of the workflow "${workflow.name}"`,
  );
}

export const definitionOf = (version: WorkflowVersionRecord): Definition =>
  Definition.parse({
    nodes: jsonFromText(version.nodes_json),
    edges: jsonFromText(version.edges_json),
    variables: jsonFromText(version.variables_json),
  });

export async function insertWorkflowVersion(
  session: Session,
  workflow: WorkflowRecord,
  definition: Definition,
  commitMessage: string | null | undefined,
): Promise<WorkflowVersionRecord> {
  const now = Date.now();
  // Counting first keeps others who change the same workflow waiting.
  const counted = await session.one<{ number: number }>(
    `update workflows set next_version_number = next_version_number + 1, updated_at = ?
     where id = ? returning next_version_number - 1 as number`,
    [now, workflow.id],
  );
  const version = await session.one<WorkflowVersionRecord>(
    `insert into workflow_versions
       (workspace_id, workflow_id, number, commit_message, nodes_json, edges_json, variables_json, created_at)
     values (?, ?, ?, ?, ?, ?, ?, ?) returning *`,
    [
      workflow.workspace_id,
      workflow.id,
      counted?.number ?? 1,
      commitMessage ?? null,
      stringifyJson(definition.nodes),
      stringifyJson(definition.edges),
      stringifyJson(definition.variables),
      now,
    ],
  );
  if (version === undefined) throw new Error('The database did not answer the new version.');
  return version;
}

/** Puts a label on a version, wherever it was before. */
export async function putWorkflowLabel(
  session: Session,
  version: WorkflowVersionRecord,
  name: string,
): Promise<void> {
  await session.run(
    `insert into workflow_labels (workspace_id, workflow_id, version_id, name, created_at)
     values (?, ?, ?, ?, ?)
     on conflict (workflow_id, name) do update set version_id = excluded.version_id`,
    [version.workspace_id, version.workflow_id, version.id, name, Date.now()],
  );
}

export async function workflowLabels(session: Session, versionId: number): Promise<string[]> {
  const found = await session.query<{ name: string }>(
    'select name from workflow_labels where version_id = ? order by name',
    [versionId],
  );
  return found.map(({ name }) => name);
}
