import assert from 'node:assert/strict';
import { columnTypeAliases, columnTypes } from '../../src/api/column.ts';
import type { TestMcpServer } from '../support/mcp/mcp-server.ts';
import { startMcpServer } from '../support/mcp/mcp-server.ts';
import { askedOf, chatReply, promptOf } from '../support/providers/chat.ts';
import type { FakeProvider } from '../support/providers/fake-provider.ts';
import { startFakeProvider } from '../support/providers/fake-provider.ts';
import type { Api } from './support/api.ts';
import { onEachBackend } from './support/backends.ts';
import { SheetRun } from './support/sheet-run.ts';

/** One row that has something for every type. */
const row: Readonly<Record<string, string>> = {
  Word: 'one',
  Number: '3',
  Other: '5.5',
  List: '["a","b"]',
  Object: '{"a":{"b":[1,2]}}',
  Xml: '<r><i>x</i><i>y</i></r>',
  Empty: '',
  Diff: '@@ -1 +1 @@\n-one\n\\ No newline at end of file\n+two\n\\ No newline at end of file\n',
};

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
const csv = `${Object.keys(row).join()}\n${Object.values(row).map(quoted).join()}`;

const persona = { user_persona: 'Somebody', is_user_first: true, max_turns: 1 };
const wordPrompt = {
  ...promptOf('say {word}', ['word']),
  prompt_template_variable_mappings: { word: 'Word' },
};

