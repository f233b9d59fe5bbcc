/** Prompts as documents: edited, published, merged, compared and labelled by hand, in a real VS Code. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { Client, silentLogger } from '../../src/core/index.ts';
import type { Model } from '../host/support/prompt-service.ts';
import { startModel } from '../host/support/prompt-service.ts';
import { sharedWorkbench } from '../support/host/shared.ts';
import type { Workbench } from '../support/host/workbench.ts';
import {
  answer,
  answerFile,
  chooseInMenu,
  closeEditor,
  confirm,
  dismiss,
  notification,
  patiently,
  pick,
  quickInput,
  reload,
  runCommand,
  screenshot,
  showView,
  statusItem,
  treeItem,
  webview,
} from '../support/host/workbench.ts';
import { setVariable, until } from './support/prompt-hands.ts';

const name = 'support/answer';

/** The local service announces itself below the data of this host. */
function otherClient(hostFolder: string): Client {
  const dataDir = path.join(hostFolder, 'user-data', 'User', 'globalStorage');
  const found = fs
    .readdirSync(dataDir, { recursive: true, encoding: 'utf8' })
    .find((file) => path.basename(file) === 'service.json');
  assert.ok(found !== undefined, 'the local service has not announced itself');
  const folder = path.join(dataDir, path.dirname(found));
  const { socketPath } = JSON.parse(fs.readFileSync(path.join(dataDir, found), 'utf8')) as {
    readonly socketPath: string;
  };
  const apiKey = fs.readFileSync(path.join(folder, 'key'), 'utf8').trim();
  return new Client({ apiKey, socketPath, logger: silentLogger, environment: {} });
}

