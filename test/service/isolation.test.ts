import assert from 'node:assert/strict';
import type { Answer, Api, Json } from './support/api.ts';
import { onEachBackend } from './support/backends.ts';
import type { Places, World } from './support/first-workspace.ts';
import { makeWorld, placeFor } from './support/first-workspace.ts';
import type { Attempt } from './support/reaching.ts';
import { answersFromOwn, attemptsOf, contentWithNothing } from './support/reaching.ts';
import { SheetRun } from './support/sheet-run.ts';

interface Operation {
  readonly name: string;
  readonly method: string;
  readonly path: string;
}

/** Every operation of the description that the service gives of itself: a new one is among them. */
function operationsIn({ paths }: Json): Operation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { operationId: name }]) => ({
      name,
      method: method.toUpperCase(),
      path,
    })),
  );
}

const namesIn = (path: string): string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);

const fill = (path: string, world: World, instead: Places = {}): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(instead[name] ?? placeFor(path, name, world)),
  );

onEachBackend('Two workspaces', (backend) => {
  let first: Api;
  let second: Api;
  let world: World;
  let own: World;
  let operations: Operation[];
  before(async function () {
    this.timeout(60_000);
    const service = await backend.share();
    first = service.api;
    second = service.other;
    world = await makeWorld(first, 'first');
    own = await makeWorld(second, 'second');
    operations = operationsIn(await first.get('/openapi.json'));
  });

  const attempts = ({ name, path }: Operation, of: World): readonly Attempt[] => {
    const found = attemptsOf(of)[name] ?? (namesIn(path).length > 0 ? [{}] : undefined);
    assert.ok(found, `Say in reaching.ts how ${name} could reach for another workspace.`);
    return found;
  };
  const send = (api: Api, method: string, path: string, { query, body }: Attempt) =>
    api.call(method, query === undefined ? path : `${path}?${query}`, body);

  /** All that the first workspace sees of itself. */
  async function seen(): Promise<Readonly<Record<string, string>>> {
    const answers: Record<string, string> = {};
    for (const operation of operations) {
      const { name, method, path } = operation;
      if (method !== 'GET' && !name.startsWith('search_') && !name.endsWith('_analytics')) continue;
      for (const attempt of attempts(operation, world)) {
        const answer = await send(first, method, fill(path, world), attempt);
        assert.equal(answer.status, 200, `${name}: ${answer.text}`);
        answers[`${name} ${JSON.stringify(attempt)}`] = answer.text;
      }
    }
    return answers;
  }

  function assertClosed({ name }: Operation, path: string, answer: Answer): void {
    const where = `${name} ${path} answered ${String(answer.status)}: ${answer.text.slice(0, 300)}`;
    assert.ok(!answer.text.includes(world.canary), where);
    if (answersFromOwn.includes(name) && answer.status < 300) return;
    assert.equal(answer.status, 404, where);
    assert.equal(answer.body.success, false, where);
    assert.equal(answer.body.code ?? answer.body.error, 'not_found', where);
  }

  it('see nothing of each other and change nothing, whatever is called', async function () {
    this.timeout(60_000);
    const before = await seen();
    assert.ok(JSON.stringify(before).includes(world.canary));
    for (const operation of operations) {
      const path = fill(operation.path, world);
      for (const attempt of attempts(operation, world)) {
        const answer = await send(second, operation.method, path, attempt);
        assertClosed(operation, path, answer);
      }
    }
    assert.deepEqual(await seen(), before);
  });

  it('can not lead from things of their own to those of another', async function () {
    this.timeout(60_000);
    const before = await seen();
    for (const operation of operations) {
      // Rows are numbers: those of one sheet are no secret of another.
      const names = namesIn(operation.path).filter((name) => name !== 'row_index');
      for (let count = 1; count < names.length; count += 1) {
        const mine = names
          .slice(0, count)
          .map((name) => [name, placeFor(operation.path, name, own)]);
        const path = fill(operation.path, world, Object.fromEntries(mine) as Places);
        for (const attempt of attempts(operation, own)) {
          const answer = await send(second, operation.method, path, attempt);
          const where = `${operation.name} ${path}: ${String(answer.status)} ${answer.text}`;
          const isContent = contentWithNothing.includes(operation.name) && answer.status === 200;
          assert.ok(answer.status === 404 || isContent, where);
          assert.ok(!answer.text.includes(world.canary), where);
        }
      }
    }
    assert.deepEqual(await seen(), before);
  });

  it('can not lead to things of another from inside a request', async function () {
    this.timeout(60_000);
    const before = await seen();
    for (const operation of operations) {
      if (operation.method === 'DELETE' || namesIn(operation.path).length === 0) continue;
      const path = fill(operation.path, own);
      for (const attempt of attempts(operation, world)) {
        const answer = await send(second, operation.method, path, attempt);
        const where = `${operation.name} ${path}: ${String(answer.status)} ${answer.text}`;
        assert.ok(answer.status < 500 && !answer.text.includes(world.canary), where);
      }
    }
    assert.deepEqual(await seen(), before);
  });

  it('can not compute with what another has', async function () {
    this.timeout(60_000);
    const before = await seen();
    const { table_id: table = '', sheet_id: sheet = '', column_id: column = '' } = world.places;
    const columns = [
      ['PROMPT_TEMPLATE', { template: { id: own.promptId }, return_template_only: true }],
      ['PROMPT_TEMPLATE', { template: { id: world.promptId }, return_template_only: true }],
      ['PROMPT_TEMPLATE', { template: { name: world.promptName }, return_template_only: true }],
      ['WORKFLOW', { workflow_id: world.workflowId }],
      ['WORKFLOW', { workflow_id: world.workflowName }],
      ['WORKFLOW', { workflow_version_id: world.workflowVersionId }],
      ['COMPOSITION', { source: `{${table}}.{${sheet}}.{${column}}` }],
      ['COMPOSITION', { source: `{${world.canary}}.{${world.canary}}.{A}` }],
    ] as const;
    const run = await SheetRun.of(second, 'A\nx\n');
    for (const [index, [type, config]] of columns.entries()) {
      const body = { title: `c${String(index)}`, type, config };
      const { status, text } = await second.call('POST', `${run.place.path}/columns`, body);
      assert.ok([201, 400, 404].includes(status), text);
    }
    await run.run();
    const rows = await second.get(`${run.place.path}/rows`);
    const values = Object.values(rows.data[0]?.cells ?? {}).map(({ value }) => value);
    assert.ok(JSON.stringify(values).includes(own.canary), 'what is its own can be computed with');
    assert.ok(!JSON.stringify(values).includes(world.canary), JSON.stringify(values));
    assert.deepEqual(await seen(), before);
  });

  it('can not import what another has logged', async function () {
    this.timeout(60_000);
    const { tableId, path } = await second.newSheet();
    const sheets = `/api/public/v2/tables/${tableId}/sheets`;
    const source = { type: 'request_logs', request_log_ids: [world.requestId] };
    for (const [where, body] of [
      [`${path}/imports/request-logs`, { request_log_ids: [world.requestId] }],
      [sheets, { source }],
      [sheets, { source: { type: 'request_logs', prompt_id: world.promptId } }],
    ] as const) {
      const answer = await second.call('POST', where, body);
      if (answer.status === 404 || answer.status === 400) continue;
      assert.equal(answer.status, 202, answer.text);
      const { rows_added: added } = await second.finished(answer.body.status_url);
      assert.equal(added, 0);
    }
    const answer = await second.call('GET', `${path}/export?format=json`);
    assert.ok(!answer.text.includes(world.canary));
  });
});
