import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { Client } from '../../../../src/core/client.ts';
import type { LogRequestInput } from '../../../../src/core/requests/log-body.ts';
import { logBody } from '../../../../src/core/requests/log-body.ts';
import { makeTestClient } from '../../../support/http/client.ts';
import { FakeClock } from '../../../support/http/fake-clock.ts';
import { RecordingLogger } from '../../../support/http/recording-logger.ts';
import type { ScriptedServer, Step } from '../../../support/http/scripted-server.ts';
import { startScriptedServer } from '../../../support/http/scripted-server.ts';

let server: ScriptedServer;
const closers: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function start(steps: readonly Step[]) {
  const own = await startScriptedServer(steps);
  server = own;
  const { client } = makeTestClient({ baseURL: own.url });
  closers.push(
    () => client.close(),
    () => own.close(),
  );
  return client;
}

const seen = (): unknown =>
  server.requests.map(({ method, url, body }) => [
    `${method} ${url}`,
    body === '' ? undefined : (JSON.parse(body) as unknown),
  ]);

const input = { type: 'chat', messages: [{ role: 'user', content: 'Hi' }] };
const output = {
  type: 'chat',
  messages: [{ role: 'assistant', content: null, toolCalls: [{ id: 'c' }] }],
};
const logged: LogRequestInput = {
  provider: 'openai',
  model: 'm',
  input,
  output,
  requestStartTime: 1_767_225_600_123,
  requestEndTime: new Date('2026-01-01T00:00:02Z'),
};

describe('logRequest', () => {
  it('sends snake case, ISO times and lists of parts', async () => {
    const client = await start([{ status: 201, body: { id: 12, status: 'SUCCESS' } }]);
    const answer = await client.logRequest({
      ...logged,
      promptName: 'p',
      promptInputVariables: { camelCase: { stays: 1 } },
      metadata: { someKey: 'v' },
      inputTokens: 3,
      tags: ['t'],
    });
    assert.deepEqual(answer, { id: 12, request_id: 12, status: 'SUCCESS' });
    assert.deepEqual(seen(), [
      [
        'POST /log-request',
        {
          provider: 'openai',
          model: 'm',
          input: {
            type: 'chat',
            messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }],
          },
          output: {
            type: 'chat',
            messages: [{ role: 'assistant', content: [], tool_calls: [{ id: 'c' }] }],
          },
          request_start_time: '2026-01-01T00:00:00.123Z',
          request_end_time: '2026-01-01T00:00:02.000Z',
          prompt_name: 'p',
          prompt_input_variables: { camelCase: { stays: 1 } },
          metadata: { someKey: 'v' },
          input_tokens: 3,
          tags: ['t'],
        },
      ],
    ]);
  });

  it('takes snake case, seconds and ISO texts, and either name of the id', async () => {
    const client = await start([{ status: 201, body: { request_id: 13 } }]);
    const answer = await client.logRequest({
      provider: 'p',
      model: 'm',
      input: { type: 'completion', content: 'Once' },
      output: { type: 'chat', messages: [] },
      request_start_time: 1_767_225_600.5,
      request_end_time: '2026-01-01T00:00:02.123456Z',
    });
    assert.equal(answer.id, 13);
    const [, body] = (seen() as [string, Record<string, unknown>][])[0] ?? [];
    assert.equal(body?.['request_start_time'], '2026-01-01T00:00:00.500Z');
    assert.equal(body['request_end_time'], '2026-01-01T00:00:02.123456Z');
    assert.deepEqual(body['input'], {
      type: 'completion',
      content: [{ type: 'text', text: 'Once' }],
    });
    assert.deepEqual(body['output'], { type: 'chat', messages: [] });
  });

  it('cuts a long error message between characters', () => {
    const sent = (errorMessage: string): unknown =>
      logBody({ ...logged, errorMessage }).error_message;
    // However the service counts, by characters or by UTF-16 units, it is not too long.
    assert.equal(sent(`${'x'.repeat(1_023)}😀😀`), 'x'.repeat(1_023));
    assert.equal(sent(`${'x'.repeat(1_022)}😀😀`), `${'x'.repeat(1_022)}😀`);
    assert.equal(sent('😀'.repeat(1_000)), '😀'.repeat(512));
    assert.equal(sent('x'.repeat(1_024)), 'x'.repeat(1_024));
  });

  it('refuses what is no time and no prompt', () => {
    for (const wrong of [
      { requestStartTime: Number.NaN },
      { requestEndTime: 'noon' },
      { input: 'Hi' },
    ]) {
      const given = { ...logged, ...wrong } as LogRequestInput;
      assert.throws(() => logBody(given), { code: 'validation' });
    }
  });
});

