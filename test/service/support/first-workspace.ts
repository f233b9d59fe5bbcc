import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { Api, Json } from './api.ts';
import { cellAt, tablesPath } from './api.ts';
import type { Loose } from './loose.ts';
import { until } from '../../support/until.ts';

/** By the names that the paths of the service have for them. */
export type Places = Readonly<Record<string, string>>;

/** One thing of each kind that the service keeps, with an API of its own to make them. */
export interface World {
  /** Stands in every value, title and message of it, and is in no request of another one. */
  readonly canary: string;
  readonly places: Places;
  readonly promptId: number;
  readonly promptName: string;
  readonly workflowName: string;
  readonly workflowId: number;
  readonly workflowVersionId: number;
  readonly executionId: number;
  readonly requestId: number;
  readonly groupId: number;
  readonly folderId: number;
  readonly folderName: string;
}

const text = (value: string) => [{ type: 'text', text: value }];

/** A table with an imported sheet, a computed column, an ended operation and a saved version. */
async function makeTable(api: Api, canary: string, folderId: number): Promise<Places> {
  const { table } = await api.expect(201, 'POST', tablesPath, {
    title: canary,
    folder_id: folderId,
    create_default_sheet: false,
  });
  const started = await api.expect(202, 'POST', `${tablesPath}/${table.id}/sheets`, {
    title: canary,
    source: {
      type: 'file',
      file_name: 'first.csv',
      file_content_base64: Buffer.from(`A,B\n${canary},1\n${canary},2\n`).toString('base64'),
    },
  });
  const state = await api.finished(started.status_url);
  assert.equal(state.status, 'completed');
  const sheet = `${tablesPath}/${table.id}/sheets/${started.sheet.id}`;
  const { column } = await api.expect(201, 'POST', `${sheet}/columns`, {
    title: canary,
    type: 'COUNT',
    config: { source: 'A', type: 'chars' },
  });
  const { operation_id: operationId } = await api.expect(202, 'POST', `${sheet}/operations`, {});
  const operation = `${sheet}/operations/${operationId}`;
  await until(
    'the cells are computed',
    async () => (await api.get(operation)).operation.pending_count === 0,
  );
  const cell: Json = cellAt(await api.get(`${sheet}/rows`), 0, column.id);
  const { version } = await api.expect(201, 'POST', `${sheet}/versions`, { name: canary });
  const calculation = await makeScorecard(api, sheet, canary);
  return {
    calculation_id: calculation,
    row_index: '0',
    table_id: table.id,
    sheet_id: started.sheet.id,
    column_id: column.id,
    cell_id: cell.id,
    operation_id: operationId,
    import_id: started.operation_id,
    version_id: version.id,
  };
}

/** A scorecard that has been calculated; answers the id of the calculation. */
async function makeScorecard(api: Api, sheet: string, canary: string): Promise<string> {
  const { data } = await api.get(`${sheet}/columns`);
  await api.expect(200, 'PATCH', `${sheet}/scorecard`, {
    name: canary,
    aggregation: { pass_threshold: 0.75, warn_threshold: 0.5 },
    evaluated_column_ids: [data[0]?.id],
    steps: [
      { title: canary, primitive_type: 'COUNT', primitive_config: { type: 'words', max: 5 } },
    ],
  });
  const started: Loose = await api.expect(202, 'POST', `${sheet}/scorecard/recalculate`, {});
  const id = String(started.calculation_id);
  await until('the score is calculated', async () => {
    const { calculation }: Loose = await api.get(`${sheet}/scorecard/calculations/${id}`);
    return !['queued', 'running'].includes(calculation.status);
  });
  return id;
}

async function makePrompt(
  api: Api,
  canary: string,
  name: string,
  folderId: number,
): Promise<Loose> {
  return api.expect(200, 'POST', '/rest/prompt-templates', {
    prompt_template: { prompt_name: name, folder_id: folderId, tags: [canary] },
    prompt_version: {
      prompt_template: { type: 'completion', content: text(canary) },
      commit_message: canary,
    },
    release_labels: ['prod'],
  });
}