describe('VS Code: prompts as documents', function () {
  this.timeout(240_000);
  let workbench: Workbench;
  let others: Client | undefined;
  let model: Model;

  before(async () => {
    model = await startModel();
    workbench = await sharedWorkbench();
    await showView(workbench);
    await runCommand(workbench, 'Prompt Tables: Use Local Workspace');
    await statusItem(workbench, 'Local workspace').waitFor(patiently);
  });
  after(async () => {
    await others?.close();
    await model.close();
  });

  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await screenshot(workbench, 'documents-failed');
  });

  const client = (): Client => {
    assert.ok(others !== undefined);
    return others;
  };
  const page = () => workbench.page;
  const editor = (): Locator => page().locator('.editor-instance .monaco-editor').last();
  const lines = (): Locator => editor().locator('.view-lines');
  const tab = (label: string | RegExp): Locator => page().getByRole('tab', { name: label });

  /** What the editor holds, in the mind of VS Code: the page draws only what is in view. */
  async function retype(text: string): Promise<void> {
    await lines().click();
    await page().keyboard.press('Control+A');
    await page().keyboard.press('Delete');
    // Pasted, so that no bracket closes itself.
    await page().evaluate((given) => navigator.clipboard.writeText(given), text);
    await page().keyboard.press('Control+V');
  }
  const save = (): Promise<void> => page().keyboard.press('Control+S');
  const title = (text: string | RegExp): Promise<void> =>
    quickInput(workbench).getByText(text).first().waitFor(patiently);

  /** Message, then labels; the labels that are typed are added. */
  async function sayAndLabel(message: string, label?: string): Promise<void> {
    await title(/Describe the change/);
    await answer(workbench, message);
    await quickInput(workbench)
      .getByPlaceholder(/Labels for the new version/)
      .waitFor(patiently);
    if (label !== undefined) {
      await quickInput(workbench).locator('input[type=text]').fill(label);
      await quickInput(workbench).getByText('1 Selected').waitFor();
    }
    await answer(workbench);
  }

  const dialog = (text: string | RegExp): Locator =>
    page().locator('.monaco-dialog-box').getByText(text);
  async function prod() {
    const { id } = await client().templates.getRaw(name);
    const [label] = await client().templates.labels.list(id);
    assert.ok(label !== undefined);
    return label;
  }

  const promptText = (version: number | undefined, text: string): string =>
    [
      '---',
      `prompt: ${name}`,
      'workspace: local',
      ...(version === undefined ? [] : [`version: ${version}`]),
      'template_format: f-string',
      'model:',
      '  provider: openai',
      '  name: gpt-test',
      'input_variables:',
      '  - question',
      '---',
      '',
      '=== system',
      'You answer questions.',
      'Be brief.',
      'Be exact.',
      'Cite your sources.',
      '',
      '=== user',
      text,
      '',
    ].join('\n');

  it('makes a new prompt as a draft, shows what is wrong in it, and publishes it', async () => {
    const context = page().context();
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await runCommand(workbench, 'Prompt Tables: New Prompt…');
    await title(/Name of the prompt/);
    await answer(workbench, name);
    await lines().getByText('Write the prompt here').waitFor(patiently);
    await retype(promptText(undefined, 'Answer {question} in a {tone} way: {{ why }}'));
    await editor().locator('.squiggly-warning').first().waitFor(patiently);
    await screenshot(workbench, 'prompt-draft');
    await retype(promptText(undefined, 'Answer {question}.'));
    await editor()
      .locator('.squiggly-warning')
      .first()
      .waitFor({ state: 'hidden', ...patiently });
    await save();
    await confirm(workbench, 'Publish New Prompt');
    await sayAndLabel('First words', 'prod');
    await lines().getByText('version: 1').waitFor(patiently);
    await treeItem(workbench, /Prompt support\/answer, v1/).waitFor(patiently);
    others = otherClient(path.dirname(workbench.host.workspace));
    const { version, commit_message: message } = await client().templates.getRaw(name);
    assert.deepEqual([version, message], [1, 'First words']);
  });

  it('keeps a draft that is not published over a reload of the window', async () => {
    await retype(promptText(1, 'Answer {question} kindly.'));
    await save();
    await title(/Describe the change/);
    await dismiss(workbench);
    await reload(workbench, 'support-answer.prompt');
    await lines().getByText('kindly').waitFor(patiently);
    assert.equal((await client().templates.getRaw(name)).version, 1);
  });

  it('runs a draft as it stands, follows it, and logs no version of the prompt', async () => {
    await setVariable(workbench, 'OPENAI_API_KEY', 'sk-none');
    await setVariable(workbench, 'OPENAI_BASE_URL', `${model.url}/v1`);
    const panel = () => webview(workbench);
    const field = (label: string) => panel().getByRole('textbox', { name: label });
    const done = panel().locator('.state').filter({ hasText: 'Done' });
    const run = async (asked: RegExp): Promise<void> => {
      await panel().getByRole('button', { name: /^Run/ }).click();
      await until('the model to be asked', () => asked.test(model.bodies.at(-1) ?? ''));
      await done.waitFor(patiently);
    };
    await runCommand(workbench, 'Prompt Tables: Run Prompt in Editor…');
    await panel().getByRole('button', { name: 'Not published' }).waitFor(patiently);
    await field('question').fill('why');
    await run(/"Answer why kindly\."/);
    await screenshot(workbench, 'prompt-run-unpublished');
    const [request] = (await client().requests.search()).items;
    assert.ok(request !== undefined);
    const { prompt_id: promptId, prompt_version_number: version } = await client().requests.get(
      request.id,
    );
    assert.deepEqual([promptId ?? null, version ?? null], [null, null]);
    assert.deepEqual(request['tags_array'], ['unpublished']);

    await tab('support-answer.prompt').click();
    await retype(promptText(1, 'Answer {question} kindly in {city}.'));
    await tab(/^Run support\/answer/).click();
    await field('city').fill('Nice');
    assert.equal(await field('question').inputValue(), 'why');
    // The text was typed, and neither saved nor published.
    await run(/"Answer why kindly in Nice\."/);
    await closeEditor(workbench);
    await lines().getByText('{city}').waitFor(patiently);
    await retype(promptText(1, 'Answer {question} kindly.'));
    await save();
    await title(/Describe the change/);
    await dismiss(workbench);
  });

  it('runs again what ran, though the draft says something else by now', async () => {
    await runCommand(workbench, 'Prompt Tables: Run Again…');
    await pick(workbench, /not published/);
    await until('the model to be asked', () => model.bodies.length === 3);
    assert.match(model.bodies.at(-1) ?? '', /"Answer why kindly in Nice\."/);
    await webview(workbench).locator('.state').filter({ hasText: 'Done' }).waitFor(patiently);
    await reload(workbench, '"kind":"kept"');
    await webview(workbench).getByRole('button', { name: 'Run again' }).click(patiently);
    await until('the model to be asked', () => model.bodies.length === 4);
    assert.match(model.bodies.at(-1) ?? '', /"Answer why kindly in Nice\."/);
    await closeEditor(workbench);
    await lines().getByText('kindly').waitFor(patiently);
  });

  it('has fields for lists and for media, whose files a person picks', async () => {
    const picture = path.join(workbench.host.workspace, 'dot.png');
    fs.writeFileSync(picture, Buffer.from('89504e470d0a1a0a', 'hex'));
    const before = promptText(1, 'Answer {question} kindly.');
    const schema = '{"type": "json_schema", "json_schema": {"name": "a", "schema": MOODS}}';
    const moods = '{"enum": {"type": "enum_variable", "name": "moods"}}';
    await retype(
      before
        .replace('  name: gpt-test', '  name: gpt-test\n  parameters:\n    response_format: FORMAT')
        .replace('FORMAT', schema.replace('MOODS', moods))
        .replace('kindly.', 'kindly.\n\n--- media_variable\n{"name": "photo"}'),
    );
    await runCommand(workbench, 'Prompt Tables: Run Prompt in Editor…');
    const panel = () => webview(workbench);
    const field = (label: string) => panel().getByRole('textbox', { name: label });
    await field('moods').fill('calm\nglad');
    await field('photo').fill('https://example.org/a.png');
    await panel().getByRole('button', { name: 'Pick file for photo' }).click();
    await quickInput(workbench).getByText('Files for the prompt').first().waitFor(patiently);
    await answerFile(workbench, picture);
    await until('the file to be in the form', async () =>
      /a\.png\n\w.*dot\.png$/.test(await field('photo').inputValue()),
    );
    await screenshot(workbench, 'run-fields');
    await panel().getByRole('button', { name: /^Run/ }).click();
    await until('the model to be asked', () => model.bodies.length === 5);
    const body = model.bodies.at(-1) ?? '';
    assert.match(body, /"url":"https:\/\/example\.org\/a\.png"/);
    assert.match(body, /"url":"data:image\/png;base64,iVBORw0KGgo="/);
    assert.match(body, /"enum":\["calm","glad"\]/);
    // A line that nobody has picked is not read.
    await field('photo').fill('file:///etc/passwd');
    await panel().getByRole('button', { name: /^Run/ }).click();
    await panel().getByText("wasn't selected here").waitFor(patiently);
    assert.equal(model.bodies.length, 5);
    await closeEditor(workbench);
    await retype(before);
    await save();
    await title(/Describe the change/);
    await dismiss(workbench);
  });

  it('notices a version that somebody else published, and merges the two without a loss', async () => {
    const base = await client().templates.getRaw(name);
    const [system, user] = base.prompt_template['messages'] as {
      readonly content: readonly { readonly text: string }[];
    }[];
    await client().templates.publish({
      promptName: name,
      promptTemplate: {
        ...base.prompt_template,
        messages: [
          {
            ...system,
            content: [{ type: 'text', text: `${system?.content[0]?.text ?? ''}\nSay please.` }],
          },
          user,
        ],
      },
      metadata: base.metadata,
    });
    await runCommand(workbench, 'Prompt Tables: Edit Prompt…');
    await pick(workbench, /support\/answer/);
    const newer = notification(workbench, /Version 2 of support\/answer was published since/);
    await newer.waitFor(patiently);
    await screenshot(workbench, 'prompt-newer');
    await newer.hover();
    await newer.getByRole('button', { name: /^Clear/ }).click();
    await runCommand(workbench, 'Prompt Tables: Publish Prompt…');
    await page()
      .locator('.monaco-dialog-box')
      .getByText(/Version 2 of support\/answer was published/)
      .waitFor(patiently);
    await screenshot(workbench, 'prompt-conflict');
    await confirm(workbench, 'Merge…');
    const merge = page().locator('.merge-editor');
    await merge.getByText('Theirs').first().waitFor(patiently);
    await merge.getByText('kindly').first().waitFor(patiently);
    await screenshot(workbench, 'prompt-merge');
    assert.equal((await client().templates.getRaw(name)).version, 2);
    await page()
      .locator('.editor-actions')
      .getByRole('button', { name: /^Complete Merge/ })
      .click();
    await sayAndLabel('Both');
    await until('the third version to be there', async () => {
      const newest = await client().templates.getRaw(name);
      return newest.version === 3;
    });
    const text = JSON.stringify((await client().templates.getRaw(name)).prompt_template);
    assert.match(text, /Say please/);
    assert.match(text, /kindly/);
  });

  it('compares two versions in the editor for differences', async () => {
    await runCommand(workbench, 'View: Close All Editors');
    await showView(workbench);
    const prompt = treeItem(workbench, /Prompt support\/answer, v3/);
    await prompt.waitFor(patiently);
    await prompt.click();
    await chooseInMenu(
      workbench,
      treeItem(workbench, /Version 3/),
      'Compare with Previous Version',
    );
    await page().locator('.monaco-diff-editor').getByText('kindly').first().waitFor(patiently);
    await screenshot(workbench, 'prompt-compare');
    await runCommand(workbench, 'View: Close All Editors');
    await chooseInMenu(workbench, treeItem(workbench, /Version 1/), 'Select for Compare');
    await chooseInMenu(workbench, treeItem(workbench, /Version 3/), 'Compare with Selected');
    await tab(/version 1.*version 3/).waitFor(patiently);
    await runCommand(workbench, 'View: Close All Editors');
  });

  it('moves a label after a question that names both versions and the workspace', async () => {
    await chooseInMenu(
      workbench,
      treeItem(workbench, /Label prod, version 1/),
      'Move Prompt Label…',
    );
    await pick(workbench, /^Version 3/);
    await page()
      .locator('.monaco-dialog-box')
      .getByText(
        'Move the label prod of support/answer from version 1 to version 3 in Local workspace?',
      )
      .waitFor(patiently);
    await screenshot(workbench, 'prompt-move-label');
    await confirm(workbench, 'Move Label');
    await treeItem(workbench, /Label prod, version 3/).waitFor(patiently);
    assert.equal((await client().templates.getRaw(name, { label: 'prod' })).version, 3);
  });

  it('asks again when somebody has moved the label meanwhile', async () => {
    await chooseInMenu(
      workbench,
      treeItem(workbench, /Label prod, version 3/),
      'Move Prompt Label…',
    );
    await pick(workbench, /^Version 1/);
    await dialog(/from version 3 to version 1/).waitFor(patiently);
    await client().templates.labels.move((await prod()).release_label_id, 2);
    await confirm(workbench, 'Move Label');
    await dialog(/from version 2 to version 1/).waitFor(patiently);
    await dialog('It was moved from version 3 to version 2 in the meantime.').waitFor();
    await screenshot(workbench, 'prompt-move-label-again');
    assert.equal((await prod()).prompt_version_number, 2);
    await confirm(workbench, 'Move Label');
    await treeItem(workbench, /Label prod, version 1/).waitFor(patiently);
    assert.equal((await prod()).prompt_version_number, 1);
  });

  it('asks again before it removes a label that somebody has moved meanwhile', async () => {
    const { id } = await client().templates.getRaw(name);
    const made = await client().templates.labels.create(id, { name: 'old', versionNumber: 1 });
    await runCommand(workbench, 'Prompt Tables: Refresh Prompts');
    const item = treeItem(workbench, /Label old, version 1/);
    await item.waitFor(patiently);
    await chooseInMenu(workbench, item, /Remove Prompt Label/);
    await dialog(/Remove the label old from version 1/).waitFor(patiently);
    await client().templates.labels.move(made.id, 2);
    await confirm(workbench, 'Remove Label');
    await dialog(/Remove the label old from version 2/).waitFor(patiently);
    await dialog('It was moved from version 1 to version 2 in the meantime.').waitFor();
    await confirm(workbench, 'Remove Label');
    await until('the label to be gone', async () => {
      const labels = await client().templates.labels.list(id);
      return labels.every(({ release_label: label }) => label !== 'old');
    });
  });

  it('pulls a prompt into the folder, marks its drift, and pushes what was edited', async () => {
    const file = path.join(workbench.host.workspace, 'support-answer.prompt');
    const badge = (): Locator => page().locator('.tab.active [class*="itemBadge"]').first();
    // What the editor shows reaches the disk a moment later.
    const saved = (text: RegExp): Promise<void> =>
      until('the text to be on the disk', () => text.test(fs.readFileSync(file, 'utf8')));
    await chooseInMenu(
      workbench,
      treeItem(workbench, /Prompt support\/answer/),
      'Pull Prompt to File…',
    );
    await quickInput(workbench).getByRole('button', { name: 'OK' }).click();
    await tab('support-answer.prompt').waitFor(patiently);
    const pulled = fs.readFileSync(file, 'utf8');
    assert.match(pulled, /version: 3/);
    await retype(pulled.replace('kindly', 'gladly'));
    await save();
    await badge().waitFor(patiently);
    await editor().getByText('Push…').click();
    await sayAndLabel('Gladly');
    await lines().getByText('version: 4').waitFor(patiently);
    await badge().waitFor({ state: 'hidden', ...patiently });
    await saved(/version: 4\n/);
    // Changed by another program, as git does: marked without being saved here.
    const pushed = fs.readFileSync(file, 'utf8');
    fs.writeFileSync(file, pushed.replace('gladly', 'sadly'));
    await badge().waitFor(patiently);
    fs.writeFileSync(file, pushed);
    await badge().waitFor({ state: 'hidden', ...patiently });
    const base = await client().templates.getRaw(name);
    await client().templates.publish({
      promptName: name,
      promptTemplate: JSON.parse(
        JSON.stringify(base.prompt_template).replace('Be exact', 'Be precise'),
      ) as typeof base.prompt_template,
      metadata: base.metadata,
    });
    await runCommand(workbench, 'Prompt Tables: Check Prompt Files for Changes');
    await notification(workbench, /1 with a newer version published/).waitFor(patiently);
    await screenshot(workbench, 'prompt-file');
    await editor().getByText('Pull Newer Version').click();
    await lines().getByText('version: 5').waitFor(patiently);
    await saved(/version: 5\n/);
  });

  it('asks again for the label of a new version that somebody has moved meanwhile', async () => {
    const file = path.join(workbench.host.workspace, 'support-answer.prompt');
    await retype(fs.readFileSync(file, 'utf8').replace('gladly', 'briskly'));
    await save();
    await editor().getByText('Push…').click();
    await sayAndLabel('Briskly', 'prod');
    await dialog(/label prod .* from version 1 to version 6/).waitFor(patiently);
    await client().templates.labels.move((await prod()).release_label_id, 2);
    await confirm(workbench, 'Publish and Move Label');
    await dialog(/label prod .* from version 2 to version 6/).waitFor(patiently);
    await dialog('It was moved from version 1 to version 2 in the meantime.').waitFor();
    assert.equal((await client().templates.getRaw(name)).version, 5);
    await confirm(workbench, 'Publish and Move Label');
    await lines().getByText('version: 6').waitFor(patiently);
    assert.equal((await prod()).prompt_version_number, 6);
  });
});
