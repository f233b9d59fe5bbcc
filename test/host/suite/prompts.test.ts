import assert from 'node:assert/strict';
import path from 'node:path';
import * as vscode from 'vscode';
import { filesBelow, textOf } from '../../../scripts/files.mjs';
import { runPanelId } from '../../../src/extension/contributions.ts';
import { localClient } from '../support/local-client.ts';
import { entryNamed, product, run, setting } from '../support/product.ts';
import type { Model, PromptService } from '../support/prompt-service.ts';
import { startModel, startPromptService } from '../support/prompt-service.ts';
import { timeLimit } from '../../support/time-limit.ts';
import { until } from '../../support/until.ts';

/** Must never be found anywhere but in the secret storage and on the wire to the model. */
const canary = 'sk-canary-3e9a7c15f2b04d68-do-not-leak';

const runTabs = (): vscode.Tab[] =>
  vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .filter(
      ({ input }) => input instanceof vscode.TabInputWebview && input.viewType.endsWith(runPanelId),
    );

describe('prompts', function () {
  this.timeout(90_000);
  let service: PromptService;
  let model: Model;
  let id: string;

  before(async () => {
    [service, model] = await Promise.all([startPromptService(), startModel()]);
    const api = await product();
    id = await api.addConnection(
      { name: 'Prompts', baseURL: service.url },
      'pl_prompts_1234567890',
    );
    await api.useConnection(id);
  });

  after(async () => {
    await run('workbench.action.closeAllEditors');
    const api = await product();
    for (const name of await api.providerKeys()) await api.removeProviderKey(name);
    await api.removeConnection(id);
    await Promise.all([service.close(), model.close()]);
    await run('promptTables.useLocal');
  });

  const open = async (promptName: string): Promise<void> => {
    await run('workbench.action.closeAllEditors');
    await run('promptTables.runPrompt', {
      connectionId: id,
      promptName,
      choice: { kind: 'latest' },
    });
    await until('a run panel', () => runTabs().length === 1);
  };

  /** Presses Run until the page is there to be pressed. */
  const start = async (): Promise<void> => {
    const asked = model.bodies.length;
    await until(
      'the run to reach the model',
      async () => {
        await run('promptTables.run.start');
        await new Promise((resolve) => setTimeout(resolve, 500));
        return model.bodies.length > asked;
      },
      { limitMs: timeLimit(60_000) },
    );
  };

  const output = async (): Promise<string> => {
    await run('promptTables.run.copyOutput');
    return vscode.env.clipboard.readText();
  };

  it('are listed with version and model, their labels and versions below', async () => {
    const api = await product();
    const top = await api.prompts();
    assert.deepEqual(
      top.map(({ label, description }) => `${label}: ${description}`),
      [
        'support/answer: v3 · gpt-test · #test',
        'summarize: v1 · gpt-test · #test',
        'no variables: v12 · gpt-test · #test',
      ],
    );
    const below = await api.prompts(entryNamed(top, 'support/answer').id);
    assert.deepEqual(
      below.map(({ kind, label, description }) => [kind, label, description]),
      [
        ['promptLabel', 'prod', 'v2'],
        ['promptVersion', 'Version 3', ''],
        ['promptVersion', 'Version 2', 'prod'],
        ['promptVersion', 'Version 1', ''],
      ],
    );
  });

  it('come page by page', async () => {
    const api = await product();
    const putBack = await setting('promptTables.tree.pageSize', 5);
    try {
      await run('promptTables.refreshPrompts');
      const versions = await api.prompts(entryNamed(await api.prompts(), 'no variables').id);
      assert.equal(versions.length, 6);
      assert.equal(versions.at(-1)?.kind, 'more');
    } finally {
      await putBack();
      await run('promptTables.refreshPrompts');
    }
  });

  it('open as documents to read', async () => {
    await run('promptTables.openPrompt', { connectionId: id, promptName: 'support/answer' });
    const { document } = vscode.window.activeTextEditor ?? assert.fail('no editor');
    assert.equal(document.languageId, 'prompt-tables-prompt');
    assert.equal(vscode.workspace.fs.isWritableFileSystem(document.uri.scheme), false);
    assert.match(document.getText(), /prompt: support\/answer[^]*Answer \{question\}/);
  });

  it('are text with outline, hover, completion and diagnostics', async () => {
    await run('promptTables.editPrompt', { connectionId: id, promptName: 'support/answer' });
    const editor = vscode.window.activeTextEditor ?? assert.fail('no editor');
    const { document } = editor;
    const { uri } = document;
    assert.equal(uri.scheme, 'prompt-tables-draft');
    const symbols = await vscode.commands.executeCommand<vscode.DocumentSymbol[]>(
      'vscode.executeDocumentSymbolProvider',
      uri,
    );
    assert.deepEqual(
      symbols.map(({ name }) => name),
      ['1. user'],
    );
    const at = document.positionAt(document.getText().indexOf('{tone}') + 2);
    const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
      'vscode.executeHoverProvider',
      uri,
      at,
    );
    const texts = hovers.flatMap(({ contents }) =>
      contents.map((part) =>
        typeof part === 'string' ? part : (part as vscode.MarkdownString).value,
      ),
    );
    assert.match(texts.join('\n'), /tone[^]*message[^]*1/);
    await editor.edit((edit) => edit.insert(at.translate(0, 5), ' {mood} {'));
    const found = await until('the warning', () =>
      vscode.languages.getDiagnostics(uri).find(({ message }) => message.includes('"mood"')),
    );
    assert.equal(found.severity, vscode.DiagnosticSeverity.Warning);
    const cursor = document.positionAt(document.getText().indexOf('{mood} {') + 8);
    const { items } = await vscode.commands.executeCommand<vscode.CompletionList>(
      'vscode.executeCompletionItemProvider',
      uri,
      cursor,
    );
    const labels = items.map(({ label }) => (typeof label === 'string' ? label : label.label));
    assert.ok(labels.includes('question') && labels.includes('tone'), labels.join(', '));
    await run('workbench.action.files.revert');
  });

  it('in files are marked by the workspace in use alone, when several fit', async () => {
    const api = await product();
    const other = await startPromptService([]);
    const otherId = await api.addConnection(
      { name: 'Without prompts', baseURL: other.url },
      'pl_others_1234567890',
    );
    const folder = vscode.workspace.workspaceFolders?.[0] ?? assert.fail('no folder');
    const uri = vscode.Uri.joinPath(folder.uri, 'several.prompt');
    // Three versions were published in the first workspace, and none in the other.
    const text = '---\nprompt: support/answer\nversion: 2\n---\n\n=== user\n\nAnswer.\n';
    const hasNewer = async (): Promise<boolean> => {
      const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
        'vscode.executeCodeLensProvider',
        uri,
      );
      return lenses.some(({ command }) => command?.title.includes('Pull Newer Version'));
    };
    const asked = (): number =>
      other.requests.filter(({ path: way }) => decodeURIComponent(way).includes('support/answer'))
        .length;
    try {
      await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
      await vscode.window.showTextDocument(uri);
      await until('a mark from the first workspace', hasNewer);
      const before = asked();
      await api.useConnection(otherId);
      assert.equal(await hasNewer(), false, 'the mark of another workspace');
      await until('a look into the other', () => asked() > before);
      assert.equal(await hasNewer(), false);
      await api.useConnection(id);
      await until('the mark to come back', hasNewer);
    } finally {
      await run('workbench.action.closeAllEditors');
      await vscode.workspace.fs.delete(uri);
      await api.removeConnection(otherId);
      await other.close();
    }
  });

  it('keep keys of providers by name, and give none of them back', async () => {
    const api = await product();
    await api.setProviderKey('OPENAI_API_KEY', canary);
    await api.setProviderKey('OPENAI_BASE_URL', `${model.url}/v1`);
    assert.deepEqual(await api.providerKeys(), ['OPENAI_API_KEY', 'OPENAI_BASE_URL']);
    await api.setProviderKey('XAI_API_KEY', 'xai-something');
    await api.removeProviderKey('XAI_API_KEY');
    assert.deepEqual(await api.providerKeys(), ['OPENAI_API_KEY', 'OPENAI_BASE_URL']);
  });

  it('run with the key from the secret storage, and are logged without it', async () => {
    model.say('Hello from the model.');
    await open('no variables');
    await start();
    await until('the answer', async () => (await output()) === 'Hello from the model.');
    assert.equal(model.keys.at(-1), `Bearer ${canary}`);
    await until('the log', () => service.tracked.length > 0);
    assert.equal(JSON.stringify(service.tracked).includes(canary), false);
    for (const { headers, text } of service.requests) {
      assert.equal(JSON.stringify(headers).includes(canary) || text.includes(canary), false);
    }
  });

  it('show the raw response of the provider', async () => {
    await run('promptTables.run.showRaw');
    const editor = await until('the raw response', () =>
      vscode.window.visibleTextEditors.find(({ document }) => document.fileName.endsWith('.json')),
    );
    const raw = JSON.parse(editor.document.getText()) as { readonly usage: unknown };
    assert.deepEqual(raw.usage, { prompt_tokens: 21, completion_tokens: 1234, total_tokens: 1255 });
  });

  it('come from memory until the cache is cleared', async () => {
    const fetched = (): number =>
      service.requests.filter(
        ({ method, path: asked }) => method === 'POST' && /^\/prompt-templ/.test(asked),
      ).length;
    await open('no variables');
    const before = fetched();
    await start();
    assert.equal(fetched(), before);
    await run('promptTables.clearCachedTemplate', { connectionId: id, promptName: 'no variables' });
    await start();
    assert.equal(fetched(), before + 1);
    await run('promptTables.clearTemplateCache');
    await start();
    assert.equal(fetched(), before + 2);
  });

  it('stop at the model when they are stopped here', async () => {
    model.say('on and on '.repeat(10_000), { pieceMs: 20 });
    await open('no variables');
    const before = model.abandoned;
    await start();
    await until('some of the answer', async () => (await output()).startsWith('on and on'));
    await run('promptTables.run.stop');
    await until('the stream to end', () => model.abandoned > before, { limitMs: timeLimit(5000) });
    assert.match(await output(), /^on and on/);
  });

  it('go on when a setting of their workspace changes under them', async () => {
    model.say('on and on '.repeat(40), { pieceMs: 30 });
    await open('no variables');
    const { abandoned } = model;
    const logged = service.tracked.length;
    await start();
    const restore = await setting('promptTables.run.providerTimeoutSeconds', 77);
    await until('the run to be logged', () => service.tracked.length > logged);
    const whole = 'on and on '.repeat(40).trim();
    await until('the whole answer', async () => (await output()).trim() === whole);
    assert.equal(model.abandoned, abandoned);
    await restore();
    model.say('on and on '.repeat(10_000), { pieceMs: 20 });
  });

  it('go on when their tab is closed: what is paid for is kept', async () => {
    await open('no variables');
    const before = model.abandoned;
    const logged = service.tracked.length;
    model.say('on and on '.repeat(20), { pieceMs: 20 });
    await start();
    await run('workbench.action.closeAllEditors');
    await until('the run to be logged', () => service.tracked.length > logged);
    assert.equal(model.abandoned, before);
    model.say('on and on '.repeat(10_000), { pieceMs: 20 });
  });

  it('of the local workspace run the same way, and are logged there', async () => {
    const api = await product();
    await api.useConnection('local');
    await api.prompts();
    const client = await localClient();
    const name = `local ${Date.now()}`;
    try {
      const content = [{ type: 'text', text: 'Say hello.' }];
      const message = { role: 'user', input_variables: [], template_format: 'f-string', content };
      await client.templates.publish({
        promptName: name,
        tags: ['greeting'],
        promptTemplate: { type: 'chat', messages: [message], input_variables: [] },
        metadata: { model: { provider: 'openai', name: 'gpt-test', parameters: {} } },
      });
      await run('promptTables.refreshPrompts');
      assert.equal(entryNamed(await api.prompts(), name).description, 'v1 · gpt-test · #greeting');
      model.say('Hello from here.');
      await run('workbench.action.closeAllEditors');
      await run('promptTables.runPrompt', {
        ...{ connectionId: 'local', promptName: name },
        choice: { kind: 'latest' },
      });
      await start();
      await until('the answer', async () => (await output()) === 'Hello from here.');
    } finally {
      await client.close();
      await api.useConnection(id);
    }
  });

  it('leave no key of a provider in settings, files or documents', async () => {
    const { dataFolder } = await product();
    const userData = path.resolve(dataFolder, '..', '..', '..', '..');
    const found = filesBelow(userData).filter((file) => textOf(file)?.includes(canary) === true);
    assert.deepEqual(found, []);
    for (const document of vscode.workspace.textDocuments) {
      assert.equal(document.getText().includes(canary), false, document.uri.toString());
    }
  });

  it('show nothing and say why when the key of the workspace is gone', async () => {
    const api = await product();
    const shown = api.shownErrors.length;
    await api.signOut(id);
    await until('an empty view', async () => (await api.prompts()).length === 0);
    assert.equal(api.shownErrors.length, shown);
  });
});
