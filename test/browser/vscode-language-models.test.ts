/** Prompts on models that VS Code has itself: no key, the user's consent, and honest figures. */
import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import {
  anOption,
  askBy,
  patiently,
  pick,
  quickInput,
  screenshot,
  webview,
} from '../support/host/workbench.ts';
import { closeEditors } from '../support/host/tidy-up.ts';
import { startHands } from './support/prompt-hands.ts';
import type { Hands } from './support/prompt-hands.ts';
import { until } from '../support/until.ts';

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

  async function open(): Promise<void> {
    const { workbench } = hands;
    const prompt = /^support\/answer/;
    await askBy(workbench, 'Prompt Tables: Run Prompt…', anOption(prompt));
    await pick(workbench, prompt);
    await pick(workbench, /^Latest version/);
    await button('Model…').waitFor(patiently);
  }
  async function choose(model: RegExp): Promise<void> {
    await button('Model…').click(patiently);
    await quickInput(hands.workbench)
      .getByRole('option', { name: /^Echo/ })
      .first()
      .waitFor(patiently);
    await pick(hands.workbench, model);
    await quickInput(hands.workbench).waitFor({ state: 'hidden', ...patiently });
  }
  async function run(model: string): Promise<void> {
    await view().getByText(`model-maker/${model}`).waitFor(patiently);
    await button(/^Run/).first().click();
  }

  it('answer a prompt that names another provider once they are chosen, and say what they are', async () => {
    await open();
    await choose(/^Echo/);
    await view().getByText('This model is provided by VS Code.').waitFor(patiently);
    await view().getByRole('textbox', { name: 'question' }).fill('what to do');
    await view().getByRole('textbox', { name: 'tone' }).fill('kind');
    await run('echo');
    await output()
      .getByText(/Heard 1: .*Answer what to do in a tone that is kind/)
      .waitFor(patiently);
    await state('Done').waitFor(patiently);
    await view().getByText('part of your plan').waitFor(patiently);
    await view()
      .getByText(/^about \d+$/)
      .first()
      .waitFor(patiently);
    await screenshot(hands.workbench, 'language-models');
    // A run is logged after its end.
    const tracked = await until('it is logged', () => hands.service.tracked.at(-1));
    assert.equal(tracked['provider_type'], 'vscode');
    assert.match(JSON.stringify(tracked['kwargs']), /model-maker\/echo/);
  });

  it('are kept for the prompt, stop when the run is stopped, and fail with a next step', async () => {
    await open();
    await choose(/^Slow/);
    await closeEditors(hands.workbench);
    await open();
    await run('slow/one');
    await output().getByText('Begun, and').waitFor(patiently);
    await button('Stop').click();
    await state('Stopped').waitFor(patiently);
    await choose(/^Spent/);
    await run('spent');
    await state('Failed').waitFor(patiently);
    await screenshot(hands.workbench, 'language-models-spent');
    await view()
      .getByText(/The monthly quota is used up/)
      .first()
      .waitFor(patiently);
    await view()
      .getByText(/select another model/)
      .first()
      .waitFor(patiently);
    await choose(/^Model of the prompt/);
    await view().getByText('gpt-test', { exact: true }).waitFor(patiently);
    await view().getByText('This model is provided by VS Code.').waitFor({ state: 'hidden' });
  });
});