onEachBackend('Each of the 31 column types', (backend) => {
  let provider: FakeProvider;
  let server: TestMcpServer;
  let api: Api;
  before(async () => {
    provider = await startFakeProvider((request) => {
      if (request.path.endsWith('/embeddings')) {
        const vector = (index: number) => ({ index, embedding: index === 0 ? [1, 0] : [3, 4] });
        return { body: { data: [vector(0), vector(1)], usage: { prompt_tokens: 4 } } };
      }
      if (request.path === '/price') return { body: { price: 1, for: request.json } };
      const asked = askedOf(request);
      return { body: chatReply(/is a word/.test(asked) ? 'true' : asked.toUpperCase()) };
    });
    server = await startMcpServer();
    const hosts = [provider.url, server.url].map((url) => new URL(url).host).join(',');
    ({ api } = await backend.start({
      environment: {
        OPENAI_API_KEY: 'sk-canary',
        OPENAI_BASE_URL: `${provider.url}/v1`,
        PROMPT_TABLES_MODEL: 'openai/gpt-4o-mini',
        PROMPT_TABLES_EMBEDDING_MODEL: 'openai/text-embedding-3-small',
        PROMPT_TABLES_ALLOWED_HOSTS: hosts,
      },
    }));
    await api.expect(201, 'POST', '/rest/workflows', {
      name: 'counting',
      required_input_variables: { word: 'string' },
      nodes: [
        {
          name: 'Count',
          node_type: 'COUNT',
          configuration: { source: 'word', type: 'chars' },
          dependencies: ['word'],
          is_output_node: true,
        },
      ],
    });
  });
  after(async () => {
    await provider.close();
    await server.close();
  });

  /** Configs by type, and what they make of the row. */
  const cases = (): Readonly<Record<string, readonly [config: object, value: unknown]>> => ({
    ABSOLUTE_NUMERIC_DISTANCE: [{ sources: ['Number', 'Other'] }, 2.5],
    AI_DATA_EXTRACTION: [
      { source: 'Word', query: 'what' },
      '<QUESTION>\nWHAT\n</QUESTION>\n\n<TEXT>\nONE\n</TEXT>',
    ],
    APPLY_DIFF: [{ content_source: 'Word', diff_source: 'Diff' }, 'two'],
    ASSERT_VALID: [{ source: 'Object', type: 'object' }, true],
    COALESCE: [{ sources: ['Empty', 'Word'] }, ''],
    CODE_EXECUTION: [
      { language: 'JAVASCRIPT', code: 'return data["Word"] + data["Number"]' },
      'one3',
    ],
    COMBINE_COLUMNS: [{ sources: ['Word', 'Number'] }, { Word: 'one', Number: '3' }],
    COMPARE: [
      { sources: ['Number', 'Other'], comparison_type: { type: 'NUMBER', operator: 'LT' } },
      true,
    ],
    COMPOSITION: [{ source: 'Word' }, 'one'],
    CONDITION: [
      {
        conditionals: [
          { operator: '>', left_config: { source: 'Number' }, right_config: { value: 2 } },
          {
            operator: '=',
            left_config: { source: 'Object', json_path: '$.a.b[1]' },
            right_config: { value: 2 },
          },
        ],
      },
      true,
    ],
    CONTAINS: [{ source: 'Word', value: 'ON' }, true],
    CONVERSATION_SIMULATOR: [
      { ...wordPrompt, ...persona },
      [
        {
          role: 'user',
          content: '<QUESTION>\nSOMEBODY\n</QUESTION>\n\n<TEXT>\n(NO MESSAGES YET.)\n</TEXT>',
        },
        {
          role: 'assistant',
          content: '<QUESTION>\nSOMEBODY\n</QUESTION>\n\n<TEXT>\n(NO MESSAGES YET.)\n</TEXT>',
        },
      ],
    ],
    COSINE_SIMILARITY: [{ sources: ['Word', 'Xml'] }, 0.6],
    COUNT: [{ source: 'Word', type: 'chars' }, 3],
    ENDPOINT: [
      { url: `${provider.url}/price`, input_mappings: { w: 'Word' } },
      { price: 1, for: { w: 'one' } },
    ],
    FOR_LOOP: [
      {
        loop_type: 'prompt',
        prompt_config: promptOf('item {item}', ['item']),
        iterator_source: 'List',
        variable_mappings: { item: '_iterator_item' },
        return_all_outputs: true,
      },
      { iterations: 2, outputs: ['ITEM A', 'ITEM B'], final_output: 'ITEM B' },
    ],
    HUMAN: [{ data_type: 'number', ui_element: { type: 'slider', min: 0, max: 5 } }, null],
    JSON_PATH: [{ source: 'Object', json_path: '$.a.b[0]' }, 1],
    LLM_ASSERTION: [{ source: 'Word', prompt: 'it is a word' }, true],
    MATH_OPERATOR: [{ sources: ['Number'], operator: 'ge', value: 3 }, true],
    MCP: [
      {
        mcp_server_id: server.url,
        tool_name: 'add',
        input_mappings: { left: 'Number', right: 'Other' },
      },
      { sum: 8.5 },
    ],
    MIN_MAX: [{ source: 'Object', type: 'max', json_path: '$.a.b' }, 2],
    PARSE_VALUE: [{ source: 'Number', type: 'number' }, 3],
    PROMPT_TEMPLATE: [wordPrompt, 'SAY ONE'],
    REGEX: [{ source: 'Word', regex_pattern: '^o.e$' }, true],
    REGEX_EXTRACTION: [{ source: 'Word', regex_pattern: '[ne]' }, ['n', 'e']],
    TEXT: [{}, null],
    VARIABLE: [{ value: { type: 'json', value: { a: 1 } } }, { a: 1 }],
    WHILE_LOOP: [
      {
        loop_type: 'prompt',
        prompt_config: promptOf('{"done": true}', []),
        end_condition_json_path: '$.DONE',
        max_iterations: 2,
      },
      undefined,
    ],
    WORKFLOW: [{ workflow_id: 'counting', input_mappings: { word: 'Word' } }, 3],
    XML_PATH: [{ source: 'Xml', xml_path: './/i', type: 'findall' }, ['x', 'y']],
  });

  it('is made, computed and read back', async () => {
    const all = cases();
    assert.deepEqual(Object.keys(all).sort(), [...columnTypes].sort());
    const sheet = await SheetRun.of(api, csv);
    const columns = new Map<string, string>();
    for (const [type, [config]] of Object.entries(all)) {
      columns.set(type, await sheet.add(type, config));
    }
    await sheet.run();
    for (const [type, [, expected]] of Object.entries(all)) {
      const value = await sheet.value(columns.get(type) ?? '');
      if (expected === undefined) assert.equal((value as { iterations: number }).iterations, 2);
      else assert.deepEqual(value, expected, `${type}: ${JSON.stringify(value)}`);
    }
    const human = columns.get('HUMAN') ?? '';
    assert.equal((await sheet.cell(human)).status, 'stale', 'A person fills it in.');
    await sheet.write(human, 4);
    assert.equal(await sheet.value(human), 4);
    // Columns are named by id as well as by title.
    const { id: word } = (await api.get(`${sheet.place.path}/columns`)).data[0]!;
    const byId = await sheet.add('COUNT', { source: word, type: 'chars' }, 'By id');
    await sheet.run();
    assert.equal(await sheet.value(byId), 3);
  });

  it('is also made by its alias, and is what it stands for', async () => {
    const all = cases();
    const sheet = await SheetRun.of(api, csv);
    for (const [alias, type] of Object.entries(columnTypeAliases)) {
      const body = { title: alias, type: alias, config: all[type]?.[0] };
      const { column } = await api.expect(201, 'POST', `${sheet.place.path}/columns`, body);
      assert.equal(column.type, type);
    }
    await sheet.refuse('DATASET', {});
    await sheet.refuse('NO_SUCH_TYPE', {});
  });

  it('says of a text whether it is SQL', async () => {
    const sheet = await SheetRun.of(api, 'Right,Wrong\nselect a from b,select from where');
    const ids: string[] = [];
    for (const source of ['Right', 'Wrong'])
      ids.push(await sheet.add('ASSERT_VALID', { source, type: 'sql' }, `SQL: ${source}`));
    await sheet.run();
    const values: unknown[] = [];
    for (const id of ids) values.push(await sheet.value(id));
    assert.deepEqual(values, [true, false]);
  });

  it('goes on with a conversation that another column holds', async () => {
    const sheet = await SheetRun.of(api, csv);
    const talk = await sheet.add('CONVERSATION_SIMULATOR', { ...wordPrompt, ...persona }, 'Talk');
    const next = await sheet.add(
      'PROMPT_TEMPLATE',
      { ...wordPrompt, chat_history_source: 'Talk' },
      'Next',
    );
    const wrong = await sheet.add(
      'PROMPT_TEMPLATE',
      { ...wordPrompt, chat_history_source: 'List' },
      'Wrong',
    );
    await sheet.run();
    assert.equal((await sheet.cell(talk)).status, 'completed');
    assert.match(String(await sheet.value(next)), /SOMEBODY/);
    const sent = provider.requests
      .map(({ json }) => json['messages'] as { role: string }[] | undefined)
      .find((messages) => messages?.length === 3);
    assert.deepEqual(
      sent?.map(({ role }) => role),
      ['user', 'user', 'assistant'],
    );
    assert.match(
      String(await sheet.value(wrong)),
      /^invalid_input: .*"List" holds no conversation/,
    );
  });
});
