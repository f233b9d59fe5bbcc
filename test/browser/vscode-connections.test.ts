import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import type { HostedService } from '../host/support/hosted-service.ts';
import { startHostedService } from '../host/support/hosted-service.ts';
import { freshWorkbench } from '../support/host/shared.ts';
import {
  closeEditor,
  answer,
  confirm,
  notification,
  patiently,
  pick,
  quickInput,
  reload,
  runCommand,
  screenshot,
  showView,
  statusItem,
  treeItem,
  type Workbench,
} from '../support/host/workbench.ts';

const good = 'pl_hands_2d7f4e1a9c5b8036';

describe('VS Code: connecting to a hosted workspace by hand', function () {
  this.timeout(120_000);
  let workbench: Workbench;
  let service: HostedService;

  before(async () => {
    workbench = await freshWorkbench();
    service = await startHostedService();
    service.accept(good);
    await showView(workbench);
  });

  after(async () => service.stop());

  it('asks for address and key, says when the key is refused, and asks again', async () => {
    await runCommand(workbench, 'Prompt Tables: Connect to PromptLayer…');
    await answer(workbench, service.baseURL);
    await quickInput(workbench).locator('input[type=password]').waitFor();
    await answer(workbench, 'pl_wrong_0000000000000000');
    const refused = notification(workbench, 'does not accept this API key');
    await refused.waitFor();
    await screenshot(workbench, 'connect-refused');
    await refused.getByRole('button', { name: 'Enter again' }).click();
    await answer(workbench, service.baseURL);
    await quickInput(workbench).locator('input[type=password]').waitFor();
    await answer(workbench, `  PROMPTLAYER_API_KEY="${good}"\n`);
    await quickInput(workbench).getByText('Name of the workspace in this editor').waitFor();
    await answer(workbench, 'Hosted by hand');
    await statusItem(workbench, 'Hosted by hand').waitFor();
    await treeItem(workbench, 'Hosted table').waitFor();
    await screenshot(workbench, 'connect-hosted');
  });

  it('keeps the workspace and its key over a reload', async () => {
    const asked = service.keysSeen.length;
    await reload(workbench, 'Hosted by hand');
    await showView(workbench);
    await treeItem(workbench, 'Hosted table').waitFor(patiently);
    assert.equal(service.keysSeen.slice(asked).at(-1), good);
  });

  it('offers to set the key after signing out, and shows no table', async () => {
    await runCommand(workbench, 'Prompt Tables: Sign Out');
    await confirm(workbench, 'Sign out');
    await treeItem(workbench, 'Hosted table').waitFor({ state: 'detached' });
    await workbench.page.getByRole('button', { name: 'Set API Key' }).first().waitFor();
    await screenshot(workbench, 'connect-signed-out');
  });

  it('switches back to the local workspace', async () => {
    await statusItem(workbench, 'Hosted by hand').click();
    await pick(workbench, /^Local workspace/);
    await statusItem(workbench, 'Local workspace').waitFor();
  });

  it('imports a CSV file that is dropped onto a table', async () => {
    const { page } = workbench;
    await runCommand(workbench, 'Prompt Tables: New Table…');
    await answer(workbench, 'Dropped here');
    const table = treeItem(workbench, /Table Dropped here/);
    await table.waitFor();
    const transfer = await page.evaluateHandle(() => {
      const made = new DataTransfer();
      made.items.add(
        new File(['city,country\nOslo,Norway\n'], 'dropped cities.csv', { type: 'text/csv' }),
      );
      return made;
    });
    for (const event of ['dragenter', 'dragover', 'drop']) {
      await table.dispatchEvent(event, { dataTransfer: transfer });
      await page.waitForTimeout(600);
    }
    await page.getByRole('tab', { name: /dropped cities/ }).waitFor(patiently);
    await closeEditor(workbench);
  });

  it('warns about a key in the settings, and moves it', async () => {
    const misplaced = 'pl_in_settings_6b0c3d9e8f21';
    service.accept(misplaced);
    workbench.host.writeSettings({ 'promptTables.apiKey': misplaced });
    // VS Code does not always notice a file that others write.
    await reload(workbench);
    await showView(workbench);
    const warning = notification(workbench, 'promptTables.apiKey holds an API key');
    await warning.waitFor(patiently);
    await warning.getByRole('button', { name: 'Move to secret storage' }).click();
    await statusItem(workbench, 'PromptLayer (from settings)').waitFor();
    await runCommand(workbench, 'Prompt Tables: Remove Connection…');
    await confirm(workbench, 'Remove');
    await statusItem(workbench, 'PromptLayer (from settings)').waitFor({ state: 'detached' });
    const file = path.join(workbench.host.dataDir, 'user-data', 'User', 'settings.json');
    const holdsKey = (): boolean => fs.readFileSync(file, 'utf8').includes(misplaced);
    // VS Code writes the file in its own time.
    for (let at = 0; at < 100 && holdsKey(); at += 1) await workbench.page.waitForTimeout(100);
    assert.equal(holdsKey(), false);
    await statusItem(workbench, 'Hosted by hand').waitFor({ state: 'detached' });
    await runCommand(workbench, 'Prompt Tables: Use Local Workspace');
    await statusItem(workbench, 'Local workspace').waitFor();
    await quickInput(workbench).waitFor({ state: 'hidden' });
  });

  it('removes the workspace for good', async () => {
    await statusItem(workbench, 'Local workspace').click();
    await pick(workbench, /^Hosted by hand/);
    await statusItem(workbench, 'Hosted by hand').waitFor();
    await runCommand(workbench, 'Prompt Tables: Remove Connection…');
    await confirm(workbench, 'Remove');
    await statusItem(workbench, 'Hosted by hand').waitFor({ state: 'detached' });
    await workbench.page.getByRole('button', { name: 'Use the Local Workspace' }).first().waitFor();
  });
});
