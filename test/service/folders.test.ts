import assert from 'node:assert/strict';
import type { Api } from './support/api.ts';
import { tablesPath } from './support/api.ts';
import { onEachBackend } from './support/backends.ts';
import type { Loose } from './support/loose.ts';

const foldersPath = '/api/public/v2/folders';
const entitiesPath = `${foldersPath}/entities`;

onEachBackend('Folders', (backend) => {
  let api: Api;
  let other: Api;
  let count = 0;
  before(async () => {
    const service = await backend.share();
    api = service.api;
    other = service.other;
  });

  const make = async (name: string, parent_id: number | null = null): Promise<number> =>
    ((await api.expect(201, 'POST', foldersPath, { name, parent_id })) as Loose).folder.id;
  const publish = async (name: string, rest: object = {}, chat = false): Promise<number> => {
    const made: Loose = await api.expect(200, 'POST', '/rest/prompt-templates', {
      prompt_template: { prompt_name: name, ...rest },
      prompt_version: {
        prompt_template: chat
          ? { type: 'chat', messages: [] }
          : { type: 'completion', content: [{ type: 'text', text: 'x' }] },
      },
    });
    return made.id;
  };
  const workflow = async (name: string, rest: object = {}): Promise<number> => {
    const configuration = { value: { type: 'string', value: 'x' } };
    const made: Loose = await api.expect(201, 'POST', '/rest/workflows', {
      name,
      nodes: [{ name: 'n', node_type: 'VARIABLE', configuration, is_output_node: true }],
      ...rest,
    });
    return made.workflow_id;
  };
  const inside = async (query: string): Promise<string[]> => {
    const answer: Loose = await api.get(`${entitiesPath}?sort_by=name&sort_order=asc&${query}`);
    return answer.entities.map((one: Loose) => `${String(one.type)} ${String(one.name)}`);
  };

  it('have names that a database can keep', async () => {
    const id = await make('another');
    for (const name of ['half \ud83d pair', 'nul \0 inside']) {
      await api.expect(422, 'POST', foldersPath, { name });
      await api.expect(422, 'PATCH', `${foldersPath}/${String(id)}`, { name });
    }
  });

  it('are made inside of each other, renamed, and found by their path', async () => {
    const outer = await make('outer');
    const made: Loose = await api.expect(201, 'POST', foldersPath, {
      name: 'inner',
      parent_id: outer,
      external_ids: [{ source: 's', external_id: 'f' }],
    });
    assert.deepEqual(made.folder.path, [{ id: outer, name: 'outer' }]);
    assert.deepEqual(made.folder.external_ids, [{ source: 's', external_id: 'f' }]);
    await api.expect(400, 'POST', foldersPath, { name: 'outer' });
    await api.expect(404, 'POST', foldersPath, { name: 'x', parent_id: 999_999 });
    await make('outer', outer);
    const renamed: Loose = await api.expect(
      200,
      'PATCH',
      `${foldersPath}/${String(made.folder.id)}`,
      { name: 'renamed' },
    );
    assert.equal(renamed.folder.name, 'renamed');
    const path = `${foldersPath}/resolve-id?path=`;
    assert.equal(((await api.get(`${path}outer%2Frenamed`)) as Loose).id, made.folder.id);
    await api.expect(404, 'GET', `${path}outer%2Finner`);
    await api.expect(400, 'GET', `${path}%2F`);
  });

  it('hold prompts, snippets and workflows, which are listed, moved and deleted', async () => {
    const box = await make(`box ${String((count += 1))}`);
    const sub = await make('sub', box);
    await publish('in box', { folder_id: box, tags: ['t'] }, true);
    const snippet = await publish('in sub', { folder_id: sub });
    const flow = await workflow('flow in box', { folder_id: box });
    assert.deepEqual(await inside(`folder_id=${String(box)}`), [
      'WORKFLOW flow in box',
      'PROMPT in box',
      'FOLDER sub',
    ]);
    assert.deepEqual(await inside(`folder_id=${String(box)}&flatten=true&filter_type=SNIPPET`), [
      'SNIPPET in sub',
    ]);
    assert.deepEqual(
      await inside(`folder_id=${String(box)}&filter_type=PROMPT&filter_type=FOLDER`),
      ['PROMPT in box', 'FOLDER sub'],
    );
    assert.deepEqual(await inside(`folder_id=${String(box)}&tags=t`), ['PROMPT in box']);
    assert.deepEqual(await inside(`folder_id=${String(box)}&flatten=true&search_query=SUB`), [
      'SNIPPET in sub',
      'FOLDER sub',
    ]);
    const detailed: Loose = await api.get(
      `${entitiesPath}?folder_id=${String(sub)}&include_metadata=true`,
    );
    assert.deepEqual(detailed.entities[0].metadata, {
      type: 'completion',
      latest_version_number: 1,
    });
    assert.equal(detailed.entities[0].path.at(-1), 'sub');

    const moved: Loose = await api.expect(200, 'POST', entitiesPath, {
      entities: [
        { id: flow, type: 'WORKFLOW' },
        { id: snippet, type: 'SNIPPET' },
      ],
      folder_id: null,
    });
    assert.equal(moved.moved_count, 2);
    assert.deepEqual(await inside(`folder_id=${String(sub)}`), []);
    await api.expect(400, 'POST', entitiesPath, {
      entities: [{ id: box, type: 'FOLDER' }],
      folder_id: sub,
    });
    await api.expect(404, 'POST', entitiesPath, { entities: [{ id: 999_999, type: 'PROMPT' }] });

    const folder = { entities: [{ id: box, type: 'FOLDER' }] };
    await api.expect(400, 'DELETE', entitiesPath, folder);
    const deleted: Loose = await api.expect(200, 'DELETE', entitiesPath, {
      ...folder,
      cascade: true,
    });
    assert.equal(deleted.moved_count, 3);
    await api.expect(404, 'POST', '/prompt-templates/in%20box', {});
    const gone: Loose = await api.get('/prompt-templates?status=deleted&name=in%20box');
    assert.equal(gone.total, 1);
    assert.equal(await publish('in box'), gone.items[0].id + 2, 'the name is free again');
    await api.expect(200, 'DELETE', entitiesPath, { entities: [{ id: flow, type: 'WORKFLOW' }] });
    await api.expect(404, 'GET', `/workflows/${String(flow)}`);
  });

  it('hold tables', async () => {
    const shelf = await make('shelf');
    const { table } = await api.expect(201, 'POST', tablesPath, { folder_id: shelf });
    assert.equal((table as Loose).folder_id, shelf);
    const listed = await api.get(`${tablesPath}?folder_id=${String(shelf)}`);
    assert.deepEqual(
      listed.data.map(({ id }) => id),
      [table.id],
    );
    await api.expect(404, 'POST', tablesPath, { folder_id: 999_999 });
    const path = `${tablesPath}/${table.id}`;
    const kept: Loose = await api.expect(200, 'PATCH', path, { title: 'kept there' });
    assert.equal(kept.table.folder_id, shelf);
    await api.expect(200, 'DELETE', entitiesPath, { entities: [{ id: shelf, type: 'FOLDER' }] });
    assert.equal(((await api.get(path)) as Loose).table.folder_id, null);
  });

  it('of one workspace are nothing to another', async () => {
    const mine = await make('mine');
    const prompt = await publish('prompt of mine');
    await other.expect(404, 'PATCH', `${foldersPath}/${String(mine)}`, { name: 'theirs' });
    await other.expect(404, 'POST', foldersPath, { name: 'x', parent_id: mine });
    await other.expect(404, 'GET', `${entitiesPath}?folder_id=${String(mine)}`);
    await other.expect(404, 'GET', `${foldersPath}/resolve-id?path=mine`);
    for (const method of ['POST', 'DELETE']) {
      for (const entity of [
        { id: mine, type: 'FOLDER' },
        { id: prompt, type: 'SNIPPET' },
      ]) {
        await other.expect(404, method, entitiesPath, { entities: [entity] });
      }
    }
    const all: Loose = await other.get(`${entitiesPath}?flatten=true`);
    assert.deepEqual(all.entities, []);
    const theirs: Loose = await other.expect(201, 'POST', foldersPath, { name: 'mine' });
    await api.expect(404, 'POST', '/rest/prompt-templates', {
      prompt_template: { prompt_name: 'x', folder_id: theirs.folder.id },
      prompt_version: { prompt_template: { type: 'completion', content: [] } },
    });
    await api.expect(404, 'POST', '/prompt-templates/x', {});
  });
});
