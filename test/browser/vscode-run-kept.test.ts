/** An answer that is paid for is never lost: a reload, a closed tab, and keys that are elsewhere. */
import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type { Workbench } from '../support/host/workbench.ts';
import {
  anOption,
  askBy,
  closeEditor,
  notification,
  patiently,
  pick,
  quickInput,
  reload,
  screenshot,
  treeItem,
  webview,
} from '../support/host/workbench.ts';
import { closeEditors } from '../support/host/tidy-up.ts';
import type { Hands } from './support/prompt-hands.ts';
import { startHands } from './support/prompt-hands.ts';
import { until } from '../support/until.ts';

const long = 'word '.repeat(400);

describe('VS Code: runs that are kept', function () {
  this.timeout(240_000);
  let hands: Hands;
  let workbench: Workbench;

  before(async () => {
    hands = await startHands();
    ({ workbench } = hands);
    await hands.setVariable('OPENAI_API_KEY', 'sk-none');
    await hands.setVariable('OPENAI_BASE_URL', `${hands.model.url}/v1`);
  });
  after(() => hands.stop());
  const view = () => webview(workbench);
  const state = (text: string): Locator => view().locator('.state').filter({ hasText: text });
  const run = (words: RegExp): Locator => treeItem(workbench, words);

  async function open(): Promise<void> {
    await closeEditors(workbench);
    await askBy(workbench, 'Prompt Tables: Run Prompt…', anOption(/^no variables/));
    await pick(workbench, /^no variables/);
    await pick(workbench, /^Latest version/);
    await view().getByRole('button', { name: /^Run/ }).click(patiently);
    await view().getByText('word word').first().waitFor(patiently);
  }
  async function showRuns(): Promise<void> {
    const { page } = workbench;
    const header = page.getByRole('button', { name: /^Runs Section/ }).first();
    if ((await header.getAttribute('aria-expanded')) !== 'true') await header.click();
  }

  it('has a run that a reload has ended in the list, with what had come', async () => {
    hands.model.say(long, { held: true });
    await open();
    await showRuns();
    await run(/^Prompt no variables, Running/).waitFor(patiently);
    await reload(workbench);
    await state('Interrupted').waitFor(patiently);
    await view().getByText('word word').first().waitFor(patiently);
    await showRuns();
    await run(/^Prompt no variables, Interrupted/).waitFor(patiently);
    await screenshot(workbench, 'run-interrupted');
    await closeEditor(workbench);
    await run(/^Prompt no variables, Interrupted/).click();
    await state('Interrupted').waitFor(patiently);
    await view().getByText('word word').first().waitFor(patiently);
    await closeEditor(workbench);
  });

  it('goes on without its tab, and is opened again when it has ended', async () => {
    hands.model.say(long, { held: true });
    const { abandoned } = hands.model;
    await open();
    await closeEditor(workbench);
    await notification(workbench, /Running no variables/).waitFor(patiently);
    await screenshot(workbench, 'run-without-tab');
    hands.model.release();
    const answered = notification(workbench, /no variables has answered/);
    await answered.waitFor(patiently);
    assert.equal(hands.model.abandoned, abandoned, 'the stream was read to its end');
    await answered.getByRole('button', { name: 'Open Run' }).click();
    await state('Done').waitFor(patiently);
    await run(/^Prompt no variables, Done/).waitFor(patiently);
    await closeEditor(workbench);
  });

  it('leaves the palette open when it ends', async () => {
    hands.model.say(long, { held: true });
    await open();
    const { page } = workbench;
    await page.keyboard.press('F1');
    const box = quickInput(workbench).locator('input[type=text]');
    await box.fill('>Prompt Tables');
    hands.model.release();
    await state('Done').waitFor(patiently);
    await page.waitForTimeout(500);
    assert.ok(await quickInput(workbench).isVisible(), 'the palette was closed');
    await page.keyboard.type('x');
    await until('it takes keys', async () => (await box.inputValue()) === '>Prompt Tablesx');
    await page.keyboard.press('Escape');
  });

  it('says that an answer was cut off, in the panel and in the list', async () => {
    hands.model.say('word word, and no more', { finish: 'length' });
    await open();
    await state('Cut off at the token limit').waitFor(patiently);
    await run(/^Prompt no variables, Cut off at the token limit/).waitFor(patiently);
    await screenshot(workbench, 'run-cut');
  });
});
