/** Prompts in the folders of a real local service, in a real VS Code. The steps build on each other. */
import assert from 'node:assert/strict';
import type { Api } from '../service/support/api.ts';
import { Client, silentLogger } from '../../src/core/index.ts';
import { firstKey, RunningService } from '../service/support/running-service.ts';
import type { Workbench } from '../support/host/workbench.ts';
import {
  answer,
  chooseInMenu,
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
  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await screenshot(workbench, 'folders-failed');
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
    await chooseInMenu(workbench, treeItem(workbench, 'Folder Support'), /New Prompt Folder/);
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

  it('shows one list instead, and folders again', async () => {
    await runCommand(workbench, 'Prompt Tables: View Prompts as List');
    await treeItem(workbench, /^Prompt summarize, v1, gpt-4o-mini, #nightly$/).waitFor();
    await treeItem(workbench, 'Folder Support').waitFor({ state: 'hidden' });
    await runCommand(workbench, 'Prompt Tables: View Prompts in Folders');
    await treeItem(workbench, 'Folder Support').waitFor();
  });
});
