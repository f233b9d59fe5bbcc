import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Client } from '../../../src/core/index.ts';
import { workflowPanelId } from '../../../src/extension/contributions.ts';
import { localClient } from '../support/local-client.ts';
import { entryNamed, product, run } from '../support/product.ts';
import { timeLimit } from '../../support/time-limit.ts';
import { until } from '../../support/until.ts';

const panelTabs = (): vscode.Tab[] =>
  vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .filter(
      ({ input }) =>
        input instanceof vscode.TabInputWebview && input.viewType.endsWith(workflowPanelId),
    );

describe('workflows', function () {
  this.timeout(90_000);
  let client: Client;

  before(async () => {
    await run('promptTables.useLocal');
    const api = await product();
    await api.tree();
    client = await localClient();
    const node = (
      name: string,
      node_type: string,
      configuration: object,
      dependencies: string[],
    ) => ({
      ...{ name, node_type, configuration: { ...configuration }, dependencies },
      is_output_node: name === 'words',
    });
    await client.workflows.create({
      name: 'count words',
      nodes: [
        node('letters', 'COUNT', { source: 'text', type: 'chars' }, ['text']),
        node('words', 'COUNT', { source: 'text', type: 'words' }, ['text']),
      ],
      required_input_variables: { text: 'string' },
      release_labels: ['prod'],
    });
  });

  after(async () => {
    await run('workbench.action.closeAllEditors');
    await client.close();
  });

  it('are listed with their labels and versions', async () => {
    const api = await product();
    await run('promptTables.refreshWorkflows');
    const top = await api.workflows();
    const workflow = entryNamed(top, 'count words');
    assert.equal(workflow.description, 'v1 · prod');
    const below = await api.workflows(workflow.id);
    assert.deepEqual(
      below.map(({ kind, label }) => `${kind} ${label}`),
      ['workflowLabel prod', 'workflowVersion Version 1'],
    );
  });

  it('run on the local service, and what they gave is kept', async () => {
    await run('workbench.action.closeAllEditors');
    const from = {
      variables: [{ name: 'text', kind: 'text', text: 'one two three' }],
      record: null,
      isStarted: true,
    };
    await run('promptTables.runWorkflow', {
      ...{ connectionId: 'local', workflowName: 'count words', from },
      choice: { kind: 'label', label: 'prod' },
    });
    await until('a panel', () => panelTabs().length === 1);
    const text = await until(
      'the final output',
      async () => {
        await vscode.env.clipboard.writeText('nothing yet');
        await run('promptTables.workflow.copyOutput');
        const copied = await vscode.env.clipboard.readText();
        return copied === '3' ? copied : undefined;
      },
      { limitMs: timeLimit(60_000) },
    );
    assert.equal(text, '3');
    await run('promptTables.workflow.showAll');
    const outputs = await until('all outputs as JSON', () =>
      vscode.workspace.textDocuments.find(({ uri }) => uri.path.endsWith('outputs.json')),
    );
    const { letters } = JSON.parse(outputs.getText()) as Record<string, { value: unknown }>;
    assert.equal(letters?.value, 13);
  });
});
