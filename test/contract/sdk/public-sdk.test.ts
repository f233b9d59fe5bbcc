/**
 * The public client, unmodified, and ours against the same service and the same providers. Where it
 * is right, requests and results are the same; where it is not, the title says what ours does.
 */
import assert from 'node:assert/strict';
import type { Client } from '../../../src/core/client.ts';
import { runBoth, runOurs, runTheirs } from '../../support/public-sdk/both.ts';
import type { Both, Setting, Side } from '../../support/public-sdk/both.ts';
import type { PublicClient, PublicClientClass } from '../../support/public-sdk/public-sdk.ts';
import { loadPublicSdk } from '../../support/public-sdk/public-sdk.ts';
import { chatTemplate } from '../../support/providers/fake-service.ts';
import type { CallAnswer, SeenCall } from '../../support/workflows/fake-workflows.ts';

type Json = Readonly<Record<string, unknown>>;

const jsonOf = (call: SeenCall | undefined): Json => (call?.json ?? {}) as Json;

/** Without what is another one each time, or has no say: times, ids of spans. */
function withoutTimes(sent: Json): Json {
  const { request_start_time, request_end_time, span_id: _span, ...rest } = sent;
  assert.ok(Date.parse(String(request_start_time)) <= Date.parse(String(request_end_time)));
  return rest;
}

/** What both can do, as far as it is called here. */
type Either = PublicClient & Omit<Client, 'close'>;

const seen = (side: Side, path: string): SeenCall[] =>
  side.service.filter((call) => call.path.startsWith(path));

const requestsOf = (side: Side): string[] =>
  side.service.map(({ method, path }) => `${method} ${path}`);

