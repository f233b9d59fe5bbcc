import assert from 'node:assert/strict';
import type { TestMcpServer } from '../support/mcp/mcp-server.ts';
import { startMcpServer } from '../support/mcp/mcp-server.ts';
import { askedOf, chatReply, promptOf } from '../support/providers/chat.ts';
import type { FakeProvider, ProviderScript } from '../support/providers/fake-provider.ts';
import { startFakeProvider } from '../support/providers/fake-provider.ts';
import { timeLimit } from '../support/time-limit.ts';
import type { Api } from './support/api.ts';
import { onEachBackend } from './support/backends.ts';
import type { Loose } from './support/loose.ts';
import { until } from '../support/until.ts';

/** Tells the truth about words, is of one mind about vectors, and shouts back everything else. */
const helpful: ProviderScript = (request) => {
  if (request.path.endsWith('/embeddings')) {
    const data = [
      { index: 0, embedding: [1, 0] },
      { index: 1, embedding: [3, 4] },
    ];
    return { body: { data, usage: { prompt_tokens: 4 } } };
  }
  if (request.path === '/price') return { body: { price: 1, for: request.json } };
  const asked = askedOf(request);
  if (asked.includes('is a word')) return { body: chatReply('true') };
  if (asked.includes('which number')) return { body: chatReply('forty-two') };
  return { body: chatReply(asked.toUpperCase()) };
};

