/** Answers that are kept and used again (`answerStore`). */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Mapping } from '../../../../src/core/mapping.ts';
import type { RunChunk } from '../../../../src/core/run/options.ts';
import { AnswerFiles } from '../../../../src/extension/shell/answer-files.ts';
import { makeTestClient } from '../../../support/http/client.ts';
import type { TestClient } from '../../../support/http/client.ts';
import type {
  FakeProvider,
  ProviderAnswerScript,
  ProviderScript,
} from '../../../support/providers/fake-provider.ts';
import { sse, startFakeProvider } from '../../../support/providers/fake-provider.ts';
import type { FakeService } from '../../../support/providers/fake-service.ts';
import { chatTemplate, startFakeService } from '../../../support/providers/fake-service.ts';

const answer = (content: string | null, finish: string, more: object = {}): object => ({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  model: 'gpt-test-1',
  choices: [{ index: 0, message: { role: 'assistant', content, ...more }, finish_reason: finish }],
  usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
});
const piece = (delta: object, finish: string | null = null): object => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta, finish_reason: finish }],
});
const streamed = [
  piece({ role: 'assistant', content: 'Hel' }),
  piece({ content: 'lo.' }),
  piece({}, 'stop'),
];

const textOf = ({ prompt_blueprint: blueprint }: Pick<RunChunk, 'prompt_blueprint'>): string => {
  const { messages } = blueprint['prompt_template'] as { messages: { content: unknown }[] };
  return JSON.stringify(messages.at(-1)?.content);
};