describe('requests', () => {
  it('are got, searched and suggested', async () => {
    const detail = { success: true, request_id: 5, prompt_blueprint: {}, latency_ms: 1.5 };
    const page = { items: [{ id: 5, engine: 'm' }], page: 1, pages: 1, has_next: false };
    const client = await start([
      { body: detail },
      { body: page },
      { body: { success: true, values: ['a'] } },
    ]);
    const group = { logic: 'AND', filters: [{ field: 'tags', operator: 'in', value: ['x'] }] };
    assert.deepEqual(await client.requests.get(5), detail);
    assert.deepEqual(await client.requests.search({ filterGroup: group, perPage: 25 }), page);
    const wanted = { field: 'metadata', metadataKey: 'k', filterGroup: group };
    assert.deepEqual(await client.requests.suggestions(wanted), ['a']);
    assert.deepEqual(seen(), [
      ['GET /api/public/v2/requests/5', undefined],
      ['POST /api/public/v2/requests/search', { filter_group: group, per_page: 25 }],
      [
        `GET /api/public/v2/requests/suggestions?${new URLSearchParams({ field: 'metadata', metadata_key: 'k', filter_group: JSON.stringify(group) }).toString()}`,
        undefined,
      ],
    ]);
  });
});

describe('tracking', () => {
  it('goes to the documented paths with the key in the header', async () => {
    const client = await start([{ body: { success: true } }]);
    assert.equal(await client.track.metadata({ requestId: 1, metadata: { aKey: 'v' } }), true);
    await client.track.score({ request_id: 1, score: 0, name: 'n' });
    await client.track.prompt({ requestId: 1, promptName: 'p', promptInputVariables: { aB: 1 } });
    await client.track.group({ requestId: 1, groupId: 2 });
    assert.deepEqual(seen(), [
      ['POST /rest/track-metadata', { request_id: 1, metadata: { aKey: 'v' } }],
      ['POST /rest/track-score', { request_id: 1, score: 0, name: 'n' }],
      [
        'POST /rest/track-prompt',
        { request_id: 1, prompt_name: 'p', prompt_input_variables: { aB: 1 } },
      ],
      ['POST /rest/track-group', { request_id: 1, group_id: 2 }],
    ]);
    assert.ok(server.requests.every(({ headers }) => headers['x-api-key'] === 'test-key'));
  });

  it('creates groups the way the legacy endpoint wants it', async () => {
    const client = await start([{ body: { id: 9 } }]);
    assert.equal(await client.group.create(), 9);
    assert.deepEqual(seen(), [['POST /create-group', { api_key: 'test-key' }]]);
  });

  it('throws at once for wrong arguments, and answers false for failures that do not throw', async () => {
    server = await startScriptedServer([{ status: 401, body: { message: 'no' } }]);
    const logger = new RecordingLogger();
    const client = new Client({
      apiKey: 'k',
      baseURL: server.url,
      environment: {},
      throwOnError: false,
      clock: new FakeClock(),
      logger,
    });
    closers.push(
      () => client.close(),
      () => server.close(),
    );
    const wrong: (() => unknown)[] = [
      () => client.track.metadata({ requestId: 1, metadata: { a: 1 as unknown as string } }),
      () => client.track.score({ requestId: 1, score: 101 }),
      () => client.track.score({ requestId: 1, score: 0.5 }),
      () => client.track.score({ requestId: Number.NaN, score: 5 }),
      () =>
        client.track.prompt({ requestId: 1, promptName: 'p' } as unknown as Parameters<
          typeof client.track.prompt
        >[0]),
    ];
    for (const call of wrong) assert.throws(call, { code: 'validation' });
    assert.equal(await client.track.score({ requestId: 1, score: 100 }), false);
    assert.equal(await client.group.create(), false);
    assert.equal(await client.logRequest(logged), null);
    assert.equal(await client.logRequest({ ...logged, requestEndTime: 'noon' }), null);
    assert.equal(await client.requests.get(1), null);
    assert.equal(logger.messages('warn').length, 5);
    assert.equal(server.requests.length, 4);
  });
});
