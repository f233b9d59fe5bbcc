/** Compare Many and Chat in a real window: what they do, and that a reload loses none of it. */
import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import {
  anOption,
  answer,
  askBy,
  confirm,
  patiently,
  pick,
  reload,
  screenshot,
  webview,
} from '../support/host/workbench.ts';
import { closeEditors } from '../support/host/tidy-up.ts';
import { startHands } from './support/prompt-hands.ts';
import type { Hands } from './support/prompt-hands.ts';

describe('VS Code: many variants, and conversations', function () {
  this.timeout(240_000);
  let hands: Hands;

  before(async () => {
    hands = await startHands();
    await hands.setVariable('OPENAI_API_KEY', 'sk-none');
    await hands.setVariable('OPENAI_BASE_URL', `${hands.model.url}/v1`);
  });
  beforeEach(() => closeEditors(hands.workbench));
  after(() => hands.stop());

  const view = () => webview(hands.workbench);
  const button = (name: string | RegExp): Locator =>
    view().getByRole('button', { name, exact: true });

  /** By the command, with the latest version. */
  async function open(command: string, prompt: RegExp): Promise<void> {
    const { workbench } = hands;
    await askBy(workbench, command, anOption(prompt));
    await pick(workbench, prompt);
    await pick(workbench, /^Latest version/);
  }

  it('compare two versions for a case, each asked once, also over a reload', async () => {
    const { workbench, model } = hands;
    model.say('A kind answer.');
    const asked = model.bodies.length;
    await open('Prompt Tables: Compare Many…', /^support\/answer/);
    await button('Add Variant…').click(patiently);
    await pick(workbench, /^Version or label of support\/answer/);
    await pick(workbench, /^Version 1/);
    await button('Add Cases…').click(patiently);
    await pick(workbench, /^Enter values/);
    await answer(workbench, 'where is it');
    await answer(workbench, 'kind');
    await view().getByText('1 case').waitFor(patiently);
    await button('Run').click(patiently);
    await confirm(workbench, 'Send Requests');
    const done = (): Promise<void> =>
      view().getByText('2 of 2 answered').first().waitFor(patiently);
    await done();
    assert.equal(model.bodies.length - asked, 2);
    await screenshot(workbench, 'compare-many');
    await reload(workbench);
    await done();
    assert.equal(await view().getByRole('gridcell').getByText('A kind answer.').count(), 2);
    assert.equal(model.bodies.length - asked, 2);
  });

  it('talk with a prompt, which remembers what was said, also over a reload', async () => {
    const { workbench, model } = hands;
    model.say('Hello to you.');
    await open('Prompt Tables: Run Prompt…', /^no variables/);
    await view().getByRole('tab', { name: 'Chat' }).click(patiently);
    const message = (): Locator => view().getByRole('textbox', { name: 'Message' });
    await message().fill('And to them?');
    await message().press('Enter');
    const turn = (number: number): Locator =>
      view().getByRole('article', { name: `Turn ${String(number)}` });
    await turn(1).getByText('Hello to you.').waitFor(patiently);
    model.say('To all of them.');
    await message().fill('And to me?');
    await message().press('Enter');
    await turn(2).getByText('To all of them.').waitFor(patiently);
    const last = model.bodies.at(-1) ?? '';
    for (const said of ['Say hello.', 'And to them?', 'Hello to you.', 'And to me?']) {
      assert.ok(last.includes(said), said);
    }
    await screenshot(workbench, 'chat');
    // What was typed a moment before isn't lost either.
    await message().fill('Half a sen');
    await reload(workbench);
    await view().getByRole('tab', { name: 'Chat', selected: true }).waitFor(patiently);
    await turn(2).getByText('To all of them.').waitFor(patiently);
    assert.equal(await message().inputValue(), 'Half a sen');
    await screenshot(workbench, 'chat-reloaded');
  });
});