describe('core: answers that are kept', () => {
  let service: FakeService;
  let provider: FakeProvider;
  let folder: string;
  let tests: TestClient[];
  let home: string;

  const clientWith = (
    store: AnswerFiles | undefined = new AnswerFiles(folder),
    more: Readonly<Record<string, string>> = {},
  ) => {
    const test = makeTestClient({
      baseURL: service.url,
      answerStore: store,
      providerEnvironment: (name) =>
        ({ OPENAI_API_KEY: 'sk-canary-key', OPENAI_BASE_URL: `${provider.url}/v1`, ...more })[name],
    });
    tests.push(test);
    return test.client;
  };
  const start = async (script: ProviderScript) => {
    service = await startFakeService({ greeting: chatTemplate() });
    provider = await startFakeProvider(script);
    folder = path.join(home, 'answers');
    tests = [];
  };
  beforeEach(() => {
    home = fs.mkdtempSync(path.join(os.tmpdir(), 'answers-'));
  });
  afterEach(async () => {
    for (const { client } of tests) await client.close();
    await service.close();
    await provider.close();
    fs.rmSync(home, { recursive: true, force: true });
  });
  const greeting = { promptName: 'greeting', answerCache: true };
  const asked = () => provider.requests.length;
  const logged = () => service.tracked.length;
  const files = () => (fs.existsSync(folder) ? fs.readdirSync(folder) : []);

  it('cost nothing and are logged as nothing, when the very same is asked again', async () => {
    await start(() => ({ body: answer('Hello.', 'stop') }));
    const first = await clientWith().run(greeting);
    assert.equal(first.cached, undefined);
    assert.deepEqual([asked(), logged()], [1, 1]);
    // Also in another process.
    const second = await clientWith().run(greeting);
    assert.deepEqual([asked(), logged()], [1, 1]);
    assert.equal(second.request_id, null);
    assert.deepEqual(second.raw_response, first.raw_response);
    assert.match(textOf(second), /Hello\./);
    assert.ok(Date.parse(second.cached?.answered_at ?? '') <= Date.now());
  });

  it('come as one chunk of a stream', async () => {
    await start(() => ({ pieces: [sse(streamed)] }));
    const collect = async (): Promise<RunChunk[]> => {
      const chunks: RunChunk[] = [];
      for await (const item of await clientWith().run({ ...greeting, stream: true }))
        chunks.push(item);
      return chunks;
    };
    const first = await collect();
    const [only, ...more] = await collect();
    assert.ok(only);
    assert.deepEqual([more.length, asked(), logged()], [0, 1, 1]);
    assert.match(textOf(only), /Hello\./);
    assert.deepEqual(only.raw_response, first.at(-1)?.raw_response);
    assert.equal(only.request_id, null);
    assert.ok(only.cached);
  });

  it('are for the same request only', async () => {
    await start(() => ({ body: answer('Hello.', 'stop') }));
    await clientWith().run(greeting);
    const prompt = (tools: unknown, model: object = {}) => ({
      promptBlueprint: {
        prompt_template: { type: 'chat', messages: [{ role: 'user', content: 'Hi' }], tools },
        metadata: {
          model: { provider: 'openai', name: 'gpt-test-1', parameters: {}, ...model },
        },
      },
      inputVariables: {},
    });
    const tool = (name: string) => [{ type: 'function', function: { name, parameters: {} } }];
    const format = (schema: object) => ({
      response_format: { type: 'json_schema', json_schema: { name: 'a', schema } },
    });
    const all: readonly object[] = [
      { repetition: 1 },
      { answerCache: false },
      ...[prompt([]), prompt(tool('f')), prompt(tool('g')), prompt([], { name: 'gpt-test-2' })],
      prompt([], { parameters: { temperature: 0.5 } }),
      prompt([], { parameters: format({ type: 'object' }) }),
      prompt([], { parameters: format({ type: 'array' }) }),
    ];
    for (const [at, other] of all.entries()) {
      await clientWith().run({ ...greeting, ...other });
      assert.equal(asked(), at + 2, JSON.stringify(other));
    }
    // The order in which names were written is no difference.
    const turned = format({ type: 'object' }).response_format;
    const { type, json_schema } = turned;
    const parameters = { response_format: { json_schema, type } };
    await clientWith().run({ ...greeting, ...prompt([], { parameters }) });
    assert.equal(asked(), all.length + 1);
    // Another server is another model.
    await clientWith(undefined, { OPENAI_BASE_URL: `${provider.url}/elsewhere/v1` }).run(greeting);
    assert.equal(asked(), all.length + 2);
    // Whose key it was changes nothing.
    const before = asked();
    await clientWith(undefined, { OPENAI_API_KEY: 'sk-other' }).run(greeting);
    assert.equal(asked(), before);
  });

  it('are whole: errors, refusals, what was cut off, filtered, or is empty is asked for again', async () => {
    const bad: readonly ProviderAnswerScript[] = [
      { body: answer('Hel', 'length') },
      { body: answer('', 'stop') },
      { body: answer(null, 'stop', { refusal: 'No.' }) },
      { body: answer('He', 'content_filter') },
      { body: answer('My key is sk-canary-key', 'stop') },
      { body: { ...answer('x', 'stop'), choices: [{ index: 0, message: { content: 'x' } }] } },
      { status: 400, body: { error: { message: 'bad' } } },
      { pieces: [sse([piece({ content: 'He' })])] },
      { pieces: [sse([piece({ content: 'He' }), piece({}, 'length')])] },
    ];
    let at = 0;
    await start(() => bad[Math.floor(at)] ?? { status: 500 });
    for (; at < bad.length; at += 1) {
      const stream = at >= 7;
      for (const time of [1, 2]) {
        const before = asked();
        try {
          const result = await clientWith().run({ ...greeting, stream });
          if (Symbol.asyncIterator in result) for await (const _ of result);
        } catch {
          // Some of them are errors.
        }
        assert.equal(asked(), before + 1, `case ${at}, time ${time}`);
      }
      assert.deepEqual(files(), [], `case ${at}`);
    }
  });

  it('are for nobody else to read, and hold no key', async () => {
    await start(() => ({ body: answer('Hello.', 'stop') }));
    await clientWith().run(greeting);
    const [name = '', ...more] = files();
    assert.deepEqual(more, []);
    const file = path.join(folder, name);
    assert.doesNotMatch(fs.readFileSync(file, 'utf8') + name, /canary/);
    if (process.platform !== 'win32') {
      assert.equal(fs.statSync(file).mode & 0o777, 0o600);
      assert.equal(fs.statSync(folder).mode & 0o777, 0o700);
    }
  });

  it('that were damaged, cut, or put in the place of others are not there', async () => {
    await start(() => ({ body: answer('Hello.', 'stop') }));
    await clientWith().run(greeting);
    const [name = ''] = files();
    const file = path.join(folder, name);
    const whole = fs.readFileSync(file, 'utf8');
    const damaged: readonly string[] = [
      ...[
        '',
        'null',
        '{}',
        whole.slice(0, -20),
        whole.replace('Hello.', 'Jello.'),
        '\u0000'.repeat(50),
      ],
      ...[whole.replace(/"key":"./, '"key":"x'), whole.replace('"format":1', '"format":2')],
    ];
    for (const [at, text] of damaged.entries()) {
      fs.writeFileSync(file, text);
      const before = asked();
      const { cached } = await clientWith().run(greeting);
      assert.deepEqual([cached, asked()], [undefined, before + 1], `case ${at}`);
      assert.equal((await clientWith().run(greeting)).cached === undefined, false, `case ${at}`);
    }
  });

  it('are an error of nobody, when they can be neither read nor kept', async () => {
    await start(() => ({ body: answer('Hello.', 'stop') }));
    fs.writeFileSync(folder, 'a file where the folder is to be');
    const { cached, request_id: id } = await clientWith().run(greeting);
    assert.equal(cached, undefined);
    assert.notEqual(id, null);
  });

  it('are not wanted silently where nothing keeps them', async () => {
    await start(() => ({ body: answer('Hello.', 'stop') }));
    const test = makeTestClient({ baseURL: service.url });
    tests.push(test);
    await assert.rejects(test.client.run(greeting), /nothing keeps answers/);
    assert.equal(asked(), 0);
  });

  it('of many writers at once are whole, and stay within their bounds', async () => {
    await start(() => ({ body: answer('Hello.', 'stop') }));
    const bounds = { entries: 20, bytes: 1_000_000, largest: 5000 };
    const stores = [1, 2, 3].map(() => new AnswerFiles(folder, bounds));
    const keyOf = (at: number): string => at.toString(16).padStart(64, '0');
    const value: Mapping = { text: 'x'.repeat(2000) };
    await Promise.all(
      stores.flatMap((store) =>
        Array.from({ length: 60 }, async (_, at) => {
          await store.write(keyOf(at), value);
          const found = await store.read(keyOf(at));
          if (found !== undefined) assert.deepEqual(found, value);
        }),
      ),
    );
    const [store] = stores;
    assert.ok(store);
    // A window that crashed in the middle has left half a file, another one is writing now.
    const old = path.join(folder, `${keyOf(1)}.json.abc-1.new`);
    const young = path.join(folder, `${keyOf(2)}.json.abc-2.new`);
    for (const file of [old, young]) fs.writeFileSync(file, '{"text":"xx');
    const longAgo = new Date(Date.now() - 2 * 3_600_000);
    fs.utimesSync(old, longAgo, longAgo);
    await store.prune();
    assert.deepEqual([fs.existsSync(old), fs.existsSync(young)], [false, true]);
    // Who looks while others write may let one more go.
    const kept = files().filter((name) => name.endsWith('.json')).length;
    assert.ok(kept > 0 && kept <= 20, String(kept));
    // The one that was used last stays.
    const [used = ''] = files().filter((name) => name.endsWith('.json'));
    const key = used.replace(/\.json.*$/, '');
    for (const name of files()) fs.utimesSync(path.join(folder, name), longAgo, longAgo);
    await store.read(key);
    const one = new AnswerFiles(folder, { ...bounds, entries: 1 });
    await one.prune();
    assert.deepEqual(files(), [`${key}.json`]);
    // Too large for one, and too large for all.
    await store.write(keyOf(70), { text: 'x'.repeat(6000) });
    assert.equal(await store.read(keyOf(70)), null);
    await new AnswerFiles(folder, { ...bounds, bytes: 10 }).prune();
    assert.equal(await store.read(key), undefined);
    await store.write(keyOf(71), value);
    assert.ok((await store.clear()) >= 1);
    assert.deepEqual(files(), []);
    assert.equal(await new AnswerFiles(path.join(folder, 'none')).clear(), 0);
  });
});
