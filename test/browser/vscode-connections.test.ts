import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import type { HostedService } from '../host/support/hosted-service.ts';
import { startHostedService } from '../host/support/hosted-service.ts';
import { sharedWorkbench } from '../support/host/shared.ts';
import { tidyUp } from '../support/host/tidy-up.ts';
import {
  closeEditor,
  answer,
  confirm,
  notification,
  patiently,
  pick,
  pickBy,
  quickInput,
  reload,
  runCommand,
  screenshot,
  showView,
  statusItem,
  treeItem,
  type Workbench,
} from '../support/host/workbench.ts';
import { until } from '../support/until.ts';

const good = 'pl_hands_2d7f4e1a9c5b8036';

describe('VS Code: connecting to a hosted workspace by hand', function () {
  this.timeout(120_000);
  let workbench: Workbench;
  let service: HostedService;

  let name = '';
  let names = 0;

  before(async () => {
    workbench = await sharedWorkbench();
    service = await startHostedService();
    service.accept(good);
  });
  beforeEach(async () => {
    await tidyUp(workbench);
    names += 1;
    name = `Hosted by hand ${names}`;
    await runCommand(workbench, 'Prompt Tables: Use Local Workspace');
    await statusItem(workbench, 'Local workspace').waitFor();
  });

  after(async () => service.stop());

  async function giveKey(key: string): Promise<void> {
    await answer(workbench, service.baseURL);
    await quickInput(workbench).locator('input[type=password]').waitFor();
    await answer(workbench, key);
  }
  /** By the status bar, which names the one that is in use. */
  async function useFrom(shown: string, wanted: string): Promise<void> {
    await statusItem(workbench, shown).click();
    await pick(workbench, new RegExp(`^${wanted}`));
    await statusItem(workbench, wanted).waitFor();
  }
  const misplaced = 'pl_in_settings_6b0c3d9e8f21';
  const settingsHoldKey = (): boolean => {
    const file = path.join(workbench.host.dataDir, 'user-data', 'User', 'settings.json');
    return fs.readFileSync(file, 'utf8').includes(misplaced);
  };

  it('asks for address and key until they are accepted, keeps them over a reload, moves a key in the settings, signs out, and removes them', async () => {
    const { page } = workbench;
    await runCommand(workbench, 'Prompt Tables: Connect to PromptLayer…');
    await giveKey('pl_wrong_0000000000000000');
    const refused = notification(workbench, 'does not accept this API key');
    await refused.waitFor();
    await screenshot(workbench, 'connect-refused');
    await refused.getByRole('button', { name: 'Enter again' }).click();
    await giveKey(`  PROMPTLAYER_API_KEY="${good}"\n`);
    await quickInput(workbench).getByText('Name of the workspace in this editor').waitFor();
    await answer(workbench, name);
    await statusItem(workbench, name).waitFor();
    await treeItem(workbench, 'Hosted table').waitFor();
    await screenshot(workbench, 'connect-hosted');

    // VS Code does not always notice a file that others write, but reads it when it starts.
    service.accept(misplaced);
    workbench.host.writeSettings({ 'promptTables.apiKey': misplaced });
    const asked = service.keysSeen.length;
    await reload(workbench, name);
    await showView(workbench);
    await treeItem(workbench, 'Hosted table').waitFor(patiently);
    assert.equal(service.keysSeen.slice(asked).at(-1), good);

    const warning = notification(workbench, 'promptTables.apiKey holds an API key');
    await warning.waitFor(patiently);
    await warning.getByRole('button', { name: 'Move to secret storage' }).click();
    const ofSettings = statusItem(workbench, 'PromptLayer (from settings)');
    await ofSettings.waitFor();
    await runCommand(workbench, 'Prompt Tables: Remove Connection…');
    await confirm(workbench, 'Remove');
    await ofSettings.waitFor({ state: 'detached' });
    // VS Code writes the file in its own time.
    await until('the key to leave the settings', () => !settingsHoldKey());

    await pickBy(workbench, 'Prompt Tables: Switch Workspace…', new RegExp(`^${name}`));
    await statusItem(workbench, name).waitFor();
    await runCommand(workbench, 'Prompt Tables: Sign Out');
    await confirm(workbench, 'Sign out');
    await treeItem(workbench, 'Hosted table').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Set API Key' }).first().waitFor();
    await screenshot(workbench, 'connect-signed-out');

    await useFrom(name, 'Local workspace');
    await useFrom('Local workspace', name);
    await runCommand(workbench, 'Prompt Tables: Remove Connection…');
    await confirm(workbench, 'Remove');
    await statusItem(workbench, name).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Use the Local Workspace' }).first().waitFor();
  });

  it('imports a CSV file that is dropped onto a table', async () => {
    const { page } = workbench;
    await runCommand(workbench, 'Prompt Tables: New Table…');
    await answer(workbench, `Dropped here ${names}`);
    const table = treeItem(workbench, `Table Dropped here ${names}`);
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
});
