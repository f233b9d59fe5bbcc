import * as vscode from 'vscode';
import type { ItemPresentation, Fact } from '../trees/tree-presentation.ts';
import {
  factsOfProblem,
  presentationOfLabel,
  presentationOfState,
  presentationOfVersion,
  tooltipFrom,
  treeItem,
} from '../trees/tree-presentation.ts';
import type { WorkflowNode } from './nodes.ts';

function presentationOf(node: WorkflowNode): ItemPresentation {
  switch (node.kind) {
    case 'workflow': {
      const version = node.workflow.latest_version_number;
      const labels = node.workflow.release_labels ?? [];
      const parts = [...(typeof version === 'number' ? [`v${version}`] : []), ...labels];
      return {
        label: node.workflowName,
        opens: true,
        icon: 'type-hierarchy',
        description: parts.join(' · '),
        spoken: vscode.l10n.t('Workflow {0}, {1}', node.workflowName, parts.join(', ')),
      };
    }
    case 'workflowLabel':
      return presentationOfLabel(node.label, node.version);
    case 'workflowVersion':
      return presentationOfVersion(node.version, node.labels);
    case 'more':
    case 'problem':
    case 'action':
      return presentationOfState(node, 'promptTables.loadMoreWorkflows');
  }
}

export const workflowItemOf = (node: WorkflowNode): vscode.TreeItem =>
  treeItem(presentationOf(node), node);

function factsOf(node: WorkflowNode): readonly Fact[] {
  switch (node.kind) {
    case 'problem':
      return factsOfProblem(node);
    case 'workflow':
      return [
        [vscode.l10n.t('Name'), node.workflowName],
        [vscode.l10n.t('Version'), node.workflow.latest_version_number?.toString()],
        [vscode.l10n.t('Labels'), node.workflow.release_labels?.join(', ')],
        [vscode.l10n.t('ID'), String(node.workflow.id)],
      ];
    default:
      return [];
  }
}

export const workflowTooltip = (node: WorkflowNode): vscode.MarkdownString | undefined =>
  tooltipFrom(factsOf(node));