async function makeWorkflow(
  api: Api,
  canary: string,
  name: string,
): Promise<Pick<World, 'workflowId' | 'workflowVersionId' | 'executionId'>> {
  const configuration = { value: { type: 'string', value: canary } };
  const workflow: Loose = await api.expect(201, 'POST', '/rest/workflows', {
    name,
    commit_message: canary,
    nodes: [{ name: 'n', node_type: 'VARIABLE', configuration, is_output_node: true }],
    release_labels: ['prod'],
  });
  const run: Loose = await api.expect(
    201,
    'POST',
    `/workflows/${encodeURIComponent(name)}/run`,
    {},
  );
  const id = Number(run.workflow_version_execution_id);
  const results = `/workflow-version-execution-results?workflow_version_execution_id=${String(id)}`;
  await until(
    'the workflow has ended',
    async () => (await api.call('GET', results)).status === 200,
  );
  return {
    workflowId: Number(workflow.workflow_id),
    workflowVersionId: Number(workflow.workflow_version_id),
    executionId: id,
  };
}

/** A trace of one span, which says what the world says. */
async function makeTrace(api: Api, canary: string): Promise<string> {
  const traceId = randomBytes(16).toString('hex');
  await api.expect(201, 'POST', '/spans-bulk', {
    spans: [
      {
        name: canary,
        context: { trace_id: traceId, span_id: 'a7ad6b7169203331', trace_state: canary },
        kind: 'SpanKind.INTERNAL',
        start_time: 1_772_359_200_000_000_000,
        end_time: 1_772_359_201_000_000_000,
        status: { status_code: 'StatusCode.ERROR', description: canary },
        attributes: { canary },
        resource: { attributes: { canary }, schema_url: '' },
      },
    ],
  });
  return traceId;
}

/** A skill collection with a version that has a label. */
async function makeSkills(api: Api, canary: string, folderId: number): Promise<string> {
  const path = '/api/public/v2/skill-collections';
  const made: Loose = await api.expect(201, 'POST', path, {
    name: canary,
    folder_id: folderId,
    files: ['a.md', 'b.md'].map((name) => ({ path: name, content: canary })),
    external_ids: [{ source: 'world', external_id: canary }],
  });
  const id = String(made.skill_collection.id);
  await api.expect(201, 'POST', `${path}/${id}/versions`, { release_label: 'prod' });
  return id;
}

/** `mark` tells one world from another. */
export async function makeWorld(api: Api, mark: string): Promise<World> {
  const canary = `canary-of-the-${mark}`;
  const names = {
    promptName: `${mark} prompt`,
    workflowName: `${mark}-workflow`,
    folderName: mark,
  };
  const folder: Loose = await api.expect(201, 'POST', '/api/public/v2/folders', {
    name: names.folderName,
  });
  const folderId = Number(folder.folder.id);
  const table = await makeTable(api, canary, folderId);
  const prompt = await makePrompt(api, canary, names.promptName, folderId);
  const labels: Loose = await api.get(`/prompt-templates/${String(prompt.id)}/labels`);
  const workflow = await makeWorkflow(api, canary, names.workflowName);
  const logged: Loose = await api.expect(201, 'POST', '/log-request', {
    provider: 'openai',
    model: 'gpt-4o',
    input: { type: 'completion', content: text(canary) },
    output: { type: 'completion', content: text(canary) },
    request_start_time: '2026-03-01T10:00:00Z',
    request_end_time: '2026-03-01T10:00:01Z',
    prompt_name: names.promptName,
    tags: [canary],
    metadata: { user: canary },
  });
  const group: Loose = await api.expect(200, 'POST', '/create-group', {});
  await api.expect(200, 'POST', '/rest/track-group', {
    request_id: logged.id,
    group_id: group.id,
  });
  return {
    ...names,
    ...workflow,
    canary,
    folderId,
    promptId: Number(prompt.id),
    requestId: Number(logged.id),
    groupId: Number(group.id),
    places: {
      ...table,
      folder_id: String(folderId),
      trace_id: await makeTrace(api, canary),
      identifier: await makeSkills(api, canary, folderId),
      label_id: String(labels.release_labels[0].release_label_id),
    },
  };
}

/** Some paths call different things by one name. */
export function placeFor(path: string, name: string, { places, ...world }: World): string {
  const isWorkflow = /^\/(rest\/)?workflows\//.test(path);
  const special: Readonly<Record<string, string | number>> = {
    name: isWorkflow ? world.workflowName : world.promptName,
    id: path.includes('/requests/') ? world.requestId : world.promptId,
    ...(path.includes('/sheets/operations/') && { operation_id: places['import_id'] ?? '' }),
  };
  const place = special[name] ?? places[name];
  assert.ok(
    place,
    `${path}: the worlds of the tests have no {${name}} yet. Make one in this file.`,
  );
  return String(place);
}
