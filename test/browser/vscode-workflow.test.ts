/** What a person does with a workflow, in a real VS Code. */
import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type { WorkflowService } from '../host/support/workflow-service.ts';
import { startWorkflowService } from '../host/support/workflow-service.ts';
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
  treeItem,
  webview,
} from '../support/host/workbench.ts';
import { closeEditors } from '../support/host/tidy-up.ts';
import { connectedWorkbench } from './support/prompt-hands.ts';
import { until } from '../support/until.ts';

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

  /** Runs it from the tree, and has it end as the service says. */
  async function runFromTree(): Promise<void> {
    await closeEditors(workbench);
    await runCommand(workbench, 'Prompt Tables: Focus on Workflows View');
    const workflow = treeItem(workbench, /Workflow triage/);
    await workflow.hover(patiently);
    await workflow.getByRole('button', { name: /Run Workflow/ }).click();
    await quickInput(workbench).getByRole('option').first().waitFor();
    await pick(workbench, /^Latest version/);
    await node('classify').waitFor(patiently);
    await view().getByRole('textbox', { name: 'question' }).fill('where is my parcel');
    await view().getByRole('textbox', { name: 'limit' }).fill('3');
    const before = service.starts.length;
    await button(/^Run/).click();
    await isIn('Running');
    await hasStarted(before);
  }
  /** What the panel says comes before what the service is told. */
  const hasStarted = (before: number): Promise<true> =>
    until('the service to be asked', () => service.starts.length > before);
  const whole = {
    classify: { status: 'SUCCESS', value: { kind: 'answer', score: 0.93 } },
    escalate: { status: 'SKIPPED', error_message: 'The conditions do not hold.' },
    answer: { status: 'SUCCESS', value: 'It is on its way.' },
    'check tone': { status: 'SUCCESS', value: true },
    reply: { status: 'SUCCESS', value: long },
  } as const;
  async function endWell(): Promise<void> {
    service.set(whole);
    service.end();
    await isIn('Done');
  }

  it('shows the workflows of the workspace, with versions and labels', async () => {
    await runCommand(workbench, 'Prompt Tables: Focus on Workflows View');
    const workflow = treeItem(workbench, /Workflow triage/);
    await workflow.waitFor(patiently);
    if ((await workflow.getAttribute('aria-expanded')) !== 'true') await workflow.click();
    await treeItem(workbench, /Label prod, version 1/).waitFor();
    await treeItem(workbench, /Version 2/).waitFor();
    await screenshot(workbench, 'workflows-view');
  });

  it('runs from the tree, shows nodes as they come along, and has its outputs after a reload', async () => {
    await runFromTree();
    const { metadata: _, ...started } = service.starts.at(-1) as { readonly metadata: object };
    assert.deepEqual(started, {
      input_variables: { question: 'where is my parcel', limit: 3 },
      workflow_label_name: null,
      workflow_version_number: null,
      return_all_outputs: true,
    });
    service.set({ classify: { status: 'RUNNING' } });
    await nodeThatIs('classify', 'Running').waitFor();
    service.set({ ...whole, answer: { status: 'RUNNING' } });
    await nodeThatIs('classify', 'Done').waitFor();
    await nodeThatIs('escalate', 'Skipped').waitFor();
    await endWell();
    await output().getByText('The end of it.').waitFor();
    await screenshot(workbench, 'workflow-done');
    await button('All outputs').click();
    await workbench.page.getByRole('tab', { name: /outputs\.json/ }).waitFor();
    await workbench.page
      .locator('.monaco-editor')
      .getByText('"is_output_node"')
      .first()
      .waitFor(patiently);
    await closeEditor(workbench);
    await reload(workbench, '"chosen":null');
    await output().getByText('The end of it.').waitFor(patiently);
    await nodeThatIs('check tone', 'Done').waitFor();
    assert.equal(
      await view().getByRole('textbox', { name: 'question' }).inputValue(),
      'where is my parcel',
    );
  });

  it('cancels the run at the service, by keyboard', async () => {
    const before = service.cancelled.length;
    await runFromTree();
    service.set({ classify: { status: 'RUNNING' } });
    await nodeThatIs('classify', 'Running').waitFor();
    await view().getByRole('textbox', { name: 'question' }).focus();
    await workbench.page.keyboard.press('Control+Shift+Backspace');
    await isIn('Stopped');
    await until('the service to be told', () => service.cancelled.length === before + 1);
    await nodeThatIs('classify', 'Skipped').waitFor();
  });

  it('lists the runs with their states, filters them, opens one again, and runs it once more', async () => {
    await runFromTree();
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
    await runFromTree();
    await endWell();
    await closeEditors(workbench);
    await runCommand(workbench, 'Prompt Tables: Focus on Runs View');
    const done = treeItem(workbench, /^Workflow triage, Done/);
    await done.waitFor(patiently);
    await treeItem(workbench, /^Workflow triage, Failed/).waitFor();
    await workbench.page.getByText(/\d+ runs · \d+ failed/).waitFor();
    await screenshot(workbench, 'runs-view');
    await pickBy(workbench, 'Prompt Tables: Filter Runs…', /^Done/);
    await workbench.page.getByText(/\d+ of \d+ runs/).waitFor();
    await treeItem(workbench, /^Workflow triage, Failed/).waitFor({ state: 'hidden' });
    await done.click();
    await output().getByText('The end of it.').waitFor(patiently);
    await isIn('Done');
    const before = service.starts.length;
    await done.hover();
    await done.getByRole('button', { name: /Run Again/ }).click();
    await isIn('Running');
    await hasStarted(before);
    service.set({ reply: { status: 'SUCCESS', value: 'Once more.' } });
    service.end();
    await output().getByText('Once more.').waitFor(patiently);
    assert.equal(service.starts.length, before + 1);
    // The version that ran, though the latest was asked for.
    const [first, last] = [service.starts.at(-2), service.starts.at(-1)].map((start) => {
      const { metadata, ...rest } = start as { readonly metadata: object };
      return { mark: Object.entries(metadata).flat(), rest };
    });
    assert.deepEqual(last?.rest, { ...first?.rest, workflow_version_number: 2 });
    // By which the requests of each run are found.
    assert.equal(first?.mark[0], 'prompt_tables_run');
    assert.notEqual(first.mark[1], last.mark[1]);
    await runCommand(workbench, 'Prompt Tables: Clear Run Filter');
    await treeItem(workbench, /^Workflow triage, Failed/).waitFor();
  });
});
