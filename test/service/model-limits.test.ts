import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { askedOf, chatReply, promptOf, saying } from '../support/providers/chat.ts';
import type { FakeProvider, ProviderScript } from '../support/providers/fake-provider.ts';
import { startFakeProvider } from '../support/providers/fake-provider.ts';
import type { Api, Json } from './support/api.ts';
import { onEachBackend } from './support/backends.ts';
import { RunningService, ended, newFolder, spawnService } from './support/running-service.ts';
import { SheetRun, metricsOf } from './support/sheet-run.ts';
import { until } from '../support/until.ts';

const upper = saying((asked) => asked.toUpperCase());

const wordPrompt = (text: string, model?: object): object => ({
  ...promptOf(text, ['word'], model),
  prompt_template_variable_mappings: { word: 'Word' },
});

const words = (count: number): string =>
  ['Word', ...Array.from({ length: count }, (_none, index) => `w${String(index)}`)].join('\n');

/** A sum that a test can look at: none of these fields is on every object. */
const numberIn = (json: Json, name: string): number => Number(json[name as keyof Json]);

onEachBackend('Limits of models', (backend) => {
  let provider: FakeProvider;
  let script: ProviderScript = upper;
  let api: Api;
  const folder = newFolder();
  let environment: Record<string, string> = {};
  /** Two more processes that compute, where the database allows it. */
  const workers: ChildProcess[] = [];
  before(async function () {
    this.timeout(60_000);
    provider = await startFakeProvider((request, count) => script(request, count));
    const prices = path.join(folder, 'prices.json');
    // $0.001 a token that goes in, $0.01 a token that comes out.
    writeFileSync(
      prices,
      JSON.stringify({ 'openai/gpt-4o-mini': { input: 1000, output: 10_000 } }),
    );
    environment = {
      OPENAI_API_KEY: 'sk-canary',
      OPENAI_BASE_URL: `${provider.url}/v1`,
      MISTRAL_API_KEY: 'sk-canary',
      MISTRAL_BASE_URL: `${provider.url}/v1`,
      PROMPT_TABLES_MODEL: 'openai/gpt-4o-mini',
      PROMPT_TABLES_PRICES: prices,
      PROMPT_TABLES_CONCURRENCY: 'openai=3,*=8',
    };
    ({ api } = await backend.start({ environment }));
    const databaseUrl = backend.databaseUrl();
    if (databaseUrl === undefined) return;
    for (const name of ['first', 'second']) {
      const args = ['--worker'];
      workers.push(spawnService(path.join(folder, name), { args, databaseUrl, environment }));
    }
    await Promise.all(workers.map((worker) => once(worker.stdout!, 'data')));
  });
  beforeEach(() => {
    script = upper;
  });
  after(async () => {
    for (const worker of workers) worker.kill('SIGTERM');
    await Promise.all(workers.map(ended));
    await provider.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('keep requests to a provider below its limit, in all processes together', async function () {
    this.timeout(60_000);
    let now = 0;
    let most = 0;
    script = async (request, count) => {
      now += 1;
      most = Math.max(most, now);
      await pause(30);
      now -= 1;
      return upper(request, count);
    };
    const sheet = await SheetRun.of(api, words(40));
    const column = await sheet.add('PROMPT_TEMPLATE', wordPrompt('say {word}'));
    const operation = await sheet.run();
    assert.equal(operation.completed_count, 40);
    assert.equal(await sheet.value(column, 39), 'SAY W39');
    assert.equal(most, 3);
  });

  it('leave a provider alone for as long as it asks, in all processes together', async function () {
    this.timeout(60_000);
    const refusedFor = 900;
    let refusedAt = 0;
    let within = 0;
    let seen = 0;
    script = (request, count) => {
      const now = performance.now();
      seen += 1;
      if (seen === 8) refusedAt = now;
      const since = refusedAt === 0 ? Infinity : now - refusedAt;
      // Clocks of processes and of the database go by milliseconds.
      if (since >= refusedFor - 5) return upper(request, count);
      within += 1;
      return {
        status: 429,
        headers: { 'retry-after-ms': String(refusedFor - since) },
        body: { error: { message: 'slow down' } },
      };
    };
    const sheet = await SheetRun.of(api, words(30));
    await sheet.add('PROMPT_TEMPLATE', wordPrompt('again {word}'));
    const operation = await sheet.run();
    assert.deepEqual([operation.completed_count, operation.failed_count], [30, 0]);
    assert.ok(refusedAt > 0);
    // The one that was refused first, and those that were on their way: three places there are. A
    // place is another's only once the refusal is known to all, however slow the machine.
    assert.ok(
      within >= 1 && within <= 3,
      `${String(within)} requests while it was to be left alone`,
    );
  });

  it('stop an operation before it crosses its ceiling, and keep what there is', async () => {
    // $0.02 + $0.50 each; at most $1 of output can come.
    script = (request) => ({ body: chatReply(askedOf(request).toUpperCase(), [20, 50]) });
    const sheet = await SheetRun.of(api, words(10));
    const model = { provider: 'openai', name: 'gpt-4o-mini', parameters: { max_tokens: 100 } };
    const column = await sheet.add('PROMPT_TEMPLATE', wordPrompt('dear {word}', model));
    const after = await sheet.add('COUNT', { source: 'PROMPT_TEMPLATE', type: 'chars' });
    const asked = provider.requests.length;
    const { operation_id: id } = await api.expect(
      202,
      'POST',
      `${sheet.place.path}/operations?cost_ceiling_usd=3`,
      {},
    );
    const operation = await sheet.ended(id);
    assert.equal(operation['status' as keyof Json], 'failed');
    assert.match(operation.error_message, /\$3 .*What was computed is kept/);
    assert.equal(numberIn(operation, 'cost_ceiling_usd'), 3);
    const spent = numberIn(operation, 'spent_usd');
    assert.ok(spent > 1.5 && spent <= 3, String(spent));
    const made = provider.requests.length - asked;
    assert.ok(Math.abs(spent - 0.52 * made) < 1e-6, `${String(spent)} for ${String(made)}`);
    const cells = await Promise.all(
      Array.from({ length: 10 }, (_none, row) => sheet.cell(column, row)),
    );
    const done = cells.filter(({ status }) => status === 'completed');
    const left = cells.filter(({ status }) => status === 'cancelled');
    assert.deepEqual([done.length, left.length], [made, 10 - made]);
    assert.match(left[0]?.error_message ?? '', /cost ceiling of \$3/);
    const dependents = await Promise.all(
      Array.from({ length: 10 }, (_none, row) => sheet.cell(after, row)),
    );
    assert.equal(dependents.filter(({ status }) => status === 'completed').length, made);
    assert.equal(dependents.filter(({ status }) => status === 'error').length, 0);
    // The rest is run with a higher one; what is there is not paid for again.
    await sheet.run();
    assert.equal((await sheet.cell(column, 9)).status, 'completed');
    assert.equal(provider.requests.length - asked, 10);
    // What was complete before and is not reached stays as it is.
    script = () => ({ body: chatReply('NEW', [20, 50]) });
    const path = `${sheet.place.path}/operations?cost_ceiling_usd=1.6`;
    await sheet.ended((await api.expect(202, 'POST', path, { statuses: [] })).operation_id);
    const values = await Promise.all(
      Array.from({ length: 10 }, async (_none, row) => {
        const { status, value } = await sheet.cell(column, row);
        return `${status} ${String(value)}`;
      }),
    );
    assert.equal(values.filter((text) => text === 'completed NEW').length, 2);
    assert.equal(values.filter((text) => /^completed DEAR W\d$/.test(text)).length, 8);
  });

  it('keep a ceiling in all processes together', async function () {
    this.timeout(60_000);
    script = async (request) => {
      await pause(20);
      return { body: chatReply(askedOf(request).toUpperCase(), [20, 50]) };
    };
    const model = { provider: 'openai', name: 'gpt-4o-mini', parameters: { max_tokens: 60 } };
    const sheet = await SheetRun.of(api, words(80));
    await sheet.add('PROMPT_TEMPLATE', wordPrompt('dear {word}', model));
    const asked = provider.requests.length;
    const path = `${sheet.place.path}/operations?cost_ceiling_usd=10`;
    const operation = await sheet.ended((await api.expect(202, 'POST', path, {})).operation_id);
    const made = provider.requests.length - asked;
    const spent = numberIn(operation, 'spent_usd');
    assert.ok(Math.abs(spent - 0.52 * made) < 1e-6, `${String(spent)} for ${String(made)}`);
    assert.ok(spent > 9 && spent <= 10, String(spent));
    assert.deepEqual([operation.completed_count, operation.failed_count], [made, 0]);
  });

  it('do not take an unknown price for nothing', async () => {
    const sheet = await SheetRun.of(api, words(1));
    const own = { provider: 'openai', name: 'model-of-nobody', parameters: {} };
    const column = await sheet.add('PROMPT_TEMPLATE', wordPrompt('who {word}', own));
    const asked = provider.requests.length;
    const path = `${sheet.place.path}/operations?cost_ceiling_usd=3`;
    await sheet.ended((await api.expect(202, 'POST', path, {})).operation_id);
    assert.match(
      String(await sheet.value(column)),
      /^cost_unknown: .*openai\/model-of-nobody.*PROMPT_TABLES_PRICES/,
    );
    assert.equal(provider.requests.length, asked);
    await sheet.run({ statuses: [] });
    assert.equal((await sheet.cell(column)).status, 'completed');
    const metrics = metricsOf(await sheet.cell(column));
    assert.equal(metrics['price' as keyof Json], null, 'Nobody knows it, so it is not 0.');
  });

  it('give up on a provider that says nothing but no', async () => {
    script = () => ({
      status: 429,
      headers: { 'retry-after': '3600' },
      body: { error: { message: 'come back in an hour' } },
    });
    const sheet = await SheetRun.of(api, words(6));
    // Nobody asks this one again: the others are left out of it.
    const refusing = { provider: 'mistral', name: 'a-model', parameters: {} };
    const column = await sheet.add('PROMPT_TEMPLATE', wordPrompt('please {word}', refusing));
    const operation = await sheet.run();
    assert.equal(operation.failed_count, 6);
    const values = await Promise.all([0, 5].map((row) => sheet.value(column, row)));
    assert.match(String(values[0]), /^model_failed: .*(?:come back in an hour|asked too often)/);
    assert.match(String(values[1]), /^model_failed: .*(?:come back in an hour|asked too often)/);
  });
});

describe('Answers that were paid for', () => {
  it('are in the log and in their cells once, whenever the service is killed', async function () {
    this.timeout(60_000);
    const provider = await startFakeProvider(async (request) => {
      await pause(15);
      return { body: chatReply(askedOf(request).toUpperCase()) };
    });
    const environment = { OPENAI_API_KEY: 'sk-canary', OPENAI_BASE_URL: `${provider.url}/v1` };
    const folder = newFolder();
    let service = await RunningService.start({ folder, environment });
    try {
      const count = 100;
      let sheet = await SheetRun.of(service.api, words(count));
      const column = await sheet.add('PROMPT_TEMPLATE', wordPrompt('say {word}'));
      const id = await sheet.start();
      for (const requests of [20, 60]) {
        await until('they are asked', () => provider.requests.length >= requests, { everyMs: 1 });
        await service.kill('SIGKILL');
        service = await RunningService.start({ folder, environment });
        sheet = sheet.of(service.api);
      }
      const operation = await sheet.ended(id);
      assert.deepEqual([operation.completed_count, operation.failed_count], [count, 0]);
      assert.equal(await sheet.value(column, 99), 'SAY W99');
      const logged = await service.api.expect(200, 'POST', '/api/public/v2/requests/search', {});
      assert.equal(numberIn(logged, 'total'), count, 'No answer was paid for twice.');
    } finally {
      await service.stop();
      await provider.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('outlive a service that is killed, in loops of cells and of workflow nodes', async function () {
    this.timeout(60_000);
    let isHanging = true;
    const provider = await startFakeProvider(async (request) => {
      const asked = askedOf(request);
      if (isHanging && asked.endsWith('2')) await pause(60_000, undefined, { ref: false });
      return { body: chatReply(asked.toUpperCase()) };
    });
    const environment = { OPENAI_API_KEY: 'sk-canary', OPENAI_BASE_URL: `${provider.url}/v1` };
    const folder = newFolder();
    let service = await RunningService.start({ folder, environment });
    try {
      const loop = (text: string): object => ({
        loop_type: 'prompt',
        prompt_config: promptOf(`${text} {loop_index}`, ['loop_index']),
        max_iterations: 4,
        return_all_outputs: true,
      });
      const sheet = await SheetRun.of(service.api, 'Word\none');
      const column = await sheet.add('FOR_LOOP', loop('cell'));
      const id = await sheet.start();
      await service.api.expect(201, 'POST', '/rest/workflows', {
        name: 'looping',
        nodes: [
          {
            name: 'Loop',
            node_type: 'FOR_LOOP',
            configuration: loop('node'),
            is_output_node: true,
          },
        ],
      });
      const started = await service.api.expect(201, 'POST', '/workflows/looping/run', {});
      const run = String(started['workflow_version_execution_id' as keyof Json]);
      await until('both hang', () => provider.requests.length >= 6);
      await service.kill('SIGKILL');
      isHanging = false;
      service = await RunningService.start({ folder, environment });
      const again = sheet.of(service.api);
      await again.ended(id);
      const { outputs } = (await again.value(column)) as { outputs: unknown };
      assert.deepEqual(outputs, ['CELL 0', 'CELL 1', 'CELL 2', 'CELL 3']);
      assert.equal(metricsOf(await again.cell(column)).request_count, 4);
      const results = `/workflow-version-execution-results?workflow_version_execution_id=${run}`;
      const answer = await until('the run has ended', async () => {
        const now = await service.api.call('GET', results);
        return now.status !== 202 && now;
      });
      assert.deepEqual((JSON.parse(answer.text) as { outputs: unknown }).outputs, [
        'NODE 0',
        'NODE 1',
        'NODE 2',
        'NODE 3',
      ]);
      const asked = provider.requests.map(askedOf).sort();
      const once = ['cell', 'node'].flatMap((who) =>
        [0, 1, 2, 2, 3].map((turn) => `${who} ${String(turn)}`),
      );
      assert.deepEqual(asked, once, 'Only what hung is asked again.');
    } finally {
      await service.stop();
      await provider.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
