/** Prompts in the folders of a real local service, in a real VS Code. */
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
import { tidyUp } from '../support/host/tidy-up.ts';
import { connectedWorkbench } from './support/prompt-hands.ts';
import { until } from '../support/until.ts';

describe('VS Code: prompts in folders', function () {
  this.timeout(180_000);
  let workbench: Workbench;
  let service: RunningService;
  let api: Api;
  let client: Client;

  /** Of the folders and prompts of a test, which no other test has. */
  let mark = '';
  let support: number;
  let tests = 0;

  const folder = async (name: string, parentId: number | null = null): Promise<number> =>
    (await client.folders.create({ name, parentId })).id;
  const publish = async (name: string, folder_id: number | undefined, tags: string[] = []) =>
    api.expect(200, 'POST', '/rest/prompt-templates', {
      prompt_template: {
        ...{ prompt_name: `${name} ${mark}`, tags },
        ...(folder_id !== undefined && { folder_id }),
      },
      prompt_version: {
        prompt_template: {
          type: 'chat',
          messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }],
        },
        metadata: { model: { provider: 'openai', name: 'gpt-4o-mini', parameters: {} } },
      },
    });
  const entities = async (folderId?: number) =>
    client.folders.entities({ workspaceId: 1, ...(folderId !== undefined && { folderId }) });
  const namesIn = async (folderId?: number): Promise<readonly string[]> =>
    (await entities(folderId)).map(({ name }) => name);

  const folderItem = (name: string) => treeItem(workbench, `Folder ${name} ${mark}`);
  const promptItem = (name: string, rest = '') =>
    treeItem(workbench, new RegExp(`^Prompt ${name} ${mark}${rest}`));
  /** In the tree, that deep. */
  const isShown = (name: string, level: number): Promise<void> =>
    workbench.page.getByRole('treeitem', { name: `${name} ${mark}`, level }).waitFor();

  before(async () => {
    service = await RunningService.start();
    ({ api } = service);
    const baseURL = service.ready.url ?? '';
    client = new Client({ apiKey: firstKey, baseURL, logger: silentLogger, environment: {} });
    workbench = await connectedWorkbench(baseURL, firstKey);
  });
  beforeEach(async () => {
    await tidyUp(workbench);
    tests += 1;
    mark = `no. ${tests}`;
    // Rows that are out of view are not in the page.
    const left = (await entities()).map(({ id, type }) => ({ id, type }));
    if (left.length > 0)
      await client.folders.deleteEntities({ workspaceId: 1, cascade: true, entities: left });
    support = await folder(`Support ${mark}`);
    await publish('answer', await folder(`Mails ${mark}`, support), ['nightly']);
    await publish('classify', support);
    await publish('summarize', undefined, ['nightly']);
    await runCommand(workbench, 'Prompt Tables: Refresh Prompts');
    await folderItem('Support').waitFor(patiently);
  });
  after(async () => {
    await client.close();
    await service.stop();
  });

  it('shows folders first, what stands in them once they are opened, what a filter finds, and one list', async () => {
    await promptItem('summarize', ', v1').waitFor();
    assert.equal(await promptItem('classify').count(), 0);
    await folderItem('Support').click();
    await promptItem('classify', ', v1').waitFor();
    await folderItem('Mails').click();
    // What the list of prompts tells is there as well: model and tags.
    await promptItem('answer', ', v1, gpt-4o-mini, #nightly$').waitFor();
    await promptItem('answer').click();
    await treeItem(workbench, 'Version 1').waitFor();
    await screenshot(workbench, 'prompt-folders');

    // Which folder a prompt that was found stands in.
    await runCommand(workbench, 'Prompt Tables: Filter Prompts by Name or Tag…');
    await answer(workbench, '#nightly');
    await promptItem('answer', `, in Support ${mark} / Mails ${mark}, v1, `).waitFor();
    await promptItem('summarize', ', v1, gpt-4o-mini, #nightly$').waitFor();
    await screenshot(workbench, 'prompt-folders-filtered');
    await runCommand(workbench, 'Prompt Tables: Clear Prompt Filter');
    await folderItem('Support').waitFor();

    await runCommand(workbench, 'Prompt Tables: View Prompts as List');
    await promptItem('summarize', ', v1, gpt-4o-mini, #nightly$').waitFor();
    await folderItem('Support').waitFor({ state: 'hidden' });
    await runCommand(workbench, 'Prompt Tables: View Prompts in Folders');
    await folderItem('Support').waitFor();
  });

  it('makes a folder, and moves a prompt into it', async () => {
    await chooseInMenu(workbench, folderItem('Support'), /Create Prompt Folder/);
    await answer(workbench, 'Old');
    await until('the folder to be made', async () => (await namesIn(support)).includes('Old'));
    await chooseInMenu(workbench, promptItem('summarize'), /Move Prompt to Folder/);
    await pick(workbench, new RegExp(`Support ${mark} / Old`));
    await until('the prompt to move', async () => !(await namesIn()).includes(`summarize ${mark}`));
    await promptItem('summarize').waitFor({ state: 'hidden' });
  });

  it('moves what is dragged onto a folder, and no folder into itself', async () => {
    const old = await folder(`Old ${mark}`, support);
    await folderItem('Support').click();
    await folderItem('Old').waitFor();
    await promptItem('summarize').dragTo(folderItem('Old'));
    await until('the prompt to move', async () =>
      (await namesIn(old)).includes(`summarize ${mark}`),
    );
    await promptItem('summarize').waitFor({ state: 'hidden' });
    await folderItem('Old').click();
    await isShown('Prompt summarize', 3);
    // Onto a prompt: to where that stands.
    await folderItem('Mails').dragTo(promptItem('summarize'));
    await until('the folder to move', async () => (await namesIn(old)).includes(`Mails ${mark}`));
    await isShown('Folder Mails', 3);
    await folderItem('Support').dragTo(folderItem('Old'));
    await notification(
      workbench,
      `The folder Support ${mark} can't be moved into itself`,
    ).waitFor();
    await screenshot(workbench, 'prompt-folders-dragged');
    assert.deepEqual(await namesIn(), [`Support ${mark}`]);
  });

  it('deletes a folder once it is empty, and after a question', async () => {
    const removeMails = (): Promise<void> =>
      chooseInMenu(workbench, folderItem('Mails'), /Delete Empty Prompt Folder/);
    await folderItem('Support').click();
    await folderItem('Mails').waitFor();
    await removeMails();
    await notification(workbench, `The folder Mails ${mark} is not empty`).waitFor();
    await folderItem('Mails').click();
    await promptItem('answer').dragTo(folderItem('Support'));
    await until('the prompt to move', async () =>
      (await namesIn(support)).includes(`answer ${mark}`),
    );
    await isShown('Prompt answer', 2);
    await removeMails();
    await workbench.page.getByText(`Delete the empty folder Mails ${mark} of`).waitFor();
    await confirm(workbench, 'Delete');
    await folderItem('Mails').waitFor({ state: 'hidden' });
    assert.deepEqual([...(await namesIn(support))].sort(), [`answer ${mark}`, `classify ${mark}`]);
  });
});
