/** Prompts on models that VS Code has itself: no key, the user's consent, and honest figures. */
import type { Locator } from 'playwright-core';
import {
  anOption,
  answer,
  askBy,
  patiently,
  pick,
  quickInput,
  reload,
  runCommand,
  screenshot,
  webview,
} from '../support/host/workbench.ts';
import { closeEditors } from '../support/host/tidy-up.ts';
import { startHands } from './support/prompt-hands.ts';
import type { Hands } from './support/prompt-hands.ts';

describe('VS Code: its own language models', function () {
  this.timeout(180_000);
  let hands: Hands;

  before(async () => {
    hands = await startHands();
  });
  beforeEach(() => closeEditors(hands.workbench));
  after(() => hands.stop());

  const view = () => webview(hands.workbench);
  const button = (name: string | RegExp): Locator => view().getByRole('button', { name });
  const output = (): Locator => view().getByRole('region', { name: 'Output' });
  const state = (text: string): Locator => view().locator('.state').filter({ hasText: text });

  it('answer a prompt that names another provider once they are chosen and allowed', async () => {
    const { workbench } = hands;
    const prompt = /^support\/answer/;
    await askBy(workbench, 'Prompt Tables: Run Prompt…', anOption(prompt));
    await pick(workbench, prompt);
    await pick(workbench, /^Latest version/);
    await button('Model…').click(patiently);
    await quickInput(workbench).getByText('From VS Code').waitFor(patiently);
    await screenshot(workbench, 'language-models');
    await pick(workbench, /^Echo/);
    await view().getByText('This model is provided by VS Code.').waitFor(patiently);
    await view().getByRole('textbox', { name: 'question' }).fill('what to do');
    await view().getByRole('textbox', { name: 'tone' }).fill('kind');
    await button('Run').click();
    await workbench.page.waitForTimeout(3000);
    await screenshot(workbench, 'language-models-consent');
    await workbench.page
      .locator('.monaco-dialog-box')
      .getByRole('button', { name: 'Allow' })
      .click(patiently);
    await state('Done').waitFor(patiently);
    await screenshot(workbench, 'language-models-done');
    await output()
      .getByText(/Heard 1: .*Answer what to do in a tone that is kind/)
      .waitFor();
    await view().getByText('part of your plan').waitFor();
    void [answer, reload, runCommand];
  });
});
