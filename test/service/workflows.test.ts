import assert from 'node:assert/strict';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { WebSocket } from 'ws';
import type { FakeProvider, ProviderScript } from '../support/providers/fake-provider.ts';
import { startFakeProvider } from '../support/providers/fake-provider.ts';
import { timeLimit } from '../support/time-limit.ts';
import type { Api } from './support/api.ts';
import { onEachBackend } from './support/backends.ts';
import { letLeasesRunOut } from './support/leases.ts';
import type { Loose } from './support/loose.ts';
import type { RunningService } from './support/running-service.ts';
import { secondKey } from './support/running-service.ts';
import { until } from '../support/until.ts';

const variable = (name: string, value: unknown, rest: object = {}) => ({
  name,
  node_type: 'VARIABLE',
  configuration: { value: { type: typeof value === 'string' ? 'string' : 'json', value } },
  is_output_node: false,
  ...rest,
});
const code = (name: string, source: string, dependencies: string[] = [], rest: object = {}) => ({
  name,
  node_type: 'CODE_EXECUTION',
  configuration: { code: source, language: 'JAVASCRIPT' },
  dependencies,
  is_output_node: false,
  ...rest,
});
const output = { is_output_node: true };

const echo: ProviderScript = ({ json }) => {
  const messages = json['messages'] as { content: string }[];
  return {
    body: {
      id: 'c',
      object: 'chat.completion',
      created: 1,
      model: 'gpt-4o',
      choices: [
        {
          index: 0,
          finish_reason: 'stop',
          message: { role: 'assistant', content: `echo: ${messages.at(-1)?.content ?? ''}` },
        },
      ],
      usage: { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 },
    },
  };
};

