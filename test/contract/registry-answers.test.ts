import assert from 'node:assert/strict';
import { addTrace } from '../../src/api/dataset.ts';
import type { Endpoint } from '../../src/api/endpoint.ts';
import * as folders from '../../src/api/folder.ts';
import * as requests from '../../src/api/request-log.ts';
import * as skills from '../../src/api/skill-collection.ts';
import { createTable } from '../../src/api/table.ts';
import * as templates from '../../src/api/template.ts';
import * as traces from '../../src/api/trace.ts';
import * as tracking from '../../src/api/tracking.ts';
import * as workflows from '../../src/api/workflow.ts';
import type { Call, Reply } from '../support/contract/conversation.ts';
import { contract } from '../support/contract/description.ts';
import { registryEndpoints } from '../support/contract/endpoints.ts';
import { live } from '../support/contract/live.ts';
import { inOneGo } from '../support/contract/in-one-go.ts';
import { until } from '../support/until.ts';

const text = (value: string) => [{ type: 'text', text: value }];
const chat = (...messages: object[]) => ({ type: 'chat', messages });
const user = (value: string) => ({ role: 'user', content: text(value) });
const assistant = (value: string) => ({ role: 'assistant', content: text(value) });

/** Every part of a message that is described. */
const allParts = [
  ...text('Hi {who}'),
  { type: 'image_url', image_url: { url: 'https://x.test/a.png' } },
  {
    type: 'media',
    media: { title: 'm', type: 'application/pdf', url: 'https://x.test/a.pdf', format: 'url' },
  },
  { type: 'media_variable', name: 'pics' },
];

