import assert from 'node:assert/strict';
import type { Client } from '../../../../src/core/client.ts';
import { Client as AnyClient } from '../../../../src/core/client.ts';
import { silentLogger } from '../../../../src/core/logger.ts';
import { makeTestClient } from '../../../support/http/client.ts';
import type { ScriptedServer, Step } from '../../../support/http/scripted-server.ts';
import { startScriptedServer } from '../../../support/http/scripted-server.ts';

let server: ScriptedServer;
let client: Client;

async function start(steps: readonly Step[]): Promise<Client> {
  server = await startScriptedServer(steps);
  ({ client } = makeTestClient({ baseURL: server.url }));
  return client;
}
const seen = (): unknown[] =>
  server.requests.map(({ method, url, body }) =>
    body === '' ? `${method} ${url}` : [`${method} ${url}`, JSON.parse(body) as unknown],
  );

describe('core: the registry beside its templates', () => {
  afterEach(async () => {
    await client.close();
    await server.close();
  });

  describe('workflows', () => {
    it('are listed over all pages, each once', async () => {
      const workflows = [1, 2, 3].map((id) => ({ id, name: `w${id}`, external_ids: [] }));
      await start([
        { body: { items: workflows.slice(0, 2), page: 1, pages: 2, has_next: true, next_num: 2 } },
        { body: { items: workflows.slice(1), page: 2, pages: 2, has_next: false, next_num: null } },
      ]);
      const names: string[] = [];
      for await (const { name } of client.workflows.list({ sortBy: 'name', perPage: 2 })) {
        names.push(name);
      }
      assert.deepEqual(names, ['w1', 'w2', 'w3']);
      assert.deepEqual(seen(), [
        'GET /workflows?sort_by=name&per_page=2&page=1',
        'GET /workflows?sort_by=name&per_page=2&page=2',
      ]);
    });

    it('are got by name or id, with a version or a label', async () => {
      const version = {
        success: true,
        workflow_id: 4,
        workflow_name: 'a/b',
        version: 2,
        nodes: [
          {
            id: 'n1',
            name: 'first',
            node_type: 'SOMETHING_NEW',
            is_output_node: true,
            configuration: { deep: [1] },
            dependencies: ['input'],
          },
        ],
        edges: [],
        required_input_variables: { input: 'string' },
      };
      await start([{ body: version }]);
      assert.deepEqual(await client.workflows.get('a/b', { version: 2 }), version);
      await client.workflows.get(4, { label: 'prod' });
      await client.workflows.get('a/b');
      assert.deepEqual(seen(), [
        'GET /workflows/a%2Fb?version=2',
        'GET /workflows/4?label=prod',
        'GET /workflows/a%2Fb',
      ]);
    });

    it('are got as the example of the public description writes them: other than its schema', async () => {
      const node = { name: 'first', node_type: 'VARIABLE', is_output_node: true };
      const written = {
        ...{ success: true, workflow_id: 4, workflow_name: 'w', version_number: 3 },
        nodes: [{ ...node, configuration: {}, dependencies: [] }],
      };
      await start([{ body: written }]);
      const { version, nodes } = await client.workflows.get('w');
      assert.deepEqual(
        [version, nodes.map(({ name, id }) => [name, id])],
        [3, [['first', undefined]]],
      );
    });

    it('tell their labels', async () => {
      const label = {
        release_label: 'prod',
        release_label_id: 1,
        workflow_version_id: 9,
        workflow_version_number: 3,
      };
      await start([{ body: { success: true, release_labels: [label] } }]);
      assert.deepEqual(await client.workflows.labels('w'), [label]);
      assert.deepEqual(seen(), ['GET /workflows/w/labels']);
    });

    it('are made and changed, in either spelling', async () => {
      const saved = {
        success: true,
        workflow_id: 1,
        workflow_name: 'w',
        workflow_version_id: 2,
        version_number: 1,
        external_ids: [],
      };
      await start([{ status: 201, body: saved }]);
      const nodes = [
        {
          name: 'greeting',
          node_type: 'VARIABLE',
          configuration: { value: { type: 'string', value: 'Hello' } },
          is_output_node: true,
        },
      ];
      const made = await client.workflows.create({ name: 'w', nodes, commitMessage: 'first' });
      assert.equal(made.version_number, 1);
      await client.workflows.patch('w', { base_version: 1, nodes: { greeting: null } });
      assert.deepEqual(seen(), [
        ['POST /rest/workflows', { name: 'w', nodes, commit_message: 'first' }],
        ['PATCH /rest/workflows/w', { base_version: 1, nodes: { greeting: null } }],
      ]);
    });

    it('are null when they are missing and failures do not throw', async () => {
      await start([{ status: 404, body: { message: 'None.' } }]);
      const quiet = new AnyClient({
        apiKey: 'k',
        baseURL: server.url,
        environment: {},
        logger: silentLogger,
        throwOnError: false,
      });
      assert.equal(await quiet.workflows.get('w'), null);
      assert.equal(await quiet.folders.rename(1, 'x'), null);
      await quiet.close();
    });
  });

  describe('folders', () => {
    it('are made, renamed, found and looked into', async () => {
      const folder = { id: 3, name: 'drafts', parent_id: null, path: null, workspace_id: 1 };
      const entity = { id: 8, name: 'greeting', type: 'PROMPT', path: ['drafts'], folder_id: 3 };
      await start([
        { status: 201, body: { success: true, folder } },
        { body: { success: true, folder } },
        { body: { success: true, id: 3 } },
        { body: { success: true, entities: [entity] } },
      ]);
      assert.deepEqual(await client.folders.create({ name: 'drafts', parentId: null }), folder);
      assert.deepEqual(await client.folders.rename(3, 'drafts'), folder);
      assert.equal(await client.folders.idOf({ workspaceId: 1, path: 'a/drafts' }), 3);
      const query = {
        workspaceId: 1,
        folderId: 3,
        filterType: ['PROMPT', 'WORKFLOW'],
        flatten: true,
      };
      assert.deepEqual(await client.folders.entities(query), [entity]);
      assert.deepEqual(seen(), [
        ['POST /api/public/v2/folders', { name: 'drafts', parent_id: null }],
        ['PATCH /api/public/v2/folders/3', { name: 'drafts' }],
        'GET /api/public/v2/folders/resolve-id?workspace_id=1&path=a%2Fdrafts',
        'GET /api/public/v2/folders/entities?workspace_id=1&folder_id=3&filter_type=PROMPT&filter_type=WORKFLOW&flatten=true',
      ]);
    });

    it('need the id of the workspace, which its prompts or else its tables tell', async () => {
      const table = { id: 't', title: 'T', workspace_id: 12 };
      await start([
        { body: { items: [], page: 1, pages: 0, total: 0 } },
        { body: { success: true, data: [], has_more: false } },
        { body: { items: [], page: 1, pages: 0, total: 0 } },
        { body: { success: true, data: [table], has_more: false } },
      ]);
      assert.equal(await client.folders.workspaceId(), undefined);
      assert.equal(await client.folders.workspaceId(), 12);
      assert.equal(await client.folders.workspaceId(), 12);
      assert.deepEqual(seen(), [
        'GET /prompt-templates?per_page=1&status=all',
        'GET /api/public/v2/tables?limit=1',
        'GET /prompt-templates?per_page=1&status=all',
        'GET /api/public/v2/tables?limit=1',
      ]);
    });

    it('take things in and lose them', async () => {
      await start([{ body: { success: true, moved_count: 2 } }]);
      const entities = [
        { id: 1, type: 'PROMPT' },
        { id: 2, type: 'FOLDER' },
      ];
      assert.equal(await client.folders.move({ entities, folderId: 3 }), 2);
      assert.equal(await client.folders.deleteEntities({ entities, cascade: true }), 2);
      assert.deepEqual(seen(), [
        ['POST /api/public/v2/folders/entities', { entities, folder_id: 3 }],
        ['DELETE /api/public/v2/folders/entities', { entities, cascade: true }],
      ]);
    });
  });

  describe('what else there is', () => {
    it('sums up requests', async () => {
      const sums = { success: true, totalRequests: 2, totalCost: 0.1, stats: [{ date: 'd' }] };
      await start([{ body: sums }]);
      const filterGroup = { filters: [{ field: 'tags', operator: 'contains', value: 'x' }] };
      const asked = { filterGroup, metadataCostBreakdownKey: 'team' };
      assert.deepEqual(await client.requests.analytics(asked), sums);
      assert.deepEqual(seen(), [
        [
          'POST /api/public/v2/requests/analytics',
          { filter_group: filterGroup, metadata_cost_breakdown_key: 'team' },
        ],
      ]);
    });

    it('makes groups under either name', async () => {
      await start([{ body: { id: 6 } }]);
      assert.equal(await client.groups.create(), 6);
      assert.equal(await client.group.create(), 6);
    });

    it('asks for a raw template past every store on the way', async () => {
      await start([{ body: { id: 1, prompt_name: 'p', prompt_template: { type: 'chat' } } }]);
      await client.templates.getRaw('p', { resolveSnippets: false });
      assert.equal(server.requests[0]?.headers['cache-control'], 'no-cache');
      assert.deepEqual(seen(), ['GET /prompt-templates/p?resolve_snippets=false']);
    });
  });
});
