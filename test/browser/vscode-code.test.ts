/** A file of code that asks for prompts, by hand: what stands above it, over it, and behind its names. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { closeEditors } from '../support/host/tidy-up.ts';
import {
  anOption,
  askBy,
  patiently,
  pick,
  runCommand,
  screenshot,
  setTheme,
  webview,
} from '../support/host/workbench.ts';
import { startHands } from './support/prompt-hands.ts';
import type { Hands } from './support/prompt-hands.ts';

const code = `import { PromptLayer } from 'promptlayer';

const client = new PromptLayer();
export const answer = client.run({
  promptName: 'support/answer',
  promptReleaseLabel: 'prod',
  inputVariables: { question: 'Where is my order?' },
});
export const wrong = client.run({ promptName: 'suport/answer' });
`;

describe('VS Code: prompts in code', function () {
  this.timeout(180_000);
  let hands: Hands;
  let file: string;

  before(async () => {
    hands = await startHands();
    file = path.join(hands.workbench.host.workspace, 'ask-a-prompt.ts');
  });
  beforeEach(() => closeEditors(hands.workbench));
  after(async () => {
    await setTheme(hands.workbench, 'dark');
    fs.rmSync(file, { force: true });
    await hands.stop();
  });

  const page = () => hands.workbench.page;
  const editor = (): Locator => page().locator('.editor-instance .monaco-editor').last();
  const lens = (text: string | RegExp): Locator =>
    editor().locator('.codelens-decoration a', { hasText: text });
  /** By its line, as a person who knows the number. */
  async function goTo(line: number, column: number): Promise<void> {
    await page().keyboard.press('Control+G');
    await page()
      .locator('.quick-input-widget input')
      .fill(`:${String(line)}:${String(column)}`);
    await page().keyboard.press('Enter');
  }

  it('shows versions above a call, the prompt over its name, and runs with its values', async () => {
    fs.writeFileSync(file, code);
    await page().keyboard.press('Control+P');
    await page().locator('.quick-input-widget input').fill('ask-a-prompt.ts');
    await page()
      .getByRole('option', { name: /^ask-a-prompt\.ts/ })
      .first()
      .click(patiently);
    await lens('v3').first().waitFor(patiently);
    await goTo(5, 20);
    await runCommand(hands.workbench, 'Show or Focus Hover');
    await page().locator('.monaco-hover:visible').getByText('question').first().waitFor(patiently);
    await screenshot(hands.workbench, 'code-hover-dark');
    await page().keyboard.press('Escape');
    for (const theme of ['light', 'high-contrast'] as const) {
      await setTheme(hands.workbench, theme);
      await lens('v3').first().waitFor(patiently);
      await screenshot(hands.workbench, `code-${theme}`);
    }
    await lens('Run').first().click(patiently);
    const question = webview(hands.workbench).getByRole('textbox', { name: 'question' });
    await question.waitFor(patiently);
    assert.equal(await question.inputValue(), 'Where is my order?');
    await screenshot(hands.workbench, 'code-run');
  });

  it('names the lines that ask for a label before it is removed', async () => {
    const { workbench } = hands;
    fs.writeFileSync(file, code);
    await askBy(workbench, 'Prompt Tables: Remove Prompt Label…', anOption(/^support\/answer/));
    await pick(workbench, /^support\/answer/);
    await pick(workbench, /^prod/);
    const dialog = page().locator('.monaco-dialog-box');
    await dialog.getByText('ask-a-prompt.ts:5').waitFor(patiently);
    await screenshot(workbench, 'code-label-question');
    await page().keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    const { requests } = hands.service;
    assert.ok(!requests.some(({ method }) => method === 'DELETE'));
  });
});