/** Prompts, requests and workflows, every answer held against the public description. */
contract('answers of the local registry', (description) => {
  const running = live(description);
  let known: Record<string, string> = {};

  const call = async (
    endpoint: Endpoint,
    status: number,
    given: Call = {},
  ): Promise<Reply['body']> => {
    const reply = await running().talk.call(endpoint, {
      ...given,
      params: { ...known, ...given.params },
    });
    assert.equal(reply.status, status, JSON.stringify(reply.body));
    return reply.body;
  };

  const step = inOneGo('are as they are described, in all documented successes');

  step('publish, change, get and list prompt templates', async () => {
    const metadata = { model: { provider: 'openai', name: 'gpt-4o', parameters: { top_p: 1 } } };
    const published = await call(templates.publishTemplate, 200, {
      body: {
        prompt_template: { prompt_name: 'contract', tags: ['a'] },
        prompt_version: {
          prompt_template: {
            ...chat(
              { role: 'system', content: text('Be brief') },
              { role: 'user', content: allParts },
              { role: 'placeholder', name: 'past' },
            ),
            tools: [{ type: 'function', function: { name: 'f' } }],
            tool_choice: 'auto',
          },
          metadata,
          commit_message: 'first',
        },
        release_labels: ['prod'],
        external_ids: [{ source: 's', external_id: 'x' }],
      },
    });
    known = { name: 'contract', id: String(published['id']) };
    await call(templates.publishTemplate, 200, {
      body: {
        prompt_template: { prompt_name: 'bare' },
        prompt_version: { prompt_template: { type: 'completion', content: text('bare') } },
      },
    });
    await call(templates.patchTemplate, 201, {
      body: { messages: { '0': user('x') }, release_labels: ['next'] },
    });
    await call(templates.getTemplate, 200, {
      body: { label: 'prod', input_variables: { who: 'Ada', pics: 'https://x.test/b.png' } },
    });
    await call(templates.getTemplate, 200, { params: { name: 'bare' } });
    await call(templates.getRawTemplate, 200, { query: { include_llm_kwargs: 'true' } });
    await call(templates.getRawTemplate, 200, {
      query: { version: '1', resolve_snippets: 'false' },
    });
    await call(templates.listTemplates, 200);
    await call(templates.listTemplates, 200, {
      query: { label: 'prod', tags: 'a', per_page: '1' },
    });
    await call(templates.listTemplates, 200, { query: { page: '9' } });
    await call(templates.getSnippetUsage, 200);
  });

  step('make, rename, fill, list and empty folders', async () => {
    const made = await call(folders.createFolder, 201, { body: { name: 'outer' } });
    const id = (made['folder'] as { id: number }).id;
    const inner = await call(folders.createFolder, 201, { body: { name: 'inner', parent_id: id } });
    await call(folders.createFolder, 400, { body: { name: 'outer' } });
    const params = { folder_id: String((inner['folder'] as { id: number }).id) };
    await call(folders.renameFolder, 200, { params, body: { name: 'renamed' } });
    await call(folders.resolveFolderId, 200, {
      query: { workspace_id: '1', path: 'outer/renamed' },
    });
    const entities = [{ id: Number(known['id']), type: 'PROMPT' }];
    await call(folders.moveFolderEntities, 200, { body: { entities, folder_id: id } });
    const query = { workspace_id: '1', folder_id: String(id), include_metadata: 'true' };
    const listed = await call(folders.listFolderEntities, 200, { query });
    assert.equal((listed['entities'] as unknown[]).length, 2);
    await call(folders.moveFolderEntities, 200, { body: { entities } });
    const whole = { entities: [{ id, type: 'FOLDER' }] };
    await call(folders.deleteFolderEntities, 400, { body: whole });
    await call(folders.deleteFolderEntities, 200, { body: { ...whole, cascade: true } });
  });

  step('make, move and delete labels', async () => {
    await call(templates.listLabels, 200);
    const made = await call(templates.createLabel, 200, {
      body: { prompt_version_number: 1, name: 'made' },
    });
    known['label_id'] = String(made['id']);
    await call(templates.createLabel, 409, { body: { prompt_version_number: 1, name: 'made' } });
    await call(templates.moveLabel, 200, { body: { prompt_version_number: 2 } });
    await call(templates.deleteLabel, 204);
    await call(templates.deleteLabel, 404);
  });

  step('log, track, get and search requests', async () => {
    const logged = await call(requests.logRequest, 201, {
      body: {
        provider: 'openai',
        model: 'gpt-4o',
        input: chat(user('Hi')),
        output: chat(assistant('{"a":1}')),
        request_start_time: '2026-03-01T10:00:00Z',
        request_end_time: '2026-03-01T10:00:01Z',
        input_tokens: 10,
        output_tokens: 2,
        prompt_name: 'contract',
        tags: ['t'],
        metadata: { k: 'v' },
      },
    });
    const request_id = Number(logged['id']);
    await call(tracking.trackMetadata, 200, { body: { request_id, metadata: { a: 'b' } } });
    await call(tracking.trackScore, 200, { body: { request_id, score: 5, name: 'tone' } });
    await call(tracking.trackPrompt, 200, { body: { request_id, prompt_name: 'contract' } });
    const { id: group_id } = await call(tracking.createGroup, 200, { body: {} });
    await call(tracking.trackGroup, 200, { body: { request_id, group_id } });
    await call(tracking.trackScore, 404, { body: { request_id: 999_999, score: 5 } });
    for (const [endpoint, body] of [
      [tracking.legacyTrackMetadata, { metadata: {} }],
      [tracking.legacyTrackScore, { score: 1 }],
      [tracking.legacyTrackPrompt, { prompt_name: 'contract', prompt_input_variables: {} }],
      [tracking.legacyTrackGroup, { group_id }],
    ] as const) {
      await call(endpoint, 200, { body: { request_id, ...body } });
    }
    const run = await call(tracking.trackRequest, 200, {
      body: {
        function_name: 'openai.chat.completions.create',
        provider_type: 'openai',
        args: [],
        kwargs: { model: 'unknown', messages: [{ role: 'user', content: 'Hi' }] },
        request_start_time: '2026-03-01T10:00:00Z',
        request_end_time: '2026-03-01T10:00:01Z',
        request_response: {},
        status: 'ERROR',
        error_type: 'PROVIDER_TIMEOUT',
      },
    });
    for (const id of [request_id, Number(run['request_id'])]) {
      await call(requests.getRequest, 200, { params: { id: String(id) } });
    }
    const found = await call(requests.searchRequests, 200, { body: { include_prompt_name: true } });
    assert.equal(found['total'], 2);
    await call(requests.searchRequests, 200, { body: { q: 'nowhere' } });
    await call(requests.suggestRequestValues, 200, { query: { field: 'tags' } });
    await call(requests.analyseRequests, 200, { body: {} });
    await call(requests.analyseRequests, 200, { body: { q: 'nowhere' } });
  });

  step('take, get and close traces', async () => {
    const nano = '1700000000123456789';
    const span = (spanId: string, rest: object = {}) => ({
      traceId: 'A1b2c3d4e5f6a7b8c9d0e1f2a3b4c5d6',
      spanId,
      name: 'chat gpt-4o',
      kind: 3,
      startTimeUnixNano: nano,
      endTimeUnixNano: nano,
      attributes: [
        { key: 'gen_ai.request.model', value: { stringValue: 'gpt-4o' } },
        { key: 'gen_ai.usage.input_tokens', value: { intValue: '25' } },
      ],
      status: { code: 1 },
      ...rest,
    });
    const exporting = (...spans: object[]) => ({ resourceSpans: [{ scopeSpans: [{ spans }] }] });
    const whole = await call(traces.exportTraces, 200, {
      body: exporting(span('1a2b3c4d5e6f7a8b')),
    });
    assert.deepEqual(whole, { partialSuccess: null });
    const part = await call(traces.exportTraces, 200, {
      body: exporting(
        span('1a2b3c4d5e6f7a8c', { parentSpanId: '1a2b3c4d5e6f7a8b' }),
        span('short'),
      ),
    });
    assert.equal((part['partialSuccess'] as { rejectedSpans: number }).rejectedSpans, 1);
    const bulk = {
      name: 'llm_call',
      context: { trace_id: 'by hand', span_id: 'one', trace_state: '' },
      kind: 'SpanKind.CLIENT',
      parent_id: null,
      start_time: 1_630_000_000_000_000_000,
      end_time: 1_630_000_001_000_000_000,
      status: { status_code: 'StatusCode.OK', description: 'fine' },
      attributes: { 'llm.provider': 'openai' },
      resource: { attributes: { 'service.name': 'x' }, schema_url: '' },
      log_request: {
        provider: 'openai',
        model: 'gpt-4o',
        input: chat(user('Hi')),
        output: chat(assistant('Hello')),
      },
    };
    const made = await call(traces.createSpans, 201, {
      body: { spans: [bulk], close_after: true },
    });
    assert.equal((made['request_logs'] as unknown[]).length, 1);
    const again = await call(traces.createSpans, 201, { body: { spans: [bulk] } });
    assert.deepEqual(again['rejected_trace_ids'], ['by hand']);
    const params = { trace_id: 'a1b2c3d4e5f6a7b8c9d0e1f2a3b4c5d6' };
    const got = await call(traces.getTrace, 200, { params });
    const [first] = got['spans'] as { request_log_id: number; start_time: string }[];
    assert.equal(first?.start_time, '2023-11-14T22:13:20.123456789Z');
    await call(requests.getRequest, 200, { params: { id: String(first.request_log_id) } });
    await call(traces.closeTrace, 201, { params });
    await call(traces.closeTrace, 409, { params });
    await call(traces.exportTraces, 409, { body: exporting(span('1a2b3c4d5e6f7a8d')) });
    await call(traces.getTrace, 404, { params: { trace_id: 'nowhere' } });
    const table = await call(createTable, 201, { body: { title: 'Traces' } });
    const sheet = {
      smart_table_id: (table['table'] as { id: string }).id,
      sheet_id: (table['default_sheet'] as { id: string }).id,
    };
    await call(addTrace, 201, { body: { ...params, ...sheet } });
    const one = { ...params, ...sheet, span_id: '1a2b3c4d5e6f7a8b', metadata: { a: 1 } };
    await call(addTrace, 201, { body: one });
    await call(addTrace, 400, { body: { ...params, dataset_group_id: 1 } });
    await call(addTrace, 404, { body: { ...one, trace_id: 'nowhere' } });
  });

  step('make, rename, fill, list and get skill collections', async () => {
    const external_ids = [{ source: 's', external_id: 'skills' }];
    await call(skills.createSkillCollection, 201, {
      body: {
        name: 'Customer support',
        provider: 'anthropic',
        files: [{ path: 'refund/SKILL.md', content: 'Refund' }, { path: 'empty' }],
        commit_message: 'first',
        external_ids,
      },
    });
    await call(skills.createSkillCollection, 400, { body: { name: 'Customer support' } });
    await call(skills.createSkillCollection, 409, { body: { name: 'other', external_ids } });
    const params = { identifier: '/customer-support' };
    await call(skills.saveSkillCollectionVersion, 201, {
      params,
      body: {
        moves: [{ old_path: 'refund/SKILL.md', new_path: 'refunds/SKILL.md' }],
        deletes: ['empty'],
        file_updates: [{ path: 'a.md', content: 'A' }],
        release_label: 'production',
      },
    });
    await call(skills.saveSkillCollectionVersion, 400, { params, body: { deletes: ['empty'] } });
    const got = await call(skills.getSkillCollection, 200, { params });
    assert.deepEqual(got['files'], { 'a.md': 'A', 'refunds/SKILL.md': 'Refund' });
    await call(skills.getSkillCollection, 200, { params, query: { label: 'production' } });
    await call(skills.getSkillCollection, 200, { params, query: { version: '1' } });
    await call(skills.getSkillCollection, 400, { params, query: { version: '1', label: 'x' } });
    await call(skills.getSkillCollection, 404, { params, query: { version: '9' } });
    await call(skills.updateSkillCollection, 200, { params, body: { name: 'Support' } });
    await call(skills.updateSkillCollection, 404, { params, body: { name: 'again' } });
    await call(skills.listSkillCollections, 200);
    await call(skills.listSkillCollections, 200, {
      query: { external_source: 's', external_id: 'skills', sort_by: 'name' },
    });
    await call(skills.listSkillCollections, 422, { query: { external_source: 's' } });
  });

  step('make, change, get, list and run workflows', async () => {
    const node = (name: string, value: string, rest: object = {}) => ({
      name,
      node_type: 'VARIABLE',
      configuration: { value: { type: 'string', value } },
      is_output_node: true,
      ...rest,
    });
    await call(workflows.createWorkflow, 201, {
      body: {
        name: 'contract',
        nodes: [
          node('a', 'x'),
          node('b', 'y', { is_output_node: false }),
          {
            name: 'slow',
            node_type: 'CODE_EXECUTION',
            configuration: {
              code: 'for (let i = 0; i < 3e6; i += 1); return data.v',
              language: 'JAVASCRIPT',
            },
            dependencies: ['v'],
            is_output_node: false,
          },
        ],
        edges: [
          {
            source_node_name: 'a',
            target_node_name: 'b',
            is_and: true,
            conditionals: [
              {
                position: 0,
                operator: '=',
                left_config: { source: 'a' },
                right_config: { static_value: 'x' },
              },
            ],
          },
        ],
        required_input_variables: { v: 'string' },
        release_labels: ['prod'],
      },
    });
    await call(workflows.patchWorkflow, 201, { body: { commit_message: 'second' } });
    await call(workflows.getWorkflow, 200, { query: { label: 'prod' } });
    await call(workflows.listWorkflows, 200, { query: { per_page: '1' } });
    await call(workflows.listWorkflowLabels, 200);
    const started = await call(workflows.runWorkflow, 201, {
      body: { input_variables: { v: 'v' } },
    });
    const id = String(started['workflow_version_execution_id']);
    const query = { workflow_version_execution_id: id };
    await call(workflows.requestChannelToken, 200, {
      query: { capability: `workflow_updates:${id}` },
    });
    await until('the workflow has ended', async () => {
      const { status } = await running().talk.call(workflows.getWorkflowResults, {
        query: { ...query, return_all_outputs: 'true' },
      });
      return status === 200;
    });
    await call(workflows.getWorkflowResults, 200, { query });
    await call(workflows.cancelWorkflow, 200, { query });
    await call(workflows.runWorkflow, 202, { body: { callback_url: 'http://127.0.0.1:9/nobody' } });
  });

  step('were seen for every documented success of every endpoint', () => {
    const { seen } = running().talk;
    const missing = registryEndpoints.flatMap((endpoint) => {
      const described = description.operation(endpoint.method, endpoint.path);
      const codes = described ? Object.keys(described.responses) : ['200'];
      return codes
        .filter((code) => code.startsWith('2'))
        .map((code) => `${endpoint.method} ${endpoint.path} ${code}`)
        .filter((key) => !seen.has(key));
    });
    assert.deepEqual(missing, []);
  });
});
