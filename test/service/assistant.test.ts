import assert from 'node:assert/strict';
import fs from 'node:fs';
import https from 'node:https';
import path from 'node:path';
import { Client as McpClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import type { ToolAnswer } from '../../src/core/assistant/call.ts';
import { callTool, inputSchemaOf, planTool } from '../../src/core/assistant/call.ts';
import { toolNames } from '../../src/core/assistant/names.ts';
import type { ToolName } from '../../src/core/assistant/names.ts';
import { tokensIn } from '../../src/core/assistant/budget.ts';
import type { CodePlace, Plan, ToolContext } from '../../src/core/assistant/tool.ts';
import { toolNamed, tools } from '../../src/core/assistant/tools.ts';
import { Client, silentLogger } from '../../src/core/index.ts';
import { startScriptedServer } from '../support/http/scripted-server.ts';
import { makeSelfSigned } from '../support/http/self-signed.ts';
import { chatReply } from '../support/providers/chat.ts';
import type { FakeProvider, ProviderAnswerScript } from '../support/providers/fake-provider.ts';
import { startFakeProvider } from '../support/providers/fake-provider.ts';
import { compileCache, mcpEntry } from '../support/service-entry.ts';
import { firstKey, newFolder, RunningService, secondKey } from './support/running-service.ts';
import { until } from '../support/until.ts';

const providerKey = 'sk-canary-of-the-assistants';
const rowCount = 60;

type Loose = Readonly<Record<string, unknown>>;

const places: readonly CodePlace[] = [
  { file: 'a.ts', line: 3, kind: 'run', name: 'greet', label: 'prod' },
  { file: 'a.ts', line: 5, kind: 'workflow', name: 'greet', label: undefined },
  { file: 'b.py', line: 1, kind: 'get', name: 'greet', label: undefined },
];

describe('Tools for assistants', function () {
  this.timeout(60_000);
  let service: RunningService;
  let provider: FakeProvider;
  let reply: (asked: string) => ProviderAnswerScript = () => ({});
  let first: Client;
  let second: Client;
  let toolContext: ToolContext;
  const reported: string[] = [];
  const environment = (): Record<string, string> => ({
    OPENAI_API_KEY: providerKey,
    OPENAI_BASE_URL: `${provider.url}/v1`,
  });

  before(async () => {
    provider = await startFakeProvider((request) => reply(request.text));
    service = await RunningService.start({ environment: environment() });
    const open = (apiKey: string): Client =>
      new Client({
        ...{ apiKey, baseURL: service.ready.url, logger: silentLogger },
        environment: environment(),
      });
    first = open(firstKey);
    second = open(secondKey);
    toolContext = {
      workspaces: [
        { id: 'one', name: 'First', address: 'here' },
        { id: 'two', name: 'Second', address: 'there' },
      ],
      currentId: 'one',
      client: (id) => Promise.resolve(id === 'one' ? first : second),
      findInCode: () => Promise.resolve({ places, isPartial: false }),
      started: (workspace, _, operation) => reported.push(`${workspace} ${operation}`),
    };
    const { table } = await first.tables.create({ title: 'Words', create_default_sheet: false });
    const lines = Array.from(
      { length: rowCount },
      (_, at) => `word ${String(at)},${'x'.repeat(at * 20)}`,
    );
    const started = await first.tables.sheets.createFromFile(table.id, {
      fileName: 'rows.csv',
      content: new TextEncoder().encode(`word,long\n${lines.join('\n')}\n`),
      title: 'Sheet',
    });
    for await (const _ of first.tables.imports.watch(table.id, started.operation_id, {
      firstDelayMs: 20,
    }));
    const ref = { tableId: table.id, sheetId: started.sheet.id };
    await first.tables.columns.create(ref, {
      title: 'Length',
      type: 'COUNT',
      config: { source: 'word', type: 'chars' },
    });
    await first.templates.publish({
      promptName: 'greet',
      promptTemplate: {
        type: 'chat',
        messages: [
          {
            role: 'user',
            input_variables: ['name'],
            template_format: 'f-string',
            content: [{ type: 'text', text: 'Greet {name}.' }],
          },
        ],
        input_variables: ['name'],
      },
      metadata: { model: { provider: 'openai', name: 'gpt-4o-mini', parameters: {} } },
      releaseLabels: ['prod'],
    });
    await first.workflows.create({
      name: 'count',
      nodes: [
        {
          ...{ name: 'letters', node_type: 'COUNT', is_output_node: true },
          ...{ configuration: { source: 'text', type: 'chars' }, dependencies: ['text'] },
        },
      ],
      required_input_variables: { text: 'string' },
    });
  });
  after(async () => {
    await Promise.all([first.close(), second.close()]);
    await service.stop();
    await provider.close();
  });

  function parsed({ text, isError }: ToolAnswer): Loose {
    assert.equal(isError, false, text);
    assert.ok(!text.includes(firstKey) && !text.includes(providerKey));
    return JSON.parse(text) as Loose;
  }
  const toolOf = (name: ToolName) => {
    const found = toolNamed(name);
    assert.ok(found);
    return found;
  };
  const call = async (name: ToolName, input: object = {}): Promise<Loose> =>
    parsed(await callTool(toolOf(name), toolContext, input));
  async function refused(name: ToolName, input: object): Promise<string> {
    const { text, isError } = await callTool(toolOf(name), toolContext, input);
    assert.ok(isError, text);
    assert.match(text, /\nNext: /);
    return text;
  }
  const plan = async (name: ToolName, input: object): Promise<Plan> => {
    const made = await planTool(toolOf(name), toolContext, input);
    assert.ok(made);
    return made;
  };
  const words = { table: 'Words' };

  it('are twelve at most, with names and descriptions of their own', () => {
    assert.ok(tools.length <= 12);
    assert.deepEqual(
      tools.map(({ name }) => name),
      [...toolNames],
    );
    for (const { name, description, effect, ...rest } of tools) {
      assert.match(name, /^[a-z]+_[a-z]+_[a-z]+$/);
      assert.ok(description.length > 80, name);
      assert.equal(effect === 'changes', 'plan' in rest, name);
    }
  });

  it('describe each of their parameters', () => {
    for (const tool of tools) {
      const { properties = {} } = inputSchemaOf(tool) as {
        readonly properties?: Readonly<Record<string, { readonly description?: string }>>;
      };
      for (const [name, { description }] of Object.entries(properties)) {
        assert.ok((description ?? '').length > 10, `${tool.name}: ${name}`);
      }
    }
  });

  it('say once what to do about a cursor', async () => {
    const text = await refused('list_smart_tables', { cursor: 'forged' });
    assert.equal(text.match(/Start again from the first page/g)?.length, 1, text);
  });

  it('list the workspaces, and work in the one that is named', async () => {
    const { workspaces } = await call('list_prompt_workspaces');
    assert.deepEqual(workspaces, [
      { name: 'First', id: 'one', address: 'here', in_use: true },
      { name: 'Second', id: 'two', address: 'there', in_use: false },
    ]);
    const elsewhere = await call('list_smart_tables', { workspace: 'Second' });
    assert.deepEqual(elsewhere['tables'], []);
    assert.match(await refused('list_smart_tables', { workspace: 'Third' }), /"First", "Second"/);
    const nowhere = { ...toolContext, currentId: undefined };
    const { text } = await callTool(toolOf('list_smart_tables'), nowhere, {});
    assert.match(text, /No workspace is in use\. Name one in "workspace"/);
  });

  it('list tables and the sheets of one', async () => {
    const { tables } = await call('list_smart_tables');
    assert.equal((tables as Loose[])[0]?.['title'], 'Words');
    const { sheets } = await call('list_smart_tables', words);
    assert.deepEqual(
      (sheets as Loose[]).map(({ title, rows }) => [title, rows]),
      [['Sheet', rowCount]],
    );
    assert.match(await refused('list_smart_tables', { table: 'Wrods' }), /Available: "Words"/);
  });

  it('read rows within the tokens that are wanted, and go on where the answer ended', async () => {
    const seen: number[] = [];
    let cursor: unknown;
    let calls = 0;
    do {
      const input = { ...words, limit: 40, max_tokens: 1500, ...(calls > 0 && { cursor }) };
      const { text } = await callTool(toolOf('read_sheet_rows'), toolContext, input);
      assert.ok(tokensIn(text) <= 1600, String(tokensIn(text)));
      const answer = JSON.parse(text) as Loose;
      for (const row of answer['rows'] as Loose[]) seen.push(row['row_index'] as number);
      cursor = answer['next_cursor'];
      calls += 1;
    } while (cursor !== null);
    assert.equal(new Set(seen).size, rowCount);
    assert.equal(seen.length, rowCount);
    assert.ok(calls > 2, 'More answers than pages of 40: they were kept short.');
  });

  it('show what a cell is, and read a long one whole in parts', async () => {
    const { rows, columns } = await call('read_sheet_rows', {
      ...words,
      limit: 60,
      max_tokens: 20_000,
    });
    assert.deepEqual(
      (columns as Loose[]).map(({ title }) => title),
      ['word', 'long', 'Length'],
    );
    const cells = (rows as Loose[])[50]?.['cells'] as Record<string, Loose>;
    assert.equal(cells['word'], 'word 50');
    assert.equal(cells['Length']!['status'], 'stale');
    assert.equal(cells['long']!['characters'], 1000);
    const named = { ...words, cell_id: cells['long']!['cell_id'] };
    const begun = await call('read_sheet_rows', { ...named, max_tokens: 400 });
    const rest = await call('read_sheet_rows', { ...named, offset: begun['next_offset'] });
    assert.equal(`${String(begun['value'])}${String(rest['value'])}`, 'x'.repeat(1000));
    assert.equal(rest['next_offset'], null);
    const byPlace = await call('read_sheet_rows', { ...words, row_index: 3, column: 'word' });
    assert.equal(byPlace['value'], 'word 3');
    assert.match(await refused('read_sheet_rows', { ...words, row_index: 1 }), /give cell_id, or/);
    assert.match(
      await refused('read_sheet_rows', { ...words, columns: ['Wrod'] }),
      /It has: "word", "long", "Length"/,
    );
  });

  it('plan a recalculation with its cells and cost, start it, wait for it', async () => {
    const whole = await plan('recalculate_sheet_cells', words);
    assert.deepEqual(whole, {
      ...{ kind: 'recalculate', workspace: 'First', table: 'Words', sheet: 'Sheet' },
      ...{ columns: undefined, rowIndices: undefined, scope: 'stale', cellCount: rowCount },
      ...{ isUpperLimit: false, costUsd: 0, costCeilingUsd: undefined },
    });
    const some = { ...words, columns: ['Length'], row_indices: [1, 2, 3] };
    const part = await plan('recalculate_sheet_cells', some);
    assert.ok(part.kind === 'recalculate');
    assert.deepEqual([part.cellCount, part.isUpperLimit, part.columns], [3, true, ['Length']]);
    const started = await call('recalculate_sheet_cells', some);
    assert.equal(started['cells'], 3);
    assert.deepEqual(reported, [`one ${String(started['operation_id'])}`]);
    const ended = await call('get_sheet_operation', {
      ...{ ...words, operation_id: started['operation_id'], wait_seconds: 60 },
    });
    assert.equal(ended['completed'], 3);
    const { cells_by_status: counts } = await call('get_sheet_operation', words);
    assert.equal((counts as Loose)['STALE'] ?? (counts as Loose)['stale'], rowCount - 3);
    const again = await call('recalculate_sheet_cells', some);
    assert.deepEqual([again['started'], typeof again['reason']], [false, 'string']);
    assert.match(
      await refused('get_sheet_operation', { ...words, operation_id: 'none' }),
      /without operation_id/,
    );
  });

  it('plan and cancel an operation', async () => {
    const { tables } = await call('list_smart_tables', words);
    assert.equal(tables, undefined);
    const started = await call('recalculate_sheet_cells', { ...words, scope: 'all' });
    const named = { ...words, operation_id: started['operation_id'] };
    const asked = await planTool(toolOf('cancel_sheet_operation'), toolContext, named);
    // So few cells may be done by now: then there is nothing to ask about.
    if (asked !== undefined) {
      assert.ok(asked.kind === 'cancel' && asked.operationId === started['operation_id']);
      assert.ok((asked.pendingCount ?? 0) > 0);
    }
    const { cancelled_cells: cells } = await call('cancel_sheet_operation', named);
    assert.equal(typeof cells, 'number');
  });

  it('find prompts in code, by name, by label, and all of them', async () => {
    const found = await call('find_prompt_usages', { prompt: 'greet', label: 'prod' });
    assert.deepEqual(found, {
      usages: [{ file: 'a.ts', line: 3, call: 'run', name: 'greet', label: 'prod' }],
      total: 1,
    });
    assert.equal((await call('find_prompt_usages', { workflow: 'greet' }))['total'], 1);
    assert.equal((await call('find_prompt_usages', { prompt: 'greet', limit: 1 }))['total'], 2);
    const all = await call('find_prompt_usages', {});
    assert.deepEqual(all, {
      in_code: [
        { prompt: 'greet', usages: 2, labels: ['prod'] },
        { workflow: 'greet', usages: 1, labels: [] },
      ],
      more: false,
    });
    assert.match(await refused('find_prompt_usages', { prompt: 'a', workflow: 'b' }), /not both/);
  });

  it('make types of prompts, of some or of all, in both languages', async () => {
    const one = await call('get_prompt_types', { prompts: ['greet', 'nobody'] });
    assert.match(String(one['module']), /"greet": \{\n {4}variables: \{ "name": /);
    assert.deepEqual(
      (one['not_read'] as Loose[]).map(({ prompt }) => prompt),
      ['nobody'],
    );
    const all = await call('get_prompt_types', { language: 'python' });
    assert.match(String(all['module']), /prompt_name: Literal\["greet"\]/);
    assert.equal(all['note'], undefined);
    const cut = await call('get_prompt_types', { max_tokens: 200 });
    assert.match(String(cut['note']), /^Cut: /);
  });

  it('find, read and run a prompt, and find its request in the log', async () => {
    reply = () => ({ body: chatReply('Hello, Ada!', [1000, 100]) });
    const { prompts } = await call('list_prompt_templates', { name: 'gree' });
    assert.deepEqual((prompts as Loose[])[0]?.['name'], 'greet');
    const template = await call('list_prompt_templates', { prompt: 'greet', label: 'prod' });
    assert.match(await refused('list_prompt_templates', { label: 'prod' }), /Give "prompt"/);
    assert.deepEqual(template['variables'], ['name']);
    assert.deepEqual(template['labels'], [{ label: 'prod', version: 1 }]);
    assert.match(await refused('run_prompt_template', { prompt: 'greet' }), /missing: name/);
    assert.match(await refused('run_prompt_template', { prompt: 'great' }), /Next: List what/);
    const input = { prompt: 'greet', variables: { name: 'Ada' } };
    const before = await plan('run_prompt_template', input);
    assert.ok(before.kind === 'run');
    assert.deepEqual([before.model, before.costUsd], ['openai/gpt-4o-mini', undefined]);
    const ran = await call('run_prompt_template', input);
    assert.equal(ran['text'], 'Hello, Ada!');
    const after = await plan('run_prompt_template', input);
    assert.ok(after.kind === 'run' && after.costUsd !== undefined && after.costUsd > 0);
    const { requests } = await call('search_prompt_requests', {
      ...{ prompt: 'greet', model: 'gpt-4o-mini', tag: 'assistant', text: 'hello' },
    });
    assert.deepEqual(
      (requests as Loose[]).map((one) => [one['request_id'], one['prompt']]),
      [[ran['request_id'], 'greet']],
    );
    const whole = await call('search_prompt_requests', { request_id: ran['request_id'] });
    assert.match(String(whole['blueprint']), /Greet Ada\..*Hello, Ada!/);
  });

  it('list workflows and the nodes of one', async () => {
    const { workflows } = await call('list_prompt_workflows');
    assert.deepEqual((workflows as Loose[])[0]?.['name'], 'count');
    const { nodes } = await call('list_prompt_workflows', { workflow: 'count' });
    assert.deepEqual((nodes as Loose[])[0]?.['type'], 'COUNT');
  });

  it('say which part of an input does not fit', async () => {
    assert.match(await refused('read_sheet_rows', { table: 'Words', limit: 1000 }), /limit: /);
    assert.match(await refused('read_sheet_rows', {}), /table: /);
    assert.match(await refused('list_smart_tables', { tabel: 'x' }), /tabel/);
  });

  it('stop at the socket when they are cancelled', async () => {
    reply = () => ({ pieces: [' '], then: 'hang' });
    const asked = provider.requests.length;
    const stop = new AbortController();
    const input = { prompt: 'greet', variables: { name: 'Ada' } };
    const running = callTool(toolOf('run_prompt_template'), toolContext, input, {
      signal: stop.signal,
    });
    await until('the model is asked', () => provider.requests.length > asked);
    stop.abort();
    await assert.rejects(running);
    await provider.requests[asked]?.closed;
  });

  describe('over MCP', () => {
    const errors: string[] = [];
    const clients: McpClient[] = [];

    async function connect(
      more: Readonly<Record<string, string>>,
      answers?: 'accept' | 'decline',
    ): Promise<McpClient> {
      const transport = new StdioClientTransport({
        command: process.execPath,
        args: [mcpEntry],
        env: {
          ...compileCache,
          ...environment(),
          PROMPTLAYER_API_KEY: firstKey,
          PROMPTLAYER_BASE_URL: service.ready.url!,
          PROMPT_TABLES_WORKSPACE: 'First',
          ...more,
        },
        stderr: 'pipe',
      });
      transport.stderr?.on('data', (chunk: Buffer) => errors.push(chunk.toString()));
      const client = new McpClient(
        { name: 'test', version: '1.0.0' },
        { capabilities: answers === undefined ? {} : { elicitation: {} } },
      );
      if (answers !== undefined) {
        client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
          questions.push(params.message);
          return { action: answers, content: {} };
        });
      }
      await client.connect(transport);
      clients.push(client);
      return client;
    }
    const questions: string[] = [];
    const ask = async (
      client: McpClient,
      name: string,
      input: Readonly<Record<string, unknown>> = {},
    ): Promise<ToolAnswer> => {
      const answer = await client.callTool({ name, arguments: input });
      const [part] = answer.content as { text: string }[];
      return { text: part?.text ?? '', isError: answer.isError === true };
    };

    after(async () => {
      for (const client of clients) await client.close();
    });

    it('a server that may not change anything offers and does what reads only', async () => {
      const client = await connect({});
      const { tools: offered } = await client.listTools();
      assert.deepEqual(
        offered.map(({ name }) => name),
        tools.filter(({ effect }) => effect === 'reads').map(({ name }) => name),
      );
      assert.ok(offered.every(({ annotations }) => annotations?.readOnlyHint));
      assert.match(client.getInstructions() ?? '', /only reads/);
      const asked = provider.requests.length;
      for (const name of tools
        .filter(({ effect }) => effect === 'changes')
        .map((one) => one.name)) {
        const { text, isError } = await ask(client, name, { prompt: 'greet', table: 'Words' });
        assert.ok(isError);
        assert.match(text, /was not called\. This server only reads.*PROMPT_TABLES_ALLOW_CHANGES/);
      }
      assert.equal(provider.requests.length, asked);
      const unknown = await ask(client, 'drop_all_tables');
      assert.match(unknown.text, /There is no tool "drop_all_tables"/);
    });

    it('every tool answers', async () => {
      reply = () => ({ body: chatReply('Hello again!') });
      const client = await connect({
        PROMPT_TABLES_ALLOW_CHANGES: '1',
        PROMPT_TABLES_FOLDER: import.meta.dirname,
      });
      assert.equal((await client.listTools()).tools.length, tools.length);
      const inputs: Readonly<Record<ToolName, object>> = {
        list_prompt_workspaces: {},
        list_smart_tables: {},
        read_sheet_rows: words,
        recalculate_sheet_cells: { ...words, row_indices: [5, 6], scope: 'all' },
        get_sheet_operation: words,
        cancel_sheet_operation: { ...words, operation_id: 'long ended' },
        list_prompt_templates: {},
        find_prompt_usages: {},
        get_prompt_types: {},
        run_prompt_template: { prompt: 'greet', variables: { name: 'Bo' } },
        search_prompt_requests: {},
        list_prompt_workflows: {},
      };
      for (const [name, input] of Object.entries(inputs)) {
        parsed(await ask(client, name, input as Loose));
      }
      // Names of before, which are not offered any more.
      const cell = { ...words, row_index: 0, column: 'word' };
      assert.equal(parsed(await ask(client, 'get_sheet_cell', cell))['value'], 'word 0');
      const template = await ask(client, 'get_prompt_template', { prompt: 'greet' });
      assert.equal(parsed(template)['name'], 'greet');
      const missing = await ask(client, 'list_prompt_templates', { prompt: 'nobody' });
      assert.match(missing.text, /\nNext: List what there is/);
    });

    it('code of the folder that the server was given is looked into, and nothing else', async () => {
      const folder = newFolder();
      const [code, other] = ['code', 'other'].map((name) => path.join(folder, name));
      assert.ok(code !== undefined && other !== undefined);
      const write = (file: string, text: string): void => {
        fs.mkdirSync(path.dirname(file), { recursive: true });
        fs.writeFileSync(file, text);
      };
      const asks = (name: string): string => `client.run({ promptName: '${name}' });\n`;
      write(path.join(other, 'secret.ts'), asks('secret'));
      write(path.join(other, 'names.ts'), `export const NAME = 'secret';\n`);
      write(path.join(code, 'a.ts'), `import { NAME } from './lib/names';\n${asks('greet')}`);
      write(path.join(code, 'lib', 'names.ts'), `export const NAME = 'greet';\n`);
      write(
        path.join(code, 'lib', 'b.py'),
        'from .names import NAME\n\nclient.run(prompt_name=NAME, prompt_release_label="prod")\n',
      );
      write(path.join(code, 'lib', 'names.py'), 'NAME = "greet"\n');
      write(
        path.join(code, 'outside.ts'),
        `import { NAME } from '../other/names';\nclient.run({ promptName: NAME });\n`,
      );
      write(path.join(code, 'node_modules', 'c.ts'), asks('greet'));
      fs.symlinkSync(other, path.join(code, 'linked'));
      fs.symlinkSync(path.join(other, 'secret.ts'), path.join(code, 'linked.ts'));
      try {
        const client = await connect({ PROMPT_TABLES_FOLDER: code });
        const found = parsed(await ask(client, 'find_prompt_usages', { prompt: 'greet' }));
        assert.deepEqual(found['usages'], [
          { file: 'a.ts', line: 2, call: 'run', name: 'greet' },
          { file: 'lib/b.py', line: 3, call: 'run', name: 'greet', label: 'prod' },
        ]);
        const all = parsed(await ask(client, 'find_prompt_usages'));
        assert.deepEqual(all['in_code'], [{ prompt: 'greet', usages: 2, labels: ['prod'] }]);
        const none = await ask(await connect({}), 'find_prompt_usages');
        assert.ok(none.isError);
        assert.match(none.text, /--folder PATH/);
        await assert.rejects(connect({ PROMPT_TABLES_FOLDER: path.join(folder, 'gone') }));
        assert.match(errors.join(''), /There is no folder/);
      } finally {
        fs.rmSync(folder, { recursive: true, force: true });
      }
    });

    it('a client that can ask its user asks first, with workspace, cells and cost', async () => {
      const asked = provider.requests.length;
      const no = await connect({ PROMPT_TABLES_ALLOW_CHANGES: '1' }, 'decline');
      const run = { prompt: 'greet', variables: { name: 'Bo' } };
      const declined = await ask(no, 'run_prompt_template', run);
      assert.match(declined.text, /The user has declined\./);
      assert.equal(provider.requests.length, asked);
      assert.match(
        questions[0] ?? '',
        /Run the prompt greet v1 with openai\/gpt-4o-mini in the workspace "First"\? Estimated cost: about \$0\./,
      );
      const yes = await connect({ PROMPT_TABLES_ALLOW_CHANGES: 'true' }, 'accept');
      parsed(
        await ask(yes, 'recalculate_sheet_cells', { ...words, columns: ['Length'], scope: 'all' }),
      );
      assert.match(
        questions[1] ?? '',
        /Run up to [1-9]\d* cells \(Length; all rows\) of Words \/ Sheet/,
      );
    });

    it('asks nothing when there is nothing to run or to cancel', async () => {
      const client = await connect({ PROMPT_TABLES_ALLOW_CHANGES: '1' }, 'accept');
      const before = questions.length;
      const typed = await ask(client, 'recalculate_sheet_cells', { ...words, columns: ['word'] });
      assert.match(typed.text, /"word" is of type TEXT/);
      assert.ok(typed.isError);
      const failed = await ask(client, 'recalculate_sheet_cells', { ...words, scope: 'failed' });
      assert.equal(parsed(failed)['started'], false);
      const cancel = { ...words, operation_id: 'of-nobody' };
      assert.equal(
        parsed(await ask(client, 'cancel_sheet_operation', cancel))['cancelled_cells'],
        0,
      );
      assert.deepEqual(questions.slice(before), []);
    });

    it('trusts the certificates that the words of Node name, and no others', async () => {
      const certificate = makeSelfSigned(['localhost']);
      const server = await startScriptedServer(
        [{ body: { success: true, tables: [], has_more: false } }],
        undefined,
        (handler) => https.createServer(certificate, handler),
      );
      const folder = newFolder();
      const file = path.join(folder, 'authority.pem');
      fs.writeFileSync(file, certificate.cert);
      try {
        const url = { PROMPTLAYER_BASE_URL: `https://localhost:${String(server.port)}` };
        const asked = async (more: Readonly<Record<string, string>>): Promise<ToolAnswer> =>
          ask(await connect({ ...url, ...more }), 'list_smart_tables');
        for (const none of [{}, { SSL_CERT_FILE: file, NODE_USE_SYSTEM_CA: '0' }]) {
          assert.match((await asked(none)).text, /self-signed|SELF_SIGNED/);
        }
        assert.equal(server.requests.length, 0);
        for (const more of [
          { NODE_TLS_REJECT_UNAUTHORIZED: '0' },
          { NODE_EXTRA_CA_CERTS: file },
          { SSL_CERT_FILE: file, NODE_USE_SYSTEM_CA: '1' },
        ]) {
          parsed(await asked(more));
        }
      } finally {
        await server.close();
        fs.rmSync(folder, { recursive: true, force: true });
      }
    });

    it('a cancelled call ends at the socket of the provider', async () => {
      reply = () => ({ pieces: [' '], then: 'hang' });
      const asked = provider.requests.length;
      const client = await connect({ PROMPT_TABLES_ALLOW_CHANGES: '1' });
      const stop = new AbortController();
      const running = client.callTool(
        { name: 'run_prompt_template', arguments: { prompt: 'greet', variables: { name: 'Bo' } } },
        undefined,
        { signal: stop.signal },
      );
      await until('the model is asked', () => provider.requests.length > asked);
      stop.abort();
      await assert.rejects(running);
      await provider.requests[asked]?.closed;
    });

    it('a wrong key is told with what to do, and no key is ever told', async () => {
      const canary = 'canary-key-that-nobody-may-see';
      const client = await connect({ PROMPTLAYER_API_KEY: canary });
      const { text, isError } = await ask(client, 'list_smart_tables');
      assert.ok(isError);
      assert.match(text, /Do not ask for a key in the chat/);
      const all = `${text}${errors.join('')}${questions.join('')}`;
      for (const secret of [canary, firstKey, providerKey]) assert.ok(!all.includes(secret));
    });

    it('without a key it does not start, and says why', async () => {
      errors.length = 0;
      await assert.rejects(connect({ PROMPTLAYER_API_KEY: '' }));
      assert.match(errors.join(''), /There is no API key\. .*PROMPTLAYER_API_KEY/);
    });
  });
});