onEachBackend('Nodes of workflows', (backend) => {
  let provider: FakeProvider;
  let script: ProviderScript = helpful;
  let server: TestMcpServer;
  let api: Api;
  let count = 0;
  before(async () => {
    provider = await startFakeProvider((request, number) => script(request, number));
    server = await startMcpServer();
    ({ api } = await backend.start({
      environment: {
        OPENAI_API_KEY: 'sk-canary',
        OPENAI_BASE_URL: `${provider.url}/v1`,
        PROMPT_TABLES_MODEL: 'openai/gpt-4o-mini',
        PROMPT_TABLES_EMBEDDING_MODEL: 'openai/text-embedding-3-small',
        PROMPT_TABLES_ALLOWED_HOSTS: [provider.url, server.url]
          .map((url) => new URL(url).host)
          .join(','),
        PROMPT_TABLES_PYTHON: '1',
      },
    }));
  });
  beforeEach(() => {
    script = helpful;
  });
  after(async () => {
    await provider.close();
    await server.close();
  });

  const node = (
    name: string,
    type: string,
    configuration: object,
    dependencies: readonly string[] = ['word', 'list'],
  ): object => ({
    name,
    node_type: type,
    configuration,
    dependencies,
    is_output_node: true,
  });

  const start = async (
    nodes: readonly object[],
    edges: readonly object[] = [],
  ): Promise<number> => {
    const name = `nodes ${String((count += 1))}`;
    await api.expect(201, 'POST', '/rest/workflows', {
      name,
      nodes,
      edges,
      required_input_variables: { word: 'string', list: 'json' },
    });
    const started: Loose = await api.expect(
      201,
      'POST',
      `/workflows/${encodeURIComponent(name)}/run`,
      { input_variables: { word: 'one', list: ['a', 'b'] }, metadata: { run: name } },
    );
    return Number(started.workflow_version_execution_id);
  };
  const results = (id: number): string =>
    `/workflow-version-execution-results?workflow_version_execution_id=${String(id)}&return_all_outputs=true`;
  const finished = async (id: number): Promise<Loose> => {
    const { text } = await until('the run has ended', async () => {
      const answer = await api.call('GET', results(id));
      return answer.status === 200 && answer;
    });
    return JSON.parse(text);
  };
  const valueIn = ({ status, value, error_message: reason }: Loose): unknown =>
    status === 'SUCCESS' ? value : `${String(status)}: ${String(reason)}`;

  it('hand numbers on as they were written, also to somebody who asks after a while', async () => {
    script = ({ path }) =>
      path === '/price'
        ? { body: '{"price":10.0,"id":9007199254740993}' }
        : { body: chatReply('') };
    const nodes = [
      node('Given', 'COALESCE', { sources: ['word', 'list'] }),
      node('Fixed', 'VARIABLE', { value: { type: 'json', value: '{"a":[1.50,1e3]}' } }, []),
      node('Found', 'JSON_PATH', { source: 'list', json_path: '$.p' }),
      node('Parsed', 'PARSE_VALUE', { source: 'list', type: 'object' }),
      node('Asked', 'ENDPOINT', { url: `${provider.url}/price`, method: 'GET' }, []),
      node('Coded', 'CODE_EXECUTION', { code: 'return data["word"] / 4', language: 'PYTHON' }),
    ];
    await api.expect(201, 'POST', '/rest/workflows', {
      ...{ name: 'floats', nodes, required_input_variables: { word: 'json', list: 'json' } },
    });
    const started = await api.call('POST', '/workflows/floats/run', undefined, {
      raw: '{"input_variables":{"word":10.0,"list":{"p":-0.0,"q":[2.0,9007199254740993]}}}',
    });
    assert.equal(started.status, 201, started.text);
    const { workflow_version_execution_id: execution }: Loose = JSON.parse(started.text);
    const id = Number(execution);
    await finished(id);
    const { text } = await api.call('GET', results(id));
    const valueOf = (name: string): string | undefined =>
      new RegExp(`"${name}":\\{"status":"SUCCESS","value":(.*?),"error_message"`).exec(text)?.[1];
    assert.deepEqual(
      ['Given', 'Fixed', 'Found', 'Parsed', 'Asked', 'Coded'].map(valueOf),
      [
        ...['10.0', '{"a":[1.50,1e3]}', '-0.0', '{"p":-0.0,"q":[2.0,9007199254740993]}'],
        ...['{"price":10.0,"id":9007199254740993}', '2.5'],
      ],
      text,
    );
  });

  // What is computed, and where it is asked for, is the same on either database.
  if (backend.name !== 'SQLite') return;

  it('do all that columns do: ask models, tools, servers and other workflows, and loop', async function () {
    this.timeout(40_000);
    await api.expect(201, 'POST', '/rest/workflows', {
      name: 'inner',
      required_input_variables: { text: 'string' },
      nodes: [node('Shout', 'PROMPT_TEMPLATE', promptOf('inner {text}', ['text']), ['text'])],
    });
    const cases: readonly (readonly [string, object, unknown])[] = [
      ['LLM_ASSERTION', { source: 'word', prompt: 'it is a word' }, true],
      ['AI_DATA_EXTRACTION', { source: 'word', query: 'which number' }, 'forty-two'],
      ['COSINE_SIMILARITY', { sources: ['word', 'list'] }, 0.6],
      [
        'CONVERSATION_SIMULATOR',
        { ...promptOf('Sell!', []), user_persona: 'Somebody', max_turns: 1 },
        [{ role: 'assistant', content: 'SELL!' }],
      ],
      [
        'MCP',
        { mcp_server_id: server.url, tool_name: 'shout', input_mappings: { text: 'word' } },
        'ONE!',
      ],
      [
        'ENDPOINT',
        { url: `${provider.url}/price`, input_mappings: { w: 'word' } },
        { price: 1, for: { w: 'one' } },
      ],
      ['CODE_EXECUTION', { language: 'PYTHON', code: 'return data["word"] * 2' }, 'oneone'],
      ['WORKFLOW', { workflow_id: 'inner', input_mappings: { text: 'word' } }, 'INNER ONE'],
      [
        'FOR_LOOP',
        {
          loop_type: 'workflow',
          workflow_config: { workflow_id: 'inner' },
          iterator_source: 'list',
          variable_mappings: { text: '_iterator_item' },
          return_all_outputs: true,
        },
        { iterations: 2, outputs: ['INNER A', 'INNER B'], final_output: 'INNER B' },
      ],
      [
        'WHILE_LOOP',
        {
          loop_type: 'prompt',
          prompt_config: promptOf('turn {loop_index}', ['loop_index']),
          max_iterations: 2,
        },
        { iterations: 2, outputs: [], final_output: 'TURN 1' },
      ],
    ];
    const all = await finished(
      await start(cases.map(([type, config]) => node(type, type, config))),
    );
    for (const [type, , expected] of cases) assert.deepEqual(valueIn(all[type]), expected, type);
    const logged: Loose = await api.expect(200, 'POST', '/api/public/v2/requests/search', {
      filter_group: {
        filters: [
          { field: 'metadata', operator: 'is', value: `nodes ${String(count)}`, nested_key: 'run' },
        ],
      },
    });
    // Two for each of the loops, one for each of the other five that ask.
    assert.equal(logged.total, 9);
  });

  it('are chosen by the edges that lead to them, on what a model has said', async () => {
    const edge = (target: string, value: boolean): object => ({
      source_node_name: 'Check',
      target_node_name: target,
      is_and: true,
      conditionals: [{ operator: '=', left_config: { source: 'Check' }, right_config: { value } }],
    });
    const all = await finished(
      await start(
        [
          node('Check', 'LLM_ASSERTION', { source: 'word', prompt: 'it is a word' }, ['word']),
          node('Yes', 'PROMPT_TEMPLATE', promptOf('yes', []), ['Check']),
          node('No', 'PROMPT_TEMPLATE', promptOf('no', []), ['Check']),
        ],
        [edge('Yes', true), edge('No', false)],
      ),
    );
    assert.deepEqual([all.Yes.value, all.No.status], ['YES', 'SKIPPED']);
  });

  it('end a workflow that runs itself', async () => {
    const name = `nodes ${String(count + 1)}`;
    const all = await finished(
      await start([node('Again', 'WORKFLOW', { workflow_id: name, input_mappings: {} }, [])]),
    );
    assert.match(String(valueIn(all.Again)), /FAILED: .*more than 8 levels deep/);
  });

  it('close the sockets of what they ask when the run is cancelled', async () => {
    script = () => new Promise(() => undefined);
    const asked = provider.requests.length;
    const hanging = server.hanging.length;
    const loop = {
      loop_type: 'prompt',
      prompt_config: promptOf('hang', []),
      max_iterations: 3,
    };
    const id = await start([
      node('Loop', 'FOR_LOOP', loop),
      node('Check', 'LLM_ASSERTION', { source: 'word', prompt: 'hang' }),
      node('Tool', 'MCP', { mcp_server_id: server.url, tool_name: 'hang' }),
    ]);
    await until(
      'all three are asked',
      () => provider.requests.length >= asked + 2 && server.hanging.length > hanging,
    );
    const began = Date.now();
    const cancelled: Loose = await api.expect(200, 'DELETE', results(id));
    assert.equal(cancelled.cancelled_node_count, 3);
    await Promise.all(provider.requests.slice(asked).map(({ closed }) => closed));
    await server.hanging.at(-1);
    assert.ok(Date.now() - began < timeLimit(2000), 'the sockets were not closed in time');
    assert.equal(provider.requests.length, asked + 2);
  });
});
