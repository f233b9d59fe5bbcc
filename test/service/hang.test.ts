import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { Api, Json, SheetPlace } from './support/api.ts';
import { cellAt } from './support/api.ts';
import { onEachBackend } from './support/backends.ts';
import { Heartbeat } from './support/heartbeat.ts';
import { computingThread, hangThread, inspected, serviceThread } from './support/hung-thread.ts';
import type { Loose } from './support/loose.ts';
import { chatReply, promptOf } from '../support/providers/chat.ts';
import { startFakeProvider } from '../support/providers/fake-provider.ts';
import { timeLimit } from '../support/time-limit.ts';
import { letLeasesRunOut } from './support/leases.ts';
import { ended, newFolder, RunningService, spawnService } from './support/running-service.ts';
import { until } from '../support/until.ts';

/** Every item is compared with every other one. */
const BOMB_PATH = '$..[?count($..*)>0]';
const bombDocument = (): unknown =>
  Array.from({ length: 300 }, () => Array.from({ length: 300 }, () => 1));
const BOMB_XML = `<a>${'<b/>'.repeat(30_000)}</a>`;

/** Above what stopping may take (5 s). */
const STOP_LIMIT_MS = timeLimit(4000);
/** A thread that hangs is noticed as soon as one that lives is not taken for dead. */
const hangAfter = ['--hang-after', String(Math.max(5, Math.round(timeLimit(3000) / 1000)))];
/** A service whose threads are watched closely, and can be made to hang. */
const watched = { args: ['--port', '0', ...hangAfter], environment: inspected };

async function addColumn(
  api: Api,
  { path }: SheetPlace,
  type: string,
  config: object,
): Promise<string> {
  const body = { title: type, type, config };
  return (await api.expect(201, 'POST', `${path}/columns`, body)).column.id;
}

const start = async (api: Api, { path }: SheetPlace): Promise<string> =>
  (await api.expect(202, 'POST', `${path}/operations`, { statuses: [] })).operation_id;

/** The operation when it is over, and how long that took. */
async function over(
  api: Api,
  { path }: SheetPlace,
  id: string,
  limitMs: number,
): Promise<{ operation: Json; ms: number }> {
  const began = Date.now();
  const operation = await until(
    'the operation has ended',
    async () => {
      const { operation: now } = await api.get(`${path}/operations/${id}`);
      return now.pending_count === 0 && now;
    },
    { limitMs: timeLimit(limitMs) },
  );
  return { operation, ms: Date.now() - began };
}

/** Whether none of its cells is computed yet. */
const isWaiting = async (api: Api, { path }: SheetPlace, id: string): Promise<boolean> =>
  (await api.get(`${path}/operations/${id}`)).operation.status_counts.RUNNING === 0;

const countConfig = { source: 'a', type: 'chars' };
const node = (name: string, configuration: object) => ({
  name,
  node_type: 'JSON_PATH',
  configuration: { source: 'doc', return_first_match: false, ...configuration },
  dependencies: ['doc'],
  is_output_node: true,
});

async function startBomb(api: Api, name: string): Promise<string> {
  await api.expect(201, 'POST', '/rest/workflows', {
    name,
    nodes: [
      node('bomb', { json_path: BOMB_PATH }),
      node('plain', { json_path: '$[0][0]', return_first_match: true }),
    ],
    required_input_variables: { doc: 'json' },
  });
  const body = { input_variables: { doc: bombDocument() } };
  const started: Loose = await api.expect(201, 'POST', `/workflows/${name}/run`, body);
  return String(started.workflow_version_execution_id);
}

async function bombResult(api: Api, id: string, limitMs: number): Promise<Loose> {
  const path = `/workflow-version-execution-results?workflow_version_execution_id=${id}&return_all_outputs=true`;
  const { text } = await until(
    'the run has ended',
    async () => {
      const answer = await api.call('GET', path);
      return answer.status === 200 && answer;
    },
    { limitMs: timeLimit(limitMs) },
  );
  return JSON.parse(text);
}

