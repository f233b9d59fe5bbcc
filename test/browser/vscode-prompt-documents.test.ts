/** Prompts as documents: edited, published, merged, compared and labelled by hand, in a real VS Code. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import type { Client } from '../../src/core/index.ts';
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
  treeItem,
  webview,
} from '../support/host/workbench.ts';
import { closeEditors } from '../support/host/tidy-up.ts';
import { localWorkspace } from './support/local.ts';
import { setVariable } from './support/prompt-hands.ts';
import { until } from '../support/until.ts';

describe('VS Code: prompts as documents', function () {
  this.timeout(240_000);
  let workbench: Workbench;
  let client: Client;
  let model: Model;
  let prompts = 0;
  /** Of the prompt of a test, which no other test has. */
  let name = '';

  before(async () => {
    model = await startModel();
    const shared = await sharedWorkbench();
    await shared.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    workbench = shared;
    client = await localWorkspace(workbench);
    await setVariable(workbench, 'OPENAI_API_KEY', 'sk-none');
    await setVariable(workbench, 'OPENAI_BASE_URL', `${model.url}/v1`);
  });
  beforeEach(async () => {
    prompts += 1;
    name = `support/answer-${prompts}`;
    // Of a test that has failed while it typed.
    if (await page().locator('.tab.active.dirty').count())
      await runCommand(workbench, 'File: Revert File');
    await closeEditors(workbench);
    const { workspace } = workbench.host;
    for (const file of fs.readdirSync(workspace))
      if (file.endsWith('.prompt')) fs.rmSync(path.join(workspace, file));
  });
  after(async () => {
    await client.close();
    await model.close();
  });

  const page = () => workbench.page;
  const editor = (): Locator => page().locator('.editor-instance .monaco-editor').last();
  const lines = (): Locator => editor().locator('.view-lines');
  const tab = (label: string | RegExp): Locator => page().getByRole('tab', { name: label });
  const fileName = (): string => `${name.replace('/', '-')}.prompt`;

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
  /** As a draft: what saving asks is left unanswered. */
  async function keepDraft(): Promise<void> {
    await save();
    await title(/Describe the change/);
    await dismiss(workbench);
  }

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
  async function label(which = 'prod') {
    const { id } = await client.templates.getRaw(name);
    const all = await client.templates.labels.list(id);
    return all.find(({ release_label: known }) => known === which) ?? assert.fail('no label');
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
      'Be exact.',
      '',
      '=== user',
      text,
      '',
    ].join('\n');

  /** Versions of the prompt that say so, made by somebody else. */
  async function publish(...texts: readonly string[]): Promise<void> {
    const said = (text: string) => [{ type: 'text', text }];
    for (const text of texts) {
      await client.templates.publish({
        promptName: name,
        promptTemplate: {
          type: 'chat',
          messages: [
            {
              ...{ role: 'system', template_format: 'f-string' },
              content: said('You answer questions.\nBe exact.'),
            },
            { role: 'user', template_format: 'f-string', content: said(text) },
          ],
        },
        metadata: { model: { provider: 'openai', name: 'gpt-test', parameters: {} } },
      });
    }
  }
  async function edit(): Promise<void> {
    await runCommand(workbench, 'Prompt Tables: Edit Prompt…');
    await pick(workbench, new RegExp(name));
    await lines()
      .getByText(/question/)
      .first()
      .waitFor(patiently);
  }
  /** The prompt in its view, which is read anew. */
  async function inView(): Promise<Locator> {
    await showView(workbench);
    await runCommand(workbench, 'Prompt Tables: Refresh Prompts');
    const item = treeItem(workbench, new RegExp(`Prompt ${name}, v`));
    await item.waitFor(patiently);
    return item;
  }

  it('makes a new prompt as a draft, shows what is wrong in it, and publishes it', async () => {
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
    await treeItem(workbench, new RegExp(`Prompt ${name}, v1`)).waitFor(patiently);
    const { version, commit_message: message } = await client.templates.getRaw(name);
    assert.deepEqual([version, message], [1, 'First words']);
    assert.equal((await label()).prompt_version_number, 1);
  });

  it('runs a draft as it stands, follows it, logs no version, and has both after a reload', async () => {
    await publish('Answer {question}.');
    await edit();
    await retype(promptText(1, 'Answer {question} kindly.'));
    await keepDraft();
    const panel = () => webview(workbench);
    const field = (label: string) => panel().getByRole('textbox', { name: label });
    const done = panel().locator('.state').filter({ hasText: 'Done' });
    const asks = async (words: RegExp, act: () => Promise<void>): Promise<void> => {
      const { length } = model.bodies;
      await act();
      await until('the model to be asked', () => model.bodies.length > length);
      assert.match(model.bodies.at(-1) ?? '', words);
      await done.waitFor(patiently);
    };
    const run = (): Promise<void> => panel().getByRole('button', { name: /^Run/ }).click();
    await runCommand(workbench, 'Prompt Tables: Run Prompt in Editor…');
    await panel().getByRole('button', { name: 'Not published' }).waitFor(patiently);
    await field('question').fill('why');
    const newest = async () => (await client.requests.search()).items[0];
    const before = (await newest())?.id;
    await asks(/"Answer why kindly\."/, run);
    await screenshot(workbench, 'prompt-run-unpublished');
    // A run is logged after its end.
    await until('the run to be logged', async () => (await newest())?.id !== before);
    const request = await newest();
    assert.ok(request !== undefined);
    const { prompt_id: promptId, prompt_version_number: version } = await client.requests.get(
      request.id,
    );
    assert.deepEqual([promptId ?? null, version ?? null], [null, null]);
    assert.deepEqual(request['tags_array'], ['unpublished']);

    await tab(fileName()).click();
    await retype(promptText(1, 'Answer {question} kindly in {city}.'));
    await tab(new RegExp(`^Run ${name}`)).click();
    await field('city').fill('Nice');
    assert.equal(await field('question').inputValue(), 'why');
    // The text was typed, and neither saved nor published.
    await asks(/"Answer why kindly in Nice\."/, run);
    await closeEditor(workbench);
    await lines().getByText('{city}').waitFor(patiently);
    await retype(promptText(1, 'Answer {question} gladly.'));
    await keepDraft();

    // What ran, though the draft says something else by now.
    await asks(/"Answer why kindly in Nice\."/, async () => {
      await runCommand(workbench, 'Prompt Tables: Run Again…');
      await pick(workbench, /not published/);
    });
    await reload(workbench, '"kind":"kept"', fileName());
    await asks(/"Answer why kindly in Nice\."/, () =>
      panel().getByRole('button', { name: 'Run again' }).click(patiently),
    );
    await closeEditor(workbench);
    await lines().getByText('gladly').waitFor(patiently);
    assert.equal((await client.templates.getRaw(name)).version, 1);
  });

  it('has fields for lists and for media, whose files a person picks', async () => {
    const picture = path.join(workbench.host.workspace, 'dot.png');
    fs.writeFileSync(picture, Buffer.from('89504e470d0a1a0a', 'hex'));
    await publish('Answer {question}.');
    await edit();
    const schema = '{"type": "json_schema", "json_schema": {"name": "a", "schema": MOODS}}';
    const moods = '{"enum": {"type": "enum_variable", "name": "moods"}}';
    await retype(
      promptText(1, 'Answer {question}.')
        .replace('  name: gpt-test', '  name: gpt-test\n  parameters:\n    response_format: FORMAT')
        .replace('FORMAT', schema.replace('MOODS', moods))
        .replace('{question}.', '{question}.\n\n--- media_variable\n{"name": "photo"}'),
    );
    await runCommand(workbench, 'Prompt Tables: Run Prompt in Editor…');
    const panel = () => webview(workbench);
    const field = (label: string) => panel().getByRole('textbox', { name: label });
    const run = (): Promise<void> => panel().getByRole('button', { name: /^Run/ }).click();
    await field('moods').fill('calm\nglad');
    await field('photo').fill('https://example.org/a.png');
    await panel().getByRole('button', { name: 'Pick file for photo' }).click();
    await quickInput(workbench).getByText('Files for the prompt').first().waitFor(patiently);
    await answerFile(workbench, picture);
    await until('the file to be in the form', async () =>
      /a\.png\n\w.*dot\.png$/.test(await field('photo').inputValue()),
    );
    await screenshot(workbench, 'run-fields');
    const { length } = model.bodies;
    await run();
    await until('the model to be asked', () => model.bodies.length > length);
    const body = model.bodies.at(-1) ?? '';
    assert.match(body, /"url":"https:\/\/example\.org\/a\.png"/);
    assert.match(body, /"url":"data:image\/png;base64,iVBORw0KGgo="/);
    assert.match(body, /"enum":\["calm","glad"\]/);
    // A line that nobody has picked is not read.
    await field('photo').fill('file:///etc/passwd');
    await run();
    await panel().getByText("wasn't selected here").waitFor(patiently);
    assert.equal(model.bodies.length, length + 1);
    await closeEditor(workbench);
    await keepDraft();
  });

  it('notices a version that somebody else published since a draft was begun', async () => {
    await publish('Answer {question}.');
    await edit();
    await retype(promptText(1, 'Answer {question} kindly.'));
    await keepDraft();
    await closeEditors(workbench);
    await publish('Answer {question} strictly.');
    await edit();
    const newer = notification(workbench, `Version 2 of ${name} was published since`);
    await newer.waitFor(patiently);
    await lines().getByText('kindly').waitFor(patiently);
    await screenshot(workbench, 'prompt-newer');
    await runCommand(workbench, 'Notifications: Clear All Notifications');
  });

  it('compares two versions in the editor for differences', async () => {
    await publish('Answer {question}.', 'Answer {question} strictly.', 'Answer {question} kindly.');
    await (await inView()).click();
    await chooseInMenu(
      workbench,
      treeItem(workbench, /Version 3/),
      'Compare with Previous Version',
    );
    await page().locator('.monaco-diff-editor').getByText('kindly').first().waitFor(patiently);
    await screenshot(workbench, 'prompt-compare');
    await chooseInMenu(workbench, treeItem(workbench, /Version 1/), 'Select for Compare');
    await chooseInMenu(workbench, treeItem(workbench, /Version 3/), 'Compare with Selected');
    await tab(/version 1.*version 3/).waitFor(patiently);
    await (await inView()).click();
  });

  it('moves a label after a question, and asks again when somebody has moved it meanwhile', async () => {
    await publish('Answer {question}.', 'Answer {question} strictly.', 'Answer {question} kindly.');
    const { id } = await client.templates.getRaw(name);
    await client.templates.labels.create(id, { name: 'prod', versionNumber: 1 });
    await (await inView()).click();
    const item = treeItem(workbench, /Label prod, version 1/);
    await item.waitFor(patiently);
    await chooseInMenu(workbench, item, 'Move Prompt Label…');
    await pick(workbench, /^Version 3/);
    await dialog(
      `Move the label prod of ${name} from version 1 to version 3 in Local workspace?`,
    ).waitFor(patiently);
    await screenshot(workbench, 'prompt-move-label');
    await client.templates.labels.move((await label()).release_label_id, 2);
    await confirm(workbench, 'Move Label');
    await dialog(/from version 2 to version 3/).waitFor(patiently);
    await dialog('It was moved from version 1 to version 2 in the meantime.').waitFor();
    await screenshot(workbench, 'prompt-move-label-again');
    assert.equal((await label()).prompt_version_number, 2);
    await confirm(workbench, 'Move Label');
    await treeItem(workbench, /Label prod, version 3/).waitFor(patiently);
    assert.equal((await label()).prompt_version_number, 3);
    await (await inView()).click();
  });

  it('asks again before it removes a label that somebody has moved meanwhile', async () => {
    await publish('Answer {question}.', 'Answer {question} kindly.');
    const { id } = await client.templates.getRaw(name);
    const made = await client.templates.labels.create(id, { name: 'old', versionNumber: 1 });
    await (await inView()).click();
    const item = treeItem(workbench, /Label old, version 1/);
    await item.waitFor(patiently);
    await chooseInMenu(workbench, item, /Remove Prompt Label/);
    await dialog(/Remove the label old from version 1/).waitFor(patiently);
    await client.templates.labels.move(made.id, 2);
    await confirm(workbench, 'Remove Label');
    await dialog(/Remove the label old from version 2/).waitFor(patiently);
    await dialog('It was moved from version 1 to version 2 in the meantime.').waitFor();
    await confirm(workbench, 'Remove Label');
    await until(
      'the label to be gone',
      async () => (await client.templates.labels.list(id)).length === 0,
    );
    await (await inView()).click();
  });

  it('pulls a prompt into the folder, marks its drift, and pushes what was edited with a label', async () => {
    await publish('Answer {question}.', 'Answer {question} kindly.');
    const { id } = await client.templates.getRaw(name);
    await client.templates.labels.create(id, { name: 'prod', versionNumber: 1 });
    const file = path.join(workbench.host.workspace, fileName());
    const badge = (): Locator => page().locator('.tab.active [class*="itemBadge"]').first();
    // What the editor shows reaches the disk a moment later.
    const saved = (text: RegExp): Promise<true> =>
      until('the text to be on the disk', () => text.test(fs.readFileSync(file, 'utf8')));
    await chooseInMenu(workbench, await inView(), 'Pull Prompt to File…');
    await quickInput(workbench).getByRole('button', { name: 'OK' }).click();
    await tab(fileName()).waitFor(patiently);
    const pulled = fs.readFileSync(file, 'utf8');
    assert.match(pulled, /version: 2/);
    await retype(pulled.replace('kindly', 'gladly'));
    await save();
    await badge().waitFor(patiently);
    await editor().getByText('Push…').click();
    await sayAndLabel('Gladly', 'prod');
    await dialog(/label prod .* from version 1 to version 3/).waitFor(patiently);
    await client.templates.labels.move((await label()).release_label_id, 2);
    await confirm(workbench, 'Publish and Move Label');
    await dialog(/label prod .* from version 2 to version 3/).waitFor(patiently);
    await dialog('It was moved from version 1 to version 2 in the meantime.').waitFor();
    assert.equal((await client.templates.getRaw(name)).version, 2);
    await confirm(workbench, 'Publish and Move Label');
    await lines().getByText('version: 3').waitFor(patiently);
    assert.equal((await label()).prompt_version_number, 3);
    await badge().waitFor({ state: 'hidden', ...patiently });
    await saved(/version: 3\n/);
    // Changed by another program, as git does: marked without being saved here.
    const pushed = fs.readFileSync(file, 'utf8');
    fs.writeFileSync(file, pushed.replace('gladly', 'sadly'));
    await badge().waitFor(patiently);
    fs.writeFileSync(file, pushed);
    await badge().waitFor({ state: 'hidden', ...patiently });
    await publish('Answer {question} precisely.');
    await runCommand(workbench, 'Prompt Tables: Check Prompt Files for Changes');
    await notification(workbench, /1 with a newer version published/).waitFor(patiently);
    await screenshot(workbench, 'prompt-file');
    await editor().getByText('Pull Newer Version').click();
    await lines().getByText('version: 4').waitFor(patiently);
    await saved(/version: 4\n/);
  });
});
