/** Two people publish one prompt: neither text is lost, and nothing half merged is published. */
import assert from 'node:assert/strict';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { filesBelow, textOf } from '../../scripts/files.mjs';
import { Client, silentLogger } from '../../src/core/index.ts';
import { firstKey, RunningService } from '../service/support/running-service.ts';
import { closeEditors } from '../support/host/tidy-up.ts';
import type { Workbench } from '../support/host/workbench.ts';
import {
  answer,
  confirm,
  patiently,
  pick,
  quickInput,
  reload,
  runCommand,
  screenshot,
} from '../support/host/workbench.ts';
import { connectedWorkbench } from './support/prompt-hands.ts';
import { until } from '../support/until.ts';

const mine = 'Answer {question} kindly.';
const theirs = 'Answer {question} strictly.';
const begun = 'Answer {question}.';

describe('VS Code: merges of prompts', function () {
  this.timeout(240_000);
  let workbench: Workbench;
  let service: RunningService;
  let client: Client;
  let name: string;
  let tries = 0;

  before(async () => {
    service = await RunningService.start();
    const baseURL = service.ready.url ?? '';
    client = new Client({ apiKey: firstKey, baseURL, logger: silentLogger, environment: {} });
    workbench = await connectedWorkbench(baseURL, firstKey);
  });
  after(async () => {
    await Promise.all([client.close(), service.stop()]);
  });
  const page = () => workbench.page;
  const lines = (): Locator => page().locator('.editor-instance .monaco-editor .view-lines').last();
  const dialog = (text: string | RegExp): Locator =>
    page().locator('.monaco-dialog-box').getByText(text);
  const merge = (): Locator => page().locator('.merge-editor');
  const tab = (label: string | RegExp): Locator => page().getByRole('tab', { name: label });
  const save = (): Promise<void> => page().keyboard.press('Control+S');
  const asksToPublish = (): Locator =>
    quickInput(workbench)
      .getByText(/Describe the change/)
      .first();

  const publish = async (user: string, system = 'Be brief.\nBe exact.\nCite.'): Promise<void> => {
    const content = (text: string) => [{ type: 'text', text }];
    await client.templates.publish({
      promptName: name,
      promptTemplate: {
        type: 'chat',
        messages: [
          { role: 'system', template_format: 'f-string', content: content(system) },
          { role: 'user', template_format: 'f-string', content: content(user) },
        ],
      },
      metadata: { model: { provider: 'openai', name: 'gpt-test', parameters: {} } },
    });
  };
  const newest = async (): Promise<{
    readonly version: number | undefined;
    readonly text: string;
  }> => {
    const { version, prompt_template: template } = await client.templates.getRaw(name);
    return { version: version ?? undefined, text: JSON.stringify(template) };
  };
  /** All that the extension keeps of drafts and merges, as text. */
  const kept = (folder: 'drafts' | 'merges'): readonly string[] => {
    const root = path.join(path.dirname(workbench.host.workspace), 'user-data');
    return filesBelow(root)
      .filter((file) => path.basename(path.dirname(file)) === folder && file.endsWith('.json'))
      .map((file) => textOf(file) ?? '')
      .filter((text) => text.includes(`"${name}"`));
  };

  /** Opens a prompt of its own, also when the test is tried again. */
  async function edit(promptName: string): Promise<void> {
    tries += 1;
    name = `${promptName}-${String(tries)}`;
    await publish(begun);
    await closeEditors(workbench);
    await runCommand(workbench, 'Prompt Tables: Edit Prompt…');
    await pick(workbench, new RegExp(`^${name}`));
    await lines().getByText('question').first().waitFor(patiently);
  }
  /** Over the words of the last message. */
  async function type(text: string): Promise<void> {
    await lines().click();
    await page().keyboard.press('Control+End');
    await page().keyboard.press('ArrowUp');
    await page().keyboard.press('End');
    await page().keyboard.press('Shift+Home');
    await page().evaluate((given) => navigator.clipboard.writeText(given), text);
    await page().keyboard.press('Control+V');
    await lines()
      .getByText(/kindly/)
      .first()
      .waitFor(patiently);
  }
  async function publishNow(): Promise<void> {
    await asksToPublish().waitFor(patiently);
    await answer(workbench, 'Both');
    await quickInput(workbench)
      .getByPlaceholder(/Labels for the new version/)
      .waitFor(patiently);
    await answer(workbench);
  }

  it('a draft that was not saved when somebody published is merged, kept over a reload, and published once it is finished', async () => {
    await edit('merge-unsaved');
    await type(mine);
    await publish(theirs, 'Be brief.\nBe exact.\nCite.\nSay please.');
    await save();
    await dialog(`Version 2 of ${name} was published after version 1`).waitFor(patiently);
    assert.match(kept('drafts').join(''), /kindly/);
    assert.deepEqual((await newest()).version, 2);
    await confirm(workbench, 'Merge…');
    await merge().getByText('Theirs').first().waitFor(patiently);
    await merge().getByText('strictly').first().waitFor(patiently);
    await merge().getByText('kindly').first().waitFor(patiently);
    await screenshot(workbench, 'merge-open');

    // Saving an unfinished merge publishes nothing, and publishing it is refused.
    await merge().locator('.monaco-editor').last().click();
    await save();
    await tab(new RegExp(`^${name}\\.prompt`)).click();
    await save();
    await dialog(`merge of ${name} with version 2 isn't finished: 1 conflict is open`).waitFor(
      patiently,
    );
    assert.equal(await quickInput(workbench).isVisible(), false);
    await screenshot(workbench, 'merge-unfinished');
    await confirm(workbench, 'Continue Merge');
    await merge().getByText('Theirs').first().waitFor(patiently);
    assert.equal((await newest()).version, 2);
    assert.match(kept('drafts').join(''), /kindly/);
    assert.match(kept('merges').join(''), /kindly[^]*strictly|strictly[^]*kindly/);

    await reload(workbench);
    await tab(new RegExp(`^${name}\\.prompt`)).click(patiently);
    await lines().getByText('kindly').first().waitFor(patiently);
    await page().getByText('Continue Merge, 1 open').waitFor(patiently);
    await screenshot(workbench, 'merge-lens');
    await runCommand(workbench, 'Prompt Tables: Publish Prompt…');
    await dialog(/isn't finished: 1 conflict is open/).waitFor(patiently);
    await confirm(workbench, 'Take Mine');
    await publishNow();
    await until('the third version', async () => (await newest()).version === 3);
    const { text } = await newest();
    assert.match(text, /Say please/);
    assert.match(text, /kindly/);
    assert.doesNotMatch(text, /strictly/);
    await until('the draft to be gone', () => kept('drafts').length === 0);
    await until('the merge to be gone', () => kept('merges').length === 0);
  });

  it('a merge that was completed by hand is published, and one that is canceled leaves the own text', async () => {
    await edit('merge-by-hand');
    await type(mine);
    await publish(theirs);
    await save();
    await dialog(`Version 2 of ${name}`).waitFor(patiently);
    await confirm(workbench, 'Merge…');
    await merge().getByText('Theirs').first().waitFor(patiently);
    await runCommand(workbench, 'Prompt Tables: Cancel Prompt Merge…');
    await confirm(workbench, 'Cancel Merge');
    await merge().waitFor({ state: 'hidden', ...patiently });
    await lines().getByText('kindly').first().waitFor(patiently);
    await until('the merge to be gone', () => kept('merges').length === 0);
    assert.match(kept('drafts').join(''), /kindly/);

    await runCommand(workbench, 'Prompt Tables: Publish Prompt…');
    await dialog(`Version 2 of ${name}`).waitFor(patiently);
    await confirm(workbench, 'Merge…');
    await merge().getByText('Accept Mine').first().click(patiently);
    await merge()
      .getByText('1 Conflict Remaining')
      .waitFor({ state: 'hidden', ...patiently });
    await page()
      .locator('.editor-actions')
      .getByRole('button', { name: 'Complete Merge' })
      .first()
      .click();
    await publishNow();
    await until('the third version', async () => (await newest()).version === 3);
    await screenshot(workbench, 'merge-completed');
    assert.match((await newest()).text, /kindly/);
    await until('the draft to be gone', () => kept('drafts').length === 0);
    await until('the merge to be gone', () => kept('merges').length === 0);
  });
});
