import assert from 'node:assert/strict';
import http from 'node:http';
import { once } from 'node:events';
import { chatReply, promptOf } from '../support/providers/chat.ts';
import { FaultyServer, faults, storeWords } from '../support/providers/faulty-server.ts';
import { timeLimit } from '../support/time-limit.ts';
import type { Api } from './support/api.ts';
import { onEachBackend } from './support/backends.ts';
import type { Loose } from './support/loose.ts';
import { SheetRun } from './support/sheet-run.ts';
import { until } from '../support/until.ts';

const ROWS = 3;
const csv = `Word,Other\n${Array.from({ length: ROWS }, (_, row) => `word-${String(row)},x`).join('\n')}`;

/** Attempts of a request to a model that is not answered well. */
const TRIES = 3;

interface Case {
  readonly type: string;
  readonly config: object;
  readonly error: RegExp;
  /** What the server sees of it in each row: name and number of the requests. */
  readonly asked?: readonly [name: string, count: number];
}

onEachBackend('What fails outside of the store', (backend) => {
  let server: FaultyServer;
  let api: Api;
  before(async () => {
    server = await FaultyServer.start();
    ({ api } = await backend.start({
      environment: {
        OPENAI_API_KEY: 'sk-canary',
        OPENAI_BASE_URL: `${server.url}/openai/reset`,
        MISTRAL_API_KEY: 'sk-canary',
        MISTRAL_BASE_URL: `${server.url}/mistral/full`,
        OLLAMA_BASE_URL: `${server.closedUrl}/v1`,
        PROMPT_TABLES_MODEL: 'ollama/llama',
        PROMPT_TABLES_EMBEDDING_MODEL: 'ollama/nomic-embed-text',
        PROMPT_TABLES_ALLOWED_HOSTS: `${new URL(server.url).host},${new URL(server.closedUrl).host}`,
      },
    }));
  });
  beforeEach(() => server.counts.clear());
  after(() => server.close());

  const model = (provider: string) => ({ provider, name: 'a-model', parameters: {} });
  const prompt = (provider: string): object => ({
    ...promptOf('say {word}', ['word'], model(provider)),
    prompt_template_variable_mappings: { word: 'Word' },
  });
  const code = (thrown: string): object => ({
    language: 'JAVASCRIPT',
    code: `throw Object.assign(new Error(${JSON.stringify(thrown)}), { code: 'ECONNREFUSED', errcode: 13 })`,
  });

  const notRunning = (): RegExp =>
    new RegExp(`^model_failed: .*No server answers at ${server.closedUrl}\\. Start Ollama`, 's');

  /** Every kind of column that reaches out, with every fault that it can meet. */
  const cases = (source: string, otherSource: string): Readonly<Record<string, Case>> => {
    const endpoint = (fault: string, method = 'POST'): Case => {
      const name = `${method} /${method}/${fault}`;
      const isOpen = !['full', 'away', 'moved'].includes(fault) && method === 'POST';
      return {
        type: 'ENDPOINT',
        config: { url: `${server.url}/${method}/${fault}`, method, input_mappings: { w: source } },
        error: isOpen
          ? /^request_failed: .*It may have taken effect anyway/s
          : /^request_failed: (?!.*taken effect)/s,
        asked: [name, 1],
      };
    };
    const closed = { mcp_server_id: `${server.closedUrl}/mcp`, tool_name: 'add' };
    const broken = { ...closed, mcp_server_id: `${server.url}/mcp/reset` };
    const item = { iterator_source: source, max_iterations: 2, loop_type: 'prompt' };
    return {
      ...Object.fromEntries(faults.map((fault) => [`POST ${fault}`, endpoint(fault)])),
      ...Object.fromEntries(faults.map((fault) => [`GET ${fault}`, endpoint(fault, 'GET')])),
      'POST refused': {
        type: 'ENDPOINT',
        config: { url: `${server.closedUrl}/`, input_mappings: { w: source } },
        error: /^request_failed: .*ECONNREFUSED(?!.*taken effect)/s,
      },
      ...Object.fromEntries(
        storeWords.map((thrown) => [
          `code ${thrown}`,
          { type: 'CODE_EXECUTION', config: code(thrown), error: /^code_failed: / },
        ]),
      ),
      'MCP refused': { type: 'MCP', config: closed, error: /^request_failed: .*ECONNREFUSED/s },
      'MCP reset': { type: 'MCP', config: broken, error: /^request_failed: / },
      'prompt refused': { type: 'PROMPT_TEMPLATE', config: prompt('ollama'), error: notRunning() },
      'prompt reset': {
        type: 'PROMPT_TEMPLATE',
        config: prompt('openai'),
        error: /^model_failed: /,
        asked: ['POST /openai/reset/chat/completions', TRIES],
      },
      'prompt full': {
        type: 'PROMPT_TEMPLATE',
        config: prompt('mistral'),
        error: /^model_failed: .*No space left on device/s,
        asked: ['POST /mistral/full/chat/completions', TRIES],
      },
      assertion: {
        type: 'LLM_ASSERTION',
        config: { source, prompt: 'it is a word' },
        error: notRunning(),
      },
      extraction: {
        type: 'AI_DATA_EXTRACTION',
        config: { source, query: 'what' },
        error: notRunning(),
      },
      similarity: {
        type: 'COSINE_SIMILARITY',
        config: { sources: [source, otherSource] },
        error: notRunning(),
      },
      conversation: {
        type: 'CONVERSATION_SIMULATOR',
        config: { ...prompt('ollama'), user_persona: 'Somebody', max_turns: 1 },
        error: notRunning(),
      },
      loop: {
        type: 'WHILE_LOOP',
        config: {
          ...item,
          prompt_config: promptOf('say', [], model('ollama')),
          end_condition_json_path: '$.done',
        },
        error: notRunning(),
      },
    };
  };

  it('costs 200 cells little more time than one, and ends when the server is started', async function () {
    this.timeout(90_000);
    const alone = await SheetRun.of(api, 'Word\nword');
    await alone.add('PROMPT_TEMPLATE', prompt('ollama'), 'Answer');
    const begun = performance.now();
    await alone.run();
    const aloneMs = performance.now() - begun;
    const words = Array.from({ length: 200 }, (_, row) => `word-${String(row)}`);
    const sheet = await SheetRun.of(api, `Word\n${words.join('\n')}`);
    const column = await sheet.add('PROMPT_TEMPLATE', prompt('ollama'), 'Answer');
    const began = performance.now();
    const { failed_count: failed } = await sheet.run();
    const tookMs = performance.now() - began;
    assert.equal(failed, words.length);
    // Each with its two pauses would take twelve times as long, where 16 may ask at a time.
    const most = 6 * aloneMs + timeLimit(1000);
    assert.ok(tookMs < most, `${String(tookMs)} ms, and one cell ${String(aloneMs)} ms`);
    assert.match(String(await sheet.value(column, 99)), notRunning());
    const started = http.createServer((request, response) => {
      request.resume().on('end', () => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify(chatReply('here')));
      });
    });
    started.listen(Number(new URL(server.closedUrl).port), '127.0.0.1');
    await once(started, 'listening');
    try {
      // Where a busy machine took over a second to be refused, that is remembered for ten.
      await until('no cell fails', async () => {
        const { failed_count: count } = await sheet.run({ statuses: ['FAILED'] });
        return count === 0;
      });
      for (const row of [0, 50, 99]) assert.equal(await sheet.value(column, row), 'here');
    } finally {
      started.closeAllConnections();
      started.close();
      await once(started, 'close');
    }
  });

  // What a server says is the same on either database.
  if (backend.name !== 'SQLite') return;

  it('is the error of the cell, at once, and no request is made twice that was answered', async function () {
    this.timeout(120_000);
    const sheet = await SheetRun.of(api, csv);
    const columns = new Map<string, string>();
    for (const [title, { type, config }] of Object.entries(cases('Word', 'Other'))) {
      columns.set(title, await sheet.add(type, config, title));
    }
    const { cell_count, failed_count, status } = await sheet.run();
    assert.deepEqual(
      [cell_count, failed_count],
      [columns.size * ROWS, columns.size * ROWS],
      status,
    );
    for (const [title, { error, asked }] of Object.entries(cases('Word', 'Other'))) {
      for (let row = 0; row < ROWS; row += 1) {
        const value = await sheet.value(columns.get(title) ?? '', row);
        assert.match(String(value), error, title);
        assert.doesNotMatch(String(value), /canary/, title);
        if (asked === undefined) continue;
        assert.equal(server.count(`${asked[0]} word-${String(row)}`), asked[1], title);
      }
    }
    const { status_counts: counts } = await api.get(`${sheet.place.path}/status-counts`);
    assert.deepEqual([counts.QUEUED, counts.RUNNING, counts.STALE], [0, 0, 0]);
  });

  it('fails the node of a workflow, and the step of a scorecard, as it fails a cell', async function () {
    this.timeout(120_000);
    const all = Object.entries(cases('word', 'other')).filter(([title]) => title !== 'loop');
    const names = new Map(all.map(([title], index) => [title, `node${String(index)}`]));
    const nodes = all.map(([title, { type, config }]) => ({
      name: names.get(title),
      node_type: type,
      configuration: {
        ...config,
        ...('prompt_template_variable_mappings' in config && {
          prompt_template_variable_mappings: { word: 'word' },
        }),
      },
      dependencies: ['word', 'other'],
      is_output_node: true,
    }));
    await api.expect(201, 'POST', '/rest/workflows', {
      name: 'failing',
      nodes,
      edges: [],
      required_input_variables: { word: 'string', other: 'string' },
    });
    const { workflow_version_execution_id: id }: Loose = await api.expect(
      201,
      'POST',
      '/workflows/failing/run',
      { input_variables: { word: 'word-0', other: 'x' } },
    );
    const path = `/workflow-version-execution-results?workflow_version_execution_id=${String(id)}&return_all_outputs=true`;
    const results: Loose = await until('the run has ended', async (): Promise<Loose> => {
      const { status, text } = await api.call('GET', path);
      return status === 200 ? JSON.parse(text) : undefined;
    });
    for (const [title, { error, asked }] of all) {
      const { status, error_message: reason } = results[names.get(title) ?? ''];
      assert.equal(status, 'FAILED', title);
      assert.match(`${error.source.slice(1).split(':')[0] ?? ''}: ${String(reason)}`, error, title);
      if (asked !== undefined) assert.equal(server.count(`${asked[0]} word-0`), asked[1], title);
    }
    const sheet = await SheetRun.of(api, csv);
    await api.expect(200, 'PATCH', `${sheet.place.path}/scorecard`, {
      name: 'failing',
      aggregation: { pass_threshold: 0.75, warn_threshold: 0.5 },
      evaluated_column_ids: [sheet.place.columnId],
      steps: [
        {
          title: 'judge',
          primitive_type: 'LLM_ASSERTION',
          primitive_config: { source: 'Word', prompt: 'it is a word' },
        },
      ],
    });
    const { calculation_id }: Loose = await api.expect(
      202,
      'POST',
      `${sheet.place.path}/scorecard/recalculate`,
      {},
    );
    await until('the score is calculated', async () => {
      const { calculation }: Loose = await api.get(
        `${sheet.place.path}/scorecard/calculations/${String(calculation_id)}`,
      );
      return calculation.status === 'completed';
    });
    const rows = await api.call('GET', `${sheet.place.path}/scorecard/rows`);
    assert.match(rows.text, /No server answers at .*Start Ollama/);
  });
});
