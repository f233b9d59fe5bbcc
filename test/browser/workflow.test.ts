/** The panel that runs a workflow, alone. */
import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type {
  NodeReport,
  WorkflowHostEvents,
  WorkflowHostRequests,
  WorkflowPanelView,
  WorkflowStatus,
  WorkflowViewEvents,
  WorkflowViewRequests,
} from '../../src/protocol/workflow.ts';
import { startLinkedPages, type LinkedPage, type LinkedPages } from './support/page-link.ts';
import { until } from '../support/until.ts';

type Workflow = {
  asks: WorkflowHostRequests;
  tells: WorkflowHostEvents;
  asked: WorkflowViewRequests;
  reported: WorkflowViewEvents;
};

const node = (
  name: string,
  after: readonly string[] = [],
  more: { readonly isOutput?: boolean; readonly onlyIf?: readonly string[] } = {},
) => ({ name, type: 'PROMPT_TEMPLATE', isOutput: false, after, onlyIf: [], ...more });
const nodes = [
  node('classify'),
  node('answer', ['classify']),
  node('escalate', ['classify'], { onlyIf: ['classify'] }),
  node('check tone', ['answer']),
  node('reply', ['check tone', 'escalate'], { isOutput: true }),
];
const idle: WorkflowStatus = { runId: 0, state: 'idle', elapsedMs: 0 };
const running: WorkflowStatus = { runId: 1, state: 'running', elapsedMs: 10, executionId: 42 };
const view: WorkflowPanelView = {
  page: { panelId: 'p', connectionId: 'c', workflowName: 'triage', choice: { kind: 'latest' } },
  presentation: {
    ...{ name: 'triage', choice: 'latest version', version: 2, nodes },
    connection: { name: 'Acme', local: false },
    variables: [
      { name: 'question', kind: 'text', text: '', type: 'string' },
      { name: 'limit', kind: 'json', text: '', type: 'number' },
    ],
  },
  problem: null,
  run: { status: idle, nodes: [] },
};
const report = (
  name: string,
  state: NodeReport['state'],
  more: Partial<NodeReport> = {},
): NodeReport => ({ name, state, status: state.toUpperCase(), ...more });
const text = (said: string) => ({ kind: 'text', text: said, leftOut: 0 }) as const;
const long = `# Reply\n\n${'A sentence of the reply. '.repeat(40)}\n\nThe end of it.`;
const done: readonly NodeReport[] = [
  report('classify', 'done', {
    value: { kind: 'json', text: '{\n  "score": 0.93\n}', leftOut: 0 },
  }),
  report('answer', 'done', { value: text('It is on its way.') }),
  report('escalate', 'skipped', { error: 'The conditions do not hold.' }),
  report('check tone', 'done', { value: text('true') }),
  report('reply', 'done', { value: text(long) }),
];

