import {
  createWorkflow,
  getWorkflow,
  listWorkflowLabels,
  listWorkflows,
  patchWorkflow,
} from '../../api/workflow.ts';
import type { JsonText } from '../http/json-text.ts';
import { jsonObject } from '../http/json-text.ts';
import { numberedFields, offsetOf } from '../http/numbered-page.ts';
import { invalid, notFound, unprocessable } from '../http/problem.ts';
import type { Route } from '../http/route.ts';
import { created, ok, route } from '../http/route.ts';
import { timeOf } from '../http/times.ts';
import type { Session, SqlValue } from '../store/database.ts';
import { attachExternalIds, externalIdsOf } from '../store/external-ids.ts';
import { findFolder } from '../store/folders.ts';
import type { Definition } from '../workflows/definition.ts';
import { checkDefinition, patchDefinition } from '../workflows/definition.ts';
import type { WorkflowRecord, WorkflowVersionRecord } from '../workflows/records.ts';
import {
  definitionOf,
  findWorkflow,
  findWorkflowVersion,
  insertWorkflowVersion,
  putWorkflowLabel,
  workflowById,
  workflowLabels,
} from '../workflows/store.ts';
import { isoTime } from './answers.ts';
import { refuseLabels } from './templates.ts';

interface Saved {
  readonly workflow: WorkflowRecord;
  readonly version: WorkflowVersionRecord;
  readonly definition: Definition;
  readonly baseVersion: number | null;
  readonly labels: readonly string[];
}

async function savedJson(
  session: Session,
  { workflow, version, definition, baseVersion, labels }: Saved,
): Promise<JsonText> {
  const ids = await externalIdsOf(session, workflow.workspace_id, 'workflow', [workflow.id]);
  return jsonObject({
    success: true,
    workflow_id: workflow.id,
    workflow_name: workflow.name,
    workflow_version_id: version.id,
    version_number: version.number,
    base_version: baseVersion,
    release_labels: labels,
    nodes: definition.nodes.map(({ id, name, node_type, is_output_node }) => ({
      ...{ id, name, node_type, is_output_node },
    })),
    required_input_variables: definition.variables,
    external_ids: ids.get(workflow.id) ?? [],
  });
}

async function freeName(session: Session, workspaceId: number): Promise<string> {
  const taken = await session.query<{ name: string }>(
    `select name from workflows where workspace_id = ? and deleted_at is null and name like 'Untitled Workflow%'`,
    [workspaceId],
  );
  const names = new Set(taken.map(({ name }) => name));
  let name = 'Untitled Workflow';
  for (let number = 2; names.has(name); number += 1) name = `Untitled Workflow ${String(number)}`;
  return name;
}

async function newWorkflow(
  session: Session,
  workspaceId: number,
  given: string | null | undefined,
): Promise<WorkflowRecord> {
  const name = given ?? (await freeName(session, workspaceId));
  const now = Date.now();
  const made = await session.one<WorkflowRecord>(
    `insert into workflows (workspace_id, name, created_at, updated_at) values (?, ?, ?, ?)
     on conflict (workspace_id, name) where deleted_at is null do nothing returning *`,
    [workspaceId, name, now, now],
  );
  if (made !== undefined) return made;
  throw invalid(
    `There is a workflow "${name}" already. Give workflow_name instead of name to add a version to it.`,
  );
}

interface Named {
  readonly name?: string | null | undefined;
  readonly workflow_id?: number | null | undefined;
  readonly workflow_name?: string | null | undefined;
}

/** The workflow that a version is added to, new or not. */
async function targetOf(
  session: Session,
  workspaceId: number,
  { name, workflow_id: id, workflow_name: existing }: Named,
): Promise<WorkflowRecord> {
  const given = [name, id, existing].filter((one) => one !== undefined && one !== null);
  if (given.length > 1) {
    throw invalid('Give one of name (a new workflow), workflow_id and workflow_name.');
  }
  if (typeof id === 'number') {
    const found = await workflowById(session, workspaceId, id);
    if (found === undefined) throw notFound('This workflow');
    return found;
  }
  if (typeof existing === 'string') return findWorkflow(session, workspaceId, existing);
  return newWorkflow(session, workspaceId, name);
}

const create = route(createWorkflow, async ({ body, workspaceId, services }) => {
  refuseLabels(body.release_labels);
  const definition = checkDefinition(
    body.nodes,
    body.edges ?? [],
    body.required_input_variables ?? {},
  );
  const labels = body.release_labels ?? [];
  const answer = await services.database.transaction(async (session) => {
    const workflow = await targetOf(session, workspaceId, body);
    if (typeof body.folder_id === 'number') {
      const { id } = await findFolder(session, workspaceId, body.folder_id);
      await session.run('update workflows set folder_id = ? where id = ?', [id, workflow.id]);
    }
    const version = await insertWorkflowVersion(session, workflow, definition, body.commit_message);
    for (const label of labels) await putWorkflowLabel(session, version, label);
    const place = { workspaceId, kind: 'workflow', id: workflow.id } as const;
    await attachExternalIds(session, place, body.external_ids);
    return savedJson(session, { workflow, version, definition, baseVersion: null, labels });
  });
  return created(answer);
});

