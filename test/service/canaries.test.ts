/**
 * Doors of the local service: keys of every provider are set to canaries, prompts and columns name a
 * listener that nobody has chosen, in every way that there is, and nothing arrives there.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Client as McpClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { Client, silentLogger } from '../../src/core/index.ts';
import { providerNames } from '../../src/core/providers/registry.ts';
import { addressesAt, canaryKeys, canaryMark } from '../support/canaries/keys.ts';
import { everyParameter, nestings } from '../support/canaries/parameters.ts';
import type { Asked } from '../support/canaries/prompts.ts';
import { askedProviders, promptText, smuggled } from '../support/canaries/prompts.ts';
import type { FakeProvider } from '../support/providers/fake-provider.ts';
import { startFakeProvider } from '../support/providers/fake-provider.ts';
import { chatTemplate, startFakeService } from '../support/providers/fake-service.ts';
import { evalsEntry, mcpEntry } from '../support/service-entry.ts';
import type { Api } from './support/api.ts';
import type { Loose } from './support/loose.ts';
import { firstKey, RunningService } from './support/running-service.ts';
import { metricsOf, SheetRun } from './support/sheet-run.ts';
import { until } from '../support/until.ts';

const bait = 'bait-7e1a';
const entries = { evals: evalsEntry, mcp: mcpEntry };

describe('Keys of providers and the doors of the local service', function () {
  this.timeout(60_000);
  let chosen: FakeProvider;
  let stranger: FakeProvider;
  let service: RunningService;
  let api: Api;
  let asked: Asked;
  let count = 0;

  before(async () => {
    chosen = await startFakeProvider(({ json, path: place }) =>
      asked.row.answer(json['stream'] === true || /stream/i.test(place), 'true'),
    );
    stranger = await startFakeProvider(() => ({ status: 400, body: { error: 'no' } }));
    service = await RunningService.start({
      environment: { ...canaryKeys, ...addressesAt(chosen.url), PROMPT_TABLES_ALLOWED_HOSTS: '' },
    });
    ({ api } = service);
  });
  after(async () => {
    await service.stop();
    await Promise.all([chosen.close(), stranger.close()]);
  });

  const seen = ({ requests }: FakeProvider): string =>
    requests
      .map(({ path: place, query, headers, text }) =>
        [place, query.toString(), JSON.stringify(headers), text].join('\n'),
      )
      .join('\n');

  function assertKept(before: number, least: number): void {
    assert.equal(stranger.requests.length, 0, seen(stranger));
    assert.ok(chosen.requests.length >= before + least, String(chosen.requests.length - before));
    assert.doesNotMatch(seen(chosen), new RegExp(bait));
  }

  /** Every parameter as clients spell it, and once more, spelled and nested anew each time. */
  function baits(): Record<string, unknown> {
    const places = Object.values(nestings);
    count += 1;
    const all = (spelling: number) => everyParameter({ url: stranger.url, mark: bait }, spelling);
    return { ...all(0), ...all(2), ...places[count % places.length]?.(all(count)) };
  }

  const modelOf = (parameters: object): object => ({
    model: { provider: asked.provider, name: asked.model, parameters },
  });
  const inline = (text: string, parameters: object): object => ({
    inline_template: {
      inline: true,
      prompt_template: promptText(text),
      metadata: modelOf(parameters),
      ...smuggled(stranger.url, asked.provider),
    },
    prompt_template_variable_mappings: { word: 'Word' },
  });

  async function publish(name: string): Promise<void> {
    await api.expect(200, 'POST', '/rest/prompt-templates', {
      prompt_template: { prompt_name: name },
      prompt_version: {
        prompt_template: promptText('registry {word}'),
        metadata: modelOf(baits()),
        ...smuggled(stranger.url, asked.provider),
      },
    });
  }

  const engine = (): object => ({
    provider: asked.provider,
    model: asked.model,
    parameters: baits(),
    ...baits(),
  });

  const openAi = (): Asked => {
    const found = askedProviders.find(({ provider }) => provider === 'openai');
    assert.ok(found);
    return found;
  };

  it('are tried with every provider', () => {
    const tried = new Set(askedProviders.map(({ provider }) => provider));
    assert.deepEqual(
      providerNames.filter((name) => !tried.has(name)),
      [],
    );
  });

  for (const one of askedProviders) {
    it(`${one.provider}, ${one.model}: cells and nodes lead nobody anywhere else`, async () => {
      asked = one;
      const before = chosen.requests.length;
      const name = `shout ${String(before)}`;
      await publish(name);
      const sheet = await SheetRun.of(api, 'Word\none');
      const stored = { template: { name }, prompt_template_variable_mappings: { word: 'Word' } };
      const columns = [
        await sheet.add('PROMPT_TEMPLATE', stored, 'Registry'),
        await sheet.add('PROMPT_TEMPLATE', { ...stored, engine: engine() }, 'Engine'),
        await sheet.add('PROMPT_TEMPLATE', inline('inline {word}', baits()), 'Inline'),
        await sheet.add(
          'PROMPT_TEMPLATE',
          { ...inline('both {word}', baits()), engine: engine(), ...baits() },
          'Both',
        ),
      ];
      await sheet.run();
      for (const column of columns) {
        const cell = await sheet.cell(column);
        assert.equal(cell.status, 'completed', JSON.stringify(cell));
        const [id] = (metricsOf(cell) as unknown as { request_ids: number[] }).request_ids;
        const logged = await api.call('GET', `/api/public/v2/requests/${String(id)}`);
        assert.match(logged.text, /"ignored_parameters":"[^"]+/);
        assert.doesNotMatch(logged.text, new RegExp(canaryMark));
      }
      const node = (title: string, configuration: object): object => ({
        ...{ name: title, node_type: 'PROMPT_TEMPLATE', configuration },
        ...{ dependencies: ['word'], is_output_node: true },
      });
      const flow = `flow ${name}`;
      const own = { prompt_template_variable_mappings: { word: 'word' } };
      await api.expect(201, 'POST', '/rest/workflows', {
        name: flow,
        nodes: [
          node('registry', { ...stored, ...own, engine: engine() }),
          node('inline', { ...inline('node {word}', baits()), ...own, engine: engine() }),
        ],
        required_input_variables: { word: 'string' },
      });
      const begun: Loose = await api.expect(
        201,
        'POST',
        `/workflows/${encodeURIComponent(flow)}/run`,
        { input_variables: { word: 'one' }, metadata: { base_url: stranger.url } },
      );
      const results = `/workflow-version-execution-results?workflow_version_execution_id=${String(begun.workflow_version_execution_id)}&return_all_outputs=true`;
      const { text } = await until('the run has ended', async () => {
        const answer = await api.call('GET', results);
        return answer.status === 200 && answer;
      });
      assert.equal(text.match(/"status":"SUCCESS"/g)?.length, 2, text);
      assertKept(before, 6);
      await until('it is in the log', () => /Ignored parameters/.test(service.log));
      assert.doesNotMatch(service.log, new RegExp(canaryMark));
    });

    it(`${one.provider}, ${one.model}: clients of the service lead nobody anywhere else`, async () => {
      asked = one;
      const before = chosen.requests.length;
      const name = `client ${String(before)}`;
      await publish(name);
      const found: Readonly<Record<string, string>> = { ...canaryKeys, ...addressesAt(chosen.url) };
      const client = new Client({
        ...{ apiKey: firstKey, baseURL: service.ready.url, environment: {}, logger: silentLogger },
        providerEnvironment: (variable) => found[variable],
      });
      try {
        const runOptions = {
          promptName: name,
          inputVariables: { word: 'one' },
          modelParameterOverrides: baits(),
        };
        const { request_id: id } = await client.run(runOptions);
        for await (const chunk of await client.run({ ...runOptions, stream: true }))
          assert.ok(chunk);
        // What was logged runs again, with what somebody has put into its parameters meanwhile.
        const request = await client.requests.get(Number(id));
        const blueprint = request.prompt_blueprint as Loose;
        await client.run({
          promptName: 'replay',
          promptBlueprint: { ...blueprint, metadata: modelOf({ ...baits(), ...baits() }) },
        });
      } finally {
        await client.close();
      }
      assertKept(before, 3);
    });
  }

  it('requests that somebody else has logged lead nobody anywhere else when they run again', async () => {
    asked = openAi();
    const before = chosen.requests.length;
    const messages = [{ role: 'user', content: 'Hi' }];
    const now = new Date().toISOString();
    const times = { request_start_time: now, request_end_time: now };
    const tracked: Loose = await api.expect(200, 'POST', '/track-request', {
      ...{ function_name: 'openai.chat.completions.create', provider_type: 'openai', args: [] },
      kwargs: { model: asked.model, messages, ...baits() },
      request_response: { choices: [{ index: 0, message: { role: 'assistant', content: 'Ho' } }] },
      ...times,
    });
    const template = { ...promptText('Hi'), ...smuggled(stranger.url, asked.provider) };
    const logged: Loose = await api.expect(201, 'POST', '/log-request', {
      ...{ provider: asked.provider, model: asked.model, parameters: baits() },
      ...{ input: template, output: template },
      ...times,
    });
    const found: Readonly<Record<string, string>> = { ...canaryKeys, ...addressesAt(chosen.url) };
    const client = new Client({
      ...{ apiKey: firstKey, baseURL: service.ready.url, environment: {}, logger: silentLogger },
      providerEnvironment: (variable) => found[variable],
    });
    try {
      for (const id of [Number(tracked.request_id), Number(logged.id)]) {
        const { prompt_blueprint: blueprint } = await client.requests.get(id);
        await client.run({ promptName: 'replay', promptBlueprint: blueprint as Loose });
      }
    } finally {
      await client.close();
    }
    assertKept(before, 2);
    // Arguments of a call hold the key that it was made with: none is kept.
    const kept = await api.call('GET', `/api/public/v2/requests/${String(tracked.request_id)}`);
    assert.doesNotMatch(kept.text, new RegExp(`${bait}|${new URL(stranger.url).host}`));
  });

  it('statements that a model judges, and the command that evaluates, lead nobody anywhere else', async () => {
    asked = openAi();
    const before = chosen.requests.length;
    const sheet = await SheetRun.of(api, 'Word\none\ntwo');
    const judge = { source: 'Word', prompt: 'it is a word', engine: engine(), ...baits() };
    await sheet.add('LLM_ASSERTION', judge, 'Judge');
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [entries.evals, '--table', sheet.place.tableId, '--sheet', sheet.place.sheetId],
      {
        env: {
          ...process.env,
          ...canaryKeys,
          PROMPTLAYER_API_KEY: firstKey,
          PROMPTLAYER_BASE_URL: service.ready.url,
          PROMPT_TABLES_MODEL: 'openai/gpt-4o-mini',
        },
      },
    ).catch((error: unknown) => error as { readonly stdout: string });
    assert.ok(stdout.length > 0);
    assertKept(before, 2);
  });

  /** Calls the tool that runs a prompt; `answer`: what a person says who can be asked. */
  async function callTool(
    baseURL: string,
    prompt: string,
    answer?: 'accept' | 'decline',
    ...args: readonly string[]
  ) {
    const errors: string[] = [];
    const questions: string[] = [];
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [entries.mcp, '--allow-changes', ...args],
      env: {
        ...canaryKeys,
        ...addressesAt(chosen.url),
        PROMPTLAYER_API_KEY: firstKey,
        PROMPTLAYER_BASE_URL: baseURL,
      },
      stderr: 'pipe',
    });
    transport.stderr?.on('data', (chunk: Buffer) => errors.push(chunk.toString()));
    const client = new McpClient(
      { name: 'test', version: '1.0.0' },
      { capabilities: answer === undefined ? {} : { elicitation: {} } },
    );
    if (answer !== undefined) {
      client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
        questions.push(params.message);
        // The run itself is agreed to; what is asked about is the address.
        const isRun = params.message.startsWith('Run the prompt');
        return { action: isRun ? 'accept' : answer, content: {} };
      });
    }
    await client.connect(transport);
    const { isError, content } = await client.callTool({
      name: 'run_prompt_template',
      arguments: { prompt, variables: { word: 'one' } },
    });
    await client.close();
    const text = JSON.stringify(content);
    return { isError: isError === true, text, errors: errors.join(''), questions };
  }

  it('a tool over MCP leads nobody anywhere else, and says what was ignored', async () => {
    asked = openAi();
    const before = chosen.requests.length;
    await publish('tool');
    const { isError, text, errors } = await callTool(service.ready.url ?? '', 'tool');
    assert.equal(isError, false, text);
    assertKept(before, 1);
    assert.match(errors, /Ignored parameters/);
  });

  it('a tool over MCP asks before it goes to an address of the workspace', async () => {
    asked = openAi();
    const gateway = await startFakeProvider(() => asked.row.answer(false, 'fine'));
    const base = { id: 1, name: 'Gateway', provider: 'openai', url: `${gateway.url}/v1` };
    const hosted = await startFakeService({ greeting: chatTemplate({ provider_base_url: base }) });
    try {
      for (const answer of [undefined, 'decline'] as const) {
        const { isError, text } = await callTool(hosted.url, 'greeting', answer);
        assert.ok(isError);
        assert.match(text, /this address was not allowed/);
        assert.equal(gateway.requests.length, 0);
      }
      const { isError, questions } = await callTool(hosted.url, 'greeting', 'accept');
      assert.equal(isError, false);
      assert.ok(questions.every((question) => question.includes(gateway.url)));
      assert.equal(questions.length, 2);
      assert.equal(gateway.requests.length, 1);
      const listed = ['--allow-address', gateway.url];
      assert.equal((await callTool(hosted.url, 'greeting', undefined, ...listed)).isError, false);
      assert.equal(gateway.requests.length, 2);
      assert.equal(stranger.requests.length, 0);
    } finally {
      await Promise.all([gateway.close(), hosted.close()]);
    }
  });
});
