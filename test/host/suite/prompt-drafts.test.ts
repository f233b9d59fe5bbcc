import assert from 'node:assert/strict';
import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import * as vscode from 'vscode';
import type { Client } from '../../../src/core/index.ts';
import { Drafts } from '../../../src/extension/prompts/drafts.ts';
import { localClient } from '../support/local-client.ts';
import { product, run } from '../support/product.ts';
import { timeLimit } from '../../support/time-limit.ts';
import { until } from '../../support/until.ts';

const key = 'pl_drafts_1234567890';

/** In front of the real service: loses answers, or refuses whoever comes, when it is told to. */
interface Door {
  readonly url: string;
  loses: 'nothing' | 'published' | 'publishedAndMore' | 'everything';
  close(): Promise<void>;
}

async function openDoor(socketPath: string, apiKey: string): Promise<Door> {
  const door: { loses: Door['loses'] } = { loses: 'nothing' };
  const server = http.createServer((request, response) => {
    const isPublishing = request.method === 'POST' && request.url === '/rest/prompt-templates';
    if (door.loses === 'everything') {
      request.socket.destroy();
      return;
    }
    const headers = { ...request.headers, 'x-api-key': apiKey };
    const { method, url: asked } = request;
    const onward = http.request({ socketPath, method, path: asked, headers }, (answer) => {
      if (isPublishing && door.loses !== 'nothing') {
        // The version is made; nobody hears of it, and perhaps of nothing else.
        if (door.loses === 'publishedAndMore') door.loses = 'everything';
        answer.resume().on('end', () => request.socket.destroy());
        return;
      }
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => request.socket.destroy());
    request.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return Object.assign(door, {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}

describe('drafts of prompts', function () {
  this.timeout(120_000);
  let client: Client;
  let door: Door;
  let id: string;
  let drafts: Drafts;
  let name: string;
  let prompts = 0;

  before(async () => {
    await run('promptTables.useLocal');
    const api = await product();
    await api.tree();
    client = await localClient();
    const announced = JSON.parse(
      fs.readFileSync(path.join(api.dataFolder, 'service.json'), 'utf8'),
    ) as { readonly socketPath: string };
    const apiKey = fs.readFileSync(path.join(api.dataFolder, 'key'), 'utf8').trim();
    door = await openDoor(announced.socketPath, apiKey);
    id = await api.addConnection({ name: 'Drafts', baseURL: door.url }, key);
    await api.useConnection(id);
    drafts = new Drafts(path.dirname(api.dataFolder));
  });
  // A prompt of its own for each test: no draft, question or editor of another one is in its way.
  beforeEach(async () => {
    prompts += 1;
    name = `drafts/answer-${String(prompts)}`;
    await publish('Answer {question}.');
  });
  afterEach(async () => {
    door.loses = 'nothing';
    await run('workbench.action.closeQuickOpen');
    await run('workbench.action.files.revert');
    await run('workbench.action.closeAllEditors');
  });
  after(async () => {
    await (await product()).removeConnection(id);
    await run('promptTables.useLocal');
    await Promise.all([door.close(), client.close()]);
  });

  const address = () => ({ connectionId: id, promptName: name, choice: undefined });
  const publish = async (text: string): Promise<void> => {
    await client.templates.publish({
      promptName: name,
      promptTemplate: {
        type: 'chat',
        messages: [
          { role: 'user', template_format: 'f-string', content: [{ type: 'text', text }] },
        ],
      },
      metadata: { model: { provider: 'openai', name: 'gpt-test', parameters: {} } },
    });
  };
  const newest = async () => {
    const { version, prompt_template: template } = await client.templates.getRaw(name);
    return { version: version ?? 0, text: JSON.stringify(template) };
  };
  const edit = async (): Promise<vscode.TextEditor> => {
    await run('promptTables.editPrompt', { connectionId: id, promptName: name });
    return vscode.window.activeTextEditor ?? assert.fail('no editor');
  };
  const replace = async (editor: vscode.TextEditor, from: RegExp, to: string): Promise<void> => {
    const { document } = editor;
    // VS Code refuses an edit of a text that has been read again meanwhile.
    await until(`${String(from)} to be replaced`, async () => {
      const found = from.exec(document.getText());
      if (!found) return undefined;
      const start = document.positionAt(found.index);
      const range = new vscode.Range(start, document.positionAt(found.index + found[0].length));
      return (await editor.edit((builder) => builder.replace(range, to))) || undefined;
    });
  };
  const lenses = async (uri: vscode.Uri): Promise<readonly string[]> => {
    const found = await vscode.commands.executeCommand<vscode.CodeLens[]>(
      'vscode.executeCodeLensProvider',
      uri,
    );
    return found.map(({ command }) => command?.title ?? '');
  };
  /** Saving by hand asks to publish: answers message and labels with Enter until `isDone`. */
  const answering = (isDone: () => Promise<boolean>): Promise<true> =>
    until(
      'the publishing to end',
      async () => {
        await run('workbench.action.acceptSelectedQuickOpenItem');
        await new Promise((resolve) => setTimeout(resolve, 300));
        return isDone();
      },
      { limitMs: timeLimit(90_000) },
    );
  const isPublished = async (): Promise<boolean> => (await drafts.read(address())) === undefined;

  it('say whether a version runs or what is not published', async () => {
    const { document } = await edit();
    await until('the lens of the version', async () =>
      (await lenses(document.uri)).some((title) => title.includes('Run Version 1')),
    );
    await replace(await edit(), /Answer \{question\}/, 'Answer {question} kindly');
    await until('the lens of the draft', async () =>
      (await lenses(document.uri)).some((title) => title.includes('Run Draft')),
    );
  });

  it('are saved as they were typed, though somebody has published meanwhile', async () => {
    const editor = await edit();
    await replace(editor, /Answer \{question\}/, 'Answer {question} kindly');
    await publish('Answer {question} strictly.');
    assert.equal(await editor.document.save(), true, 'the draft was refused');
    assert.match(editor.document.getText(), /version: 1\n[^]*kindly/);
    assert.match((await drafts.read(address()))?.text ?? '', /version: 1\n[^]*kindly/);
    assert.equal((await newest()).version, 2);
  });

  it('are read again by a clean editor when another window saves them', async () => {
    const editor = await edit();
    const { document } = editor;
    await replace(editor, /\{question\}/, '{question} kindly');
    await document.save();
    await drafts.write(address(), document.getText().replace('kindly', 'gladly'));
    await until(
      'it is clean, with the text of the other window',
      () => document.getText().includes('gladly') && !document.isDirty,
    );
  });

  it('are published once when the answer of the service is lost', async () => {
    const editor = await edit();
    assert.match(editor.document.getText(), /version: 1\n/);
    await replace(editor, /\{question\}/, '{question} slowly');
    door.loses = 'published';
    await editor.document.save();
    await answering(isPublished);
    const { version, text } = await newest();
    assert.equal(version, 2);
    assert.match(text, /slowly/);
  });

  it('are kept when nobody knows, and the version is found later and not made twice', async () => {
    const editor = await edit();
    const { document } = editor;
    await replace(editor, /\{question\}/, '{question} calmly');
    door.loses = 'publishedAndMore';
    const lastError = async () => (await product()).shownErrors.at(-1) ?? '';
    await document.save();
    await answering(async () => (await lastError()).includes('Version 2 might exist'));
    door.loses = 'nothing';
    assert.match((await drafts.read(address()))?.text ?? '', /calmly/);
    await run('promptTables.publishPrompt', document.uri);
    assert.equal(await isPublished(), true);
    assert.equal((await newest()).version, 2);
    await until('the version in the editor', () => document.getText().includes('version: 2'));
  });

  it('publish once however often it is asked for', async () => {
    const editor = await edit();
    const { document } = editor;
    await replace(editor, /\{question\}/, '{question} once');
    await document.save();
    await Promise.all([1, 2, 3].map(() => run('promptTables.publishPrompt', document.uri)));
    await answering(isPublished);
    assert.equal((await newest()).version, 2);
  });

  it('keep what was typed while it was published, as made from the new version', async () => {
    const editor = await edit();
    const { document } = editor;
    await replace(editor, /\{question\}/, '{question} twice');
    await document.save();
    await replace(editor, /twice/, 'twice or more');
    await answering(async () =>
      /version: 2\n[^]*twice or more/.test((await drafts.read(address()))?.text ?? ''),
    );
    assert.equal((await newest()).version, 2);
    assert.doesNotMatch((await newest()).text, /or more/);
  });
});