const patch = route(patchWorkflow, async ({ params, body, workspaceId, services }) => {
  refuseLabels(body.release_labels);
  const labels = body.release_labels ?? [];
  const answer = await services.database.transaction(async (session) => {
    const workflow = await findWorkflow(session, workspaceId, params.name);
    const base = await findWorkflowVersion(session, workflow, { version: body.base_version });
    const definition = patchDefinition(definitionOf(base), body);
    const version = await insertWorkflowVersion(session, workflow, definition, body.commit_message);
    for (const label of labels) await putWorkflowLabel(session, version, label);
    return savedJson(session, { workflow, version, definition, baseVersion: base.number, labels });
  });
  return created(answer);
});

const get = route(getWorkflow, async ({ params, query, workspaceId, services }) => {
  if (query.version !== undefined && query.label !== undefined) {
    throw unprocessable(['query', 'label'], 'Give a version or a label, not both.');
  }
  return services.database.read(async (session) => {
    const workflow = await findWorkflow(session, workspaceId, params.name);
    const version = await findWorkflowVersion(session, workflow, query);
    const { nodes, edges, variables } = definitionOf(version);
    return ok(
      jsonObject({
        success: true,
        workflow_id: workflow.id,
        workflow_name: workflow.name,
        version: version.number,
        version_number: version.number,
        workflow_version_id: version.id,
        commit_message: version.commit_message,
        required_input_variables: variables,
        release_labels: await workflowLabels(session, version.id),
        created_at: isoTime(version.created_at),
        nodes: nodes.map((node) => ({ ...node, workflow_version_id: version.id })),
        edges,
      }),
    );
  });
});

const labels = route(listWorkflowLabels, async ({ params, workspaceId, services }) => {
  return services.database.read(async (session) => {
    const workflow = await findWorkflow(session, workspaceId, params.name);
    const found = await session.query(
      `select l.name as release_label, l.id as release_label_id, l.version_id as workflow_version_id,
         v.number as workflow_version_number
       from workflow_labels l join workflow_versions v on v.id = l.version_id
       where l.workflow_id = ? order by l.name`,
      [workflow.id],
    );
    return ok(jsonObject({ success: true, release_labels: found }));
  });
});

const sortColumns = {
  created_at: 'w.created_at',
  updated_at: 'w.updated_at',
  name: 'lower(w.name)',
  id: 'w.id',
} as const;

interface Listed extends WorkflowRecord {
  readonly latest: number | null;
}

const list = route(listWorkflows, async ({ query, workspaceId, services }) => {
  const conditions = ['w.workspace_id = ?', 'w.deleted_at is null'];
  const values: SqlValue[] = [workspaceId];
  const where = (condition: string, ...more: SqlValue[]): void => {
    conditions.push(condition);
    values.push(...more);
  };
  // Nobody's address is known here, so nobody's workflows are found by it.
  if (query.created_by_email !== undefined) where('1 = 0');
  for (const [name, condition] of [
    ['created_after', 'w.created_at >= ?'],
    ['created_before', 'w.created_at <= ?'],
    ['updated_after', 'w.updated_at >= ?'],
    ['updated_before', 'w.updated_at <= ?'],
  ] as const) {
    const time = timeOf(['query', name], query[name]);
    if (time !== undefined) where(condition, time);
  }
  for (const [name, wanted] of [
    ['source', query.external_source],
    ['external_id', query.external_id],
  ] as const) {
    if (wanted === undefined) continue;
    where(
      `exists (select 1 from external_ids e where e.workspace_id = w.workspace_id
        and e.kind = 'workflow' and e.entity_id = w.id and e.${name} = ?)`,
      wanted,
    );
  }
  const sort = sortColumns[query.sort_by ?? 'created_at'];
  const from = `from workflows w where ${conditions.join(' and ')}`;
  return services.database.read(async (session) => {
    const counted = await session.one<{ total: number }>(
      `select count(*) as total ${from}`,
      values,
    );
    const page = { page: query.page, perPage: query.per_page };
    const found = await session.query<Listed>(
      `select w.*, (select max(number) from workflow_versions v where v.workflow_id = w.id) as latest
       ${from} order by ${sort} ${query.sort_order}, w.id ${query.sort_order} limit ? offset ?`,
      [...values, page.perPage, offsetOf(page)],
    );
    const ids = found.map(({ id }) => id);
    const externalIds = await externalIdsOf(session, workspaceId, 'workflow', ids);
    const named = await session.query<{ workflow_id: number; name: string }>(
      `select workflow_id, name from workflow_labels where workflow_id ${session.dialect.isOneOf} order by name`,
      [JSON.stringify(ids)],
    );
    const items = found.map((workflow) => ({
      id: workflow.id,
      workspace_id: workflow.workspace_id,
      user_id: null,
      name: workflow.name,
      is_deleted: false,
      latest_version_number: workflow.latest,
      release_labels: named
        .filter(({ workflow_id: id }) => id === workflow.id)
        .map(({ name }) => name),
      external_ids: externalIds.get(workflow.id) ?? [],
      created_at: isoTime(workflow.created_at),
      updated_at: isoTime(workflow.updated_at),
    }));
    const fields = numberedFields({ ...page, total: counted?.total ?? 0 }, null);
    return ok(jsonObject({ items, ...fields }));
  });
});

export const workflowRoutes: readonly Route[] = [list, create, patch, get, labels];
