import assert from 'node:assert/strict';
import type { Api } from './support/api.ts';
import { onEachBackend } from './support/backends.ts';
import type { Loose } from './support/loose.ts';
import type { SharedService } from './support/shared-service.ts';

const text = (value: string) => [{ type: 'text', text: value }];
const chat = (...messages: object[]) => ({ type: 'chat', messages });
const user = (value: string) => ({ role: 'user', content: text(value) });
const assistant = (value: string, rest: object = {}) => ({
  role: 'assistant',
  content: text(value),
  ...rest,
});

const searchPath = '/api/public/v2/requests/search';

onEachBackend('The request log', (backend) => {
  let service: SharedService;
  let api: Api;
  let other: Api;
  before(async () => {
    service = await backend.share();
    ({ api, other } = service);
  });

  const log = async (rest: object = {}): Promise<number> => {
    const made: Loose = await api.expect(201, 'POST', '/log-request', {
      provider: 'openai',
      model: 'gpt-4o',
      input: chat(user('Hi')),
      output: chat(assistant('Hello')),
      request_start_time: '2026-03-01T10:00:00Z',
      request_end_time: '2026-03-01T10:00:01.500Z',
      ...rest,
    });
    return made.id;
  };
  const request = (id: number): Promise<Loose> => api.get(`/api/public/v2/requests/${String(id)}`);

  it('keeps what is logged, with times in any form, tokens and the price of a known model', async () => {
    for (const [start, end] of [
      ['2026-03-01T10:00:00Z', '2026-03-01T10:00:01.500Z'],
      ['2026-03-01T12:00:00+02:00', '2026-03-01T10:00:01.5'],
      [1_772_359_200_000, 1_772_359_201_500],
      [1_772_359_200, 1_772_359_201.5],
    ]) {
      const id = await log({
        request_start_time: start,
        request_end_time: end,
        input_tokens: 1000,
        output_tokens: 100,
        tags: ['a'],
        metadata: { user: 'ada' },
        score: 80,
      });
      const got = await request(id);
      assert.equal(got.request_start_time, '2026-03-01T10:00:00.000Z');
      assert.equal(got.latency_ms, 1500);
      assert.deepEqual([got.input_tokens, got.output_tokens, got.tokens], [1000, 100, 1100]);
      assert.ok(Math.abs(got.price - 0.0035) < 1e-9, String(got.price));
      assert.deepEqual(got.prompt_blueprint.prompt_template.messages.length, 2);
      assert.deepEqual(
        [got.tags, got.metadata, got.scores],
        [['a'], { user: 'ada' }, { default: 80 }],
      );
    }
  });

  it('does not know the price of an unknown model, and does not call it nothing', async () => {
    const got = await request(
      await log({ model: 'my-own', input_tokens: 10, output_tokens: 1, price: 0 }),
    );
    assert.equal(got.price, undefined);
    const given = await request(await log({ model: 'my-own', price: 0.25 }));
    assert.equal(given.price, 0.25);
  });

  it('takes names that every object has for names like any other', async () => {
    for (const name of ['__proto__', 'constructor', 'toString']) {
      const id = await log({
        provider: name,
        model: name,
        input_tokens: 5,
        metadata: { [name]: name },
        prompt_input_variables: { [name]: name },
      });
      const got = await request(id);
      assert.deepEqual([got.provider, got.model, got.price], [name, name, undefined]);
      await api.expect(200, 'POST', searchPath, {
        filter_group: {
          filters: [{ field: 'metadata', operator: 'is', value: name, nested_key: name }],
        },
      });
    }
  });

  it('refuses what does not fit', async () => {
    const base = {
      provider: 'p',
      model: 'm',
      input: chat(user('x')),
      output: chat(),
      request_start_time: 1,
      request_end_time: 2,
    };
    for (const wrong of [
      { provider: 1 },
      { input: { type: 'chat', messages: [{ role: 'user', content: 'plain' }] } },
      { request_start_time: 'yesterday' },
      { status: 'FINE' },
      { status: 'SUCCESS', error_type: 'PROVIDER_ERROR' },
      { status: 'ERROR', error_type: 'NO_SUCH' },
      { error_message: 'x'.repeat(1025) },
      { score: 101 },
      { score: -1 },
    ]) {
      const { status } = await api.call('POST', '/log-request', { ...base, ...wrong });
      assert.equal(status, 422, JSON.stringify(wrong));
    }
    await api.expect(404, 'POST', '/log-request', { ...base, prompt_id: 987_654 });
    await api.expect(404, 'POST', '/log-request', { ...base, prompt_name: 'nobody' });
    await api.expect(201, 'POST', '/log-request', {
      ...base,
      status: 'ERROR',
      error_type: 'PROVIDER_TIMEOUT',
    });
  });

  it('logs a run with the reply in its blueprint, key in the body or the header', async () => {
    const { id }: Loose = await api.expect(200, 'POST', '/rest/prompt-templates', {
      prompt_template: { prompt_name: 'tracked' },
      prompt_version: {
        prompt_template: chat(user('Hi {who}')),
        metadata: { model: { provider: 'openai', name: 'gpt-4o', parameters: {} } },
      },
    });
    const body = {
      function_name: 'openai.chat.completions.create',
      provider_type: 'openai',
      args: [],
      kwargs: {
        model: 'gpt-4o',
        messages: [],
        temperature: 0.1,
        apiKey: 'never-kept',
        stream: false,
      },
      tags: ['t'],
      request_start_time: '2026-03-01T10:00:00Z',
      request_end_time: '2026-03-01T10:00:02Z',
      metadata: { a: 'b' },
      prompt_id: id,
      prompt_version: 1,
      prompt_input_variables: { who: 'Ada' },
      return_prompt_blueprint: true,
      request_response: {
        id: 'x',
        object: 'chat.completion',
        model: 'gpt-4o-2024-08-06',
        choices: [
          {
            index: 0,
            finish_reason: 'tool_calls',
            message: {
              role: 'assistant',
              content: 'Well',
              tool_calls: [
                { id: 'c', type: 'function', function: { name: 'look', arguments: '{}' } },
              ],
            },
          },
        ],
        usage: {
          prompt_tokens: 10,
          completion_tokens: 2,
          prompt_tokens_details: { cached_tokens: 4 },
        },
      },
    };
    for (const key of ['header', 'body'] as const) {
      const raw = JSON.stringify({ ...body, ...(key === 'body' && { api_key: service.key }) });
      const { status, body: answer } = await (key === 'header'
        ? api.call('POST', '/track-request', undefined, {
            raw,
            headers: { 'content-type': 'application/json' },
          })
        : api.withoutKey().call('POST', '/track-request', undefined, {
            raw,
            headers: { 'content-type': 'application/json' },
          }));
      assert.equal(status, 200);
      const { prompt_blueprint: blueprint, request_id: requestId } = answer as Loose;
      const { messages } = blueprint.prompt_template;
      assert.deepEqual(messages[0].content, text('Hi Ada'));
      assert.equal(messages[1].role, 'assistant');
      assert.equal(messages[1].content[0].text, 'Well');
      assert.equal(messages[1].tool_calls[0].function.name, 'look');
      const stored = await request(requestId);
      assert.equal(stored.input_tokens, 10);
      assert.ok(stored.price > 0);
      assert.doesNotMatch(JSON.stringify(stored), /never-kept/);
      assert.equal(stored.prompt_id, id);
    }
  });

  it('reads the input out of the arguments where there is no prompt', async () => {
    const cases: [string, string, object, object, string[]][] = [
      [
        'anthropic',
        'anthropic.messages.create',
        {
          model: 'claude-x',
          system: 'Be brief',
          messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }],
        },
        {
          type: 'message',
          role: 'assistant',
          content: [{ type: 'text', text: 'Yo' }],
          usage: { input_tokens: 5, output_tokens: 1, cache_read_input_tokens: 2 },
        },
        ['Be brief', 'Hi', 'Yo'],
      ],
      [
        'google',
        'google.convo.send_message',
        { model: 'gemini-x', history: [{ role: 'user', parts: [{ text: 'Hi' }] }] },
        {
          candidates: [{ content: { role: 'model', parts: [{ text: 'Yo' }] } }],
          usageMetadata: { promptTokenCount: 7, candidatesTokenCount: 1 },
        },
        ['Hi', 'Yo'],
      ],
      [
        'openai',
        'openai.responses.create',
        { model: 'gpt-5', input: 'Hi' },
        {
          object: 'response',
          status: 'completed',
          output: [
            {
              type: 'message',
              id: 'm',
              role: 'assistant',
              content: [{ type: 'output_text', text: 'Yo', annotations: [] }],
            },
          ],
          usage: { input_tokens: 7, output_tokens: 1 },
        },
        ['Yo'],
      ],
      [
        'amazon.bedrock',
        'boto3.bedrock-runtime.converse',
        { modelId: 'm', messages: [{ role: 'user', content: [{ text: 'Hi' }] }] },
        {
          output: { message: { role: 'assistant', content: [{ text: 'Yo' }] } },
          usage: { inputTokens: 7, outputTokens: 1 },
        },
        ['Hi', 'Yo'],
      ],
      [
        'nobody',
        'nobody.create',
        { model: 'm', messages: [{ role: 'user', content: 'Hi' }] },
        { a: 1 },
        ['Hi'],
      ],
    ];
    for (const [provider, function_name, kwargs, response, texts] of cases) {
      const answer: Loose = await api.expect(200, 'POST', '/track-request', {
        function_name,
        provider_type: provider,
        args: [],
        kwargs,
        request_start_time: '2026-03-01T10:00:00Z',
        request_end_time: '2026-03-01T10:00:02Z',
        request_response: response,
      });
      const { prompt_template: template } = answer.prompt_blueprint;
      const parts: Loose[] = (template.messages ?? [template]).flatMap((one: Loose) => one.content);
      const found = parts.map((part) => part.text as string | undefined).filter(Boolean);
      assert.deepEqual(found, texts, provider);
      if (provider !== 'nobody') {
        assert.equal((await request(answer.request_id)).input_tokens, 7, provider);
      }
    }
  });

  it('tracks metadata, scores, prompts and groups under both kinds of paths', async () => {
    await api.expect(200, 'POST', '/rest/prompt-templates', {
      prompt_template: { prompt_name: 'tracked later' },
      prompt_version: { prompt_template: chat(user('x')) },
      release_labels: ['prod'],
    });
    const plain = api.withoutKey();
    for (const [path, mode] of [
      ['/rest/track-', 'header'],
      ['/library-track-', 'body'],
    ] as const) {
      const id = await log();
      const call = async (name: string, body: object, expected = 200): Promise<Loose> => {
        const route = name === 'group' && mode === 'body' ? '/track-group' : `${path}${name}`;
        return mode === 'header'
          ? api.expect(expected, 'POST', route, body)
          : plain.expect(expected, 'POST', route, { ...body, api_key: service.key });
      };
      const group: Loose = await plain.expect(200, 'POST', '/create-group', {
        api_key: service.key,
      });
      await call('metadata', { request_id: id, metadata: { a: '1' } });
      await call('metadata', { request_id: String(id), metadata: { b: '2' } });
      await call('score', { request_id: id, score: 7 });
      await call('score', { request_id: id, score: 100, name: 'tone' });
      await call('prompt', {
        request_id: id,
        prompt_name: 'tracked later',
        prompt_input_variables: { x: 1 },
        label: 'prod',
      });
      const done = await call('group', { request_id: id, group_id: group.id });
      assert.equal(done.success, true);
      const got = await request(id);
      assert.deepEqual(got.metadata, { a: '1', b: '2' });
      assert.deepEqual(got.scores, { default: 7, tone: 100 });
      assert.equal(got.prompt_version_number, 1);
      assert.deepEqual(got.prompt_input_variables, { x: 1 });
      assert.equal(got.group_id, group.id);
      await call('score', { request_id: id, score: 101 }, 422);
      await call('score', { request_id: 999_999, score: 1 }, 404);
      await call('group', { request_id: id, group_id: 999_999 }, 404);
      await call(
        'prompt',
        { request_id: id, prompt_name: 'nobody', prompt_input_variables: {} },
        404,
      );
      for (const [name, body] of [
        ['metadata', { metadata: {} }],
        ['score', { score: 1 }],
        ['prompt', { prompt_name: 'tracked later', prompt_input_variables: {} }],
        ['group', { group_id: group.id }],
      ] as const) {
        const route = name === 'group' && mode === 'body' ? '/track-group' : `${path}${name}`;
        const foreign = await other.call('POST', route, { request_id: id, ...body });
        assert.equal(foreign.status, 404, name);
        assert.equal((await plain.call('POST', route, { request_id: id, ...body })).status, 401);
      }
    }
  });

  describe('is searched', () => {
    let ids: number[] = [];
    before(async () => {
      const marked = { provider: 'mistral', model: 'search-model' };
      ids = [
        await log({
          ...marked,
          input: chat(user('Weather in ZÜRICH 100%')),
          output: chat(assistant('{"city":"Zürich","degrees":21,"ok":true}')),
          tags: ['red', 'blue'],
          metadata: { user: 'ada', level: '7' },
          prompt_input_variables: { city: 'Zürich' },
          input_tokens: 10,
          price: 0.5,
          request_start_time: '2026-01-01T00:00:00Z',
          request_end_time: '2026-01-01T00:00:01Z',
        }),
        await log({
          ...marked,
          output: chat({
            role: 'assistant',
            content: [],
            tool_calls: [
              { id: 'c', type: 'function', function: { name: 'look', arguments: '{}' } },
            ],
          }),
          tags: ['red'],
          metadata: { user: 'bob' },
          input_tokens: 20,
          request_start_time: '2026-01-02T00:00:00Z',
          request_end_time: '2026-01-02T00:00:05Z',
        }),
        await log({
          ...marked,
          output: chat(assistant('nothing')),
          status: 'ERROR',
          error_type: 'PROVIDER_ERROR',
          request_start_time: '2026-01-03T00:00:00Z',
          request_end_time: '2026-01-03T00:00:00Z',
        }),
      ];
    });
    const mine = { field: 'engine', operator: 'is', value: 'search-model' };
    const found = async (filter: object, rest: object = {}): Promise<number[]> => {
      const answer: Loose = await api.expect(200, 'POST', searchPath, {
        filter_group: { filters: [mine, filter] },
        ...rest,
      });
      return answer.items.map((item: Loose) => ids.indexOf(item.id)).sort();
    };
    const filter = (field: string, operator: string, value?: unknown, nested_key?: string) => ({
      field,
      operator,
      ...(value !== undefined && { value }),
      ...(nested_key !== undefined && { nested_key }),
    });

    it('by every kind of field and operator', async () => {
      const cases: [ReturnType<typeof filter>, number[]][] = [
        [filter('pl_id', 'in', [ids[0], ids[2]]), [0, 2]],
        [filter('pl_id', 'is', ids[1]), [1]],
        [filter('provider_type', 'not_in', ['mistral']), []],
        [filter('provider_type', 'starts_with', 'MIS'), [0, 1, 2]],
        [filter('provider_type', 'ends_with', 'tral'), [0, 1, 2]],
        [filter('input_text', 'contains', 'zürich'), [0]],
        [filter('input_text', 'contains', '100%'), [0]],
        [filter('input_text', 'not_contains', 'zürich'), [1, 2]],
        [filter('output_text', 'is', 'NOTHING'), [2]],
        [filter('output_text', 'is_empty'), [1]],
        [filter('input_tokens', 'gte', 20), [1]],
        [filter('input_tokens', 'between', [5, 15]), [0]],
        [filter('input_tokens', 'is_null'), [2]],
        [filter('input_tokens', 'neq', 10), [1, 2]],
        [filter('cost', 'gt', 0.1), [0]],
        [filter('cost', 'is_not_null'), [0]],
        [filter('latency_ms', 'lt', 2000), [0, 2]],
        [filter('request_start_time', 'before', '2026-01-02'), [0]],
        [filter('request_start_time', 'after', '2026-01-02T00:00:00Z'), [2]],
        [filter('request_start_time', 'between', ['2026-01-01', '2026-01-02']), [0, 1]],
        [filter('status', 'is_not', 'ERROR'), [0, 1]],
        [filter('is_json', 'is_true'), [0]],
        [filter('is_tool_call', 'is', true), [1]],
        [filter('is_plain_text', 'is_false'), [0, 1]],
        [filter('tags', 'contains', 'blue'), [0]],
        [filter('tags', 'in', ['blue', 'green']), [0]],
        [filter('tags', 'not_contains', 'red'), [2]],
        [filter('tags', 'is_empty'), [2]],
        [filter('tool_names', 'is', 'look'), [1]],
        [filter('metadata_keys', 'contains', 'level'), [0]],
        [filter('metadata_keys', 'is_not_empty'), [0, 1]],
        [filter('metadata', 'key_equals', 'ada', 'user'), [0]],
        [filter('metadata', 'key_not_equals', 'ada', 'user'), [1, 2]],
        [filter('metadata', 'key_contains', 'B', 'user'), [1]],
        [filter('metadata', 'gt', 6, 'level'), [0]],
        [filter('metadata', 'is_empty', undefined, 'user'), [2]],
        [filter('output_keys', 'contains', 'degrees'), [0]],
        [filter('output', 'lte', 21, 'degrees'), [0]],
        [filter('output', 'is', 'true', 'ok'), [0]],
        [filter('input_variables', 'is', 'Zürich', 'city'), [0]],
        [filter('input_variable_keys', 'contains', 'city'), [0]],
        [filter('prompt_id', 'is_null'), [0, 1, 2]],
      ];
      for (const [one, expected] of cases) {
        assert.deepEqual(await found(one), expected, JSON.stringify(one));
      }
    });

    it('by groups inside of groups, and by words', async () => {
      const group = {
        logic: 'OR',
        filters: [
          filter('tags', 'contains', 'blue'),
          { filters: [filter('status', 'is', 'ERROR'), filter('input_tokens', 'is_null')] },
        ],
      };
      assert.deepEqual(await found(group), [0, 2]);
      assert.deepEqual(await found({ filters: [] }, { q: 'weather ZÜR' }), [0]);
      assert.deepEqual(await found({ filters: [] }, { q: 'weather rome' }), []);
    });

    it('in an order, page by page', async () => {
      const page = async (rest: object): Promise<Loose> =>
        api.expect(200, 'POST', searchPath, { filter_group: { filters: [mine] }, ...rest });
      const order = async (rest: object): Promise<number[]> =>
        (await page(rest)).items.map((item: Loose) => ids.indexOf(item.id));
      assert.deepEqual(await order({}), [2, 1, 0]);
      assert.deepEqual(await order({ sort_by: 'input_tokens', sort_order: 'desc' }), [1, 0, 2]);
      assert.deepEqual(await order({ sort_by: 'latency_ms', sort_order: 'asc' }), [2, 0, 1]);
      assert.deepEqual(await order({ page: 2, per_page: 2 }), [0]);
      const { total, pages, has_next, next_num, prev_num, items } = await page({ per_page: 2 });
      assert.deepEqual([total, pages, has_next, next_num, prev_num], [3, 2, true, 2, null]);
      assert.deepEqual(items[0].scores, []);
      assert.equal(items[1].latency, 5);
    });

    it('and refuses what it does not understand', async () => {
      for (const one of [
        filter('nothing', 'is', 1),
        filter('status', 'like', 1),
        filter('input_tokens', 'contains', 1),
        filter('input_tokens', 'gt', 'many'),
        filter('request_start_time', 'after', 'soon'),
        filter('metadata', 'is', 'x'),
        filter('input_tokens', 'between', [1]),
        filter('user_intent', 'is', 'angry'),
        { logic: 'XOR', filters: [] },
        { field: 'status' },
      ]) {
        const { status, text: body } = await api.call('POST', searchPath, {
          filter_group: { filters: [one] },
        });
        assert.equal(status, 400, body);
      }
      await api.expect(400, 'POST', searchPath, { sort_by: 'cost' });
      await api.expect(422, 'POST', searchPath, { per_page: 26 });
    });

    it('offers the values that fields have', async () => {
      const values = async (query: string): Promise<string[]> =>
        ((await api.get(`/api/public/v2/requests/suggestions?${query}`)) as Loose).values;
      const group = encodeURIComponent(JSON.stringify({ filters: [mine] }));
      assert.deepEqual(await values(`field=tags&filter_group=${group}`), ['red', 'blue']);
      assert.deepEqual(await values(`field=tags&prefix=B&filter_group=${group}`), ['blue']);
      assert.deepEqual(await values('field=engine&prefix=sea'), ['search-model']);
      assert.deepEqual(await values(`field=metadata_keys&filter_group=${group}`), [
        'user',
        'level',
      ]);
      assert.deepEqual(
        await values(`field=metadata_values&metadata_key=user&filter_group=${group}`),
        ['ada', 'bob'],
      );
      assert.ok((await values('field=prompt')).includes('tracked'));
      await api.expect(422, 'GET', '/api/public/v2/requests/suggestions?field=metadata_values');
      await api.expect(422, 'GET', '/api/public/v2/requests/suggestions?field=nothing');
      await api.expect(422, 'GET', '/api/public/v2/requests/suggestions?field=tags&filter_group=x');
    });

    it('and summed up', async () => {
      const sums: Loose = await api.expect(200, 'POST', '/api/public/v2/requests/analytics', {
        filter_group: { filters: [mine] },
        metadata_cost_breakdown_key: 'user',
      });
      assert.equal(sums.totalRequests, 3);
      assert.equal(sums.totalCost, 0.5);
      assert.equal(sums.totalTokens, 30);
      assert.equal(sums.averageLatency, 2);
      assert.deepEqual(sums.chartInterval, {
        interval: 'hour',
        bucketSizeMs: 3_600_000,
        bucketMinutes: 60,
      });
      assert.equal(sums.stats.length, 3);
      assert.deepEqual(sums.mostUsedModels, [['search-model', 3]]);
      assert.deepEqual(
        sums.metadataValueBreakdown.map((one: Loose) => [one.value, one.cost]),
        [
          ['ada', 0.5],
          ['bob', 0],
        ],
      );
      const none: Loose = await api.expect(200, 'POST', '/api/public/v2/requests/analytics', {
        filter_group: { filters: [filter('engine', 'is', 'no such')] },
      });
      assert.equal(none.totalRequests, 0);
    });
  });

  it('of one workspace is nothing to another', async () => {
    const id = await log();
    await other.expect(404, 'GET', `/api/public/v2/requests/${String(id)}`);
    const search: Loose = await other.expect(200, 'POST', searchPath, {});
    assert.equal(search.total, 0);
    const values: Loose = await other.get('/api/public/v2/requests/suggestions?field=engine');
    assert.deepEqual(values.values, []);
    const sums: Loose = await other.expect(200, 'POST', '/api/public/v2/requests/analytics', {});
    assert.equal(sums.totalRequests, 0);
    await api.expect(404, 'GET', '/api/public/v2/requests/0');
    await api.expect(404, 'GET', '/api/public/v2/requests/x');
    await api.expect(404, 'GET', '/api/public/v2/requests/99999999999999999999');
  });

  it('keeps texts that databases dislike', async () => {
    const strange = 'nul \0 half \ud83d';
    const id = await log({
      input: chat(user(strange)),
      output: chat(assistant(String.raw`{"a\u0000": "\ud83d"}`)),
      tags: [strange],
      metadata: { [strange]: strange },
      prompt_input_variables: { [strange]: [strange] },
    });
    assert.equal((await request(id)).request_id, id);
    for (const field of ['tags', 'metadata_keys', 'output_keys', 'input_variable_keys']) {
      const { status } = await api.call(
        'GET',
        `/api/public/v2/requests/suggestions?field=${field}`,
      );
      assert.equal(status, 200, field);
    }
    const answer: Loose = await api.expect(200, 'POST', searchPath, {
      filter_group: {
        filters: [
          { field: 'tags', operator: 'contains', value: strange.replace('\ud83d', '\ufffd') },
        ],
      },
    });
    assert.deepEqual(
      answer.items.map((item: Loose) => item.id),
      [id],
    );
  });
});
