/** The log of requests of a real local service, in a real VS Code. */
import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { startModel } from '../host/support/prompt-service.ts';
import { firstKey, RunningService } from '../service/support/running-service.ts';
import { loggedMessage, logGreetings } from '../support/demo-requests.ts';
import {
  answer,
  askBy,
  notification,
  patiently,
  pick,
  quickInput,
  reload,
  runCommand,
  screenshot,
  webview,
} from '../support/host/workbench.ts';
import type { Workbench } from '../support/host/workbench.ts';
import { closeEditors } from '../support/host/tidy-up.ts';
import { connectedWorkbench, setVariable } from './support/prompt-hands.ts';

describe('VS Code: the log of requests', function () {
  this.timeout(180_000);
  let workbench: Workbench;
  let service: RunningService;

  // A workspace of its own: the log is all that was ever logged there.
  before(async () => {
    service = await RunningService.start();
    await logGreetings(service.api);
    const sheet = await service.api.newSheet();
    await service.api.expect(200, 'PATCH', sheet.path.replace(/\/sheets\/.*/, ''), {
      title: 'Cities',
    });
    await service.api.expect(200, 'PATCH', sheet.path, { title: 'From the log' });
    workbench = await connectedWorkbench(service.ready.url ?? '', firstKey);
  });
  beforeEach(async () => {
    await closeEditors(workbench);
    await runCommand(workbench, 'Prompt Tables: Open Request Log');
    await foot(/requests?/).waitFor(patiently);
    await search('');
  });
  after(() => service.stop());

  const view = () => webview(workbench);
  const grid = (): Locator => view().getByRole('grid', { name: 'Requests' });
  const foot = (text: string | RegExp): Locator =>
    view().locator('.status-line').getByText(text).first();
  const button = (name: string | RegExp): Locator => view().getByRole('button', { name });
  const cell = (text: string | RegExp): Locator => grid().getByRole('gridcell').getByText(text);

  it('filters by keyboard, with the values that there are, and has what it showed after a reload', async () => {
    await askBy(workbench, 'Prompt Tables: Filter Requests…', (box) =>
      box.getByRole('option', { name: /^Metadata/ }),
    );
    await answer(workbench, 'Metadata');
    await quickInput(workbench).getByRole('option', { name: 'user' }).waitFor(patiently);
    await answer(workbench);
    await quickInput(workbench).getByRole('option', { name: 'contains' }).waitFor();
    await answer(workbench);
    await quickInput(workbench).getByRole('option', { name: 'user-1' }).waitFor(patiently);
    await screenshot(workbench, 'requests-suggestions');
    await answer(workbench, 'user-1');
    await button(/^Metadata user is user-1/).waitFor(patiently);
    await foot(/^10 requests$/).waitFor(patiently);
    await reload(workbench, '"sheetId":"requests"', 'user-1');
    await button(/^Metadata user is user-1/).waitFor(patiently);
    await foot(/^10 requests$/).waitFor(patiently);
    await button('Remove the filter Metadata user is user-1').click();
    await foot(/^25 of \d+ requests loaded$/).waitFor(patiently);
  });

  it('opens a request as a document to read', async () => {
    const { page } = workbench;
    await search('number 29');
    await cell('gpt-4o').first().click();
    await page.keyboard.press('Enter');
    await page.getByRole('tab', { name: /Request \d+\.md/ }).waitFor(patiently);
    const text = page.locator('.monaco-editor').last();
    await text.getByText('The model was away.').first().waitFor(patiently);
    await text.getByText('Hello Lyon, number 29').first().waitFor();
    await screenshot(workbench, 'requests-document');
  });

  it('adds chosen requests to a sheet', async () => {
    const { keyboard } = workbench.page;
    await cell(/^gpt-4o/)
      .first()
      .click();
    await keyboard.press('Shift+Space');
    await keyboard.press('Shift+ArrowDown');
    await button('Add to sheet').click();
    await pick(workbench, /^Cities/);
    await pick(workbench, /^From the log/);
    await quickInput(workbench).getByText('city', { exact: true }).first().waitFor(patiently);
    await screenshot(workbench, 'requests-columns');
    await answer(workbench);
    await notification(workbench, '2 requests are rows of From the log.').waitFor(patiently);
  });

  it('replays a request with its variables, its version and its model', async () => {
    await search('number 29');
    await cell('gpt-4o').first().click();
    await button('Replay').click();
    const field = view().getByRole('textbox', { name: 'city' });
    await field.waitFor(patiently);
    assert.equal(await field.inputValue(), 'Lyon');
    await view().getByText('Version 1').first().waitFor();
    await screenshot(workbench, 'requests-replay');
  });

  it('replays a request without a prompt as it was asked, and logs that', async () => {
    await service.api.expect(201, 'POST', '/log-request', {
      provider: 'openai',
      model: 'gpt-4o-mini',
      input: loggedMessage('user', 'Say {this} as it is'),
      output: loggedMessage('assistant', 'This.'),
      request_start_time: '2026-02-01T12:00:00Z',
      request_end_time: '2026-02-01T12:00:01Z',
    });
    const model = await startModel();
    try {
      await setVariable(workbench, 'OPENAI_API_KEY', 'sk-none');
      await setVariable(workbench, 'OPENAI_BASE_URL', `${model.url}/v1`);
      await search('as it is');
      await cell('2026-02-01').first().click();
      await button('Replay').click();
      await button('As logged').waitFor(patiently);
      await view().getByText('This prompt has no variables.').waitFor();
      await button(/^Run/).click();
      await view().getByText('Hello.').waitFor(patiently);
      assert.match(model.bodies[0] ?? '', /"Say \{this\} as it is"/);
      assert.doesNotMatch(model.bodies[0] ?? '', /This\./);
      await screenshot(workbench, 'requests-replay-unnamed');
    } finally {
      await model.close();
    }
    await closeEditors(workbench);
    // The run itself is in the log as well.
    await runCommand(workbench, 'Prompt Tables: Open Request Log');
    await foot(/^[2-9] requests$/).waitFor(patiently);
  });

  /** What was searched is kept for the next time that the log is opened. */
  async function search(text: string): Promise<void> {
    await view().getByRole('searchbox', { name: 'Search requests' }).fill(text);
    await workbench.page.keyboard.press('Enter');
    await foot(text === '' ? /^25 of \d+ requests loaded$/ : /^\d+ requests?$/).waitFor(patiently);
  }
});
