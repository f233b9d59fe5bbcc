/** What a person does with a prompt, in a real VS Code. */
import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { closeEditors } from '../support/host/tidy-up.ts';
import { removeVariable, startHands } from './support/prompt-hands.ts';
import type { Hands } from './support/prompt-hands.ts';
import {
  anOption,
  answer,
  askBy,
  closeEditor,
  patiently,
  pick,
  quickInput,
  reload,
  runCommand,
  screenshot,
  statusItem,
  treeItem,
  webview,
} from '../support/host/workbench.ts';
import { until } from '../support/until.ts';

const canary = 'sk-canary-7d2f0b9c4e1a6358-never-shown';
const long = `# An answer\n\n${'A sentence that goes on for a while, and then some more. '.repeat(200)}\n\nThe end of it.`;

describe('VS Code: running a prompt', function () {
  this.timeout(180_000);
  let hands: Hands;

  before(async () => {
    // The service knows no folders: said once, for ten seconds, and the list is there.
    hands = await startHands((workbench) =>
      statusItem(workbench, /doesn't return folders/).waitFor(patiently),
    );
    await hands.setVariable('OPENAI_BASE_URL', `${hands.model.url}/v1`);
  });
  beforeEach(() => closeEditors(hands.workbench));
  after(() => hands.stop());

  const view = () => webview(hands.workbench);
  const button = (name: string | RegExp): Locator => view().getByRole('button', { name });
  const field = (name: string): Locator => view().getByRole('textbox', { name });
  const output = (): Locator => view().getByRole('region', { name: 'Output' });
  const state = (text: string): Locator => view().locator('.state').filter({ hasText: text });

  /** Its latest version, by the palette. */
  async function open(prompt: RegExp): Promise<void> {
    const { workbench } = hands;
    await askBy(workbench, 'Prompt Tables: Run Prompt…', anOption(prompt));
    await pick(workbench, prompt);
    await pick(workbench, /^Latest version/);
    await button(/^Run/).first().waitFor(patiently);
  }

  it('offers to set the key that is missing, streams the answer, and tells its request', async () => {
    const { workbench, model } = hands;
    // At another address than the provider's own no key is missed.
    for (const name of ['OPENAI_API_KEY', 'OPENAI_BASE_URL']) await removeVariable(workbench, name);
    const prompt = treeItem(workbench, /Prompt support\/answer/);
    await prompt.hover(patiently);
    await prompt.getByRole('button', { name: /Run Prompt/ }).click();
    await quickInput(workbench).getByRole('option').first().waitFor();
    await pick(workbench, /^Latest version/);
    await field('question').fill('what to do');
    await field('tone').fill('kind');
    await button('Run').click();
    await button('Set OPENAI_API_KEY').click();
    await quickInput(workbench).locator('input[type=password]').waitFor();
    await answer(workbench, canary);
    await button('Set OPENAI_API_KEY').waitFor({ state: 'hidden' });
    await hands.setVariable('OPENAI_BASE_URL', `${model.url}/v1`);
    model.say(long, { size: 40, held: true });
    await button(/^Run/).click();
    await state('Running').waitFor(patiently);
    model.release();
    await state('Done').waitFor(patiently);
    await output().getByText('The end of it.').waitFor();
    await view().getByText('1,234').waitFor();
    await screenshot(workbench, 'run-done');
    assert.equal(model.keys.at(-1), `Bearer ${canary}`);
    assert.match(model.bodies.at(-1) ?? '', /Answer what to do in a tone that is kind/);
    assert.equal(JSON.stringify(hands.service.tracked).includes(canary), false);
    await button(/^40\d\d$/).click();
    await button(/^Request is 40/).waitFor(patiently);
  });

  it('keeps the values as a set, and fills the form with it', async () => {
    const { workbench } = hands;
    await open(/^support\/answer/);
    await field('tone').fill('kind');
    await button('Fill…').click();
    await pick(workbench, /^Keep these values/);
    await quickInput(workbench).getByText('Name of the set').waitFor();
    await answer(workbench, 'In a kind way');
    await quickInput(workbench).waitFor({ state: 'hidden' });
    await field('tone').fill('rude');
    await button('Fill…').click();
    await pick(workbench, /^In a kind way/);
    await until('the value of the set', async () => (await field('tone').inputValue()) === 'kind');
  });

  it('goes on while it is hidden, and has its output after the window was reloaded', async () => {
    const { workbench, model, service } = hands;
    await hands.setVariable('OPENAI_API_KEY', canary);
    await open(/^support\/answer/);
    await field('question').fill('what is hidden');
    await field('tone').fill('kind');
    model.say(`begun ${'x '.repeat(4000)} ended`, { pieceMs: 20, size: 130 });
    const logged = service.tracked.length;
    await button(/^Run/).click();
    await output().getByText(/begun/).waitFor(patiently);
    await runCommand(workbench, 'File: New Untitled Text File');
    await until('the run to be over', () => service.tracked.length > logged);
    await closeEditor(workbench);
    await output()
      .getByText(/begun .* ended/)
      .waitFor(patiently);
    await state('Done').waitFor();
    assert.equal(await field('question').inputValue(), 'what is hidden');
    await output().evaluate((element) => {
      element.scrollTop = 60;
    });
    await reload(workbench, '"place":60');
    await output()
      .getByText(/begun .* ended/)
      .waitFor(patiently);
    await state('Done').waitFor();
    await until('the place where it was read', async () =>
      output().evaluate((element) => Math.abs(element.scrollTop - 60) < 2),
    );
    await screenshot(workbench, 'run-reloaded');
    await button('Copy output').click();
    await until('the output to be copied', async () =>
      /^begun .* ended$/.test(await hands.clipboard()),
    );
    model.say('Once more.');
    await button('Run again').click();
    await output().getByText('Once more.').waitFor(patiently);
  });

  it('runs by keyboard alone, from the palette to the answer, and is opened again with its cost', async () => {
    const { workbench, model } = hands;
    const { keyboard } = workbench.page;
    await hands.setVariable('OPENAI_API_KEY', canary);
    model.say('By keys.');
    await askBy(workbench, 'Prompt Tables: Run Prompt…', (box) => box.getByRole('option'));
    await keyboard.type('summ');
    await quickInput(workbench)
      .getByRole('option', { name: /summarize/ })
      .waitFor();
    await answer(workbench);
    await quickInput(workbench)
      .getByRole('option', { name: /Latest version/ })
      .waitFor();
    await answer(workbench);
    await field('text').waitFor(patiently);
    await until('the focus in the form', () =>
      field('text').evaluate((area) => area === document.activeElement),
    );
    await keyboard.type('by keys');
    await keyboard.press('Control+Enter');
    await output().getByText('By keys.').waitFor(patiently);
    await state('Done').waitFor();
    assert.match(model.bodies.at(-1) ?? '', /Summarize by keys/);
    await closeEditors(workbench);
    await runCommand(workbench, 'Prompt Tables: Focus on Runs View');
    // The service tells the cost after the end of a run.
    const run = treeItem(workbench, /^Prompt summarize, Done/).filter({ hasText: '$0.0123' });
    await run.click(patiently);
    await output().getByText('By keys.').waitFor(patiently);
    await view().getByText('$0.0123').waitFor();
  });

  it('gives up a provider that is silent for longer than the setting allows', async () => {
    const { workbench, model } = hands;
    await hands.setVariable('OPENAI_API_KEY', canary);
    model.say('Much later.', { pieceMs: 60_000 });
    await open(/^no variables/);
    await button('Run').click();
    // In memory since the form was made; asked for again when the time of the cache is over.
    await treeItem(workbench, /^Prompt no variables, .*, cached, stale, /).waitFor(patiently);
    await view().getByText('sent nothing for 10 seconds').waitFor(patiently);
    await view()
      .getByText(/promptTables\.run\.providerTimeoutSeconds/)
      .waitFor();
    await screenshot(workbench, 'run-silent');
  });

  it('runs what is in the cache while the service can not be reached, and says so', async () => {
    const { workbench, model, cable } = hands;
    await hands.setVariable('OPENAI_API_KEY', canary);
    await open(/^summarize/);
    await closeEditors(workbench);
    model.say('Without a net.');
    await cable.pull();
    try {
      await runCommand(workbench, 'Prompt Tables: Run Prompt…');
      await quickInput(workbench).getByText('From the cache').first().waitFor(patiently);
      await pick(workbench, /^summarize/);
      await quickInput(workbench)
        .getByRole('option', { name: /Latest version/ })
        .waitFor(patiently);
      await answer(workbench);
      await field('text').waitFor(patiently);
      await view().getByText('From the cache').waitFor(patiently);
      await field('text').fill('without a net');
      await button('Run').click();
      await treeItem(workbench, /^Prompt summarize, .*, stale copy in use, /).waitFor(patiently);
      // It could not be logged: the answer is there all the same.
      await output().getByText('Without a net.').waitFor(patiently);
      assert.match(model.bodies.at(-1) ?? '', /Summarize without a net/);
      await screenshot(workbench, 'run-offline');
    } finally {
      await cable.plugIn();
    }
  });
});
