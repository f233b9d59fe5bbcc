/** What a refused request is told, whoever asks. */
import assert from 'node:assert/strict';
import { unservedCalls } from '../../src/service/http/unserved.ts';
import type { Api } from './support/api.ts';
import { onEachBackend } from './support/backends.ts';
import type { World } from './support/first-workspace.ts';
import { makeWorld, placeFor } from './support/first-workspace.ts';
import type { Loose } from './support/loose.ts';
import { placesIn, replaced } from './support/mutations.ts';
import { attemptsOf } from './support/reaching.ts';

const marker = 'q7';
/** Nobody needs more of a text to know it again. */
const longestEcho = 200;

/** The longest piece of what was sent that came back. */
const echoIn = (text: string): number =>
  Math.max(0, ...[...text.matchAll(/(?:q7)+/gi)].map(([run]) => run.length));

onEachBackend('A refusal', (backend) => {
  let api: Api;
  let world: World;
  before(async function () {
    this.timeout(60_000);
    api = (await backend.start()).api;
    world = await makeWorld(api, 'refusals');
  });

  it('repeats no more than the beginning of a long text, wherever it was sent', async function () {
    this.timeout(120_000);
    // Some of its things are deleted on the way.
    const own = await makeWorld(api, 'echoes');
    const { paths } = await api.get('/openapi.json');
    const attempts = attemptsOf(own);
    let [count, refused] = [0, 0];
    const check = async (method: string, path: string, body?: unknown): Promise<void> => {
      const answer = await api.call(method, path, body);
      count += 1;
      if (answer.status < 400) return;
      refused += 1;
      const where = `${method} ${path.slice(0, 200)} ${JSON.stringify(body ?? null).slice(0, 300)}`;
      assert.ok(answer.status < 500, `${where}: ${answer.text}`);
      assert.ok(answer.text.length < 20_000, `${where}: ${String(answer.text.length)} characters`);
      assert.ok(echoIn(answer.text) <= longestEcho, `${where}: ${answer.text.slice(0, 1000)}`);
    };
    const [long, short] = [marker.repeat(30_000), marker.repeat(300)];
    for (const [template, operations] of Object.entries(paths)) {
      const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
      const filled = (spoiledName?: string): string =>
        template.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
          name === spoiledName ? short : encodeURIComponent(placeFor(template, name, own)),
        );
      for (const [method, sent] of Object.entries(operations)) {
        const operation = sent as Loose;
        const upper = method.toUpperCase();
        for (const name of names) await check(upper, filled(name));
        for (const { name, in: place } of operation.parameters) {
          if (place === 'query') await check(upper, `${filled()}?${String(name)}=${short}`);
        }
        for (const { body, query } of attempts[operation.operationId] ?? []) {
          const path = query === undefined ? filled() : `${filled()}?${query}`;
          if (body === undefined) continue;
          for (const at of placesIn(body)) {
            await check(
              upper,
              path,
              replaced(body, at, () => long),
            );
          }
          await check(upper, path, { ...body, [long]: 1 });
          for (const field of Object.keys(
            operation.requestBody?.content['application/json']?.schema.properties ?? {},
          )) {
            await check(upper, path, { ...body, [field]: long });
          }
        }
      }
    }
    assert.ok(refused > 200 && count > 400, `${String(refused)} of ${String(count)} were refused`);
  });

  it('quotes short texts whole, and the beginning of long ones', async () => {
    const path = `/prompt-templates/${String(world.promptId)}`;
    const none = await api.call('POST', path, { label: 'of-nobody' });
    assert.match(none.text, /of-nobody/);
    const long = await api.call('POST', path, { label: 'x'.repeat(1_000_000) });
    assert.ok(long.status >= 400 && long.status < 500);
    assert.match(long.text, /x{100}/);
    assert.ok(long.text.length < 1000, long.text.slice(0, 1000));
  });

  it('to start a workflow has its sentence where official clients read it, and its word too', async () => {
    const answer = await api.call('POST', '/workflows/of-nobody/run', {});
    const body: Loose = JSON.parse(answer.text);
    assert.equal(answer.status, 404);
    assert.equal(body.code, 'not_found');
    assert.equal(body.error, body.message);
    assert.match(String(body.error), /was not found/);
    const other: Loose = JSON.parse((await api.call('GET', '/workflows/of-nobody')).text);
    assert.equal(other.error, 'not_found');
  });

  it('of another workspace by its number is a 404, and the number may be left out', async () => {
    const entities = '/api/public/v2/folders/entities';
    const resolve = '/api/public/v2/folders/resolve-id';
    const all: Loose = await api.get(`${entities}?flatten=true`);
    // Suites share a service, so that the number depends on who was there before.
    const made: Loose = await api.expect(201, 'POST', '/api/public/v2/tables', { title: 'whose' });
    const mine = Number(made.table.workspace_id);
    assert.deepEqual(await api.get(`${entities}?flatten=true&workspace_id=${String(mine)}`), all);
    assert.ok(all.entities.length > 0);
    const { folder }: Loose = await api.expect(201, 'POST', '/api/public/v2/folders', {
      ...{ name: 'to be found', workspace_id: mine },
    });
    const path = 'path=to%20be%20found';
    assert.equal(((await api.get(`${resolve}?${path}`)) as Loose).id, folder.id);
    for (const query of [`${entities}?workspace_id=77`, `${resolve}?${path}&workspace_id=77`]) {
      assert.match((await api.call('GET', query)).text, /workspace was not found/);
      await api.expect(404, 'GET', query);
    }
    const moved = { entities: [], folder_id: null, workspace_id: 77 };
    await api.expect(404, 'POST', entities, moved);
    await api.expect(404, 'POST', '/api/public/v2/folders', { name: 'x', workspace_id: 77 });
    const wrong = await api.call('GET', `${entities}?workspace_id=NaN`);
    assert.equal(wrong.status, 422);
    assert.doesNotMatch(wrong.text, /received NaN/);
  });

  it('meets names that no database and no list can show', async () => {
    const { path, tableId } = await api.newSheet();
    const tables = '/api/public/v2/tables';
    for (const name of ['half \ud800', 'half \udc00 inside', 'nul \0 inside']) {
      for (const [method, where, body] of [
        ['POST', tables, { title: name }],
        ['PATCH', `${tables}/${tableId}`, { title: name }],
        ['POST', `${tables}/${tableId}/sheets`, { title: name }],
        ['PATCH', path, { title: name }],
        ['POST', `${path}/columns`, { title: name, type: 'TEXT' }],
        ['POST', `${path}/versions`, { name }],
        ['PATCH', `${path}/scorecard`, { name, aggregation: {} }],
        ['POST', '/api/public/v2/folders', { name }],
        ['POST', '/rest/workflows', { name, nodes: [] }],
        ['POST', '/rest/prompt-templates', promptNamed(name, [])],
        ['POST', '/rest/prompt-templates', promptNamed('fine', [name])],
        ['POST', '/api/public/v2/skill-collections', { name }],
      ] as const) {
        const answer = await api.call(method, where, body);
        assert.ok([400, 422].includes(answer.status), `${where}: ${answer.text}`);
        assert.match(answer.text, /surrogate pair|U\+0000/, where);
      }
    }
    // Whole pairs are characters, and values may hold what they like.
    await api.expect(201, 'POST', tables, { title: 'whole \u{1F600}' });
    await api.expect(200, 'GET', `${path}/rows`);
    const logged = { metadata: { name: 'nul \0 inside' }, request_id: world.requestId };
    await api.expect(200, 'POST', '/rest/track-metadata', logged);
  });

  it('meets names that nobody could see, however they are blank', async () => {
    const { path, tableId, columnId } = await api.newSheet();
    const tables = '/api/public/v2/tables';
    const { id: promptId } = await api.expect(
      200,
      'POST',
      '/rest/prompt-templates',
      promptNamed('seen', []),
    );
    for (const name of [' ', '\t\n', '\u200b', '\u00a0\u00ad', '\u3164', '\u2800\ufeff']) {
      for (const [method, where, body] of [
        ['POST', tables, { title: name }],
        ['PATCH', `${tables}/${tableId}`, { title: name }],
        ['POST', `${tables}/${tableId}/sheets`, { title: name }],
        ['PATCH', path, { title: name }],
        ['POST', `${path}/columns`, { title: name, type: 'TEXT' }],
        ['PATCH', `${path}/columns/${columnId}`, { title: name }],
        ['POST', `${path}/versions`, { name }],
        ['PATCH', `${path}/scorecard`, { name, aggregation: {} }],
        ['POST', '/api/public/v2/folders', { name }],
        ['POST', '/rest/workflows', { name, nodes: [] }],
        ['POST', '/rest/prompt-templates', promptNamed(name, [])],
        ['POST', '/rest/prompt-templates', promptNamed('fine', [name])],
        ['POST', `/prompt-templates/${promptId}/labels`, { name, prompt_version: 1 }],
        ['POST', '/api/public/v2/skill-collections', { name }],
      ] as const) {
        const answer = await api.call(method, where, body);
        const what = `${method} ${where} ${JSON.stringify(name)}: ${answer.text}`;
        assert.ok([400, 422].includes(answer.status), what);
        assert.match(answer.text, /no character that can be seen/, what);
      }
    }
    // What is looked for may have been called so before.
    await api.expect(404, 'GET', '/prompt-templates/%20');
    await api.expect(201, 'POST', tables, { title: '\ufe0f❤\ufe0f' });
  });

  it('of what is not served names the feature, and what does its work here', async () => {
    assert.equal(unservedCalls.length, 58);
    for (const { method, path } of unservedCalls) {
      const address = path
        .replaceAll(/\{\w*(?:name|source|external_id)\}/g, 'a')
        .replaceAll(/\{\w+\}/g, '1');
      const answer = await api.call(method, address, method === 'GET' ? undefined : {});
      const body: Loose = JSON.parse(answer.text);
      assert.equal(answer.status, 404, `${method} ${path}: ${answer.text}`);
      assert.equal(body.error, 'not_served', path);
      const feature =
        features.find(([part]) => path.includes(part))?.[1] ?? /Evaluations and reports/;
      assert.match(String(body.message), feature, `${method} ${path}`);
      assert.match(String(body.message), /doesn't serve this\. \S+/);
    }
  });

  it('finds templates by tags that a client has joined with commas', async () => {
    const list = async (tags: string): Promise<string[]> =>
      ((await api.get(`/prompt-templates?${tags}`)) as Loose).items.map(
        (one: Loose) => one.prompt_name,
      );
    for (const [name, tags] of [
      ['both', ['red', 'blue']],
      ['one', ['red']],
      ['comma', ['red,blue']],
    ] as const) {
      const made = { ...promptNamed(name, []) };
      await api.expect(200, 'POST', '/rest/prompt-templates', {
        ...made,
        prompt_template: { prompt_name: `tags ${name}`, tags },
      });
    }
    const joined = await list(`tags=${encodeURIComponent('red,blue')}`);
    assert.deepEqual(joined.sort(), ['tags both', 'tags comma']);
    assert.deepEqual((await list('tags=red&tags=blue')).sort(), ['tags both']);
    assert.deepEqual((await list('tags=red')).sort(), ['tags both', 'tags one']);
    const many = await api.call('GET', `/prompt-templates?tags=${'a,'.repeat(2000)}a`);
    assert.equal(many.status, 422, many.text);
  });

  it('of a price that nobody knows leaves it out', async () => {
    const now = new Date().toISOString();
    const { id }: Loose = await api.expect(201, 'POST', '/log-request', {
      ...{ provider: 'openai', model: 'model-of-nobody' },
      ...{
        input: { type: 'completion', content: [] },
        output: { type: 'completion', content: [] },
      },
      ...{ request_start_time: now, request_end_time: now },
    });
    const one: Loose = await api.get(`/api/public/v2/requests/${String(id)}`);
    assert.equal('price' in one, false);
    const filters = [{ field: 'engine', operator: 'is', value: 'model-of-nobody' }];
    const found: Loose = await api.expect(200, 'POST', '/api/public/v2/requests/search', {
      filters,
    });
    assert.equal('price' in found.items[0], false);
  });
});

/** By a part of the path; the first one counts. */
const features: readonly (readonly [part: string, feature: RegExp])[] = [
  ['external-id', /external IDs/],
  ['tool-registry', /tool registry/],
  ['env-vars', /Environment variables/],
  ['custom-analytics', /Custom analytics/],
  ['dataset', /Data sets/],
];

const promptNamed = (name: string, labels: readonly string[]): object => ({
  prompt_template: { prompt_name: name, tags: [] },
  prompt_version: { prompt_template: { type: 'completion', content: [] } },
  ...(labels.length > 0 && { release_labels: labels }),
});
