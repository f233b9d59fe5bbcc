/** Models that the program around the client has itself (`hostProviders`). */
import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Mapping } from '../../../../src/core/mapping.ts';
import { openHost } from '../../../../src/core/providers/host/host-connections.ts';
import type { HostProvider } from '../../../../src/core/providers/host/host-provider.ts';
import type { ModelCall } from '../../../../src/core/providers/provider.ts';
import { ProviderError } from '../../../../src/core/providers/provider-error.ts';
import type { RunChunk } from '../../../../src/core/run/options.ts';
import { makeTestClient } from '../../../support/http/client.ts';
import type { TestClient } from '../../../support/http/client.ts';
import type { FakeService } from '../../../support/providers/fake-service.ts';
import { chatTemplate, startFakeService } from '../../../support/providers/fake-service.ts';

const chunk = (delta: object, finish: string | null = null): Mapping => ({
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta, finish_reason: finish }],
});
const chunks = [
  chunk({ role: 'assistant', content: 'Hel' }),
  chunk({ content: 'lo.' }),
  chunk({}, 'stop'),
  { choices: [], usage: { prompt_tokens: 3, completion_tokens: 2, estimated: true } },
];
const textOf = (blueprint: Mapping): string => {
  const { messages } = blueprint['prompt_template'] as { messages: { content: unknown }[] };
  return JSON.stringify(messages.at(-1)?.content);
};
const mine = { provider: 'mine', model: 'acme/small' };

