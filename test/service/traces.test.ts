import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  NodeTracerProvider,
  SimpleSpanProcessor,
  type SpanExporter,
} from '@opentelemetry/sdk-trace-node';
import { onEachBackend } from './support/backends.ts';
import type { Api } from './support/api.ts';
import type { Loose } from './support/loose.ts';
import { firstKey, secondKey, type RunningService } from './support/running-service.ts';

const hex = (length: number): string =>
  Array.from({ length }, () => Math.floor(Math.random() * 16).toString(16))
    .join('')
    .replace(/^0/, '1');

/** A span as OTLP's JSON has it. */
const otlp = (traceId: string, spanId: string, rest: object = {}) => ({
  traceId,
  spanId,
  name: 'step',
  startTimeUnixNano: '1772359200000000001',
  endTimeUnixNano: '1772359201500000000',
  ...rest,
});
const exporting = (...spans: object[]) => ({ resourceSpans: [{ scopeSpans: [{ spans }] }] });
const text = (key: string, stringValue: string) => ({ key, value: { stringValue } });
const count = (key: string, intValue: string) => ({ key, value: { intValue } });

onEachBackend('Traces', (backend) => {
  let service: RunningService;
  let api: Api;
  before(async function () {
    this.timeout(60_000);
    service = await backend.start();
    ({ api } = service);
  });

  const traceOf = (id: string): Promise<Loose> => api.get(`/api/public/v2/traces/${id}`);
  const requestOf = (id: number): Promise<Loose> =>
    api.get(`/api/public/v2/requests/${String(id)}`);
  const rejected = async (body: object): Promise<Loose> =>
    ((await api.expect(200, 'POST', '/v1/traces', body)) as Loose).partialSuccess;

  /** A trace of an agent that asks a model, sent by the client that everybody uses. */
  async function send(exporter: SpanExporter): Promise<string> {
    const provider = new NodeTracerProvider({
      resource: resourceFromAttributes({ 'service.name': 'agent' }),
      spanProcessors: [new SimpleSpanProcessor(exporter)],
    });
    const tracer = provider.getTracer('test', '1.2.3');
    const agent = tracer.startSpan('agent', { attributes: { deep: ['a', 'ß'], big: 2 ** 53 } });
    const { traceId } = agent.spanContext();
    const around = trace.setSpan(ROOT_CONTEXT, agent);
    const chat = tracer.startSpan(
      'chat gpt-4o',
      {
        kind: SpanKind.CLIENT,
        attributes: {
          'gen_ai.operation.name': 'chat',
          'gen_ai.provider.name': 'openai',
          'gen_ai.request.model': 'gpt-4o',
          'gen_ai.request.temperature': 0.5,
          'gen_ai.usage.input_tokens': 1000,
          'gen_ai.usage.output_tokens': 100,
          'gen_ai.input.messages': JSON.stringify([
            { role: 'user', parts: [{ type: 'text', content: 'How is the weather?' }] },
          ]),
          'gen_ai.output.messages': JSON.stringify([
            {
              role: 'assistant',
              parts: [{ type: 'tool_call', id: 'c', name: 'weather', arguments: { city: 'Ulm' } }],
              finish_reason: 'tool_call',
            },
          ]),
        },
      },
      around,
    );
    chat.addEvent('first token', { index: 0 });
    chat.end();
    agent.setStatus({ code: SpanStatusCode.ERROR, message: 'no weather' });
    agent.end();
    await provider.forceFlush();
    await provider.shutdown();
    return traceId;
  }

  for (const [form, Exporter] of [
    ['JSON', JsonExporter],
    ['protobuf', ProtobufExporter],
  ] as const) {
    for (const compression of ['none', 'gzip'] as const) {
      it(`are kept as the exporter of OpenTelemetry sends them (${form}, ${compression})`, async () => {
        const url = `${service.ready.url!}/v1/traces`;
        const headers = { 'X-API-KEY': firstKey };
        const id = await send(new Exporter({ url, headers, compression: compression as never }));
        const { spans } = await traceOf(id);
        const agent = spans.find(({ name }: Loose) => name === 'agent');
        const chat = spans.find(({ name }: Loose) => name === 'chat gpt-4o');
        assert.equal(spans.length, 2);
        assert.equal(chat.parent_id, agent.span_id);
        assert.deepEqual(agent.attributes, { deep: ['a', 'ß'], big: 2 ** 53 });
        assert.deepEqual(agent.status, {
          status_code: 'StatusCode.ERROR',
          description: 'no weather',
        });
        assert.equal(agent.resource.attributes['service.name'], 'agent');
        assert.deepEqual(agent.resource.scope, { name: 'test', version: '1.2.3' });
        assert.equal(agent.request_log_id, null);
        assert.equal(chat.events[0].name, 'first token');
        assert.ok(Math.abs(Date.parse(chat.start_time) - Date.now()) < 60_000, chat.start_time);
        const logged = await requestOf(chat.request_log_id);
        assert.deepEqual([logged.provider, logged.model], ['openai', 'gpt-4o']);
        assert.deepEqual([logged.input_tokens, logged.output_tokens], [1000, 100]);
        assert.ok(Math.abs(logged.price - 0.0035) < 1e-9, String(logged.price));
        assert.equal(logged.trace_id, id);
        const { messages } = logged.prompt_blueprint.prompt_template;
        assert.equal(messages[0].content[0].text, 'How is the weather?');
        assert.equal(messages[1].tool_calls[0].function.name, 'weather');
        assert.equal(messages[1].tool_calls[0].function.arguments, '{"city":"Ulm"}');
        assert.equal(logged.prompt_blueprint.metadata.model.parameters.temperature, 0.5);
      });
    }
  }

  it('that an exporter sends with a wrong key are refused', async () => {
    const url = `${service.ready.url!}/v1/traces`;
    const results: number[] = [];
    const exporter = new ProtobufExporter({ url, headers: { 'X-API-KEY': 'wrong' } });
    const provider = new NodeTracerProvider({
      spanProcessors: [
        new SimpleSpanProcessor({
          export: (spans, done) =>
            exporter.export(spans, (result) => {
              results.push(result.code);
              done(result);
            }),
          shutdown: () => exporter.shutdown(),
        }),
      ],
    });
    provider.getTracer('x').startSpan('lost').end();
    await assert.rejects(provider.forceFlush(), (errors) => /Unauthorized/.test(String(errors)));
    await provider.shutdown();
    assert.deepEqual(results, [1]);
  });

  it('keep what fits and say what does not', async () => {
    const id = hex(32);
    const faulty = [
      otlp('short', hex(16)),
      otlp(id, '0'.repeat(16)),
      otlp(id, hex(16), { startTimeUnixNano: 'yesterday' }),
      otlp(id, hex(16), { kind: 'client' }),
      otlp(id, hex(16), { name: 7 }),
      otlp(id, hex(16), { attributes: [text('much', 'x'.repeat(1_000_001))] }),
    ];
    const answer = await rejected(exporting(otlp(id, hex(16)), ...faulty));
    assert.equal(answer.rejectedSpans, faulty.length);
    assert.match(answer.errorMessage, /traceId/);
    assert.equal((await traceOf(id)).spans.length, 1);
    assert.equal(await rejected({}), null);
  });

  it('are the same when an exporter sends them again, and logged once', async () => {
    const id = hex(32);
    const attributes = [text('gen_ai.request.model', 'my-own'), count('n', '9007199254740993')];
    const one = otlp(id.toUpperCase(), hex(16), { attributes });
    assert.equal(await rejected(exporting(one, one)), null);
    const first = await traceOf(id);
    assert.equal(await rejected(exporting({ ...one, name: 'another' })), null);
    assert.deepEqual(await traceOf(id), first);
    assert.equal(first.spans.length, 1);
    assert.equal(first.spans[0].start_time, '2026-03-01T10:00:00.000000001Z');
    const { text: raw } = await api.call('GET', `/api/public/v2/traces/${id}`);
    assert.match(raw, /"n":9007199254740993[,}]/);
    const found: Loose = await api.expect(200, 'POST', '/api/public/v2/requests/search', {
      filter_group: { filters: [{ field: 'engine', operator: 'is', value: 'my-own' }] },
    });
    assert.equal(found.total, 1);
  });

  it('log only spans that ask a model, whatever convention they follow', async () => {
    const id = hex(32);
    const model = text('gen_ai.request.model', 'm');
    const operation = (name: string) => [model, text('gen_ai.operation.name', name)];
    const event = (name: string, ...attributes: object[]) => ({ name, attributes });
    const spans = [
      otlp(id, hex(16), { name: 'tool', attributes: operation('execute_tool') }),
      otlp(id, hex(16), { name: 'invoke', attributes: operation('invoke_agent') }),
      otlp(id, hex(16), { name: 'no model', attributes: [text('gen_ai.system', 'openai')] }),
      otlp(id, hex(16), {
        name: 'spread',
        attributes: [
          model,
          text('gen_ai.system', 'vertex_ai'),
          text('gen_ai.prompt.0.role', 'system'),
          text('gen_ai.prompt.0.content', 'Be brief'),
          text('gen_ai.prompt.1.role', 'user'),
          text('gen_ai.prompt.1.content', 'Hi'),
          text('gen_ai.completion.0.role', 'assistant'),
          text('gen_ai.completion.0.content', 'Hello'),
          count('gen_ai.usage.prompt_tokens', '7'),
        ],
      }),
      otlp(id, hex(16), {
        name: 'events',
        attributes: [model, text('error.type', 'timeout')],
        status: { code: 2, message: 'too late' },
        events: [
          event('gen_ai.system.message', text('content', 'Be brief')),
          event('gen_ai.user.message', text('content', 'Hi')),
          event('gen_ai.choice', text('message', '{"role":"assistant","content":"Hello"}')),
        ],
      }),
    ];
    assert.equal(await rejected(exporting(...spans)), null);
    const kept: Loose[] = (await traceOf(id)).spans;
    const logged = kept.filter((span) => span.request_log_id !== null);
    assert.deepEqual(logged.map(({ name }) => name).sort(), ['events', 'spread']);
    for (const { request_log_id: requestId } of logged) {
      const { prompt_blueprint: blueprint } = await requestOf(requestId);
      const said = blueprint.prompt_template.messages.map((one: Loose) => [
        one.role,
        one.content[0].text,
      ]);
      assert.deepEqual(said, [
        ['system', 'Be brief'],
        ['user', 'Hi'],
        ['assistant', 'Hello'],
      ]);
    }
    const byName = async (name: string) =>
      requestOf(logged.find((span) => span.name === name)?.request_log_id);
    const spread = await byName('spread');
    assert.deepEqual(
      [spread.provider, spread.input_tokens, spread.price],
      ['vertexai', 7, undefined],
    );
    const failed = await byName('events');
    assert.deepEqual(
      [failed.status, failed.error_type, failed.error_message],
      ['ERROR', 'PROVIDER_TIMEOUT', 'too late'],
    );
  });

  it('of requests that the client logs itself are no requests beside them', async () => {
    const [id, run, call] = [hex(32), hex(16), hex(16)];
    const managed = [
      text('gen_ai.request.model', 'gpt-4o'),
      text('gen_ai.operation.name', 'chat'),
      count('gen_ai.usage.input_tokens', '7'),
      { key: 'promptlayer.request_log.managed', value: { boolValue: true } },
      text('promptlayer.request_log.span_id', run),
    ];
    const child = otlp(id, call, { name: 'chat', parentSpanId: run, attributes: managed });
    assert.equal(await rejected(exporting(child)), null);
    const logged: Loose = await api.expect(200, 'POST', '/track-request', {
      function_name: 'openai.chat.completions.create',
      provider_type: 'openai',
      kwargs: { model: 'gpt-4o', messages: [] },
      request_start_time: '2026-03-01T10:00:00Z',
      request_end_time: '2026-03-01T10:00:01Z',
      request_response: {},
      span_id: run,
    });
    assert.equal(await rejected(exporting(otlp(id, run, { name: 'PromptLayer Run' }))), null);
    const ids = Object.fromEntries(
      (await traceOf(id)).spans.map((one: Loose) => [one.name, one.request_log_id]),
    );
    assert.deepEqual(ids, { 'PromptLayer Run': logged.request_id, chat: null });
  });

  it('know the request that a client has logged for a span before it ended', async () => {
    const [id, spanId] = [hex(32), hex(16)];
    const run: Loose = await api.expect(200, 'POST', '/track-request', {
      function_name: 'openai.chat.completions.create',
      provider_type: 'openai',
      args: [],
      kwargs: { model: 'gpt-4o', messages: [] },
      request_start_time: '2026-03-01T10:00:00Z',
      request_end_time: '2026-03-01T10:00:01Z',
      request_response: {},
      span_id: spanId,
    });
    const span = otlp(id, spanId, { attributes: [text('gen_ai.request.model', 'gpt-4o')] });
    assert.equal(await rejected(exporting(span)), null);
    assert.equal((await traceOf(id)).spans[0].request_log_id, run.request_id);
    assert.equal((await requestOf(run.request_id)).trace_id, id);
  });

  it('of a call that a proxy of the public client logs are that request, whichever comes first', async () => {
    const proxied = (around: string, more: object = {}): Promise<Loose> =>
      api.expect(200, 'POST', '/track-request', {
        ...{ function_name: 'openai.chat.completions.create', provider_type: 'openai' },
        kwargs: { model: 'gpt-4o', messages: [{ role: 'user', content: 'Hi' }] },
        request_start_time: '2026-03-01T10:00:00.000Z',
        request_end_time: '2026-03-01T10:00:01.501Z',
        request_response: { choices: [{ message: { role: 'assistant', content: 'Yo' } }] },
        ...{ tags: ['proxy'], span_id: around, ...more },
      });
    const inside = (id: string, around: string, model = 'gpt-4o'): object =>
      otlp(id, hex(16), {
        name: 'chat',
        parentSpanId: around,
        attributes: [text('gen_ai.request.model', model), text('gen_ai.system', 'OpenAI')],
      });
    const loggedAs = async (id: string): Promise<readonly number[]> =>
      ((await traceOf(id)).spans as Loose[])
        .filter((one) => one.name === 'chat')
        .map((one) => one.request_log_id as number);

    for (const order of ['span, request', 'request, span', 'request, around, span'] as const) {
      const [id, around] = [hex(32), hex(16)];
      const span = async (): Promise<void> =>
        assert.equal(await rejected(exporting(inside(id, around))), null);
      const outer = async (): Promise<void> =>
        assert.equal(
          await rejected(exporting(otlp(id, around, { name: 'openai.chat.completions.create' }))),
          null,
        );
      if (order === 'span, request') await span();
      const { request_id: request } = await proxied(around);
      if (order === 'request, around, span') await outer();
      if (order !== 'span, request') await span();
      if (order !== 'request, around, span') await outer();
      assert.deepEqual(await loggedAs(id), [request], order);
      const logged = await requestOf(request);
      assert.deepEqual([logged.trace_id, logged.tags], [id, ['proxy']], order);
    }

    // Anything less is no certainty: each is a request of its own.
    const others: readonly (readonly [string, (id: string, around: string) => object[], object])[] =
      [
        ['two spans', (id, around) => [inside(id, around), inside(id, around)], {}],
        ['another model', (id, around) => [inside(id, around, 'gpt-4.1')], {}],
        [
          'another time',
          (id, around) => [inside(id, around)],
          { request_end_time: '2026-03-01T10:00:00.900Z' },
        ],
        ['another function', (id, around) => [inside(id, around)], { function_name: 'answer' }],
        ['a span beside', (id) => [inside(id, hex(16))], {}],
      ];
    for (const [what, spans, more] of others)
      for (const isFirst of [true, false]) {
        const [id, around] = [hex(32), hex(16)];
        const all = exporting(...spans(id, around));
        if (isFirst) assert.equal(await rejected(all), null);
        const { request_id: request } = await proxied(around, more);
        if (!isFirst) assert.equal(await rejected(all), null);
        const ids = await loggedAs(id);
        assert.equal(new Set([request, ...ids]).size, ids.length + 1, what);
      }
  });

  it('take nothing after they are closed, and others of the same request are kept', async () => {
    const [closed, open] = [hex(32), hex(32)];
    await api.expect(200, 'POST', '/v1/traces?close_after=true', exporting(otlp(closed, hex(16))));
    const mixed = exporting(otlp(closed, hex(16)), otlp(open, hex(16)));
    const { status, body } = await api.call('POST', '/v1/traces', mixed);
    assert.equal(status, 409);
    assert.deepEqual((body as Loose).trace_ids, [closed]);
    assert.equal((await traceOf(closed)).spans.length, 1);
    assert.equal((await traceOf(open)).spans.length, 1);
    const again: Loose = await api.call('POST', `/api/public/v2/traces/${closed}/close`);
    assert.equal(again.status, 409);
    await api.expect(201, 'POST', `/api/public/v2/traces/${open}/close`);
  });

  it('are kept once and whole when many send parts of them at the same time', async function () {
    this.timeout(60_000);
    const ids = [hex(32), hex(32), hex(32)];
    const spanIds = Array.from({ length: 60 }, () => hex(16));
    const attributes = [text('gen_ai.request.model', 'crowd')];
    const batch = (at: number) =>
      exporting(
        ...spanIds
          .slice(at, at + 20)
          .map((spanId, index) => otlp(ids[(at + index) % 3]!, spanId, { attributes })),
      );
    const starts = [0, 10, 20, 30, 40, 0, 10, 20, 30, 40];
    await Promise.all(starts.map(async (at) => api.expect(200, 'POST', '/v1/traces', batch(at))));
    const kept = await Promise.all(ids.map(traceOf));
    const all: Loose[] = kept.flatMap(({ spans }) => spans);
    assert.equal(new Set(all.map((span) => span.request_log_id)).size, all.length);
    const found: Loose = await api.expect(200, 'POST', '/api/public/v2/requests/search', {
      filter_group: { filters: [{ field: 'engine', operator: 'is', value: 'crowd' }] },
    });
    assert.equal(found.total, all.length);
  });

  it('fill the column that a client has made for them, however that is written', async () => {
    const [id, root] = [hex(32), hex(16)];
    assert.equal(await rejected(exporting(otlp(id, root, { name: 'agent' }))), null);
    const { tableId, sheetId, path } = await api.newSheet();
    await api.expect(201, 'POST', `${path}/columns`, { title: 'Trace', type: 'TEXT' });
    const added: Loose = await api.expect(
      201,
      'POST',
      '/api/public/v2/dataset-versions/add-trace',
      { trace_id: id, smart_table_id: tableId, sheet_id: sheetId },
    );
    const page: Loose = await api.get(`${path}/rows`);
    const titles: string[] = page.columns.map(({ title }: Loose) => title);
    assert.deepEqual(titles.slice(-1), ['Trace']);
    const row = page.data.find((one: Loose) => one.row_index === added.row_index);
    assert.equal(row.cells[page.columns.at(-1).id].value.trace_id, id);
  });

  it('tell their price and latency in system columns beside their column', async () => {
    const { tableId, sheetId, path } = await api.newSheet();
    const addedOf = async (...spans: readonly object[]): Promise<number> => {
      assert.equal(await rejected(exporting(...spans)), null);
      const added: Loose = await api.expect(
        201,
        'POST',
        '/api/public/v2/dataset-versions/add-trace',
        { trace_id: id, smart_table_id: tableId, sheet_id: sheetId },
      );
      return Number(added.row_index);
    };
    let id = hex(32);
    let root = hex(16);
    const at = (ms: number): string => String(1_760_000_000_000_000_000n + BigInt(ms) * 1_000_000n);
    const asked = (model: string, from: number, to: number): object =>
      otlp(id, hex(16), {
        parentSpanId: root,
        ...{ startTimeUnixNano: at(from), endTimeUnixNano: at(to) },
        attributes: [
          ...[text('gen_ai.system', 'openai'), text('gen_ai.operation.name', 'chat')],
          text('gen_ai.request.model', model),
          ...[
            count('gen_ai.usage.input_tokens', '1000'),
            count('gen_ai.usage.output_tokens', '100'),
          ],
        ],
      });
    const agent = (): object =>
      otlp(id, root, { name: 'agent', startTimeUnixNano: at(0), endTimeUnixNano: at(100) });
    await api.expect(201, 'POST', `${path}/columns`, { title: 'Trace', type: 'TEXT' });
    // A child may outlive its parent.
    const priced = await addedOf(agent(), asked('gpt-4o', 10, 90), asked('gpt-4o', 20, 178));
    [id, root] = [hex(32), hex(16)];
    const unknown = await addedOf(agent(), asked('gpt-4o', 10, 20), asked('of-nobody', 20, 30));
    [id, root] = [hex(32), hex(16)];
    const silent = await addedOf(agent());
    const plain: Loose = await api.get(`${path}/rows`);
    // As clients that evaluate by traces ask for them.
    const page: Loose = await api.get(
      `${path}/rows?include_system_columns=true&include_execution_metadata_aggregates=true&include_columns=true`,
    );
    const titles = ({ columns }: Loose): string[] => columns.map(({ title }: Loose) => title);
    assert.deepEqual(titles(plain).slice(-1), ['Trace']);
    assert.deepEqual(titles(page).slice(-3), ['Trace', 'Trace.price', 'Trace.latency']);
    const [price, latency] = page.columns.slice(-2);
    const metricsOf = (index: number): unknown[] => {
      const row = page.data.find((one: Loose) => one.row_index === index);
      return [row.cells[price.id]?.value ?? null, row.cells[latency.id]?.value ?? null];
    };
    const [cost, took] = metricsOf(priced);
    // Two requests of 1,000 and 100 tokens, at 2.5 and 10 dollars a million.
    assert.ok(Math.abs(Number(cost) - 0.007) < 1e-9, String(cost));
    assert.equal(took, 178);
    assert.deepEqual(metricsOf(unknown), [null, 100]);
    assert.deepEqual(metricsOf(silent), [null, 100]);
  });

  it('become rows of a sheet, whole or as a span with its children', async () => {
    const [id, root] = [hex(32), hex(16)];
    const child = (name: string) => otlp(id, hex(16), { name, parentSpanId: root });
    const spans = [otlp(id, root, { name: 'agent' }), child('ask'), child('ask'), child('span')];
    assert.equal(await rejected(exporting(...spans)), null);
    const { tableId, sheetId, path } = await api.newSheet();
    const addTo = (body: object): Promise<Loose> =>
      api.expect(201, 'POST', '/api/public/v2/dataset-versions/add-trace', {
        trace_id: id,
        smart_table_id: tableId,
        sheet_id: sheetId,
        ...body,
      });
    const whole = await addTo({ metadata: { from: 'test' } });
    const part = await addTo({ span_id: root });
    await addTo({ span_id: root });
    assert.deepEqual([whole.mode, part.mode], ['trace', 'span']);
    const page: Loose = await api.get(`${path}/rows`);
    const titles: string[] = page.columns.map(({ title }: Loose) => title);
    assert.deepEqual(titles.slice(-6), ['trace', 'metadata', 'span', 'ask', 'ask 2', 'span 2']);
    const valuesOf = (rowIndex: number): Loose => {
      const row = page.data.find((one: Loose) => one.row_index === rowIndex);
      return Object.fromEntries(
        page.columns.map((column: Loose) => [column.title, row.cells[column.id]?.value ?? null]),
      );
    };
    const first = valuesOf(whole.row_index);
    assert.equal(first.trace.spans.length, 4);
    const [tree, ...others] = first.trace.children;
    assert.equal(others.length, 0);
    assert.deepEqual(
      [tree.name, tree.children.map(({ name }: Loose) => name)],
      ['agent', ['ask', 'ask', 'span']],
    );
    assert.deepEqual(first.metadata, { from: 'test' });
    assert.deepEqual(first.span, null);
    const second = valuesOf(part.row_index);
    assert.deepEqual([second.span.name, second['ask 2'].name], ['agent', 'ask']);
    const refused = await api.call('POST', '/api/public/v2/dataset-versions/add-trace', {
      trace_id: id,
      dataset_group_id: 1,
    });
    assert.equal(refused.status, 400);
    assert.match(refused.text, /no data sets here/);
  });

  it('tell in their row what models answered, as clients that evaluate by them read it', async () => {
    const [id, run, other] = [hex(32), hex(16), hex(16)];
    const answer = { choices: [{ index: 0, message: { role: 'assistant', content: 'Hello.' } }] };
    await api.expect(200, 'POST', '/track-request', {
      ...{ function_name: 'openai.chat.completions.create', provider_type: 'openai' },
      kwargs: { model: 'gpt-4o', messages: [] },
      request_start_time: '2026-03-01T10:00:00Z',
      request_end_time: '2026-03-01T10:00:01Z',
      ...{ request_response: answer, span_id: run },
    });
    const told = otlp(id, other, {
      name: 'chat',
      parentSpanId: run,
      attributes: [
        text('gen_ai.request.model', 'm'),
        text('gen_ai.completion.0.role', 'assistant'),
        text('gen_ai.completion.0.content', 'Yes.'),
      ],
    });
    const failed = otlp(id, hex(16), {
      ...{ name: 'chat', parentSpanId: run, status: { code: 2, message: 'no' } },
      attributes: [text('gen_ai.request.model', 'm')],
    });
    assert.equal(await rejected(exporting(told, failed, otlp(id, run, { name: 'run' }))), null);
    const { tableId, sheetId, path } = await api.newSheet();
    await api.expect(201, 'POST', '/api/public/v2/dataset-versions/add-trace', {
      ...{ trace_id: id, smart_table_id: tableId, sheet_id: sheetId },
    });
    const page: Loose = await api.get(`${path}/rows`);
    const { id: column } = page.columns.find(({ title }: Loose) => title === 'trace');
    const [tree] = page.data.at(-1).cells[column].value.children;
    assert.deepEqual(tree.request_log.request_response, answer);
    const [yes, none] = tree.children;
    assert.deepEqual(yes.request_log.request_response.content, [{ type: 'text', text: 'Yes.' }]);
    assert.equal(none.request_log, undefined);
  });

  it('that leave little room in a row keep a tree of what fits, and say what does not', async () => {
    const [id, run] = [hex(32), hex(16)];
    const answer = { choices: [{ index: 0, message: { role: 'assistant', content: 'Hello.' } }] };
    await api.expect(200, 'POST', '/track-request', {
      ...{ function_name: 'openai.chat.completions.create', provider_type: 'openai' },
      kwargs: { model: 'gpt-4o', messages: [] },
      request_start_time: '2026-03-01T10:00:00Z',
      request_end_time: '2026-03-01T10:00:01Z',
      ...{ request_response: answer, span_id: run },
    });
    const inside = { parentSpanId: run };
    const long = otlp(id, hex(16), {
      ...{ ...inside, name: 'chat' },
      attributes: [
        text('gen_ai.request.model', 'm'),
        text('gen_ai.completion.0.role', 'assistant'),
        text('gen_ai.completion.0.content', 'x'.repeat(200_000)),
      ],
    });
    const wide = otlp(id, hex(16), {
      ...{ ...inside, name: 'wide' },
      attributes: [text('page', 'y'.repeat(700_000))],
    });
    assert.equal(await rejected(exporting(long, wide, otlp(id, run, { name: 'run' }))), null);
    const { tableId, sheetId, path } = await api.newSheet();
    await api.expect(201, 'POST', '/api/public/v2/dataset-versions/add-trace', {
      ...{ trace_id: id, smart_table_id: tableId, sheet_id: sheetId },
      metadata: { note: 'z'.repeat(1000) },
    });
    const page: Loose = await api.get(`${path}/rows`);
    const { id: column } = page.columns.find(({ title }: Loose) => title === 'trace');
    const trace = page.data.at(-1).cells[column].value;
    assert.equal(trace.spans.length, 3);
    assert.match(trace.children_left_out, /too long: 1 response of models\./);
    const [tree] = trace.children;
    assert.deepEqual(tree.request_log.request_response, answer);
    assert.deepEqual(
      tree.children.map(({ name, request_log: log }: Loose) => [name, log]),
      [
        ['chat', undefined],
        ['wide', undefined],
      ],
    );
  });

  it('have an end to their length', async function () {
    this.timeout(60_000);
    const id = hex(32);
    const some = (length: number) => exporting(...Array.from({ length }, () => otlp(id, hex(16))));
    await api.expect(413, 'POST', '/v1/traces', some(10_001));
    assert.equal(await rejected(some(9_999)), null);
    const answer = await rejected(some(3));
    assert.equal(answer.rejectedSpans, 2);
    assert.match(answer.errorMessage, /10,000 spans/);
    assert.equal((await traceOf(id)).spans.length, 10_000);
  });

  it('are refused in a form that nobody asked for', async () => {
    const send = async (raw: Uint8Array | string, headers: Readonly<Record<string, string>>) =>
      (await api.call('POST', '/v1/traces', undefined, { raw, headers })).status;
    const protobuf = { 'content-type': 'application/x-protobuf' };
    const gzip = { 'content-encoding': 'gzip' };
    assert.equal(await send('x', { 'content-type': 'text/plain' }), 415);
    assert.equal(await send('{}', { 'content-encoding': 'br' }), 415);
    assert.equal(await send('{}', gzip), 422);
    assert.equal(await send(gzipSync('{}'), gzip), 200);
    assert.equal(await send(gzipSync(' '.repeat(21 * 2 ** 20)), gzip), 413);
    assert.equal(await send('', protobuf), 200);
    for (const bytes of [
      [0x0a],
      [0x0a, 0x05, 0x01],
      [0x0a, 0x02, 0x12, 0xff, 0x7f],
      [0xff, 0xff, 0xff],
      [0x07],
    ]) {
      assert.equal(await send(Uint8Array.from(bytes), protobuf), 422, String(bytes));
    }
    // Fields that are newer than this service are passed over.
    assert.equal(await send(Uint8Array.from([0x7a, 0x01, 0x41]), protobuf), 200);
    const nested = Buffer.concat([Buffer.from([0x0a]), Buffer.alloc(300, 0x0a)]);
    assert.ok([200, 422].includes(await send(nested, protobuf)));
  });

  it('belong to the workspace of their key', async () => {
    const [id, spanId] = [hex(32), hex(16)];
    const other = service.withKey(secondKey);
    assert.equal(await rejected(exporting(otlp(id, spanId))), null);
    await other.expect(404, 'GET', `/api/public/v2/traces/${id}`);
    await other.expect(404, 'POST', `/api/public/v2/traces/${id}/close`);
    await other.expect(200, 'POST', '/v1/traces', exporting(otlp(id, spanId, { name: 'theirs' })));
    assert.equal((await traceOf(id)).spans[0].name, 'step');
  });
});
