/** What a person does with a workflow, in a real VS Code. The steps build on each other. */
import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type { WorkflowService } from '../host/support/workflow-service.ts';
import { startWorkflowService } from '../host/support/workflow-service.ts';
import { seriousViolations } from '../support/host/axe.ts';
import type { Workbench } from '../support/host/workbench.ts';
import {
  closeEditor,
  patiently,
  pick,
  pickBy,
  quickInput,
  reload,
  runCommand,
  screenshot,
  setTheme,
  treeItem,
  webview,
  webviewFrame,
} from '../support/host/workbench.ts';
import { connectedWorkbench } from './support/prompt-hands.ts';

const long = `# Reply\n\n${'A sentence of the reply. '.repeat(40)}\n\nThe end of it.`;

describe('VS Code: running a workflow', function () {
  this.timeout(180_000);
  let service: WorkflowService;
  let workbench: Workbench;

  before(async () => {
    service = await startWorkflowService();
    workbench = await connectedWorkbench(service.url);
  });
  after(() => service.close());

  const view = () => webview(workbench);
  const button = (name: string | RegExp): Locator => view().getByRole('button', { name });
  const node = (name: string): Locator => button(new RegExp(`^${name} `));
  const nodeThatIs = (name: string, state: string): Locator =>
    button(new RegExp(`^${name} (?:· output )?${state}`));
  const output = (): Locator => view().getByRole('region', { name: 'Output' });
  const state = (): Locator => view().locator('.state');
  const isIn = (word: string): Promise<void> =>
    state().filter({ hasText: word }).waitFor(patiently);

  it('shows the workflows of the workspace, with versions and labels', async () => {
    await runCommand(workbench, 'Prompt Tables: Focus on Workflows View');
    const workflow = treeItem(workbench, /Workflow triage/);
    await workflow.waitFor(patiently);
    await workflow.click();
    await treeItem(workbench, /Label prod, version 1/).waitFor();
    await treeItem(workbench, /Version 2/).waitFor();
    await screenshot(workbench, 'workflows-view');
  });

  it('opens a panel with its form and its graph', async () => {
    const workflow = treeItem(workbench, /Workflow triage/);
    await workflow.hover();
    await workflow.getByRole('button', { name: /Run Workflow/ }).click();
    await quickInput(workbench).getByRole('option').first().waitFor();
    await pick(workbench, /^Latest version/);
    await node('classify').waitFor(patiently);
    await view().getByRole('textbox', { name: 'question' }).fill('where is my parcel');
    await view().getByRole('textbox', { name: 'limit' }).fill('3');
    assert.equal(await view().getByText('number', { exact: true }).count(), 1);
    await screenshot(workbench, 'workflow-idle');
  });

  it('shows the nodes as they come along', async () => {
    await button(/^Run/).click();
    await isIn('Running');
    const { metadata: _, ...started } = service.starts.at(-1) as { readonly metadata: object };
    assert.deepEqual(started, {
      input_variables: { question: 'where is my parcel', limit: 3 },
      workflow_label_name: null,
      workflow_version_number: null,
      return_all_outputs: true,
    });
    service.set({ classify: { status: 'RUNNING' } });
    await nodeThatIs('classify', 'Running').waitFor();
    service.set({
      classify: { status: 'SUCCESS', value: { kind: 'answer', score: 0.93 } },
      answer: { status: 'RUNNING' },
      escalate: { status: 'SKIPPED', error_message: 'The conditions do not hold.' },
    });
    await nodeThatIs('classify', 'Done').waitFor();
    await nodeThatIs('escalate', 'Skipped').waitFor();
    await nodeThatIs('answer', 'Running').waitFor();
    await screenshot(workbench, 'workflow-running');
  });

  it('shows what a node has given while others are at work', async () => {
    await node('classify').click();
    await output().getByText('"score": 0.93').waitFor();
    await output().getByText('Prompt template').waitFor();
    await node('escalate').click();
    await output().getByText('The conditions do not hold.').waitFor();
    await button('Show final output').click();
  });

  it('shows the final output', async () => {
    service.set({
      answer: { status: 'SUCCESS', value: 'It is on its way.' },
      'check tone': { status: 'SUCCESS', value: true },
      reply: { status: 'SUCCESS', value: long },
    });
    service.end();
    await isIn('Done');
    await output().getByText('The end of it.').waitFor();
    await nodeThatIs('reply', 'Done').waitFor();
    await screenshot(workbench, 'workflow-done');
  });

  it('opens all outputs as JSON', async () => {
    await button('All outputs').click();
    await workbench.page.getByRole('tab', { name: /outputs\.json/ }).waitFor();
    await workbench.page
      .locator('.monaco-editor')
      .getByText('"is_output_node"')
      .first()
      .waitFor(patiently);
    await screenshot(workbench, 'workflow-json');
    await closeEditor(workbench);
  });

  it('has its outputs after the window was reloaded', async () => {
    await reload(workbench, '"chosen":null');
    await output().getByText('The end of it.').waitFor(patiently);
    await nodeThatIs('check tone', 'Done').waitFor();
    assert.equal(
      await view().getByRole('textbox', { name: 'question' }).inputValue(),
      'where is my parcel',
    );
  });

  it('says what failed, with the error as it was thrown', async () => {
    await button('Run again').click();
    await isIn('Running');
    service.set({
      classify: {
        status: 'FAILED',
        error_message: 'The model did not answer.',
        raw_error_message: 'Traceback: ReadTimeout at line 12',
      },
    });
    service.end();
    await isIn('Failed');
    await view().getByRole('alert').getByText('No output node has succeeded').waitFor();
    await node('classify').click();
    await output().getByText('The model did not answer.').waitFor();
    await output().getByText('Raw error').click();
    await output().getByText('ReadTimeout at line 12').waitFor();
    await screenshot(workbench, 'workflow-failed');
  });

  it('cancels the run at the service, by keyboard', async () => {
    const { keyboard } = workbench.page;
    await view().getByRole('textbox', { name: 'question' }).focus();
    await keyboard.press('Control+Enter');
    await isIn('Running');
    service.set({ classify: { status: 'RUNNING' } });
    await nodeThatIs('classify', 'Running').waitFor();
    await keyboard.press('Control+Shift+Backspace');
    await isIn('Stopped');
    assert.deepEqual(service.cancelled, ['43']);
    await nodeThatIs('classify', 'Skipped').waitFor();
  });

  it('moves about the graph by arrow keys', async () => {
    const { keyboard } = workbench.page;
    await node('classify').focus();
    await keyboard.press('ArrowDown');
    await keyboard.press('ArrowRight');
    await keyboard.press('ArrowDown');
    await keyboard.press('End');
    await keyboard.press('Enter');
    await view().getByRole('heading', { name: 'reply' }).waitFor();
  });

  it('lists the runs with their states, and filters them', async () => {
    await runCommand(workbench, 'Prompt Tables: Focus on Runs View');
    await treeItem(workbench, /^Workflow triage, Done/).waitFor(patiently);
    await treeItem(workbench, /^Workflow triage, Failed/).waitFor();
    await treeItem(workbench, /^Workflow triage, Stopped/).waitFor();
    await workbench.page.getByText('3 runs · 1 failed · unknown cost').waitFor();
    await screenshot(workbench, 'runs-view');
    await pickBy(workbench, 'Prompt Tables: Filter Runs…', /^Done/);
    await workbench.page.getByText('1 of 3 runs').waitFor();
    await treeItem(workbench, /^Workflow triage, Failed/).waitFor({ state: 'hidden' });
  });

  it('opens a run again with its outputs, and runs it once more', async () => {
    await runCommand(workbench, 'View: Close All Editors');
    await treeItem(workbench, /^Workflow triage, Done/).click();
    await output().getByText('The end of it.').waitFor(patiently);
    await isIn('Done');
    const before = service.starts.length;
    const item = treeItem(workbench, /^Workflow triage, Done/);
    await item.hover();
    await item.getByRole('button', { name: /Run Again/ }).click();
    await isIn('Running');
    service.set({ reply: { status: 'SUCCESS', value: 'Once more.' } });
    service.end();
    await output().getByText('Once more.').waitFor(patiently);
    assert.equal(service.starts.length, before + 1);
    // The version that ran, though the latest was asked for.
    const [first, last] = [service.starts.at(0), service.starts.at(-1)].map((start) => {
      const { metadata, ...rest } = start as { readonly metadata: object };
      return { mark: Object.entries(metadata).flat(), rest };
    });
    assert.deepEqual(last?.rest, { ...first?.rest, workflow_version_number: 2 });
    // By which the requests of each run are found.
    assert.equal(first?.mark[0], 'prompt_tables_run');
    assert.notEqual(first.mark[1], last.mark[1]);
    await runCommand(workbench, 'Prompt Tables: Clear Run Filter');
    await workbench.page.getByText('4 runs').waitFor();
  });

  for (const theme of ['light', 'high-contrast', 'dark'] as const) {
    it(`can be read by everybody in the theme "${theme}"`, async () => {
      await setTheme(workbench, theme);
      await node('classify').waitFor(patiently);
      await screenshot(workbench, `workflow-${theme}`);
      assert.deepEqual(await seriousViolations(await webviewFrame(workbench)), []);
    });
  }
});