describe('the public client and ours', function () {
  this.timeout(30_000);
  let PublicSdk: PublicClientClass;
  before(async function () {
    this.timeout(300_000);
    PublicSdk = await loadPublicSdk();
  });

  const same = (setting: Setting, work: (client: Either) => Promise<unknown>): Promise<Both> =>
    runBoth(PublicSdk, setting, {
      theirs: (client) => work(client as Either),
      ours: (client) => work(client as unknown as Either),
    });

  const answering =
    (body: unknown, status = 200) =>
    (): CallAnswer => ({ status, body });

  describe('templates', () => {
    it('are fetched with the same request, and come out the same', async () => {
      const setting = { other: answering(chatTemplate({ warning: 'Old.' })) };
      const options = {
        version: 2,
        provider: 'openai',
        model: 'gpt-test',
        input_variables: { name: 'Ada', list: [1, { a: null }] },
        metadata_filters: { tier: 'gold' },
        model_parameter_overrides: { temperature: 0 },
      };
      const { theirs, ours } = await same(setting, (client) =>
        client.templates.get('greeting', options),
      );
      assert.deepEqual(ours.result, theirs.result);
      assert.deepEqual(requestsOf(ours), requestsOf(theirs));
      const { api_key: _, ...asked } = jsonOf(theirs.service[0]);
      assert.deepEqual(ours.service[0]?.json, asked);
      assert.equal(ours.service[0].headers['x-api-key'], theirs.service[0]?.headers['x-api-key']);
    });

    for (const cacheTtlSeconds of [0, 60]) {
      it(`that are missing are null when failures do not throw (cache ${cacheTtlSeconds})`, async () => {
        const setting = {
          other: answering({ success: false, message: 'No such template.' }, 404),
          options: { throwOnError: false, cacheTtlSeconds },
        };
        const { theirs, ours } = await same(setting, (client) => client.templates.get('missing'));
        assert.deepEqual([theirs.result, ours.result], [null, null]);
        assert.equal(theirs.service.length, ours.service.length);
      });
    }

    it('that are cached are fetched once, unrendered, and rendered alike', async () => {
      const template = chatTemplate({
        prompt_template: {
          type: 'chat',
          messages: [
            {
              role: 'user',
              input_variables: ['name', 'missing'],
              template_format: 'f-string',
              content: [{ type: 'text', text: 'Hello {name}{missing}, { not } {a.b}!' }],
            },
          ],
          input_variables: ['name'],
        },
        kwargs: { model: 'm', messages: [{ role: 'user', content: 'Hello {name}{missing}!' }] },
      });
      const setting = { other: answering(template), options: { cacheTtlSeconds: 60 } };
      const { theirs, ours } = await same(setting, async (client) => {
        const given = [];
        for (const name of ['Ada', 'Grace']) {
          given.push(await client.templates.get('greeting', { input_variables: { name } }));
        }
        return given;
      });
      assert.deepEqual(ours.result, theirs.result);
      assert.deepEqual(requestsOf(ours), ['POST /prompt-templates/greeting']);
      assert.deepEqual(requestsOf(theirs), requestsOf(ours));
      assert.equal(jsonOf(ours.service[0])['skip_input_variable_rendering'], true);
      assert.equal(jsonOf(theirs.service[0])['skip_input_variable_rendering'], true);
    });

    it('are published with the same request where it counts, and then fetched anew', async () => {
      const published = {
        id: 7,
        prompt_name: 'greeting',
        version_number: 4,
        prompt_version_id: 9,
        prompt_template: { type: 'chat', messages: [] },
        tags: ['t'],
      };
      const setting: Setting = {
        other: ({ path }) =>
          path.startsWith('/rest/') ? { status: 200, body: published } : { body: chatTemplate() },
        options: { cacheTtlSeconds: 60 },
      };
      const body = {
        prompt_name: 'greeting',
        prompt_template: { type: 'chat', messages: [] },
        tags: ['t'],
        commit_message: 'why',
        release_labels: ['prod'],
      };
      const { theirs, ours } = await same(setting, async (client) => {
        await client.templates.get('greeting');
        const answer = await client.templates.publish(body);
        await client.templates.get('greeting');
        return answer;
      });
      assert.deepEqual(ours.result, theirs.result);
      assert.deepEqual(requestsOf(ours), requestsOf(theirs));
      const [mine, other] = [ours, theirs].map((side) => jsonOf(seen(side, '/rest/')[0]));
      assert.deepEqual(mine?.['release_labels'], other?.['release_labels']);
      for (const part of ['prompt_template', 'prompt_version'] as const) {
        // Theirs sends everything in both parts.
        const everything = other?.[part] as Json;
        for (const [name, value] of Object.entries(mine?.[part] as Json)) {
          assert.deepEqual(value, everything[name], `${part}.${name}`);
        }
      }
    });

    it('are listed: theirs one page, ours all of them', async () => {
      const page = (id: number, hasNext: boolean): object => ({
        items: [{ ...chatTemplate(), id }],
        page: id,
        pages: 2,
        has_next: hasNext,
        next_num: hasNext ? id + 1 : null,
      });
      const setting: Setting = {
        other: ({ query }) => ({ body: page(Number(query['page'] ?? 1), query['page'] !== '2') }),
      };
      const { theirs, ours } = await runBoth(PublicSdk, setting, {
        theirs: (client) => client.templates.all({ page: 1, per_page: 1 }),
        ours: async (client) => {
          const all: unknown[] = [];
          for await (const one of client.templates.list({ page: 1, per_page: 1 })) all.push(one);
          return all;
        },
      });
      assert.deepEqual((ours.result as unknown[])[0], (theirs.result as unknown[])[0]);
      assert.deepEqual(ours.service[0]?.query, theirs.service[0]?.query);
      assert.equal((ours.result as unknown[]).length, 2);
    });

    it('with a slash in the name: ours asks for that name', async () => {
      const setting: Setting = { other: answering(chatTemplate()) };
      const { theirs, ours } = await same(setting, (client) => client.templates.get('team/a?b#c'));
      assert.equal(ours.service[0]?.path, '/prompt-templates/team/a?b#c');
      assert.deepEqual(ours.service[0].query, {});
      assert.notEqual(theirs.service[0]?.path, '/prompt-templates/team/a?b#c');
    });
  });

  describe('tracking', () => {
    const calls: readonly (readonly [string, Json])[] = [
      ['metadata', { request_id: 5, metadata: { a: 'b' } }],
      ['score', { request_id: 5, score: 70, name: 'tone' }],
      ['prompt', { request_id: 5, prompt_name: 'p', prompt_input_variables: { a: 1 }, version: 2 }],
      ['group', { request_id: 5, group_id: 3 }],
    ];
    for (const [name, fields] of calls) {
      it(`of a ${name} says the same`, async () => {
        const setting: Setting = { other: answering({ success: true, message: '' }) };
        const { theirs, ours } = await same(setting, (client) =>
          (client.track as unknown as PublicClient['track'])[name as 'metadata'](fields),
        );
        assert.deepEqual([theirs.result, ours.result], [true, true]);
        const { api_key: key, ...sent } = jsonOf(theirs.service[0]);
        assert.deepEqual(ours.service[0]?.json, sent);
        // The documented paths take the key from the header.
        assert.equal(ours.service[0].headers['x-api-key'], key);
      });

      it(`of a ${name} is false when it fails and failures do not throw`, async () => {
        const setting: Setting = {
          other: answering({ success: false, message: 'No.' }, 400),
          options: { throwOnError: false },
        };
        const { theirs, ours } = await same(setting, (client) =>
          (client.track as unknown as PublicClient['track'])[name as 'metadata'](fields),
        );
        assert.deepEqual([theirs.result, ours.result], [false, false]);
      });
    }

    it('makes groups with the same request', async () => {
      const setting: Setting = { other: answering({ id: 12 }) };
      const { theirs, ours } = await same(setting, (client) => client.group.create());
      assert.deepEqual([theirs.result, ours.result], [12, 12]);
      assert.deepEqual(requestsOf(ours), requestsOf(theirs));
      assert.deepEqual(ours.service[0]?.json, theirs.service[0]?.json);
    });
  });

  describe('logRequest', () => {
    const logged = {
      provider: 'openai',
      model: 'gpt-test',
      input: {
        type: 'chat',
        messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }],
      },
      output: {
        type: 'chat',
        messages: [{ role: 'assistant', content: [{ type: 'text', text: 'Ho' }] }],
      },
      request_start_time: '2026-01-01T00:00:00.000Z',
      request_end_time: '2026-01-01T00:00:01.000Z',
      tags: ['a'],
      metadata: { b: 'c' },
    };
    const answer = answering({ id: 3, prompt_version: null, status: 'SUCCESS' }, 201);

    it('sends the same', async () => {
      const { theirs, ours } = await same({ other: answer }, (client) => client.logRequest(logged));
      assert.deepEqual(ours.service[0]?.json, theirs.service[0]?.json);
      assert.deepEqual(requestsOf(ours), requestsOf(theirs));
      assert.deepEqual(
        { ...(ours.result as Json), request_id: undefined },
        {
          ...(theirs.result as Json),
          request_id: undefined,
        },
      );
    });

    it('in camelCase and milliseconds: ours sends what the service reads', async () => {
      const { request_start_time: _start, request_end_time: _end, ...rest } = logged;
      const camel = {
        ...rest,
        requestStartTime: 1_767_225_600_000,
        requestEndTime: 1_767_225_601_000,
      };
      const { theirs, ours } = await same({ other: answer }, (client) => client.logRequest(camel));
      assert.deepEqual(ours.service[0]?.json, logged);
      assert.equal(jsonOf(theirs.service[0])['request_start_time'], undefined);
    });
  });

  const openAiWhole = {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_700_000_000,
    model: 'gpt-test-1',
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: 'Hello.', refusal: null },
        logprobs: null,
        finish_reason: 'stop',
      },
    ],
    usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
  };
  const chunk = (delta: object, finish: string | null = null, rest: object = {}): object => ({
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1_700_000_000,
    model: 'gpt-test-1',
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
    ...rest,
  });
  const events = (list: readonly object[], named = false): string =>
    list
      .map((event) => {
        const { type } = event as { readonly type?: string };
        return `${named ? `event: ${type ?? ''}\n` : ''}data: ${JSON.stringify(event)}\n\n`;
      })
      .join('') + (named ? '' : 'data: [DONE]\n\n');

  const anthropicWhole = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'claude-test',
    content: [{ type: 'text', text: 'Hello.' }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: 3, output_tokens: 2 },
  };
  const anthropicEvents = [
    {
      type: 'message_start',
      message: {
        ...anthropicWhole,
        content: [],
        stop_reason: null,
        usage: { input_tokens: 3, output_tokens: 1 },
      },
    },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hel' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'lo.' } },
    { type: 'content_block_stop', index: 0 },
    {
      type: 'message_delta',
      delta: { stop_reason: 'end_turn', stop_sequence: null },
      usage: { output_tokens: 2 },
    },
    { type: 'message_stop' },
  ];

  const openAi = chatTemplate();
  const anthropic = chatTemplate({
    provider: 'anthropic',
    model: 'claude-test',
    apiType: null,
    kwargs: {
      model: 'claude-test',
      max_tokens: 16,
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Say hello.' }] }],
    },
  });
  const blueprint = { prompt_template: { type: 'chat', messages: [] }, logged: true };
  const serving = (template: object): Pick<Setting, 'other'> => ({
    other: ({ path }) =>
      path === '/track-request'
        ? { body: { request_id: 1001, prompt_blueprint: blueprint } }
        : { body: template },
  });

  describe('run', () => {
    const cases = [
      ['openai', openAi, openAiWhole],
      ['anthropic', anthropic, anthropicWhole],
    ] as const;
    for (const [provider, template, whole] of cases) {
      it(`asks ${provider} the same, gives the same and logs the same`, async () => {
        const setting: Setting = { ...serving(template), provider: () => ({ body: whole }) };
        const { theirs, ours } = await same(setting, (client) =>
          client.run({
            promptName: 'greeting',
            inputVariables: { name: 'Ada' },
            tags: ['t'],
            groupId: 4,
          }),
        );
        assert.deepEqual(ours.result, theirs.result);
        assert.deepEqual(requestsOf(ours), requestsOf(theirs));
        const [mine, other] = [ours, theirs].map((side) => side.provider[0]);
        assert.equal(mine?.path, other?.path);
        const { stream: _stream, ...body } = (mine?.json ?? {}) as Json;
        const { stream: _other, ...theirBody } = (other?.json ?? {}) as Json;
        assert.deepEqual(body, theirBody);
        const logs = [ours, theirs].map((side) =>
          withoutTimes(jsonOf(seen(side, '/track-request')[0])),
        );
        assert.deepEqual(logs[0], logs[1]);
      });

      it(`logs a refusal of ${provider} as an error, and throws it`, async () => {
        const setting: Setting = {
          ...serving(template),
          provider: () => ({ status: 401, body: { error: { message: 'Wrong key.' } } }),
        };
        const { theirs, ours } = await same(setting, (client) =>
          client.run({ promptName: 'greeting' }),
        );
        assert.match(ours.error ?? '', /Wrong key/);
        assert.match(theirs.error ?? '', /Wrong key/);
        const [mine, other] = [ours, theirs].map((side) => jsonOf(seen(side, '/track-request')[0]));
        for (const field of ['status', 'error_type', 'request_response', 'kwargs', 'prompt_id']) {
          assert.deepEqual(mine?.[field], other?.[field], field);
        }
      });
    }

    const streams = [
      [
        'openai',
        openAi,
        [
          chunk({ role: 'assistant', content: 'Hel' }),
          chunk({ content: 'lo.' }),
          chunk({}, 'stop'),
        ],
        false,
      ],
      ['anthropic', anthropic, anthropicEvents, true],
    ] as const;
    for (const [provider, template, list, named] of streams) {
      it(`streams ${provider}: the same raw events, the id in the last chunk`, async () => {
        const setting: Setting = {
          ...serving(template),
          provider: () => ({ pieces: [events(list, named)] }),
        };
        const { theirs, ours } = await same(setting, (client) =>
          client.run({ promptName: 'greeting', stream: true }),
        );
        const [mine, other] = [ours, theirs].map((side) => side.result as Json[]);
        const raw = (chunks: Json[] | undefined): unknown[] =>
          (chunks ?? []).slice(0, list.length).map((item) => item['raw_response']);
        assert.deepEqual(raw(mine), raw(other));
        assert.equal(mine?.at(-1)?.['request_id'], 1001);
        assert.equal(other?.at(-1)?.['request_id'], 1001);
        assert.deepEqual(ours.provider[0]?.json, theirs.provider[0]?.json);
        const textIn = (chunks: Json[] | undefined, at: number): string =>
          /Hel(?:lo\.)?/.exec(JSON.stringify(chunks?.at(at)?.['prompt_blueprint']))?.[0] ?? '';
        // Cumulative, as the specification has it; theirs gives the piece only.
        assert.equal(textIn(mine, list.length - 1), 'Hello.');
      });
    }

    it('never logs the key of a custom provider, which theirs does', async () => {
      const template = (url: string): object =>
        Object.assign({}, anthropic, {
          custom_provider: {
            id: 1,
            name: 'mine',
            client: 'anthropic',
            base_url: url,
            api_key: 'sk-custom-canary',
          },
        });
      let url = '';
      const setting: Setting = {
        other: ({ path }) =>
          path === '/track-request'
            ? { body: { request_id: 1, prompt_blueprint: blueprint } }
            : { body: template(url) },
        provider: () => ({ body: anthropicWhole }),
      };
      const work = (client: { run(options: object): Promise<unknown> }): Promise<unknown> => {
        url = process.env['ANTHROPIC_BASE_URL'] ?? '';
        return client.run({ promptName: 'greeting' });
      };
      const theirs = await runTheirs(PublicSdk, setting, work);
      const ours = await runOurs(setting, (client) => work(client));
      assert.deepEqual((ours.result as Json)['raw_response'], anthropicWhole);
      assert.doesNotMatch(JSON.stringify(ours.service), /custom-canary/);
      assert.doesNotMatch(JSON.stringify(ours.provider.map(({ json }) => json)), /custom-canary/);
      assert.match(JSON.stringify(theirs.service), /custom-canary/);
    });

    it('keeps the finish reason and parallel tool calls of a stream apart, which theirs mixes', async () => {
      const call = (
        index: number,
        id: string | undefined,
        name: string | undefined,
        text: string,
      ) => ({
        tool_calls: [
          {
            index,
            ...(id && { id, type: 'function' }),
            function: { ...(name && { name }), arguments: text },
          },
        ],
      });
      const list = [
        chunk({ role: 'assistant', content: null, ...call(0, 'c0', 'f', '') }),
        chunk(call(1, 'c1', 'g', '')),
        chunk(call(0, undefined, undefined, '{"a":1}')),
        chunk(call(1, undefined, undefined, '{"b":2}')),
        chunk({}, 'tool_calls'),
      ];
      const setting: Setting = {
        ...serving(openAi),
        provider: () => ({ pieces: [events(list)] }),
      };
      const { theirs, ours } = await same(setting, (client) =>
        client.run({ promptName: 'greeting', stream: true }),
      );
      const responseOf = (side: Side): unknown =>
        jsonOf(seen(side, '/track-request')[0])['request_response'];
      const { choices } = responseOf(ours) as {
        choices: { finish_reason: string; message: Json }[];
      };
      assert.equal(choices[0]?.finish_reason, 'tool_calls');
      assert.deepEqual(choices[0].message['tool_calls'], [
        { id: 'c0', type: 'function', function: { name: 'f', arguments: '{"a":1}' } },
        { id: 'c1', type: 'function', function: { name: 'g', arguments: '{"b":2}' } },
      ]);
      assert.notDeepEqual(responseOf(theirs), responseOf(ours));
    });

    it('gives the answer though it cannot be logged, which theirs loses', async () => {
      const setting: Setting = {
        other: ({ path }) =>
          path === '/track-request'
            ? { status: 400, body: { message: 'No log.' } }
            : { body: openAi },
        provider: () => ({ body: openAiWhole }),
      };
      const { theirs, ours } = await runBoth(PublicSdk, setting, {
        theirs: (client) => client.run({ promptName: 'greeting' }),
        ours: (client) =>
          client
            .run({ promptName: 'greeting' })
            .catch((error: unknown) => (error as { readonly result: unknown }).result),
      });
      assert.deepEqual((ours.result as Json)['raw_response'], openAiWhole);
      assert.equal(theirs.result, undefined);
      assert.match(theirs.error ?? '', /No log/);
    });
  });

  describe('runWorkflow', () => {
    const node = (status: string, value: unknown, isOutput: boolean): object => ({
      status,
      value,
      error_message: null,
      raw_error_message: null,
      is_output_node: isOutput,
    });
    const completing = (finalOutput: unknown): Setting => ({
      subscribed: (subscriber) =>
        subscriber.complete({ result_code: 'OK', final_output: finalOutput }),
    });
    const options = {
      workflowName: 'my flow/1',
      inputVariables: { a: [1] },
      metadata: { m: 'x' },
      workflowVersion: 3,
    };

    for (const value of [
      'text',
      5,
      null,
      [1],
      { a: 1 },
      { n: node('SUCCESS', 1, true), m: node('FAILED', null, true) },
    ]) {
      it(`starts the same way and gives the same value: ${JSON.stringify(value)}`, async () => {
        const { theirs, ours } = await same(completing(value), (client) =>
          client.runWorkflow(options),
        );
        assert.deepEqual(theirs.result, value);
        assert.deepEqual(ours.result, value);
        const [mine, other] = [ours, theirs].map((side) =>
          side.service.filter(({ method }) => method === 'POST'),
        );
        assert.deepEqual(
          mine?.map(({ path, query, json }) => [path, query, json]),
          other?.map(({ path, query, json }) => [path, query, json]),
        );
        assert.equal(mine?.[0]?.headers['x-api-key'], 'pl-key');
      });
    }

    it('gives all outputs', async () => {
      const map = { n: node('SUCCESS', 1, true), m: node('SKIPPED', null, false) };
      const { theirs, ours } = await same(completing(map), (client) =>
        client.runWorkflow({ ...options, returnAllOutputs: true }),
      );
      assert.deepEqual([theirs.result, ours.result], [map, map]);
    });

    it('fails when no output node has succeeded', async () => {
      const map = { n: node('FAILED', null, true) };
      const { theirs, ours } = await same(completing(map), (client) => client.runWorkflow(options));
      assert.match(theirs.error ?? '', /FAILED/);
      assert.match(ours.error ?? '', /gave no result/);
    });

    it('fetches what is too large to be told', async () => {
      const setting: Setting = {
        results: () => ({ body: 'large' }),
        subscribed: (subscriber) => subscriber.complete({ result_code: 'EXCEEDS_SIZE_LIMIT' }),
      };
      const { theirs, ours } = await same(setting, (client) => client.runWorkflow(options));
      assert.deepEqual([theirs.result, ours.result], ['large', 'large']);
    });

    it('gives an empty object as a value, which theirs takes for a failure', async () => {
      const { theirs, ours } = await same(completing({}), (client) => client.runWorkflow(options));
      assert.deepEqual(ours.result, {});
      assert.equal(theirs.result, undefined);
      assert.match(theirs.error ?? '', /Error running workflow/);
    });

    it('waits on while the results are partial, which theirs takes for the end', async () => {
      const partial = { n: node('RUNNING', null, true) };
      let polls = 0;
      const setting: Setting = {
        results: () => {
          polls += 1;
          return polls < 3 ? { status: 202, body: partial } : { body: 'whole' };
        },
        subscribed: (subscriber) => subscriber.complete({ result_code: 'EXCEEDS_SIZE_LIMIT' }),
      };
      const ours = await runOurs(setting, (client) => client.runWorkflow(options));
      assert.equal(ours.result, 'whole');
      polls = 0;
      const theirs = await runTheirs(PublicSdk, setting, (client) => client.runWorkflow(options));
      assert.match(theirs.error ?? '', /RUNNING/);
    });

    it('throws when it cannot be started, which theirs gives back as a result', async () => {
      const setting: Setting = {
        start: () => ({ status: 404, body: { success: false, error: 'No workflow.' } }),
      };
      const { theirs, ours } = await same(setting, (client) => client.runWorkflow(options));
      assert.match(ours.error ?? '', /404: No workflow/);
      assert.deepEqual(theirs.result, {
        success: false,
        message: 'Failed to run workflow: No workflow.',
      });
    });

    it('does not lose a completion that came before it listened, for which theirs waits an hour', async () => {
      const setting: Setting = { results: () => ({ body: 'early' }), subscribed: () => undefined };
      const ours = await runOurs(setting, (client) => client.runWorkflow(options));
      assert.equal(ours.result, 'early');
    });
  });
});
