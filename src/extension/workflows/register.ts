import * as vscode from 'vscode';
import type { App } from '../shell/app.ts';
import { registerCommand } from '../shell/commands.ts';
import { workflowsViewId } from '../contributions.ts';
import type { Disposable } from '../shell/dispose.ts';
import { pickWorkflow, pickWorkflowChoice } from '../ask/pick-workflow.ts';
import { showRegistry } from '../trees/registry-view.ts';
import { askFilter } from '../trees/tree-problem.ts';
import { isWorkflowAddress } from '../shell/workflow-address.ts';
import { openWorkflowDocument, registerWorkflowDocuments } from './document.ts';
import { workflowItemOf, workflowTooltip } from './item.ts';
import type { WorkflowsModel } from './model.ts';
import { workflowsModel } from './model.ts';
import type { WorkflowNode, WorkflowParent } from './nodes.ts';

/** The parent that a node of ours names: of `more` and `problem`. */
function parentIn(value: unknown): WorkflowParent | undefined {
  const node = value as WorkflowNode | undefined;
  return node?.kind === 'more' || node?.kind === 'problem' ? node.parent : undefined;
}

async function open(app: App, given: unknown): Promise<void> {
  if (isWorkflowAddress(given)) return openWorkflowDocument(given);
  const title = vscode.l10n.t('Open workflow');
  const workflow = await pickWorkflow(app, title);
  const choice = await pickWorkflowChoice(app, title, workflow);
  return openWorkflowDocument({ ...workflow, choice });
}

export interface RegisteredWorkflows extends Disposable {
  readonly model: WorkflowsModel;
}

/** The Workflows view. Loads nothing until it is looked at. */
export function registerWorkflows(app: App): RegisteredWorkflows {
  const model = workflowsModel(app);
  const own = vscode.Disposable.from(
    model,
    showRegistry<WorkflowNode>(app, {
      ...{ viewId: workflowsViewId, model, itemOf: workflowItemOf, tooltip: workflowTooltip },
    }),
    registerWorkflowDocuments(app),
    registerCommand(app, 'promptTables.refreshWorkflows', () => model.refresh()),
    registerCommand(app, 'promptTables.filterWorkflows', () =>
      askFilter(
        model,
        vscode.l10n.t('Show workflows with this in their name'),
        vscode.l10n.t('Leave it empty to show all workflows.'),
      ),
    ),
    registerCommand(app, 'promptTables.clearWorkflowFilter', () => model.restart()),
    registerCommand(app, 'promptTables.loadMoreWorkflows', (node) =>
      model.loadMore(parentIn(node)),
    ),
    registerCommand(app, 'promptTables.retryWorkflows', (node) => model.retry(parentIn(node))),
    registerCommand(app, 'promptTables.openWorkflow', (node) => open(app, node)),
    registerCommand(app, 'promptTables.copyWorkflowName', (node) =>
      isWorkflowAddress(node) ? vscode.env.clipboard.writeText(node.workflowName) : undefined,
    ),
  );
  return { model, dispose: () => void own.dispose() };
}
