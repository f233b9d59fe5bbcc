import assert from 'node:assert/strict';
import fs from 'node:fs';
import * as vscode from 'vscode';
import { toolNames } from '../../../src/core/assistant/names.ts';
import { questionOf } from '../../../src/extension/assistants/question.ts';
import type { Client, SheetRef } from '../../../src/core/index.ts';
import { startHostedService } from '../support/hosted-service.ts';
import { localClient, makeSheet } from '../support/local-client.ts';
import { product, run, setting } from '../support/product.ts';
import { until } from '../../support/until.ts';

const canary = 'pl_canary-key-of-the-mcp-servers';

type Loose = Readonly<Record<string, unknown>>;

async function invoke(name: string, input: object): Promise<Loose> {
  const { content } = await vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined });
  const [part] = content;
  assert.ok(part instanceof vscode.LanguageModelTextPart);
  return JSON.parse(part.value) as Loose;
}

describe('assistants', function () {
  this.timeout(90_000);
  const table = 'Table of assistants';
  let client: Client;
  let ref: SheetRef;

  before(async () => {
    await run('promptTables.useLocal');
    const api = await product();
    await api.tree();
    client = await localClient();
    ref = await makeSheet(client, { title: table, rows: 5 });
  });
  after(() => client.close());

  it('are shown every tool, with an input schema', () => {
    const own = vscode.lm.tools.filter(({ tags }) => tags.includes('prompt-tables'));
    assert.deepEqual(own.map(({ name }) => name).sort(), [...toolNames].sort());
    for (const { name, description, inputSchema } of own) {
      assert.ok(description.length > 80, name);
      assert.equal((inputSchema as Loose)['type'], 'object', name);
    }
  });

  it('read through the tools', async () => {
    const { workspaces } = await invoke('list_prompt_workspaces', {});
    assert.ok((workspaces as Loose[]).some(({ id, in_use: isUsed }) => id === 'local' && isUsed));
    const { tables } = await invoke('list_smart_tables', { workspace: 'local', name: table });
    assert.deepEqual((tables as Loose[])[0]?.['title'], table);
    const { rows } = await invoke('read_sheet_rows', { table, limit: 2 });
    const [first] = rows as { cells: Loose }[];
    assert.equal(first?.cells['word'], 'word 0');
    const cell = await invoke('read_sheet_rows', { table, row_index: 1, column: 'word' });
    assert.equal(cell['value'], 'word 1');
    const folder = vscode.workspace.workspaceFolders?.[0] ?? assert.fail('no folder');
    const code = vscode.Uri.joinPath(folder.uri, 'assistant-code.py');
    const text = '\nclient.run(prompt_name="of-assistants", prompt_release_label="prod")\n';
    await vscode.workspace.fs.writeFile(code, new TextEncoder().encode(text));
    try {
      const place = { file: 'assistant-code.py', line: 2, call: 'run', label: 'prod' };
      const found = await until('the usage in code', async () => {
        const { usages } = await invoke('find_prompt_usages', { prompt: 'of-assistants' });
        return (usages as Loose[]).length === 1 ? usages : undefined;
      });
      assert.deepEqual(found, [{ ...place, name: 'of-assistants' }]);
    } finally {
      await vscode.workspace.fs.delete(code);
    }
    const others = ['list_prompt_templates', 'search_prompt_requests', 'list_prompt_workflows'];
    for (const name of [...others, 'get_prompt_types']) await invoke(name, {});
  });

  // The driver of these suites says yes to confirmations; what they ask is looked at below.
  it('run cells and look at the operation', async () => {
    const started = await invoke('recalculate_sheet_cells', { table });
    assert.equal(started['cells'], 5);
    const named = { table, operation_id: started['operation_id'] };
    const ended = await invoke('get_sheet_operation', { ...named, wait_seconds: 30 });
    assert.equal(ended['completed'], 5);
    const cancelled = await invoke('cancel_sheet_operation', named);
    assert.equal(cancelled['cancelled_cells'], 0);
    const { status_counts: counts } = await client.tables.operations.statusCounts(ref);
    assert.ok(Object.keys(counts).some((status) => status.toLowerCase() === 'completed'));
  });

  const place = { workspace: 'Local workspace', table: 'Words', sheet: 'Sheet' };

  it('ask before cells run: which workspace, sheet, columns, rows and cells, at what cost', () => {
    const plan = {
      kind: 'recalculate',
      scope: 'stale',
      ...{ ...place, columns: ['Answer'] },
      ...{ rowIndices: [3, 5], cellCount: 2, isUpperLimit: true },
      ...{ costUsd: 0.5, costCeilingUsd: undefined },
    } as const;
    assert.deepEqual(questionOf(plan), {
      title: 'Run up to 2 cells of Sheet?',
      lines: [
        'Workspace: Local workspace',
        'Sheet: Words / Sheet',
        'Columns: Answer',
        'Rows (row_index): 3, 5',
        'Cells: up to 2 cells, only stale cells',
        'Estimated cost: about $0.50, based on earlier runs',
      ],
      action: 'Run up to 2 cells',
    });
    const everything = questionOf({
      ...plan,
      scope: 'all',
      ...{ columns: undefined, rowIndices: undefined, cellCount: 1 },
      ...{ isUpperLimit: false, costUsd: 1234.5, costCeilingUsd: 12.34 },
    });
    assert.deepEqual(everything.lines.slice(2), [
      'Columns: all that are computed',
      'Rows (row_index): all',
      'Cells: 1 cell, including cells that are up to date',
      'Estimated cost: about $1,234.50, based on earlier runs',
      'Stops at: $12.34 (local workspace only)',
    ]);
    const many = questionOf({ ...plan, rowIndices: Array.from({ length: 1234 }, (_, at) => at) });
    assert.ok(many.lines.includes('Rows (row_index): 1,234'));
  });

  it('ask before a prompt runs: which workspace, version and model, at what cost', () => {
    const plan = {
      kind: 'run',
      ...{ workspace: 'Local workspace', prompt: 'greet', version: 3 },
      ...{ label: undefined, model: undefined, costUsd: undefined },
    } as const;
    assert.deepEqual(questionOf(plan), {
      title: 'Run the prompt greet?',
      lines: [
        'Workspace: Local workspace',
        'Prompt: greet version 3',
        'Model: same as the prompt',
        'Estimated cost: unknown',
      ],
      action: 'Run',
    });
    const known = questionOf({ ...plan, label: 'prod', model: 'openai/gpt-4o', costUsd: 0.0021 });
    assert.deepEqual(known.lines.slice(1), [
      'Prompt: greet prod',
      'Model: openai/gpt-4o',
      'Estimated cost: about $0.0021, based on earlier runs',
    ]);
  });

  it('ask before an operation is cancelled: which workspace, sheet and how many cells', () => {
    const plan = { kind: 'cancel', ...place, operationId: 'op', pendingCount: 1234 } as const;
    assert.deepEqual(questionOf(plan).lines, [
      'Workspace: Local workspace',
      'Sheet: Words / Sheet',
      'Operation: op',
      'Pending cells: 1,234',
    ]);
    const ended = questionOf({ ...plan, pendingCount: undefined });
    assert.equal(ended.lines.at(-1), 'It has ended, or it is unknown.');
  });

  it('are told what to do when a call fails', async () => {
    for (const name of ['list_prompt_templates', 'run_prompt_template']) {
      await assert.rejects(invoke(name, { prompt: 'nobody' }), /Next: List what there is/);
    }
    await assert.rejects(invoke('read_sheet_rows', { table: 'Nothing' }), /Nothing[^]*Next: /);
  });

  it('stop waiting when the call is cancelled', async () => {
    const slow = await makeSheet(client, {
      ...{ title: 'Slow table of assistants', rows: 2 },
      code: 'const end = Date.now() + 20000; while (Date.now() < end); return 1;',
    });
    const started = await client.tables.operations.create(slow, {});
    assert.ok(started.kind === 'queued');
    const stop = new vscode.CancellationTokenSource();
    const named = { table: slow.tableId, operation_id: started.operationId };
    const waiting = vscode.lm.invokeTool(
      'get_sheet_operation',
      { input: { ...named, wait_seconds: 120 }, toolInvocationToken: undefined },
      stop.token,
    );
    stop.cancel();
    await assert.rejects(async () => waiting);
    await client.tables.operations.cancel(slow, started.operationId);
  });

  it('have MCP servers that trust the certificates that VS Code is set to trust', async () => {
    const api = await product();
    const own = async (): Promise<readonly string[]> => {
      const servers = await api.mcpServers();
      const local = servers.find(({ label }) => label.endsWith('Local workspace'));
      assert.ok(local);
      return local.startedWith();
    };
    const restore = [await setting('promptTables.assistants.mcpServers', 'readOnly')];
    try {
      const usual = await own();
      assert.ok(usual.includes('NODE_USE_SYSTEM_CA'));
      assert.ok(!usual.includes('NODE_TLS_REJECT_UNAUTHORIZED'));
      restore.push(await setting('http.proxyStrictSSL', false));
      assert.ok((await own()).includes('NODE_TLS_REJECT_UNAUTHORIZED'));
    } finally {
      for (const back of restore) await back();
    }
  });

  it('have MCP servers of the workspaces that can be reached, without a key before they start', async () => {
    const api = await product();
    const service = await startHostedService();
    service.accept(canary);
    const id = await api.addConnection({ name: 'MCP host', baseURL: service.baseURL }, canary);
    const restore = await setting('promptTables.assistants.mcpServers', 'readOnly');
    try {
      const servers = await api.mcpServers();
      assert.ok(!JSON.stringify(servers).includes(canary));
      const hosted = servers.find(({ label }) => label === 'Prompt Tables: MCP host');
      assert.ok(hosted);
      assert.equal(hosted.environment['PROMPT_TABLES_ALLOW_CHANGES'], null);
      assert.ok(fs.existsSync(hosted.args[0] ?? ''), 'The server is packaged.');
      const names = await hosted.startedWith();
      assert.ok(names.includes('PROMPTLAYER_API_KEY') && names.includes('PROMPTLAYER_BASE_URL'));
      const local = servers.find(({ label }) => label.endsWith('Local workspace'));
      assert.ok((await local?.startedWith())?.includes('PROMPT_TABLES_SOCKET'));
      await api.signOut(id);
      await until('the server to go with the key', async () => {
        const left = await api.mcpServers();
        return left.some(({ label }) => label === hosted.label) ? undefined : true;
      });
      await assert.rejects(hosted.startedWith(), /There is no API key for MCP host/);
    } finally {
      await restore();
      await api.removeConnection(id);
      await service.stop();
    }
  });
});
