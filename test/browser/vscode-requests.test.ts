/** The log of requests of a real local service, in a real VS Code. The steps build on each other. */
import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { startModel } from '../host/support/prompt-service.ts';
import { firstKey, RunningService } from '../service/support/running-service.ts';
import { seriousViolations } from '../support/host/axe.ts';
import {
  answer,
  askBy,
  closeEditor,
  notification,
  patiently,
  pick,
  quickInput,
  reload,
  runCommand,
  screenshot,
  setTheme,
  webview,
  webviewFrame,
} from '../support/host/workbench.ts';
import type { Workbench } from '../support/host/workbench.ts';
import { connectedWorkbench, setVariable, until } from './support/prompt-hands.ts';

const message = (role: string, text: string): object => ({
  type: 'chat',
  messages: [{ role, content: [{ type: 'text', text }] }],
});

describe('VS Code: the log of requests', function () {
  this.timeout(180_000);
  let workbench: Workbench;
  let service: RunningService;

  before(async () => {
    service = await RunningService.start();
    const { api } = service;
    await api.expect(200, 'POST', '/rest/prompt-templates', {
      prompt_template: { prompt_name: 'greet' },
      prompt_version: {
        prompt_template: {
          ...message('user', 'Greet {city} warmly'),
          input_variables: ['city'],
        },
        metadata: { model: { provider: 'openai', name: 'gpt-4o-mini', parameters: {} } },
      },
    });
    const cities = ['Paris', 'Lyon', 'Nice', 'Metz'];
    for (let at = 0; at < 30; at += 1) {
      const city = cities[at % cities.length] ?? '';
      const startedAt = Date.parse('2026-01-01T12:00:00Z') + at * 60_000;
      await api.expect(201, 'POST', '/log-request', {
        provider: 'openai',
        model: at % 2 === 0 ? 'gpt-4o-mini' : 'gpt-4o',
        input: message('user', `Greet ${city} warmly`),
        output: message('assistant', `Hello ${city}, number ${at}`),
        request_start_time: new Date(startedAt).toISOString(),
        request_end_time: new Date(startedAt + 1250).toISOString(),
        input_tokens: 10,
        output_tokens: at,
        price: 0.001 * (at + 1),
        prompt_name: 'greet',
        prompt_version_number: 1,
        prompt_input_variables: { city },
        metadata: { user: `user-${at % 3}` },
        tags: ['nightly'],
        ...(at === 29 && {
          status: 'ERROR',
          error_type: 'PROVIDER_ERROR',
          error_message: 'The model was away.',
        }),
      });
    }
    const sheet = await api.newSheet();
    await api.expect(200, 'PATCH', sheet.path.replace(/\/sheets\/.*/, ''), { title: 'Cities' });
    await api.expect(200, 'PATCH', sheet.path, { title: 'From the log' });
    workbench = await connectedWorkbench(service.ready.url ?? '', firstKey);
  });
  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await screenshot(workbench, 'requests-failed');
  });
  after(() => service.stop());

  const view = () => webview(workbench);
  const grid = (): Locator => view().getByRole('grid', { name: 'Requests' });
  const foot = (text: string | RegExp): Locator =>
    view().locator('.status-line').getByText(text).first();
  const button = (name: string | RegExp): Locator => view().getByRole('button', { name });
  const cell = (text: string | RegExp): Locator => grid().getByRole('gridcell').getByText(text);

  it('shows the newest requests first, and says how many there are', async () => {
    await runCommand(workbench, 'Prompt Tables: Open Request Log');
    await foot('25 of 30 requests loaded').waitFor(patiently);
    await cell('gpt-4o').first().waitFor();
    await foot('$0.45').waitFor();
    await screenshot(workbench, 'requests');
    const times = await grid()
      .getByRole('gridcell')
      .filter({ hasText: /^2026-/ })
      .allInnerTexts();
    assert.deepEqual(times, [...times].sort().reverse());
  });

  it('loads more, until all are there', async () => {
    await button('Load more').click();
    await foot(/^30 requests$/).waitFor(patiently);
    assert.equal(await button('Load more').isDisabled(), true);
  });

  it('finds words in what was asked or answered', async () => {
    await view().getByRole('searchbox', { name: 'Search requests' }).fill('Lyon');
    await workbench.page.keyboard.press('Enter');
    await foot(/^8 requests$/).waitFor(patiently);
  });

  it('filters by keyboard, with the values that there are', async () => {
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
    await foot(/^[23] requests$/).waitFor(patiently);
    await screenshot(workbench, 'requests-filtered');
  });

  it('has what it showed after the window was reloaded', async () => {
    await reload(workbench, '"sheetId":"requests"', 'user-1');
    await button(/^Metadata user is user-1/).waitFor(patiently);
    await foot(/^[23] requests$/).waitFor(patiently);
    await button('Remove the filter Metadata user is user-1').click();
    await foot(/^8 requests$/).waitFor(patiently);
    await view().getByRole('searchbox', { name: 'Search requests' }).fill('');
    await workbench.page.keyboard.press('Enter');
    await foot('25 of 30 requests loaded').waitFor(patiently);
    await button('Load all').click();
    await foot(/^30 requests$/).waitFor(patiently);
    await screenshot(workbench, 'requests-all');
  });

  it('opens a request as a document to read', async () => {
    const { page } = workbench;
    await cell('gpt-4o').first().click();
    await page.keyboard.press('Enter');
    await page.getByRole('tab', { name: /Request \d+\.md/ }).waitFor(patiently);
    const text = page.locator('.monaco-editor').last();
    await text.getByText('The model was away.').first().waitFor(patiently);
    await text.getByText('Hello Lyon, number 29').first().waitFor();
    await screenshot(workbench, 'requests-document');
    await closeEditor(workbench);
  });

  it('adds chosen requests to a sheet', async () => {
    const { keyboard } = workbench.page;
    await cell('gpt-4o').first().click();
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
    await grid().getByRole('gridcell').first().click();
    await workbench.page.keyboard.press('Control+Home');
    await cell('gpt-4o').first().click();
    await button('Replay').click();
    const field = view().getByRole('textbox', { name: 'city' });
    await field.waitFor(patiently);
    assert.equal(await field.inputValue(), 'Lyon');
    await view().getByText('Version 1').first().waitFor();
    await screenshot(workbench, 'requests-replay');
    await closeEditor(workbench);
  });

  it('sorts by what the service sorts by, from the menu of a column', async () => {
    const { keyboard } = workbench.page;
    const costs = async (): Promise<readonly string[]> =>
      (
        await grid()
          .getByRole('gridcell')
          .filter({ hasText: /^0\.0\d/ })
          .allInnerTexts()
      ).slice(0, 3);
    const title = grid().getByRole('columnheader', { name: /^Cost/ });
    await cell('gpt-4o').first().click();
    await keyboard.press('End');
    for (let at = 0; at < 5; at += 1) await keyboard.press('ArrowLeft');
    await title.locator('.title-menu').click();
    await view().getByRole('menuitemcheckbox', { name: 'Sort largest first' }).click();
    await until('the dearest on top', async () => (await costs())[0] === '0.03');
    assert.equal(await title.getAttribute('aria-sort'), 'descending');
    await screenshot(workbench, 'requests-by-cost');
    await grid().getByRole('columnheader').first().click();
    await until('the order of time', async () => (await title.getAttribute('aria-sort')) === null);
    await button('Load all').click();
    await foot(/^30 requests$/).waitFor(patiently);
    await keyboard.press('Escape');
  });

  it('replays a request without a prompt as it was asked', async () => {
    await service.api.expect(201, 'POST', '/log-request', {
      provider: 'openai',
      model: 'gpt-4o-mini',
      input: message('user', 'Say {this} as it is'),
      output: message('assistant', 'This.'),
      request_start_time: '2026-02-01T12:00:00Z',
      request_end_time: '2026-02-01T12:00:01Z',
    });
    await button('Search again').click();
    await foot('25 of 31 requests loaded').waitFor(patiently);
    await grid().getByRole('gridcell').first().click();
    await workbench.page.keyboard.press('Control+Home');
    await cell('2026-02-01').first().click();
    const model = await startModel();
    try {
      await setVariable(workbench, 'OPENAI_API_KEY', 'sk-none');
      await setVariable(workbench, 'OPENAI_BASE_URL', `${model.url}/v1`);
      await cell('2026-02-01').first().click();
      await button('Replay').click();
      await button('As it was asked').waitFor(patiently);
      await view().getByText('This prompt has no variables.').waitFor();
      await button(/^Run/).click();
      await view().getByText('Hello.').waitFor(patiently);
      assert.match(model.bodies[0] ?? '', /"Say \{this\} as it is"/);
      assert.doesNotMatch(model.bodies[0] ?? '', /This\./);
      await screenshot(workbench, 'requests-replay-unnamed');
      await closeEditor(workbench);
    } finally {
      await model.close();
    }
    // The run itself is in the log as well.
    await button('Search again').click();
    await foot('25 of 32 requests loaded').waitFor(patiently);
    await button('Load all').click();
    await foot(/^32 requests$/).waitFor(patiently);
  });

  for (const theme of ['light', 'high-contrast', 'dark'] as const) {
    it(`can be read by everybody in the theme "${theme}"`, async () => {
      await setTheme(workbench, theme);
      await foot(/^32 requests$/).waitFor(patiently);
      await cell(/gpt-4o|openai/)
        .first()
        .waitFor(patiently);
      await screenshot(workbench, `requests-${theme}`);
      assert.deepEqual(await seriousViolations(await webviewFrame(workbench)), []);
    });
  }

  it('says what is wrong when the service is away', async () => {
    await service.stop();
    await button('Search again').click();
    await view().getByRole('alert').first().waitFor(patiently);
    await screenshot(workbench, 'requests-away');
  });
});