onEachBackend('What takes too long', (backend) => {
  it('in a cell ends with its reason, and cells of another sheet do not wait for it', async function () {
    this.timeout(90_000);
    const { api } = await backend.share();
    const slow = await api.sheetOf(`a\n${Array.from({ length: 4 }, () => BOMB_XML).join('\n')}`);
    const config = { source: 'a', xml_path: '//*[count(//*)>0]', type: 'findall' };
    const column = await addColumn(api, slow, 'XML_PATH', config);
    const quick = await api.sheetOf('a\nsome words');
    await addColumn(api, quick, 'COUNT', countConfig);
    const slowId = await start(api, slow);
    await until('one is computed', async () => !(await isWaiting(api, slow, slowId)));
    const beside = await over(api, quick, await start(api, quick), 20_000);
    assert.equal(beside.operation.completed_count, 1);
    const { operation, ms } = await over(api, slow, slowId, 60_000);
    assert.equal(operation.failed_count, 4);
    assert.ok(beside.ms < ms, 'The quick one waited for the slow one.');
    const cell = cellAt(await api.get(`${slow.path}/rows`), 0, column);
    assert.equal(cell.status.toLowerCase(), 'error');
    assert.match(cell.error_message, /The XML path did not end within 2 s and was stopped/);
  });

  it('does not hold up the next start, also when the service was killed in its middle', async function () {
    this.timeout(120_000);
    const folder = newFolder();
    const first = await backend.start({ folder });
    const id = await startBomb(first.api, 'killed');
    await pause(500);
    await first.kill('SIGKILL');
    await letLeasesRunOut(backend.databaseUrl());
    const began = Date.now();
    const second = await RunningService.start({ folder, databaseUrl: backend.databaseUrl() });
    try {
      const readyMs = Date.now() - began;
      assert.ok(readyMs < timeLimit(7500), `It was ready after ${String(readyMs)} ms.`);
      await second.api.get('/api/public/v2/tables');
      const result = await bombResult(second.api, id, 60_000);
      assert.equal(result.bomb.status, 'FAILED');
    } finally {
      await second.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('is set aside when it has stopped the service three times', async function () {
    this.timeout(300_000);
    const folder = newFolder();
    const provider = await startFakeProvider(async () => {
      await pause(60_000, undefined, { ref: false });
      return { body: chatReply('too late') };
    });
    const environment = { OPENAI_API_KEY: 'sk-canary', OPENAI_BASE_URL: `${provider.url}/v1` };
    const options = { folder, environment };
    let service = await backend.start(options);
    const asked = promptOf('for ever', []);
    const engine = { provider: 'openai', model: 'gpt-4o-mini' };
    try {
      await service.api.expect(201, 'POST', '/rest/workflows', {
        name: 'crash',
        nodes: [
          {
            name: 'endless',
            node_type: 'PROMPT_TEMPLATE',
            configuration: { ...asked, engine },
            dependencies: [],
            is_output_node: true,
          },
        ],
      });
      const started: Loose = await service.api.expect(201, 'POST', '/workflows/crash/run', {});
      const id = String(started.workflow_version_execution_id);
      for (let kill = 1; kill <= 3; kill += 1) {
        await until(
          () => `the model is asked: ${service.log}`,
          () => provider.requests.length >= kill,
          { limitMs: timeLimit(90_000) },
        );
        await service.kill('SIGKILL');
        await letLeasesRunOut(backend.databaseUrl());
        service = await RunningService.start({ ...options, databaseUrl: backend.databaseUrl() });
      }
      const result = await bombResult(service.api, id, 40_000);
      assert.equal(result.endless.status, 'FAILED');
      assert.match(
        result.endless.error_message,
        /^It stopped the service 3 times\. Check the node/,
      );
    } finally {
      await service.stop();
      await provider.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('a service whose own thread hangs answers again at its address, and ends when told to', async function () {
    this.timeout(150_000);
    const folder = newFolder();
    const service = await backend.start({ folder, ...watched });
    try {
      await hangThread(() => service.log, serviceThread);
      const { exitCode, signalCode } = await until(
        () => `it answers: ${service.log}`,
        async () => {
          if ((service.child.exitCode ?? service.child.signalCode) !== null) return service.child;
          const { ok } = await fetch(`${service.ready.url!}/_local/health`, {
            headers: { 'x-api-key': 'key-of-workspace-1' },
            signal: AbortSignal.timeout(2000),
          });
          return ok && service.child;
        },
        { limitMs: timeLimit(100_000), everyMs: 500 },
      );
      assert.equal(exitCode ?? signalCode, null, service.log);
      await hangThread(() => service.log, serviceThread);
      const began = Date.now();
      await service.stop();
      const ms = Date.now() - began;
      assert.ok(ms < STOP_LIMIT_MS, `It took ${String(ms)} ms.`);
    } finally {
      service.child.kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    }
  });

  // Computed by the same threads on either database; that of PostgreSQL has workers that hang.
  if (backend.name === 'SQLite') {
    it('in a node of a workflow ends with its reason; the service answers meanwhile', async function () {
      this.timeout(90_000);
      const { api } = await backend.share();
      const heartbeat = new Heartbeat(api);
      const id = await startBomb(api, 'bomb');
      const result = await bombResult(api, id, 40_000);
      await heartbeat.assertServed();
      assert.equal(result.plain.value, 1);
      assert.equal(result.bomb.status, 'FAILED');
      assert.match(result.bomb.error_message, /The JSONPath did not end within 2 s.*filters/);
    });

    it('a thread that hangs is started anew: work goes on, and signals are heard at once', async function () {
      this.timeout(150_000);
      const folder = newFolder();
      const service = await backend.start({ folder, ...watched });
      try {
        const sheet = await service.api.sheetOf('a\nsome words');
        await addColumn(service.api, sheet, 'COUNT', countConfig);
        // The thread begins with the first work.
        await over(service.api, sheet, await start(service.api, sheet), 20_000);
        await hangThread(() => service.log, computingThread, 'loops');
        const heartbeat = new Heartbeat(service.api);
        const { operation } = await over(
          service.api,
          sheet,
          await start(service.api, sheet),
          90_000,
        );
        assert.equal(operation.completed_count, 1);
        await heartbeat.assertServed();
        await hangThread(() => service.log, computingThread, 'loops');
        const began = Date.now();
        assert.deepEqual(await service.stop(), { code: 0, signal: null });
        assert.ok(Date.now() - began < STOP_LIMIT_MS, `It took ${String(Date.now() - began)} ms.`);
      } finally {
        await service.stop();
        rmSync(folder, { recursive: true, force: true });
      }
    });
    return;
  }

  for (const count of [1, 2]) {
    it(`keeps ${String(count)} worker(s) from nothing else, and a worker that hangs goes on`, async function () {
      this.timeout(150_000);
      const { api } = await backend.start({ args: ['--port', '0', '--no-worker'] });
      const folder = newFolder();
      const logs: string[] = Array.from({ length: count }, () => '');
      const workers: ChildProcess[] = logs.map((_, at) => {
        const options = { databaseUrl: backend.databaseUrl(), environment: inspected };
        const child = spawnService(folder, { ...options, args: ['--worker', ...hangAfter] });
        child.stderr?.setEncoding('utf8').on('data', (text: string) => {
          logs[at] += text;
        });
        return child;
      });
      try {
        await Promise.all(workers.map((worker) => once(worker.stdout!, 'data')));
        const slow = await api.sheetOf(`a\n${BOMB_XML}\n${BOMB_XML}`);
        await addColumn(api, slow, 'XML_PATH', { source: 'a', xml_path: '//*[count(//*)>0]' });
        const slowId = await start(api, slow);
        const quick = await api.sheetOf('a\nsome words');
        await addColumn(api, quick, 'COUNT', countConfig);
        const { operation } = await over(api, quick, await start(api, quick), 20_000);
        assert.equal(operation.completed_count, 1);
        assert.equal((await over(api, slow, slowId, 40_000)).operation.failed_count, 2);
        for (const at of logs.keys()) await hangThread(() => logs[at] ?? '', computingThread);
        const again = await over(api, quick, await start(api, quick), 90_000);
        assert.equal(again.operation.completed_count, 1);
        for (const at of logs.keys()) await hangThread(() => logs[at] ?? '', computingThread);
      } finally {
        const began = Date.now();
        for (const worker of workers) worker.kill('SIGTERM');
        const ends = await Promise.all(workers.map(ended));
        rmSync(folder, { recursive: true, force: true });
        assert.ok(Date.now() - began < STOP_LIMIT_MS);
        assert.deepEqual(
          ends,
          ends.map(() => ({ code: 0, signal: null })),
        );
      }
    });
  }
});
