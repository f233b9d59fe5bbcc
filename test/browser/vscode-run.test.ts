/** What a person does with a prompt, in a real VS Code. The steps build on each other. */
import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { startHands } from './support/prompt-hands.ts';
import type { Hands } from './support/prompt-hands.ts';
import {
  answer,
  askBy,
  chooseInMenu,
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

const canary = 'sk-canary-7d2f0b9c4e1a6358-never-shown';
const long = `# An answer\n\nFirst some **words**, then code:\n\n\`\`\`python\nprint("hi")\n\`\`\`\n\n${'A sentence that goes on for a while, and then some more. '.repeat(200)}\n\nThe end of it.`;

describe('VS Code: running a prompt', function () {
  this.timeout(180_000);
  let hands: Hands;

  before(async () => {
    hands = await startHands();
  });
  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await screenshot(hands.workbench, 'run-failed');
  });
  after(() => hands.stop());

  const view = () => webview(hands.workbench);
  const button = (name: string | RegExp): Locator => view().getByRole('button', { name });
  const output = (): Locator => view().getByRole('region', { name: 'Output' });
  const state = (): Locator => view().locator('.state');

  it('shows the prompts of the workspace, with versions and labels', async () => {
    const { workbench } = hands;
    const prompt = treeItem(workbench, /Prompt support\/answer/);
    await prompt.waitFor(patiently);
    // The service knows no folders: said once, and the list is there.
    await statusItem(workbench, /doesn't return folders/).waitFor();
    await prompt.click();
    await treeItem(workbench, /Label prod, version 2/).waitFor();
    await treeItem(workbench, /Version 3/).waitFor();
    await screenshot(workbench, 'prompts-view');
  });

  it('opens a prompt as a document to read', async () => {
    const { workbench } = hands;
    await chooseInMenu(workbench, treeItem(workbench, /Label prod, version 2/), /Open Prompt/);
    await workbench.page.locator('.monaco-editor').getByText('in a tone').first().waitFor();
    await screenshot(workbench, 'prompt-document');
    await runCommand(workbench, 'View: Close All Editors');
  });

  it('offers to set the key that is missing, right where it is missed', async () => {
    const { workbench } = hands;
    const prompt = treeItem(workbench, /Prompt support\/answer/);
    await prompt.hover();
    await prompt.getByRole('button', { name: /Run Prompt/ }).click();
    await quickInput(workbench).getByRole('option').first().waitFor();
    await screenshot(workbench, 'run-pick-version');
    await pick(workbench, /^Latest version/);
    await view().getByRole('textbox', { name: 'question' }).fill('what to do');
    await view().getByRole('textbox', { name: 'tone' }).fill('kind');
    await button('Run').click();
    await button('Set OPENAI_API_KEY').click();
    await quickInput(workbench).locator('input[type=password]').waitFor();
    await answer(workbench, canary);
    await button('Set OPENAI_API_KEY').waitFor({ state: 'hidden' });
    await hands.setVariable('OPENAI_BASE_URL', `${hands.model.url}/v1`);
  });

  it('streams the answer, and tells times, tokens and the request', async () => {
    hands.model.say(long, { pieceMs: 10, size: 40 });
    await button(/^Run/).click();
    await state().filter({ hasText: 'Running' }).waitFor(patiently);
    await output().getByText('First some').waitFor();
    await screenshot(hands.workbench, 'run-streaming');
    await state().filter({ hasText: 'Done' }).waitFor(patiently);
    await output().getByText('The end of it.').waitFor();
    await view().getByText('1,234').waitFor();
    await view().getByText('4001').waitFor();
    await output().locator('.language', { hasText: 'python' }).waitFor();
    await screenshot(hands.workbench, 'run-done');
    assert.equal(hands.model.keys.at(-1), `Bearer ${canary}`);
    assert.match(hands.model.bodies.at(-1) ?? '', /Answer what to do in a tone that is kind/);
    assert.equal(JSON.stringify(hands.service.tracked).includes(canary), false);
  });

  it('keeps the values as a set, and fills the form with it', async () => {
    const { workbench } = hands;
    const tone = view().getByRole('textbox', { name: 'tone' });
    await button('Fill…').click();
    await pick(workbench, /^Keep these values/);
    await quickInput(workbench).getByText('Name of the set').waitFor();
    await answer(workbench, 'In a kind way');
    await quickInput(workbench).waitFor({ state: 'hidden' });
    await tone.fill('rude');
    await button('Fill…').click();
    await quickInput(workbench)
      .getByRole('option', { name: /^In a kind way/ })
      .waitFor();
    await screenshot(workbench, 'run-fill');
    await pick(workbench, /^In a kind way/);
    await hands.until('the value of the set', async () => (await tone.inputValue()) === 'kind');
  });

  it('runs two models side by side, and marks where they differ', async () => {
    const { workbench } = hands;
    await button('Compare…').click();
    await pick(workbench, /^Another model/);
    await quickInput(workbench).getByRole('option', { name: 'anthropic', exact: true }).waitFor();
    await answer(workbench, 'openai');
    await quickInput(workbench).getByPlaceholder('Model of openai').waitFor();
    await answer(workbench, 'gpt-other');
    const rival = view().getByRole('region', { name: 'Compared with', exact: true });
    await rival.getByText('gpt-other · openai', { exact: true }).waitFor(patiently);
    hands.model.say('The same words.');
    await button(/^Run/).click();
    await rival.getByText('Otherwise.').waitFor(patiently);
    await view().getByText('The answers differ in 1 place, which is marked.').waitFor(patiently);
    await rival.getByText('$0.0123').waitFor(patiently);
    await screenshot(workbench, 'run-compared');
  });

  it('shows the request of a run in the log', async () => {
    const { workbench } = hands;
    await view()
      .getByRole('button', { name: /^40\d\d$/ })
      .first()
      .click();
    await view()
      .getByRole('button', { name: /^Request is 40/ })
      .waitFor(patiently);
    await closeEditor(workbench);
    await button('Compare…').click();
    await pick(workbench, /^Nothing/);
    await view().getByRole('region', { name: 'Compared with' }).waitFor({ state: 'hidden' });
  });

  it('stops at once, keeps what had come, and ends the stream at the model', async () => {
    hands.model.say('word '.repeat(5000), { pieceMs: 20, size: 10 });
    const before = hands.model.abandoned;
    await view().getByRole('textbox', { name: 'tone' }).focus();
    await hands.workbench.page.keyboard.press('Control+Enter');
    await output()
      .getByText(/word word/)
      .first()
      .waitFor(patiently);
    const pressed = Date.now();
    await button('Stop').click();
    await state().filter({ hasText: 'Stopped' }).waitFor({ timeout: 5000 });
    assert.ok(Date.now() - pressed < 2000);
    await hands.until('the stream to end', () => hands.model.abandoned > before);
    await output()
      .getByText(/word word/)
      .first()
      .waitFor();
    await screenshot(hands.workbench, 'run-stopped');
  });

  it('goes on while it is hidden, and has caught up when it is shown again', async () => {
    const { workbench } = hands;
    hands.model.say(`begun ${'x '.repeat(4000)} ended`, { pieceMs: 20, size: 130 });
    await button('Run again').click();
    await output().getByText(/begun/).waitFor(patiently);
    await runCommand(workbench, 'Prompt Tables: Show Log');
    // A palette that opens while the log takes the focus would stay open.
    await workbench.page.waitForTimeout(1000);
    await workbench.page.keyboard.press('Escape');
    await runCommand(workbench, 'File: New Untitled Text File');
    await workbench.page.waitForTimeout(2500);
    await closeEditor(workbench);
    await output()
      .getByText(/begun .* ended/)
      .waitFor(patiently);
    await state().filter({ hasText: 'Done' }).waitFor();
    assert.equal(await view().getByRole('textbox', { name: 'tone' }).inputValue(), 'kind');
  });

  it('copies, opens the output as a document and the raw response as JSON', async () => {
    const { workbench } = hands;
    await button('Show raw response').click();
    await workbench.page.getByRole('tab', { name: /raw\.json/ }).waitFor();
    await workbench.page
      .locator('.monaco-editor')
      .getByText('"chat.completion"')
      .first()
      .waitFor(patiently);
    await screenshot(workbench, 'run-raw');
    await closeEditor(workbench);
    await button('Open output as document').click();
    await workbench.page.getByRole('tab', { name: /output\.md/ }).waitFor();
    await closeEditor(workbench);
    await button('Copy output').click();
    assert.match(await hands.clipboard(), /^begun .* ended$/);
  });

  it('has its output after the window was reloaded, and runs again', async () => {
    const { workbench } = hands;
    workbench.host.writeSettings({
      'promptTables.run.providerTimeoutSeconds': 10,
      'promptTables.prompts.cacheSeconds': 10,
    });
    await output().evaluate((element) => {
      element.scrollTop = 60;
    });
    await reload(workbench, '"place":60');
    await output()
      .getByText(/begun .* ended/)
      .waitFor(patiently);
    await state().filter({ hasText: 'Done' }).waitFor();
    await hands.until('the place where it was read', async () =>
      output().evaluate((element) => Math.abs(element.scrollTop - 60) < 2),
    );
    await screenshot(workbench, 'run-reloaded');
    hands.model.say('Once more.');
    await button('Run again').click();
    await output().getByText('Once more.').waitFor(patiently);
  });

  it('runs by keyboard alone, from the palette to the answer', async () => {
    const { workbench } = hands;
    const { keyboard } = workbench.page;
    await runCommand(workbench, 'View: Close All Editors');
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
    const field = view().getByRole('textbox', { name: 'text' });
    await field.waitFor(patiently);
    await hands.until('the focus in the form', () =>
      field.evaluate((area) => area === document.activeElement),
    );
    await keyboard.type('by keys');
    await keyboard.press('Control+Enter');
    await output().getByText('Once more.').waitFor(patiently);
    await state().filter({ hasText: 'Done' }).waitFor();
    assert.match(hands.model.bodies.at(-1) ?? '', /Summarize by keys/);
  });

  it('opens a kept run with what it has cost', async () => {
    const { workbench } = hands;
    await runCommand(workbench, 'View: Close All Editors');
    await runCommand(workbench, 'Prompt Tables: Focus on Runs View');
    // The service tells the cost after the end of a run.
    const run = treeItem(workbench, /^Prompt summarize, Done/).filter({ hasText: '$0.0123' });
    await run.click(patiently);
    await output().getByText('Once more.').waitFor(patiently);
    await view().getByText('$0.0123').waitFor();
  });

  it('gives up a provider that is silent for longer than the setting allows', async () => {
    // The setting was written before the window was reloaded.
    const { workbench, model } = hands;
    model.say('Much later.', { pieceMs: 60_000 });
    await runCommand(workbench, 'View: Close All Editors');
    await runCommand(workbench, 'Prompt Tables: Run Prompt…');
    await pick(workbench, /^no variables/);
    await pick(workbench, /^Latest version/);
    await button('Run').click();
    // In memory since the form was made; asked for again when the time of the cache is over.
    await treeItem(workbench, 'Prompt no variables, v12, gpt-test, cached, #test').waitFor();
    await treeItem(workbench, /^Prompt no variables, .*, cached, stale, /).waitFor(patiently);
    await view().getByText('sent nothing for 10 seconds').waitFor({ timeout: 30_000 });
    await view()
      .getByText(/promptTables\.run\.providerTimeoutSeconds/)
      .waitFor();
    await screenshot(workbench, 'run-silent');
    model.say('Once more.');
  });

  it('runs what is in the cache while the service can not be reached, and says so', async () => {
    const { workbench } = hands;
    await runCommand(workbench, 'View: Close All Editors');
    await hands.goOffline();
    await runCommand(workbench, 'Prompt Tables: Run Prompt…');
    await quickInput(workbench).getByText('From the cache').first().waitFor(patiently);
    await pick(workbench, /^summarize/);
    await quickInput(workbench)
      .getByRole('option', { name: /Latest version/ })
      .waitFor(patiently);
    await answer(workbench);
    const field = view().getByRole('textbox', { name: 'text' });
    await field.waitFor(patiently);
    await view().getByText('From the cache').waitFor(patiently);
    await field.fill('without a net');
    await button('Run').click();
    await treeItem(workbench, /^Prompt summarize, .*, stale copy in use, /).waitFor(patiently);
    // It could not be logged: the answer is there all the same.
    await output().getByText('Once more.').waitFor(patiently);
    assert.match(hands.model.bodies.at(-1) ?? '', /Summarize without a net/);
    await screenshot(workbench, 'run-offline');
  });
});