describe('Page of a workflow', function () {
  this.timeout(60_000);
  let pages: LinkedPages<Workflow>;
  let linked: LinkedPage<Workflow>;

  before(async () => {
    const nothing = (): null => null;
    pages = await startLinkedPages<Workflow>({
      bundle: 'workflow',
      tells: ['variables'],
      answers: {
        ready: () => view,
        ...{ run: nothing, stop: nothing, copyOutput: nothing, openOutput: nothing },
        ...{ showAll: nothing, choose: nothing, reload: nothing },
        fill: () => null as never,
      },
    });
  });
  afterEach(() => pages.done());
  after(() => pages.close());

  const button = (name: string | RegExp): Locator => linked.page.getByRole('button', { name });
  const nodeThatIs = (name: string, state = ''): Locator =>
    button(new RegExp(`^${name} (?:· output )?${state}`));
  const output = (): Locator => linked.page.getByRole('region', { name: 'Output' });
  const isIn = (word: string): Promise<void> =>
    linked.page.locator('.state').filter({ hasText: word }).waitFor();
  const press = async (...keys: readonly string[]): Promise<void> => {
    for (const key of keys) await linked.page.keyboard.press(key);
  };
  const progress = (
    reports: readonly NodeReport[],
    status: Partial<WorkflowStatus> = {},
    final?: string,
  ): void =>
    linked.channel.emit('progress', {
      status: { ...running, ...status },
      nodes: reports,
      ...(final !== undefined && { final: text(final) }),
    });
  const open = async (more: Partial<WorkflowPanelView> = {}): Promise<void> => {
    linked = await pages.open({ ready: () => ({ ...view, ...more }) });
    await nodeThatIs('classify').waitFor();
  };
  const begin = async (): Promise<void> => {
    await open();
    linked.channel.emit('started', running);
    await isIn('Running');
  };

  it('shows its form and its graph, and runs with what is filled in', async () => {
    await open();
    await linked.page.getByRole('textbox', { name: 'question' }).fill('where is my parcel');
    await linked.page.getByRole('textbox', { name: 'limit' }).fill('3');
    assert.equal(await linked.page.getByText('number', { exact: true }).count(), 1);
    for (const { name } of nodes) await nodeThatIs(name).waitFor();
    await button(/^Run/).click();
    await until('it was asked', async () => linked.asked('run').length === 1);
    assert.deepEqual(
      linked.asked('run')[0]?.variables.map((one) => [one.name, one.kind, one.text]),
      [
        ['question', 'text', 'where is my parcel'],
        ['limit', 'json', '3'],
      ],
    );
    await press('Control+Enter');
    await until('it was asked by key', async () => linked.asked('run').length === 2);
    assert.ok(linked.reported('variables').length > 0);
  });

  it('shows the nodes as they come along, and what one has given while others are at work', async () => {
    await begin();
    progress([report('classify', 'running')]);
    await nodeThatIs('classify', 'Running').waitFor();
    const [classify, , escalate] = done;
    assert.ok(classify && escalate);
    progress([classify, report('answer', 'running'), escalate]);
    await nodeThatIs('classify', 'Done').waitFor();
    await nodeThatIs('escalate', 'Skipped').waitFor();
    await nodeThatIs('answer', 'Running').waitFor();
    await nodeThatIs('classify').click();
    await output().getByText('"score": 0.93').waitFor();
    await output().getByText('Prompt template').waitFor();
    await nodeThatIs('escalate').click();
    await output().getByText('The conditions do not hold.').waitFor();
    await button('Show final output').click();
    await linked.page.getByText('The final output appears here.').waitFor();
    await linked.canBeReadByEverybody('workflow-running');
  });

  it('shows the final output, copies and opens it, and can be read and walked by everybody', async () => {
    await begin();
    progress(done, { state: 'done' }, long);
    await isIn('Done');
    await output().getByText('The end of it.').waitFor();
    await nodeThatIs('reply', 'Done').waitFor();
    await linked.canBeReadByEverybody('workflow');
    await linked.canBeWalkedByTab();
    await button('All outputs').click();
    await until('it was asked', async () => linked.asked('showAll').length === 1);
    await button('Copy output').click();
    await until('it was asked', async () => linked.asked('copyOutput').length === 1);
    await button('Open output as document').click();
    await until('it was asked', async () => linked.asked('openOutput').length === 1);
    assert.deepEqual(linked.asked('openOutput'), [{ node: null }]);
  });

  it('has its outputs and the node that was chosen when it comes back', async () => {
    const run = { status: { ...running, state: 'done' as const }, nodes: done, final: text(long) };
    await open({ run });
    await nodeThatIs('answer').click();
    await output().getByText('It is on its way.').waitFor();
    await linked.comeBack();
    await output().getByText('It is on its way.').waitFor();
    await nodeThatIs('check tone', 'Done').waitFor();
    await button('Show final output').click();
    await output().getByText('The end of it.').waitFor();
  });

  it('says what failed, with the error as it was thrown', async () => {
    await begin();
    const failed = report('classify', 'failed', {
      error: 'The model did not answer.',
      rawError: 'Traceback: ReadTimeout at line 12',
    });
    progress([failed], { state: 'failed', problem: { message: 'No output node has succeeded.' } });
    await isIn('Failed');
    await linked.page.getByRole('alert').getByText('No output node has succeeded').waitFor();
    await nodeThatIs('classify').click();
    await output().getByText('The model did not answer.').waitFor();
    await output().getByText('Raw error').click();
    await output().getByText('ReadTimeout at line 12').waitFor();
    await linked.canBeReadByEverybody('workflow-failed');
  });

  it('cancels by button and by key', async () => {
    await begin();
    await button('Cancel').click();
    await until('it was asked', async () => linked.asked('stop').length === 1);
    await press('Control+Shift+Backspace');
    await until('it was asked by key', async () => linked.asked('stop').length === 2);
    progress([report('classify', 'skipped')], { state: 'stopped' });
    await isIn('Stopped');
    await nodeThatIs('classify', 'Skipped').waitFor();
  });

  it('takes nothing of a run before the one that goes on', async () => {
    await begin();
    linked.channel.emit('started', { ...running, runId: 2 });
    progress(done, { state: 'done' }, long);
    progress([report('answer', 'running')], { runId: 2 });
    await nodeThatIs('answer', 'Running').waitFor();
    await isIn('Running');
    assert.equal(await output().getByText('The end of it.').count(), 0);
  });

  it('moves about the graph by arrow keys', async () => {
    await open();
    await nodeThatIs('classify').focus();
    await press('ArrowDown', 'ArrowRight', 'ArrowDown', 'End', 'Enter');
    await linked.page.getByRole('heading', { name: 'reply' }).waitFor();
  });

  it('says why it could not be loaded, and tries again', async () => {
    linked = await pages.open({
      ready: () => ({
        ...view,
        presentation: null,
        problem: { message: 'There is no such workflow.' },
      }),
    });
    const alert = linked.page.getByRole('alert');
    await alert.getByText('There is no such workflow.').waitFor();
    assert.equal(await button(/^Run/).isDisabled(), true);
    await alert.getByRole('button', { name: 'Try again' }).click();
    await until('it was asked', async () => linked.asked('reload').length === 1);
    const { page, presentation } = view;
    linked.channel.emit('workflow', { page, presentation, problem: null });
    await nodeThatIs('classify').waitFor();
    await alert.getByText('There is no such workflow.').waitFor({ state: 'hidden' });
  });
});
