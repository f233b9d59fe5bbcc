/** Where keys go is the user's choice: prompts of a folder and of a workspace, in a real VS Code. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import type { Model, PromptService } from '../host/support/prompt-service.ts';
import { startModel, startPromptService } from '../host/support/prompt-service.ts';
import type { FakeProvider } from '../support/providers/fake-provider.ts';
import { startFakeProvider } from '../support/providers/fake-provider.ts';
import type { Workbench } from '../support/host/workbench.ts';
import {
  askBy,
  notification,
  patiently,
  pick,
  quickInput,
  runCommand,
  screenshot,
  treeItem,
  webview,
} from '../support/host/workbench.ts';
import { tidyUp } from '../support/host/tidy-up.ts';
import { connectedWorkbench, setVariable } from './support/prompt-hands.ts';
import { until } from '../support/until.ts';

const canary = 'sk-canary-51c0d7a9e2b84f36-for-one-provider';

describe('VS Code: keys of providers', function () {
  this.timeout(240_000);
  let service: PromptService;
  let model: Model;
  /** Somebody whom only prompts name. */
  let stranger: FakeProvider;
  /** An address that the workspace has set. */
  let gateway: Model;
  /** Whatever became of the window. */
  const opened: { close(): Promise<void> }[] = [];
  let workbench: Workbench;
  let file = '';
  const base = { id: 1, name: 'Gateway', provider: 'openai', url: '' };
  const custom = {
    ...{ id: 1, name: 'Ours', client: 'openai', base_url: '' },
    ...{ workspace_id: 1, api_key: 'key-of-the-workspace' },
  };
  let addresses = 0;
  /** Of the gateway, that nobody has been asked about. */
  const newAddress = (): string => {
    addresses += 1;
    return `${gateway.url}/no-${addresses}/v1`;
  };

  before(async () => {
    [model, gateway] = await Promise.all([startModel(), startModel()]);
    stranger = await startFakeProvider(() => ({ status: 400, body: { error: 'no' } }));
    opened.push(model, gateway, stranger);
    service = await startPromptService([
      {
        ...{ id: 7, name: 'through the gateway', version: 1, text: 'Say hello.', variables: [] },
        more: { provider_base_url: base },
      },
      {
        ...{ id: 8, name: 'by a custom provider', version: 1, text: 'Say hello.', variables: [] },
        more: { custom_provider: custom },
      },
    ]);
    opened.push(service);
    workbench = await connectedWorkbench(service.url);
    await setVariable(workbench, 'OPENAI_API_KEY', canary);
    await setVariable(workbench, 'OPENAI_BASE_URL', `${model.url}/v1`);
  });
  beforeEach(async () => {
    await tidyUp(workbench);
    base.url = newAddress();
    custom.base_url = newAddress();
    await runCommand(workbench, 'Prompt Tables: Clear Template Cache');
  });
  after(async () => {
    if (file !== '') fs.rmSync(file, { force: true });
    for (const server of opened) await server.close();
  });

  const view = () => webview(workbench);
  const run = (): Promise<void> => view().getByRole('button', { name: /^Run/ }).first().click();
  const state = (): Locator => view().locator('.state');
  const dialog = (): Locator => workbench.page.locator('.monaco-dialog-box');

  it('do not follow a prompt file to the address that it names', async () => {
    file = path.join(workbench.host.workspace, 'helper.prompt');
    fs.writeFileSync(
      file,
      [
        '---',
        'prompt: helper',
        'model:',
        '  provider: openai',
        '  name: gpt-4o-mini',
        '  parameters:',
        '    temperature: 0.5',
        `    base_url: ${stranger.url}/v1`,
        '    extra_body:',
        `      baseURL: ${stranger.url}/v1`,
        '---',
        '',
        '=== user',
        'Say hi',
        '',
      ].join('\n'),
    );
    await workbench.page.keyboard.press('Control+P');
    await quickInput(workbench)
      .getByPlaceholder(/Search files/)
      .fill('helper.prompt');
    await quickInput(workbench)
      .getByRole('option', { name: /helper\.prompt/ })
      .first()
      .waitFor(patiently);
    await workbench.page.keyboard.press('Enter');
    await workbench.page.locator('.view-lines').getByText('base_url').waitFor(patiently);
    await runCommand(workbench, 'Problems: Focus on Problems View');
    const problems = workbench.page.locator('.markers-panel');
    const line = (text: RegExp): Locator => problems.getByRole('treeitem', { name: text });
    await line(/"base_url" is ignored: prompts can't set.*line 8/is).waitFor(patiently);
    await line(/"extra_body\.baseURL" is ignored.*line 10/is).waitFor(patiently);
    await screenshot(workbench, 'keys-problems');
    await workbench.page.keyboard.press('Control+J');
    await problems.waitFor({ state: 'hidden', ...patiently });
    await workbench.page.getByRole('tab', { name: 'helper.prompt' }).click();
    const ignored = view().getByText(
      "Ignored parameters: base_url, extra_body.baseURL. Prompts can't set where requests are sent.",
    );
    // A slow window tries once more, when the panel is in front already: what counts is the panel.
    await Promise.any([
      runCommand(workbench, 'Prompt Tables: Run Prompt in Editor…').then(() =>
        ignored.waitFor(patiently),
      ),
      ignored.waitFor(patiently),
    ]);
    model.say('Hello from the provider of the user.');
    await run();
    await state().filter({ hasText: 'Done' }).waitFor(patiently);
    await screenshot(workbench, 'keys-ignored');
    assert.equal(stranger.requests.length, 0);
    assert.equal(model.keys.at(-1), `Bearer ${canary}`);
    assert.doesNotMatch(model.bodies.at(-1) ?? '', /base_?url/i);
  });

  async function open(name: string): Promise<void> {
    const prompt = treeItem(workbench, new RegExp(`Prompt ${name}`));
    await prompt.waitFor(patiently);
    await prompt.hover();
    await prompt.getByRole('button', { name: /Run Prompt/ }).click();
    await quickInput(workbench).getByRole('option').first().waitFor();
    await pick(workbench, /^Latest version/);
    await view().getByText(`Requests go to ${gateway.url}`).waitFor(patiently);
  }

  it('go to an address of the workspace once the user has agreed, not before, and not once it is removed', async () => {
    const tracked = service.tracked.length;
    const before = gateway.keys.length;
    const { url } = base;
    const asks = (address: string): Promise<void> =>
      dialog().getByText(`Address: ${address}`).waitFor(patiently);
    const refuse = async (): Promise<void> => {
      await dialog().getByRole('button', { name: 'Cancel' }).click();
      await state().filter({ hasText: 'Stopped' }).waitFor(patiently);
    };
    const allow = async (): Promise<void> => {
      await dialog().getByRole('button', { name: 'Allow' }).click();
      await state().filter({ hasText: 'Done' }).waitFor(patiently);
    };
    await open('through the gateway');
    await run();
    await dialog().getByText(`Send requests for openai to ${gateway.url}?`).waitFor(patiently);
    await asks(url);
    await dialog()
      .getByText(/Acme has set this address for openai/)
      .waitFor();
    await screenshot(workbench, 'keys-question');
    await refuse();
    assert.equal(gateway.keys.length, before);
    assert.equal(service.tracked.length, tracked);
    await run();
    await allow();
    assert.deepEqual(gateway.keys.slice(before), [`Bearer ${canary}`]);
    // Asked once.
    await run();
    await until('the next run', () => gateway.keys.length === before + 2);
    await state().filter({ hasText: 'Done' }).waitFor(patiently);
    await screenshot(workbench, 'keys-gateway');
    // But another address is another question.
    const moved = newAddress();
    base.url = moved;
    await runCommand(workbench, 'Prompt Tables: Clear Template Cache');
    await run();
    await asks(moved);
    await refuse();
    assert.equal(gateway.keys.length, before + 2);
    await run();
    await asks(moved);
    await allow();
    assert.equal(gateway.keys.length, before + 3);

    const command = 'Prompt Tables: Manage Allowed Addresses…';
    const allowed = (address: string) => (box: Locator) => box.getByText(address, { exact: true });
    await askBy(workbench, command, allowed(url));
    await screenshot(workbench, 'addresses');
    await allowed(url)(quickInput(workbench)).click();
    await quickInput(workbench).getByRole('button', { name: 'OK' }).click();
    await notification(workbench, /1 address was removed/).waitFor(patiently);
    base.url = url;
    await runCommand(workbench, 'Prompt Tables: Clear Template Cache');
    await run();
    await asks(url);
    await refuse();
    assert.equal(gateway.keys.length, before + 3);
    // The other one stays allowed.
    await askBy(workbench, command, allowed(moved));
    assert.equal(await allowed(url)(quickInput(workbench)).count(), 0);
  });

  it('stay here when the workspace has a provider of its own', async () => {
    const before = gateway.keys.length;
    await open('by a custom provider');
    await run();
    await dialog()
      .getByText(/custom provider Ours/)
      .waitFor(patiently);
    await dialog().getByRole('button', { name: 'Allow' }).click();
    await state().filter({ hasText: 'Done' }).waitFor(patiently);
    assert.deepEqual(gateway.keys.slice(before), ['Bearer key-of-the-workspace']);
    assert.equal(stranger.requests.length, 0);
  });
});
