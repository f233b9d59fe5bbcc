import assert from 'node:assert/strict';
import fs from 'node:fs/promises';
import { Client } from '../../../../src/core/client.ts';
import { saidEnding } from '../../../../src/core/providers/ending.ts';
import { askModelOf } from '../../../../src/extension/matrix/ask.ts';
import { RecordingLogger } from '../../../support/http/recording-logger.ts';
import type { FakeService } from '../../../support/providers/fake-service.ts';
import { startFakeService } from '../../../support/providers/fake-service.ts';
import { timeLimit } from '../../../support/time-limit.ts';
import { until } from '../../../support/until.ts';
import type { Models } from './dialects.ts';
import { askedIn, dialects, startModels } from './dialects.ts';
import type { Matrix } from './support.ts';
import { columnsOf, makeFolder, openMatrix, words } from './support.ts';

const columns = columnsOf(
  6,
  dialects.map(({ provider, model }) => [provider, model] as const),
);

describe('matrix: requests to real sockets, in four languages', function () {
  this.timeout(timeLimit(60_000));
  let folder: string;
  let service: FakeService;
  let models: Models;
  let client: Client;
  let matrix: Matrix;

  const start = async (
    cases: number,
    script: Parameters<typeof startModels>[0],
    gate = 0,
  ): Promise<void> => {
    models = await startModels(script, gate);
    client = new Client({
      ...{ apiKey: 'test', baseURL: service.url, environment: {}, logger: new RecordingLogger() },
      providerEnvironment: (name) => models.environment[name],
    });
    matrix = await openMatrix({
      ...{ folder, columns, cases },
      ask: askModelOf({
        client: () => Promise.resolve(client),
        problemOf: (error) => ({ message: error instanceof Error ? error.message : String(error) }),
        endingOf: saidEnding,
        ...{ note: () => undefined, isLeaving: () => false, usesCache: () => false, t: words },
        filled: (variable, value) => ({ ...variable, text: String(value) }),
        readMedia: (_, values) => Promise.resolve(values),
      }),
    });
  };
  beforeEach(async () => {
    folder = await makeFolder();
    service = await startFakeService();
  });
  afterEach(async () => {
    await client.close();
    await models.close();
    await service.close();
    await matrix.cells.close();
    await fs.rm(folder, { recursive: true, force: true });
  });

  it('asks 6 prompts of 4 models about 25 cases: each request once, 4 at a time of a provider', async () => {
    await start(25, (answer) => Promise.resolve(answer), 4);
    const before = process.memoryUsage().heapUsed;
    assert.deepEqual(await matrix.run(), {});
    const wrong = matrix.in('failed').map((key) => {
      const [columnId = '', caseId] = key.split('/');
      return matrix.cells.cell(columnId, Number(caseId)).answer?.problem?.message;
    });
    assert.deepEqual(wrong, []);
    assert.equal(matrix.in('done').length, 600);
    for (const [at, provider] of models.providers.entries()) {
      const asked = provider.requests.map(askedIn);
      assert.equal(asked.length, 150, dialects[at]?.provider);
      assert.equal(new Set(asked).size, 150, dialects[at]?.provider);
    }
    assert.deepEqual(models.most, [4, 4, 4, 4]);
    assert.equal(service.tracked.length, 600);
    for (const column of columns) {
      for (const cell of matrix.cells.ofColumn(column)) {
        const { blueprint } = column.source as { readonly blueprint: unknown };
        const [said] = /Say \d+:/.exec(JSON.stringify(blueprint)) ?? [];
        assert.equal(cell.excerpt, `${said} w${cell.caseId}`);
        assert.equal(cell.answer?.inputTokens, 3);
        assert.equal(cell.answer.outputTokens, 2);
      }
    }
    // Of the test's own fakes, which keep every request, more than of the comparison.
    globalThis.gc?.();
    assert.ok(process.memoryUsage().heapUsed - before < 200 * 1024 * 1024);
  });

  it('closes every socket within 200 ms when it is stopped, and keeps what has come', async () => {
    const closed: number[] = [];
    await start(10, (answer, request) => {
      void request.closed.then(() => closed.push(performance.now()));
      return Promise.resolve({ ...answer, pieces: answer.pieces?.slice(0, 1) ?? [], then: 'hang' });
    });
    const running = matrix.run();
    await until('all places are taken', () => matrix.in('running').length === 16);
    await until('something of each answer has come', () =>
      matrix.in('running').every((key) => {
        const [columnId = '', caseId] = key.split('/');
        return matrix.cells.cell(columnId, Number(caseId)).excerpt !== '';
      }),
    );
    const at = performance.now();
    matrix.engine.stop();
    assert.deepEqual(await running, { halt: 'stopped' });
    assert.ok(performance.now() - at < timeLimit(200), 'the run has ended');
    await until('all sockets are closed', () => closed.length >= 16);
    assert.ok(Math.max(...closed) - at < timeLimit(200), `${Math.max(...closed) - at} ms`);
    assert.equal(matrix.in('stopped').length, 16);
    assert.equal(matrix.in('waiting').length, 224);
    const asked = models.providers.flatMap(({ requests }) => requests.map(askedIn));
    assert.equal(asked.length, 16);
  });
});
