/** Keys of providers in a folder that is not trusted, in a real VS Code. */
import assert from 'node:assert/strict';
import type { Model } from '../host/support/prompt-service.ts';
import { startModel, startPromptService } from '../host/support/prompt-service.ts';
import { connect } from '../support/host/connect.ts';
import { tidyUp } from '../support/host/tidy-up.ts';
import { trustFolder } from '../support/host/trust.ts';
import type { Workbench } from '../support/host/workbench.ts';
import {
  confirm,
  patiently,
  pick,
  quickInput,
  runCommand,
  screenshot,
  statusItem,
  treeItem,
  webview,
} from '../support/host/workbench.ts';
import { removeVariable, setVariable } from './support/prompt-hands.ts';
import { restrictedWorkbench } from './support/restricted.ts';

const canary = 'sk-canary-51c0d7a9e2b84f36-for-one-provider';
/** Of the workspace, in this editor. */
const name = 'With a gateway';

describe('VS Code: keys of providers in a folder that is not trusted', function () {
  this.timeout(240_000);
  const opened: { close(): Promise<void> }[] = [];
  let workbench: Workbench;
  let gateway: Model;
  const base = { id: 1, name: 'Gateway', provider: 'openai', url: '' };
  let addresses = 0;

  before(async () => {
    gateway = await startModel();
    opened.push(gateway);
    const service = await startPromptService([
      {
        ...{ id: 7, name: 'through the gateway', version: 1, text: 'Say hello.', variables: [] },
        more: { provider_base_url: base },
      },
    ]);
    opened.push(service);
    ({ workbench } = await restrictedWorkbench());
    await connect(workbench, { url: service.url, apiKey: 'pl_prompts_5f0c2a7e9b1d4836', name });
    await setVariable(workbench, 'OPENAI_API_KEY', canary);
  });
  beforeEach(async () => {
    await tidyUp(workbench);
    await trustFolder(workbench, false);
    addresses += 1;
    // Nobody has been asked about it.
    base.url = `${gateway.url}/no-${addresses}/v1`;
    await runCommand(workbench, 'Prompt Tables: Clear Template Cache');
  });
  after(async () => {
    await tidyUp(workbench);
    await removeVariable(workbench, 'OPENAI_API_KEY');
    await runCommand(workbench, 'Prompt Tables: Remove Connection…');
    await confirm(workbench, 'Remove');
    await statusItem(workbench, name).waitFor({ state: 'detached' });
    for (const server of opened) await server.close();
  });

  it('go to an address of the workspace by the same question, and only those that were set here', async () => {
    const before = gateway.keys.length;
    const prompt = treeItem(workbench, /Prompt through the gateway/);
    await prompt.waitFor(patiently);
    await prompt.hover();
    await prompt.getByRole('button', { name: /Run Prompt/ }).click();
    await quickInput(workbench).getByRole('option').first().waitFor();
    await pick(workbench, /^Latest version/);
    const view = webview(workbench);
    await view.getByText(`Requests go to ${gateway.url}`).waitFor(patiently);
    const run = (): Promise<void> => view.getByRole('button', { name: /^Run/ }).first().click();
    const dialog = workbench.page.locator('.monaco-dialog-box');
    const state = (text: string): Promise<void> =>
      view.locator('.state').filter({ hasText: text }).waitFor(patiently);
    await run();
    await dialog.getByText(`Send requests for openai to ${gateway.url}?`).waitFor(patiently);
    await screenshot(workbench, 'keys-question-untrusted');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await state('Stopped');
    assert.equal(gateway.keys.length, before);
    await run();
    await dialog.getByRole('button', { name: 'Allow' }).click();
    await state('Done');
    assert.deepEqual(gateway.keys.slice(before), [`Bearer ${canary}`]);
  });
});
