import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { DefaultModel } from '../../../../src/service/models/default-model.ts';
import { Turns } from '../../../../src/service/models/turns.ts';
import type { FakeProvider } from '../../../support/providers/fake-provider.ts';
import { startFakeProvider } from '../../../support/providers/fake-provider.ts';

/** Nobody listens there. */
const nowhere = 'http://127.0.0.1:9/v1';
const noServers = {
  OLLAMA_BASE_URL: nowhere,
  LMSTUDIO_BASE_URL: nowhere,
  VLLM_BASE_URL: nowhere,
};
const find = (variables: Readonly<Record<string, string>>) =>
  new DefaultModel((name) => ({ ...noServers, ...variables })[name]).find();

describe('the model at hand', () => {
  let server: FakeProvider | undefined;
  afterEach(async () => {
    await server?.close();
    server = undefined;
  });

  it('is the one that was wished for', async () => {
    assert.deepEqual(
      await find({ PROMPT_TABLES_MODEL: 'openrouter/meta/llama', OPENAI_API_KEY: 'k' }),
      {
        provider: 'openrouter',
        name: 'meta/llama',
      },
    );
    await assert.rejects(find({ PROMPT_TABLES_MODEL: 'gpt' }), { code: 'configuration' });
  });

  it('is one on this machine before one that costs money', async () => {
    server = await startFakeProvider(() => ({
      body: { data: [{ id: 'nomic-embed-text' }, { id: 'llama3.2:3b' }] },
    }));
    const variables = { LMSTUDIO_BASE_URL: `${server.url}/v1/`, OPENAI_API_KEY: 'k' };
    assert.deepEqual(await find(variables), { provider: 'lmstudio', name: 'llama3.2:3b' });
    assert.equal(server.requests[0]?.path, '/v1/models');
  });

  it('is one that a key opens when no server answers, or something else does', async () => {
    server = await startFakeProvider((_request, count) =>
      count === 1 ? { body: '<html>' } : { status: 500 },
    );
    const variables = { OLLAMA_BASE_URL: server.url, VLLM_BASE_URL: server.url };
    assert.equal((await find({ ...variables, GEMINI_API_KEY: 'k' })).provider, 'google');
  });

  it('says how to get one when there is none', async () => {
    await assert.rejects(find({}), {
      code: 'configuration',
      hint: /Ollama or LM Studio.*OPENAI_API_KEY/,
    });
  });
});

describe('turns at a provider', () => {
  it('let so many through, in order, and let go of who gives up waiting', async () => {
    const turns = new Turns(2);
    const { signal } = new AbortController();
    const begun: number[] = [];
    const ends = new Map<number, () => void>();
    const work = (at: number, own = signal) =>
      turns.take(() => {
        begun.push(at);
        return new Promise<number>((resolve) => ends.set(at, () => resolve(at)));
      }, own);
    const leaver = new AbortController();
    const [first, second] = [work(1), work(2)];
    const third = assert.rejects(work(3, leaver.signal), { name: 'AbortError' });
    const fourth = work(4);
    await pause(1);
    assert.deepEqual(begun, [1, 2]);
    leaver.abort();
    await third;
    ends.get(2)?.();
    assert.equal(await second, 2);
    await pause(1);
    assert.deepEqual(begun, [1, 2, 4]);
    ends.get(1)?.();
    ends.get(4)?.();
    assert.deepEqual(await Promise.all([first, fourth]), [1, 4]);
    // All places are free again.
    const [fifth, sixth] = [work(5), work(6)];
    await pause(1);
    assert.deepEqual(begun, [1, 2, 4, 5, 6]);
    ends.get(5)?.();
    ends.get(6)?.();
    await Promise.all([fifth, sixth]);
  });
});
