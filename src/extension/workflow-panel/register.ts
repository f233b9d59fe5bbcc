import { randomUUID } from 'node:crypto';
import path from 'node:path';
import * as vscode from 'vscode';
import { workflowCommands } from '../../protocol/workflow.ts';
import type { WorkflowPageState } from '../../protocol/workflow.ts';
import type { App } from '../shell/app.ts';
import { registerCommand } from '../shell/commands.ts';
import { workflowPanelId } from '../contributions.ts';
import { DisposableStore } from '../shell/dispose.ts';
import { fromRunOf } from '../kept-runs/from-run.ts';
import { pickWorkflow, pickWorkflowChoice } from '../ask/pick-workflow.ts';
import { RunPanels } from '../kept-runs/run-panels.ts';
import type { WorkflowAddress } from '../shell/workflow-address.ts';
import { isWorkflowAddress } from '../shell/workflow-address.ts';
import { workflowDocuments } from './documents.ts';
import { WorkflowPage } from './page-state.ts';
import type { WorkflowPanel } from './panel.ts';
import type { WorkflowRecord } from './records.ts';

async function chooseWorkflow(app: App, given: unknown): Promise<WorkflowAddress> {
  const title = vscode.l10n.t('Run workflow');
  const workflow = isWorkflowAddress(given) ? given : await pickWorkflow(app, title);
  if (workflow.choice !== undefined) return workflow;
  return { ...workflow, choice: await pickWorkflowChoice(app, title, workflow) };
}

/** Workflows in editor tabs: each run command opens one, beside what is being edited. */
export function registerWorkflowPanels(app: App): vscode.Disposable {
  const own = new DisposableStore();
  const parts = () => import('../panel-parts.ts');
  const panels: RunPanels<WorkflowPageState, WorkflowRecord, WorkflowPanel> = own.add(
    new RunPanels({
      ...{ app, viewId: workflowPanelId, pageSchema: WorkflowPage },
      nameOf: ({ workflowName }) => workflowName,
      async load() {
        const { WorkflowPanel, openRemembered, ...loaded } = await parts();
        const folder = path.join(app.context.globalStorageUri.fsPath, 'workflow-runs');
        const records = loaded.openWorkflowRecords(folder);
        const remembered = openRemembered(app.context, 'workflow');
        return {
          ...{ records, remembered, readRecord: loaded.readWorkflowRecord },
          make: (panel, page, record) =>
            new WorkflowPanel({ app, panel, page, records, remembered, documents, record }),
        };
      },
    }),
  );
  const documents = own.add(
    workflowDocuments({
      recordOf: (panelId) => panels.panel(panelId)?.session.record(),
      records: () => panels.records(),
      text: async (record, file) => (await parts()).documentText(record, file),
    }),
  );

  own.add(
    registerCommand(app, 'promptTables.runWorkflow', async (given) => {
      const workflow = await chooseWorkflow(app, given);
      const { connectionId, workflowName, choice = { kind: 'latest' } } = workflow;
      const { activeTextEditor: editor } = vscode.window;
      const column = editor === undefined ? vscode.ViewColumn.Active : vscode.ViewColumn.Beside;
      const page = { panelId: randomUUID(), connectionId, workflowName, choice };
      const title = vscode.l10n.t('Run {0}', workflowName);
      await panels.open(title, column, page, fromRunOf(given));
    }),
  );
  for (const command of workflowCommands) {
    own.add(
      registerCommand(app, `promptTables.workflow.${command}`, async () => {
        await panels.active?.command(command);
      }),
    );
  }
  return vscode.Disposable.from(own);
}
