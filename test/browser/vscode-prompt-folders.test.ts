/** Prompts in the folders of a real local service, in a real VS Code. The steps build on each other. */
import assert from 'node:assert/strict';
import type { Api } from '../service/support/api.ts';
import { Client, silentLogger } from '../../src/core/index.ts';
import { firstKey, RunningService } from '../service/support/running-service.ts';
import type { Workbench } from '../support/host/workbench.ts';
import {
  answer,
  chooseInMenu,
  confirm,
  notification,
  patiently,
  pick,
  runCommand,
  screenshot,
  treeItem,
} from '../support/host/workbench.ts';
import { connectedWorkbench, until } from './support/prompt-hands.ts';

describe('VS Code: prompts in folders', function () {
  this.timeout(180_000);
  let workbench: Workbench;
  let service: RunningService;
  let api: Api;
  let client: Client;

  const folder = async (name: string, parentId: number | null = null): Promise<number> =>
    (await client.folders.create({ name, parentId })).id;
  const publish = async (name: string, folder_id: number | undefined, tags: string[] = []) =>
    api.expect(200, 'POST', '/rest/prompt-templates', {
      prompt_template: { prompt_name: name, tags, ...(folder_id !== undefined && { folder_id }) },
      prompt_version: {
        prompt_template: {
          type: 'chat',
          messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }],
        },
        metadata: { model: { provider: 'openai', name: 'gpt-4o-mini', parameters: {} } },
      },
    });
  const namesIn = async (folderId?: number): Promise<readonly string[]> => {
    const query = { workspaceId: 1, ...(folderId !== undefined && { folderId }) };
    return (await client.folders.entities(query)).map(({ name }) => name);
  };

  /** In the tree, that deep. */
  const isShown = (name: string | RegExp, level: number): Promise<void> =>
    workbench.page.getByRole('treeitem', { name, level }).waitFor();

  let support: number;
  before(async () => {
    service = await RunningService.start();
    ({ api } = service);
    const baseURL = service.ready.url ?? '';
    client = new Client({ apiKey: firstKey, baseURL, logger: silentLogger, environment: {} });
    support = await folder('Support');
    await publish('answer', await folder('Mails', support), ['nightly']);
    await publish('classify', support);
    await publish('summarize', undefined, ['nightly']);
    workbench = await connectedWorkbench(baseURL, firstKey);
  });
  after(async () => {
    await client.close();
    await service.stop();
  });

  it('shows folders first, and what stands in them once they are opened', async () => {
    const prompt = (name: string) => treeItem(workbench, new RegExp(`^Prompt ${name}, v1`));
    await treeItem(workbench, 'Folder Support').waitFor(patiently);
    await prompt('summarize').waitFor();
    assert.equal(await prompt('classify').count(), 0);
    await treeItem(workbench, 'Folder Support').click();
    await prompt('classify').waitFor();
    await treeItem(workbench, 'Folder Mails').click();
    // What the list of prompts tells is there as well: model and tags.
    await treeItem(workbench, 'Prompt answer, v1, gpt-4o-mini, #nightly').waitFor();
    await prompt('answer').click();
    await treeItem(workbench, 'Version 1').waitFor();
    await screenshot(workbench, 'prompt-folders');
  });

  it('finds prompts by name and tag, and tells their folder', async () => {
    await runCommand(workbench, 'Prompt Tables: Filter Prompts by Name or Tag…');
    await answer(workbench, '#nightly');
    await treeItem(workbench, /^Prompt answer, in Support \/ Mails, v1, /).waitFor();
    await treeItem(workbench, /^Prompt summarize, v1, gpt-4o-mini, #nightly$/).waitFor();
    await screenshot(workbench, 'prompt-folders-filtered');
    await runCommand(workbench, 'Prompt Tables: Clear Prompt Filter');
    await treeItem(workbench, 'Folder Support').waitFor();
  });

  it('makes a folder, and moves a prompt into it', async () => {
    await chooseInMenu(workbench, treeItem(workbench, 'Folder Support'), /Create Prompt Folder/);
    await answer(workbench, 'Old');
    await until('the folder to be made', async () => (await namesIn(support)).includes('Old'));
    await chooseInMenu(
      workbench,
      treeItem(workbench, /^Prompt summarize/),
      /Move Prompt to Folder/,
    );
    await pick(workbench, /Support \/ Old/);
    await until('the prompt to move', async () => !(await namesIn()).includes('summarize'));
    await treeItem(workbench, /^Prompt summarize/).waitFor({ state: 'hidden' });
  });

  it('moves what is dragged onto a folder, and no folder into itself', async () => {
    await treeItem(workbench, 'Folder Support').click();
    await treeItem(workbench, 'Folder Old').click();
    const summarize = treeItem(workbench, /^Prompt summarize/);
    await summarize.waitFor();
    await treeItem(workbench, /^Prompt classify/).dragTo(treeItem(workbench, 'Folder Old'));
    const old = (await client.folders.entities({ workspaceId: 1, folderId: support })).find(
      ({ name }) => name === 'Old',
    );
    assert.ok(old !== undefined);
    await until('the prompt to move', async () => (await namesIn(old.id)).includes('classify'));
    await isShown(/^Prompt classify/, 3);
    // Onto a prompt: to where that stands.
    await treeItem(workbench, 'Folder Mails').dragTo(summarize);
    await until('the folder to move', async () => (await namesIn(old.id)).includes('Mails'));
    await isShown('Folder Mails', 3);
    await treeItem(workbench, 'Folder Support').dragTo(treeItem(workbench, 'Folder Old'));
    await notification(workbench, "The folder Support can't be moved into itself").waitFor();
    await screenshot(workbench, 'prompt-folders-dragged');
    assert.deepEqual(await namesIn(), ['Support']);
  });

  it('deletes a folder once it is empty, and after a question', async () => {
    const removal = (name: string): Promise<void> =>
      chooseInMenu(workbench, treeItem(workbench, `Folder ${name}`), /Delete Empty Prompt Folder/);
    await removal('Mails');
    await notification(workbench, 'The folder Mails is not empty').waitFor();
    await treeItem(workbench, 'Folder Mails').click();
    await treeItem(workbench, /^Prompt answer/).dragTo(treeItem(workbench, 'Folder Support'));
    await until('the prompt to move', async () => (await namesIn(support)).includes('answer'));
    await isShown(/^Prompt answer/, 2);
    await removal('Mails');
    await workbench.page.getByText('Delete the empty folder Mails of').waitFor();
    await confirm(workbench, 'Delete');
    await treeItem(workbench, 'Folder Mails').waitFor({ state: 'hidden' });
    const flat = await client.folders.entities({ workspaceId: 1, flatten: true });
    assert.deepEqual(flat.map(({ name, path }) => [...(path ?? []), name].join('/')).sort(), [
      'Support',
      'Support/Old',
      'Support/Old/classify',
      'Support/Old/summarize',
      'Support/answer',
    ]);
  });

  it('shows one list instead, and folders again', async () => {
    await runCommand(workbench, 'Prompt Tables: View Prompts as List');
    await treeItem(workbench, /^Prompt summarize, v1, gpt-4o-mini, #nightly$/).waitFor();
    await treeItem(workbench, 'Folder Support').waitFor({ state: 'hidden' });
    await runCommand(workbench, 'Prompt Tables: View Prompts in Folders');
    await treeItem(workbench, 'Folder Support').waitFor();
  });
});
