/** Cells that ask the language models of VS Code, in the windows that hold the local service. */
import assert from 'node:assert/strict';
import { ProviderError } from '../../src/core/providers/provider-error.ts';
import type { HostProvider } from '../../src/core/providers/host/host-provider.ts';
import { promptOf } from '../support/providers/chat.ts';
import { until } from '../support/until.ts';
import type { Api } from './support/api.ts';
import { cellAt } from './support/api.ts';
import type { Loose } from './support/loose.ts';
import { apiOf, Desktop } from './support/windows.ts';

const chunk = (delta: object, reason: string | null = null): Record<string, unknown> => ({
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta, finish_reason: reason }],
});

async function* answer(text: string): AsyncGenerator<Record<string, unknown>, void> {
  yield chunk({ content: text });
  yield chunk({}, 'stop');
  yield {
    object: 'chat.completion.chunk',
    choices: [],
    usage: { prompt_tokens: 3, completion_tokens: 2, estimated: true },
  };
}

interface Sheet {
  readonly path: string;
  readonly columnId: string;
  readonly operation: string;
}

async function begin(api: Api, words: readonly string[]): Promise<Sheet> {
  const { path } = await api.sheetOf(['Word', ...words].join('\n'));
  const prompt = promptOf('say {word}', ['word'], { provider: 'vscode', name: 'maker/one' });
  const config = { ...prompt, prompt_template_variable_mappings: { word: 'Word' } };
  const column = { title: 'Answer', type: 'PROMPT_TEMPLATE', config };
  const made = await api.expect(201, 'POST', `${path}/columns`, column);
  const { operation_id: id } = await api.expect(202, 'POST', `${path}/operations`, {});
  return { path, columnId: made.column.id, operation: `${path}/operations/${id}` };
}

async function ended(api: Api, sheet: Sheet): Promise<void> {
  await until(
    'the end',
    async () => (await api.get(sheet.operation)).operation.pending_count === 0,
  );
}

describe('Cells that ask language models of VS Code', function () {
  this.timeout(120_000);
  let desktop: Desktop;

  beforeEach(() => {
    desktop = new Desktop();
  });
  afterEach(() => desktop.close());

  it('get their answers from a window, as many at once as it allows, and are logged', async () => {
    const asked: string[] = [];
    let [now, most] = [0, 0];
    const models: HostProvider = async function* (body) {
      now += 1;
      most = Math.max(most, now);
      asked.push(JSON.stringify(body['messages']));
      // In twos: one alone would wait for ever.
      const withPartner = asked.length + (asked.length % 2);
      await until('another one', () => asked.length >= withPartner);
      now -= 1;
      yield* answer(`heard ${String(body['model'])}`);
    };
    const window = desktop.open({ models, modelRequests: () => 2 });
    const api = await apiOf(window);
    const words = ['one', 'two', 'three', 'four', 'five', 'six'];
    const sheet = await begin(api, words);
    await ended(api, sheet);
    const rows = await api.get(`${sheet.path}/rows`);
    for (const index of words.keys()) {
      const cell = cellAt(rows, index, sheet.columnId);
      assert.equal(cell.value, 'heard maker/one', JSON.stringify(cell));
      assert.equal(cell.status, 'completed');
      const { input_tokens: tokens, estimated_count: estimated } = (cell as Loose).request_metrics;
      assert.deepEqual([tokens, estimated], [3, 1]);
    }
    assert.equal(most, 2);
    assert.equal(asked.length, words.length);
    assert.match(asked.join(' '), /say three/);
    const filters = [{ field: 'provider_type', operator: 'is', value: 'vscode' }];
    const found: Loose = await api.expect(200, 'POST', '/api/public/v2/requests/search', {
      filters,
    });
    assert.equal(found.total, words.length);
    // Nobody knows what a plan costs: no price, never 0.
    for (const one of found.items) assert.equal(one.price ?? null, null);
  });

  it('fail with the words of VS Code, and say how to allow it where it is not', async () => {
    let requests = 1;
    const models: HostProvider = () => {
      throw new ProviderError('maker/one takes no more requests for now: the quota is used up', {
        provider: 'vscode',
        errorType: 'PROVIDER_QUOTA_LIMIT',
        hint: 'Wait until your plan allows more.',
      });
    };
    const window = desktop.open({ models, modelRequests: () => requests });
    const api = await apiOf(window);
    const first = await begin(api, ['one']);
    await ended(api, first);
    const cell = cellAt(await api.get(`${first.path}/rows`), 0, first.columnId);
    assert.equal(cell.status, 'error');
    assert.match(cell.error_message, /quota is used up.*Wait until your plan/s);
    requests = 0;
    await window.heldWithChanged();
    const second = await begin(api, ['one']);
    await ended(api, second);
    const refused = cellAt(await api.get(`${second.path}/rows`), 0, second.columnId);
    assert.match(refused.error_message, /promptTables\.localService\.vscodeModels/);
  });

  it('stop what a window asks when they are canceled, and ask another when it is closed', async () => {
    const begun: string[] = [];
    const stopped: string[] = [];
    const slow: (name: string) => HostProvider = (name) =>
      async function* (body, signal) {
        begun.push(name);
        await new Promise((_, reject) => {
          signal.addEventListener('abort', () => {
            stopped.push(name);
            reject(new Error('stopped'));
          });
        });
        yield* answer(String(body['model']));
      };
    const stays = desktop.open({ models: slow('stays'), modelRequests: () => 1 });
    const api = await apiOf(stays);
    const closes = desktop.open({ models: slow('closes'), modelRequests: () => 1 });
    await closes.access();
    const sheet = await begin(api, ['one']);
    await until('it is asked', () => begun.length === 1);
    assert.deepEqual(begun, ['closes']);
    closes.dispose();
    await until('the other window is asked', () => begun.length === 2);
    assert.deepEqual(begun, ['closes', 'stays']);
    await api.expect(200, 'DELETE', sheet.operation);
    await until('the other window stops', () => stopped.includes('stays'));
  });
});