onEachBackend('Workflows', (backend) => {
  let service: RunningService;
  let provider: FakeProvider;
  let script: ProviderScript = echo;
  let api: Api;
  let other: Api;
  let count = 0;
  before(async () => {
    provider = await startFakeProvider((request, number) => script(request, number));
    service = await backend.start({
      environment: { OPENAI_API_KEY: 'sk-canary', OPENAI_BASE_URL: `${provider.url}/v1` },
    });
    api = service.api;
    other = service.withKey(secondKey);
    await api.expect(200, 'POST', '/rest/prompt-templates', {
      prompt_template: { prompt_name: 'node prompt' },
      prompt_version: {
        prompt_template: {
          type: 'chat',
          messages: [{ role: 'user', content: [{ type: 'text', text: 'Say {word}' }] }],
        },
        metadata: { model: { provider: 'openai', name: 'gpt-4o', parameters: {} } },
      },
      release_labels: ['prod'],
    });
  });
  beforeEach(() => {
    script = echo;
  });
  after(() => provider.close());

  const create = async (nodes: object[], rest: object = {}): Promise<Loose> =>
    api.expect(201, 'POST', '/rest/workflows', {
      name: `workflow ${String((count += 1))}`,
      nodes,
      ...rest,
    });
  const start = async (name: string, body: object = {}): Promise<number> => {
    const path = `/workflows/${encodeURIComponent(name)}/run`;
    const started: Loose = await api.expect(201, 'POST', path, body);
    return started.workflow_version_execution_id;
  };
  const resultsPath = (id: number, all = false): string =>
    `/workflow-version-execution-results?workflow_version_execution_id=${String(id)}&return_all_outputs=${String(all)}`;
  const finished = async (id: number, all = false): Promise<Loose> => {
    const { status, text } = await until('the workflow has ended', async () => {
      const answer = await api.call('GET', resultsPath(id, all));
      return answer.status !== 202 && answer;
    });
    assert.equal(status, 200, text);
    return JSON.parse(text);
  };
  const run = async (nodes: object[], rest: object = {}, body: object = {}): Promise<Loose> => {
    const { workflow_name: name } = await create(nodes, rest);
    return finished(await start(name, body), true);
  };

  it('are made, changed into versions, read, labelled and listed', async () => {
    const first = await create([variable('a', 1, output)], {
      name: 'a/b of ü',
      release_labels: ['prod'],
      commit_message: 'one',
      external_ids: [{ source: 's', external_id: 'x' }],
    });
    assert.equal(first.version_number, 1);
    assert.deepEqual(first.external_ids, [{ source: 's', external_id: 'x' }]);
    const second: Loose = await api.expect(201, 'POST', '/rest/workflows', {
      workflow_id: first.workflow_id,
      nodes: [variable('a', 2, output), variable('b', 1)],
      required_input_variables: { x: 'string' },
      release_labels: ['next'],
    });
    assert.deepEqual([second.version_number, second.workflow_name], [2, 'a/b of ü']);
    const path = `/workflows/${encodeURIComponent('a/b of ü')}`;
    const patched: Loose = await api.expect(201, 'PATCH', `/rest${path}`, {
      nodes: {
        b: null,
        a: { configuration: { value: { value: 3 } } },
        c: { node_type: 'variable', configuration: { value: { type: 'string', value: 'x' } } },
      },
    });
    assert.deepEqual([patched.version_number, patched.base_version], [3, 2]);
    const got: Loose = await api.get(path);
    assert.deepEqual(
      got.nodes.map((node: Loose) => [node.name, node.node_type, node.configuration.value]),
      [
        ['a', 'VARIABLE', { type: 'json', value: 3 }],
        ['c', 'VARIABLE', { type: 'string', value: 'x' }],
      ],
    );
    assert.deepEqual(got.required_input_variables, { x: 'string' });
    assert.equal(((await api.get(`${path}?version=1`)) as Loose).commit_message, 'one');
    assert.equal(((await api.get(`${path}?label=next`)) as Loose).version, 2);
    assert.equal(((await api.get(`/workflows/${String(first.workflow_id)}`)) as Loose).version, 3);
    await api.expect(422, 'GET', `${path}?label=next&version=1`);
    await api.expect(404, 'GET', `${path}?label=nope`);
    const { release_labels: labels }: Loose = await api.get(`${path}/labels`);
    assert.deepEqual(
      labels.map((one: Loose) => [one.release_label, one.workflow_version_number]),
      [
        ['next', 2],
        ['prod', 1],
      ],
    );
    const listed: Loose = await api.get('/workflows?external_source=s&external_id=x');
    assert.deepEqual(
      listed.items.map((one: Loose) => [one.name, one.latest_version_number, one.release_labels]),
      [['a/b of ü', 3, ['next', 'prod']]],
    );
    await api.expect(400, 'POST', '/rest/workflows', {
      name: 'a/b of ü',
      nodes: [variable('a', 1, output)],
    });
    const unnamed: Loose = await api.expect(201, 'POST', '/rest/workflows', {
      nodes: [variable('a', 1, output)],
    });
    assert.match(unnamed.workflow_name, /^Untitled Workflow/);
  });

  it('that can not run are refused with the reason', async () => {
    for (const [nodes, rest, reason] of [
      [[], {}, /at least one/],
      [[variable('a', 1)], {}, /output/],
      [[variable('a', 1, output), variable('a', 2)], {}, /Two nodes/],
      [[code('a', 'return 1', ['nobody'], output)], {}, /nobody/],
      [[code('a', 'return 1', ['b'], output), code('b', 'return 1', ['a'])], {}, /circle/],
      [[code('a', '', [], output)], {}, /code/],
      [[{ name: 'p', node_type: 'PROMPT_TEMPLATE', configuration: {}, ...output }], {}, /template/],
      [
        [variable('a', 1, output)],
        {
          edges: [
            {
              source_node_name: 'a',
              target_node_name: 'z',
              is_and: true,
              conditionals: [{ position: 0, operator: '=', left_config: {}, right_config: {} }],
            },
          ],
        },
        /isn't a node/,
      ],
      [
        [variable('a', 1, output), variable('b', 1)],
        {
          edges: [
            {
              source_node_name: 'a',
              target_node_name: 'b',
              is_and: true,
              conditionals: [{ position: 0, operator: '~', left_config: {}, right_config: {} }],
            },
          ],
        },
        /onditional/,
      ],
    ] as const) {
      const { status, text } = await api.call('POST', '/rest/workflows', { nodes, ...rest });
      assert.equal(status, 400, text);
      assert.match(text, reason);
    }
  });

  it('run their nodes on what these depend on, and give the value of the output', async () => {
    const { workflow_name: name } = await create(
      [
        code('sum', 'return data.x + data.two', ['x', 'two']),
        variable('two', 2),
        {
          name: 'both',
          node_type: 'COMBINE_COLUMNS',
          configuration: {},
          dependencies: ['sum', 'two'],
          ...output,
        },
      ],
      { required_input_variables: { x: 'number', y: 'string' } },
    );
    const started: Loose = await api.expect(
      201,
      'POST',
      `/workflows/${encodeURIComponent(name)}/run`,
      { input_variables: { x: 40, z: 1 } },
    );
    assert.match(started.warning, /Missing.*"y".*Unused.*"z"/);
    const id: number = started.workflow_version_execution_id;
    assert.deepEqual(await finished(id), { sum: 42, two: 2 });
    const all = await finished(id, true);
    assert.deepEqual(all.sum, {
      status: 'SUCCESS',
      value: 42,
      error_message: null,
      raw_error_message: null,
      is_output_node: false,
    });
  });

  it('give any JSON as their value', async () => {
    for (const value of [null, {}, 'text', 0, false, [1, { a: null }]]) {
      const { workflow_name: name } = await create([variable('a', value, output)]);
      assert.deepEqual(await finished(await start(name)), value);
    }
  });

  it('choose among branches', async () => {
    const branch = (target: string, operator: string) => ({
      source_node_name: 'score',
      target_node_name: target,
      is_and: true,
      conditionals: [
        {
          position: 0,
          operator,
          left_config: { type: 'source', source: 'score' },
          right_config: { type: 'static_value', value: 5 },
        },
      ],
    });
    const { workflow_name: name } = await create(
      [
        code('score', 'return data.x', ['x']),
        variable('high', 'is high'),
        variable('low', 'is low'),
        {
          name: 'result',
          node_type: 'COALESCE',
          configuration: {},
          dependencies: ['high', 'low'],
          ...output,
        },
        {
          name: 'check',
          node_type: 'CONDITION',
          configuration: { conditionals: branch('x', '>').conditionals },
          dependencies: ['score'],
          is_output_node: false,
        },
      ],
      {
        edges: [branch('high', '>='), branch('low', '<')],
        required_input_variables: { x: 'number' },
      },
    );
    const high = await start(name, { input_variables: { x: 9 } });
    assert.equal(await finished(high), 'is high');
    const all = await finished(high, true);
    assert.equal(all.low.status, 'SKIPPED');
    assert.equal(all.check.value, true);
    assert.equal(await finished(await start(name, { input_variables: { x: 1 } })), 'is low');
  });

  it('tell what failed, and skip what needs it', async () => {
    const nodes = [
      code('bad', 'throw new Error("broken on purpose")'),
      code('after', 'return data.bad', ['bad'], output),
      variable('free', 1),
    ];
    const { workflow_name: name } = await create(nodes);
    const id = await start(name);
    const all = await finished(id, true);
    assert.equal(all.bad.status, 'FAILED');
    assert.match(all.bad.error_message, /broken on purpose/);
    assert.equal(all.after.status, 'SKIPPED');
    assert.equal(all.free.status, 'SUCCESS');
    const outputs = await finished(id);
    assert.deepEqual(Object.keys(outputs), ['after']);
    assert.match(outputs.after.error_message, /broken on purpose/);
  });

  it('ask models, and log what they ask with the metadata of the run', async () => {
    const prompt = (name: string, config: object, dependencies: string[], rest = {}) => ({
      name,
      node_type: 'PROMPT_TEMPLATE',
      configuration: { template: { prompt_name: 'node prompt', label: 'prod' }, ...config },
      dependencies,
      is_output_node: false,
      ...rest,
    });
    const all = await run(
      [
        prompt('one', {}, ['word']),
        prompt('two', { prompt_template_variable_mappings: { word: 'one' } }, ['one'], output),
        {
          ...prompt('lost', {}, []),
          configuration: { template: { prompt_name: 'nobody' } },
        },
      ],
      { required_input_variables: { word: 'string' } },
      { input_variables: { word: 'hi' }, metadata: { run: `workflow-${backend.name}` } },
    );
    assert.equal(all.one.value, 'echo: Say hi');
    assert.equal(all.two.value, 'echo: Say echo: Say hi');
    assert.equal(all.lost.status, 'FAILED');
    const found: Loose = await api.expect(200, 'POST', '/api/public/v2/requests/search', {
      filter_group: {
        filters: [
          {
            field: 'metadata',
            operator: 'is',
            value: `workflow-${backend.name}`,
            nested_key: 'run',
          },
        ],
      },
    });
    assert.equal(found.total, 2);
    assert.equal(found.items[0].input_tokens, 10);
    script = () => ({
      status: 429,
      body: { error: { message: 'You have no money left', code: 'insufficient_quota' } },
    });
    const failed = await run([prompt('one', {}, [], output)]);
    assert.equal(failed.one.status, 'FAILED');
    assert.match(failed.one.error_message, /429: You have no money left/);
  });

  it('run side by side what does not wait for each other', async () => {
    let most = 0;
    let now = 0;
    let go: () => void = () => undefined;
    const together = new Promise<true>((resolve) => (go = () => resolve(true)));
    const limit = setTimeout(() => go(), timeLimit(5000));
    script = async (request, number) => {
      now += 1;
      most = Math.max(most, now);
      if (now === 3) go();
      await together;
      now -= 1;
      return echo(request, number);
    };
    const nodes = [1, 2, 3, 4].map((number) => ({
      name: `n${String(number)}`,
      node_type: 'PROMPT_TEMPLATE',
      configuration: { template: { prompt_name: 'node prompt' } },
      is_output_node: number === 1,
    }));
    await run(nodes);
    clearTimeout(limit);
    assert.ok(most >= 3, `${String(most)} at once`);
  });

  it('are cancelled at once', async () => {
    script = async (request, number) => {
      await pause(100_000, undefined, { ref: false });
      return echo(request, number);
    };
    const { workflow_name: name } = await create([
      {
        name: 'slow',
        node_type: 'PROMPT_TEMPLATE',
        configuration: { template: { prompt_name: 'node prompt' } },
        is_output_node: true,
      },
    ]);
    const asked = provider.requests.length;
    const id = await start(name);
    await until('the model is asked', () => provider.requests.length > asked);
    const cancelled: Loose = await api.expect(200, 'DELETE', resultsPath(id));
    assert.equal(cancelled.cancelled_node_count, 1);
    await provider.requests.at(-1)!.closed;
    assert.equal((await finished(id, true)).slow.status, 'SKIPPED');
    const again: Loose = await api.expect(200, 'DELETE', resultsPath(id));
    assert.equal(again.cancelled_node_count, 0);
  });

  it('call back on this machine only', async () => {
    const { workflow_name: name } = await create([variable('a', 'x', output)]);
    const path = `/workflows/${encodeURIComponent(name)}/run`;
    for (const url of [
      'https://example.com/',
      'file:///etc/passwd',
      'http://169.254.169.254/',
      'x',
    ]) {
      await api.expect(400, 'POST', path, { callback_url: url });
    }
  });

  // Results are read from the store in one way: who is called, and how often, is the same on both.
  const whereCallsAreSent = backend.name === 'SQLite' ? [describe] : [];
  for (const only of whereCallsAreSent)
    only('call back', function () {
      this.timeout(60_000);
      /** In each way that a receiver can answer, or not. */
      const answers: Readonly<Record<string, (response: ServerResponse) => void>> = {
        well: (response) => response.writeHead(200).end(),
        'with 500': (response) => response.writeHead(500).end(),
        'with 429': (response) => response.writeHead(429, { 'retry-after': '0' }).end(),
        'with a redirect': (response) => response.writeHead(307, { location: '/other' }).end(),
        'by a reset': (response) => response.socket?.resetAndDestroy(),
        'by closing': (response) => response.socket?.destroy(),
        'with half of it': (response) =>
          response
            .writeHead(200, { 'content-length': '100' })
            .write('half', () => response.socket?.resetAndDestroy()),
        'with no HTTP': (response) => response.socket?.end('no\r\n\r\n'),
        never: () => undefined,
      };
      let bodies: Loose[] = [];
      let listener: Server;
      const listen = (port = 0): Promise<void> =>
        new Promise((resolve) => listener.listen(port, '127.0.0.1', resolve));
      const portOf = (): number => (listener.address() as AddressInfo).port;

      beforeEach(() => {
        bodies = [];
        listener = createServer((request, response) => {
          let text = '';
          request.on('data', (piece) => (text += String(piece)));
          request.on('end', () => {
            bodies.push({ url: request.url, ...(JSON.parse(text) as object) });
            const answer = answers[decodeURIComponent(request.url?.slice(1) ?? '')];
            assert.ok(answer);
            answer(response);
          });
        });
      });
      afterEach(async () => {
        listener.closeAllConnections();
        await new Promise((resolve) => listener.close(resolve));
      });

      const run = async (name: string, url: string): Promise<number> => {
        const path = `/workflows/${encodeURIComponent(name)}/run`;
        const started: Loose = await api.expect(202, 'POST', path, { callback_url: url });
        return started.workflow_version_execution_id;
      };

      it('once, however the receiver takes it, and other runs do not wait for one that hangs', async () => {
        await listen();
        const { workflow_name: name } = await create([variable('a', 'x', output)]);
        const ids = new Map<number, string>();
        // More of those that hang than runs and callbacks have places.
        const hanging = Array.from({ length: 30 }, () => 'never');
        for (const way of [...Object.keys(answers), ...hanging]) {
          const url = `http://127.0.0.1:${String(portOf())}/${encodeURIComponent(way)}`;
          ids.set(await run(name, url), way);
        }
        const began = Date.now();
        for (const id of ids.keys()) assert.equal(await finished(id), 'x');
        assert.ok(
          Date.now() - began < timeLimit(10_000),
          `The runs took ${String(Date.now() - began)} ms.`,
        );
        // All but the one that was answered well, the one whose answer broke off later, and those that hang.
        const lostCount = Object.keys(answers).length - 3;
        const lostOf = (): string[] =>
          service.log.match(/callback of a workflow was not delivered.*?reason":"[^"]*/g) ?? [];
        await until('all that are lost are in the log', () => lostOf().length >= lostCount);
        // A second attempt would come a second after the first.
        await pause(1500);
        const posted = new Set(bodies.map((body) => Number(body.workflow_version_execution_id)));
        assert.equal(posted.size, bodies.length, 'None is posted twice.');
        const ways = new Set(bodies.map(({ url }) => decodeURIComponent(String(url).slice(1))));
        assert.deepEqual([...ways].sort(), Object.keys(answers).sort());
        const lost = lostOf();
        assert.equal(lost.length, lostCount, service.log);
        assert.ok(lost.some((line) => line.includes('it answered 500')));
        assert.ok(lost.some((line) => line.includes('It may have been accepted anyway')));
      });

      it('again only while nobody listens', async () => {
        await listen();
        const port = portOf();
        await new Promise((resolve) => listener.close(resolve));
        const { workflow_name: name } = await create([variable('a', 'x', output)]);
        const id = await run(name, `http://127.0.0.1:${String(port)}/well`);
        await finished(id);
        await pause(300);
        await listen(port);
        await until('it is delivered', () => bodies.length > 0);
        assert.deepEqual(
          bodies.map((body) => [
            body.workflow_version_execution_id,
            body.status,
            body.final_output,
          ]),
          [[id, 'completed', 'x']],
        );
      });
    });

  describe('have a realtime channel', () => {
    const tokenOf = async (id: number): Promise<string> => {
      const answer: Loose = await api.expect(
        200,
        'POST',
        `/ws-token-request-library?capability=workflow_updates:${String(id)}`,
      );
      assert.equal(answer.messaging_backend, 'centrifugo');
      return answer.token_details.token;
    };
    const open = async (): Promise<{ socket: WebSocket; frames: Loose[] }> => {
      const url = `${service.ready.url!.replace('http', 'ws')}/connection/websocket`;
      const socket = new WebSocket(url);
      const frames: Loose[] = [];
      socket.on('message', (data: Buffer) => {
        for (const line of data.toString().split('\n')) frames.push(JSON.parse(line));
      });
      await new Promise((resolve, reject) => {
        socket.once('open', resolve);
        socket.once('error', reject);
      });
      return { socket, frames };
    };
    for (const [when, sleep] of [
      ['while it is at work', 400],
      ['when it has ended before anybody listened', 0],
    ] as const) {
      it(`that tells the end of a run ${when}`, async () => {
        script = async (request, number) => {
          await pause(sleep);
          return echo(request, number);
        };
        const { workflow_name: name } = await create([
          {
            name: 'slow',
            node_type: 'PROMPT_TEMPLATE',
            configuration: { template: { prompt_name: 'node prompt' } },
            is_output_node: true,
          },
        ]);
        const id = await start(name);
        if (sleep === 0) await finished(id);
        const { socket, frames } = await open();
        try {
          const channel = `workflow_updates:${String(id)}`;
          socket.send(
            `${JSON.stringify({ id: 1, connect: { token: await tokenOf(id), name: 'js' } })}\n${JSON.stringify({ id: 2, subscribe: { channel } })}`,
          );
          await until('the end is told', () => frames.some((frame) => frame.push !== undefined));
          assert.ok(frames.some((frame) => frame.id === 1 && frame.connect.pong === true));
          assert.ok(frames.some((frame) => frame.id === 2 && frame.subscribe !== undefined));
          const { push } = frames.find((frame) => frame.push !== undefined);
          assert.equal(push.channel, channel);
          assert.equal(push.pub.data.message_name, 'SET_WORKFLOW_COMPLETE');
          const end = JSON.parse(push.pub.data.data);
          assert.deepEqual(end, { result_code: 'OK', final_output: 'echo: Say ' });
        } finally {
          socket.close();
        }
      });
    }

    it('that says when a result is too long for it', async () => {
      const { workflow_name: name } = await create([
        code('long', 'return "x".repeat(400000)', [], output),
      ]);
      const id = await start(name);
      const { socket, frames } = await open();
      try {
        socket.send(JSON.stringify({ id: 1, connect: { token: await tokenOf(id) } }));
        socket.send(
          JSON.stringify({ id: 2, subscribe: { channel: `workflow_updates:${String(id)}` } }),
        );
        await until('the end is told', () => frames.some((frame) => frame.push !== undefined));
        const { push } = frames.find((frame) => frame.push !== undefined);
        assert.equal(JSON.parse(push.pub.data.data).result_code, 'EXCEEDS_SIZE_LIMIT');
        assert.equal((await finished(id)).length, 400_000);
      } finally {
        socket.close();
      }
    });

    it('that opens with its own token only', async () => {
      const { workflow_name: name } = await create([variable('a', 1, output)]);
      const [mine, another] = [await start(name), await start(name)];
      const token = await tokenOf(mine);
      for (const wrong of [undefined, 'x', `${token}x`, `${token.split('.')[0]!}.AAAA`, 7]) {
        const { socket, frames } = await open();
        socket.send(JSON.stringify({ id: 1, connect: { token: wrong } }));
        socket.send(
          JSON.stringify({ id: 2, subscribe: { channel: `workflow_updates:${String(mine)}` } }),
        );
        await until('it is answered', () => frames.some((frame) => frame.id === 2));
        assert.ok(frames.find((frame) => frame.id === 2).error, String(wrong));
        socket.close();
      }
      const { socket, frames } = await open();
      socket.send(JSON.stringify({ id: 1, connect: { token } }));
      socket.send(
        JSON.stringify({ id: 2, subscribe: { channel: `workflow_updates:${String(another)}` } }),
      );
      await until('it is answered', () => frames.some((frame) => frame.id === 2));
      assert.ok(frames.find((frame) => frame.id === 2).error);
      socket.close();
      const path = `/ws-token-request-library?capability=workflow_updates:${String(mine)}`;
      assert.equal((await other.call('POST', path)).status, 404);
      assert.equal((await api.withoutKey().call('POST', path)).status, 401);
      await api.expect(400, 'POST', '/ws-token-request-library?capability=everything');
    });

    it('that ends with whoever speaks another language, and refuses web pages', async () => {
      for (const nonsense of ['{', '[]', 'x', '{"id":1,"connect":7}']) {
        const { socket } = await open();
        const closed = new Promise((resolve) => socket.once('close', resolve));
        socket.send(nonsense);
        await closed;
      }
      const url = `${service.ready.url!.replace('http', 'ws')}/connection/websocket`;
      for (const [address, headers] of [
        [url, { origin: 'https://evil.example' }],
        [url, { host: 'evil.example' }],
        [`${url}/elsewhere`, {}],
      ] as const) {
        const refused = await new Promise((resolve) => {
          const socket = new WebSocket(address, { headers });
          socket.once('open', () => resolve(false));
          socket.once('error', () => resolve(true));
        });
        assert.ok(refused, address);
      }
      await api.expect(404, 'GET', '/connection/websocket');
    });
  });

  it('of one workspace are nothing to another', async () => {
    const made = await create([variable('a', 1, output)], { release_labels: ['prod'] });
    const path = `/workflows/${encodeURIComponent(made.workflow_name)}`;
    const id = await start(made.workflow_name);
    await finished(id);
    for (const [method, place, body] of [
      ['GET', path, undefined],
      ['GET', `/workflows/${String(made.workflow_id)}`, undefined],
      ['GET', `${path}/labels`, undefined],
      ['POST', `${path}/run`, {}],
      ['PATCH', `/rest${path}`, {}],
      [
        'POST',
        '/rest/workflows',
        { workflow_id: made.workflow_id, nodes: [variable('a', 1, output)] },
      ],
      ['GET', resultsPath(id), undefined],
      ['DELETE', resultsPath(id), undefined],
    ] as const) {
      assert.equal((await other.call(method, place, body)).status, 404, `${method} ${place}`);
    }
    assert.equal(((await other.get('/workflows')) as Loose).total, 0);
    await api.expect(404, 'GET', resultsPath(999_999));
    await api.expect(422, 'GET', '/workflow-version-execution-results');
  });
});

onEachBackend('A workflow whose service was killed', (backend) => {
  it('goes on where it was, without doing again what was done', async function () {
    this.timeout(90_000);
    let isSlow = true;
    const provider = await startFakeProvider(async (request, number) => {
      const [{ content }] = request.json['messages'] as [{ content: string }];
      if (isSlow && content === 'second') await pause(60_000, undefined, { ref: false });
      return echo(request, number);
    });
    const environment = { OPENAI_API_KEY: 'sk-canary', OPENAI_BASE_URL: `${provider.url}/v1` };
    const { newFolder, RunningService: Service } = await import('./support/running-service.ts');
    const folder = newFolder();
    const databaseUrl = backend.databaseUrl();
    let service = await Service.start({ folder, databaseUrl, environment });
    try {
      for (const word of ['first', 'second']) {
        await service.api.expect(200, 'POST', '/rest/prompt-templates', {
          prompt_template: { prompt_name: word },
          prompt_version: {
            prompt_template: {
              type: 'chat',
              messages: [{ role: 'user', content: [{ type: 'text', text: word }] }],
            },
            metadata: { model: { provider: 'openai', name: 'gpt-4o', parameters: {} } },
          },
        });
      }
      const node = (name: string, dependencies: string[]) => ({
        name,
        node_type: 'PROMPT_TEMPLATE',
        configuration: { template: { prompt_name: name } },
        dependencies,
        is_output_node: name === 'second',
      });
      await service.api.expect(201, 'POST', '/rest/workflows', {
        name: 'survivor',
        nodes: [node('first', []), node('second', ['first'])],
      });
      const started: Loose = await service.api.expect(201, 'POST', '/workflows/survivor/run', {});
      const id = String(started.workflow_version_execution_id);
      const path = `/workflow-version-execution-results?workflow_version_execution_id=${id}&return_all_outputs=true`;
      await until('the second is asked', () => provider.requests.length >= 2);
      await service.kill('SIGKILL');
      isSlow = false;
      await letLeasesRunOut(databaseUrl);
      service = await Service.start({ folder, databaseUrl, environment });
      const { text } = await until('the run has ended', async () => {
        const answer = await service.api.call('GET', path);
        return answer.status === 200 && answer;
      });
      const all: Loose = JSON.parse(text);
      assert.equal(all.second.value, 'echo: second');
      const asked = provider.requests.map(
        ({ json }) => (json['messages'] as [{ content: string }])[0].content,
      );
      assert.deepEqual(asked, ['first', 'second', 'second']);
    } finally {
      await service.stop();
      await provider.close();
      const { rmSync } = await import('node:fs');
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