describe('core: runs with models of the program itself', () => {
  let service: FakeService;
  let test: TestClient;
  /** Keys and addresses that somebody looked for. */
  let looked: string[];
  let asked: { readonly body: Mapping; readonly signal: AbortSignal }[];

  const start = async (answer: HostProvider, template: object = chatTemplate()): Promise<void> => {
    service = await startFakeService({ greeting: template });
    asked = [];
    looked = [];
    test = makeTestClient({
      baseURL: service.url,
      providerEnvironment: (name) => {
        looked.push(name);
        return undefined;
      },
      allowAddress: () => assert.fail('an address was asked about'),
      hostProviders: {
        mine: (body, signal) => {
          asked.push({ body, signal });
          return answer(body, signal);
        },
      },
    });
  };
  afterEach(async () => {
    await test.client.close();
    await service.close();
  });
  const all = async function* (): AsyncGenerator<Mapping> {
    yield* chunks;
  };
  const collect = async (options: object = mine): Promise<RunChunk[]> => {
    const found: RunChunk[] = [];
    const run = await test.client.run({ promptName: 'greeting', stream: true, ...options });
    for await (const item of run) found.push(item);
    return found;
  };

  it('ask in the words of the chat API, give what came in pieces, and log it', async () => {
    await start(all);
    const found = await collect({ ...mine, modelParameterOverrides: { temperature: 0.5 } });
    assert.deepEqual(
      found.slice(0, 3).map(({ prompt_blueprint: blueprint }) => textOf(blueprint)),
      ['Hel', 'Hello.', 'Hello.'].map((text) => JSON.stringify([{ type: 'text', text }])),
    );
    assert.equal(found.at(-1)?.request_id, 1001);
    assert.deepEqual(looked, []);
    const { model, messages, temperature, stream } = asked[0]?.body ?? {};
    assert.deepEqual(
      { model, messages, temperature, stream },
      {
        model: 'acme/small',
        messages: [{ role: 'user', content: 'Say hello.' }],
        temperature: 0.5,
        stream: true,
      },
    );
    const [tracked = {}] = service.tracked;
    assert.equal(tracked['provider_type'], 'mine');
    const { usage } = tracked['request_response'] as Mapping;
    assert.deepEqual(usage, chunks[3]?.['usage']);
    assert.equal(tracked['status'], undefined);
    // The service, which knows no such provider, is asked for the prompt alone.
    assert.equal(JSON.stringify(service.requests[0]?.json).includes('acme'), false);
  });

  it('give the whole answer where no stream was asked for', async () => {
    await start(all);
    const { raw_response: response } = await test.client.run({ promptName: 'greeting', ...mine });
    const { choices } = response as { choices: { message: Mapping }[] };
    assert.equal(choices[0]?.message['content'], 'Hello.');
    assert.equal(asked[0]?.body['stream'], false);
  });

  it('are asked when the prompt names them, whatever the workspace has set for others', async () => {
    const template = {
      ...chatTemplate({ ...mine, apiType: null }),
      llm_kwargs: null,
      provider_base_url: { name: 'proxy', url: 'https://elsewhere.example/v1' },
      custom_provider: { client: 'openai', base_url: 'https://other.example/v1', api_key: 'k' },
    };
    await start(all, template);
    await collect({});
    assert.equal(asked[0]?.body['model'], 'acme/small');
  });

  it('take a completion as a message', async () => {
    const content = [{ type: 'text', text: 'Say hello.' }];
    const template = {
      ...chatTemplate(),
      prompt_template: { type: 'completion', content, input_variables: [] },
    };
    await start(all, template);
    await collect();
    assert.deepEqual(asked[0]?.body['messages'], [{ role: 'user', content: 'Say hello.' }]);
  });

  it('are never asked in the place of the provider that the prompt names', async () => {
    await start(all);
    await assert.rejects(collect({}), { code: 'configuration' });
    assert.deepEqual([asked.length, looked.includes('OPENAI_API_KEY')], [0, true]);
  });

  it('that refuse throw their own error, and the refusal is logged', async () => {
    const refusal = new ProviderError('No models here.', {
      provider: 'mine',
      errorType: 'PROVIDER_QUOTA_LIMIT',
    });
    await start(async function* () {
      yield* [];
      await Promise.resolve();
      throw refusal;
    });
    await assert.rejects(collect(), (error) => error === refusal);
    await assert.rejects(
      test.client.run({ promptName: 'greeting', ...mine }),
      (error) => error === refusal,
    );
    assert.deepEqual(
      service.tracked.map(({ status, error_type: type }) => [status, type]),
      [
        ['ERROR', 'PROVIDER_QUOTA_LIMIT'],
        ['ERROR', 'PROVIDER_QUOTA_LIMIT'],
      ],
    );
  });

  it('that fail in the midst keep what had come', async () => {
    await start(async function* () {
      await Promise.resolve();
      yield* chunks.slice(0, 2);
      throw new ProviderError('Gone.', { provider: 'mine' });
    });
    await assert.rejects(collect(), ({ partial }: ProviderError) => {
      return textOf(partial?.prompt_blueprint ?? {}).includes('Hello.');
    });
    assert.equal(service.tracked[0]?.['error_type'], 'PROVIDER_PARTIAL_RESPONSE');
  });

  it('whose stream ends without an ending have broken off', async () => {
    await start(async function* () {
      await Promise.resolve();
      yield* chunks.slice(0, 2);
    });
    const isBrokenOff = ({ reason }: ProviderError): boolean =>
      reason?.kind === 'provider-broke-off';
    await assert.rejects(collect(), isBrokenOff);
    await assert.rejects(test.client.run({ promptName: 'greeting', ...mine }), isBrokenOff);
  });

  it('are told at once when the run is canceled, and not waited for if they do not listen', async () => {
    let isReturned = false;
    await start(async function* () {
      try {
        yield* chunks.slice(0, 1);
        await new Promise(() => undefined);
      } finally {
        isReturned = true;
      }
    });
    const stop = new AbortController();
    const run = await test.client.run(
      { promptName: 'greeting', stream: true, ...mine },
      { signal: stop.signal },
    );
    await assert.rejects(
      async () => {
        for await (const _ of run) stop.abort();
      },
      { code: 'cancelled' },
    );
    assert.equal(asked[0]?.signal.aborted, true);
    // It still hangs: nobody waited for its own end.
    assert.equal(isReturned, false);
    assert.equal(service.tracked[0]?.['error_type'], 'PROVIDER_PARTIAL_RESPONSE');
  });

  it('keep nothing of 100,000 chunks while they come', async () => {
    // Only the collector of garbage tells what is kept.
    setFlagsFromString('--expose-gc');
    const collectGarbage = runInNewContext('gc') as () => void;
    const count = 100_000;
    const seen: WeakRef<object>[] = [];
    const many: HostProvider = async function* () {
      for (let at = 0; at < count; at += 1) {
        const one = chunk({ content: `${at} ` });
        seen.push(new WeakRef(one));
        yield await Promise.resolve(one);
      }
    };
    await start(many);
    const { signal } = new AbortController();
    const call = { provider: 'mine', model: 'm', kwargs: {}, stream: true } as ModelCall;
    const { body } = await openHost(many, call, { body: '{"stream":true}' }, signal);
    let bytes = 0;
    for await (const piece of body) {
      bytes += piece.length;
      if (seen.length < count) continue;
      // Nearly the last one: the stream is open still.
      await new Promise(setImmediate);
      collectGarbage();
      const alive = seen.filter((one) => one.deref() !== undefined).length;
      assert.ok(alive < 100, `${alive} of ${seen.length} are kept`);
      assert.equal(getEventListeners(signal, 'abort').length, 1);
      break;
    }
    assert.ok(bytes > count * 50);
    assert.equal(getEventListeners(signal, 'abort').length, 0);
  });
});
