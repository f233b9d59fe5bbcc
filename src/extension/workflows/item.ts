import * as vscode from 'vscode';
import type { Face, Fact } from '../trees/tree-face.ts';
import {
  faceOfLabel,
  faceOfState,
  faceOfVersion,
  tooltipFrom,
  treeItem,
} from '../trees/tree-face.ts';
import type { WorkflowNode } from './nodes.ts';

function faceOf(node: WorkflowNode): Face {
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
      return faceOfLabel(node.label, node.version);
    case 'workflowVersion':
      return faceOfVersion(node.version, node.labels);
    case 'more':
    case 'problem':
    case 'action':
      return faceOfState(node, 'promptTables.loadMoreWorkflows');
  }
}

export const workflowItemOf = (node: WorkflowNode): vscode.TreeItem => treeItem(faceOf(node), node);

function factsOf(node: WorkflowNode): readonly Fact[] {
  switch (node.kind) {
    case 'problem':
      return [
        [vscode.l10n.t('Reason'), node.message],
        [vscode.l10n.t('How to fix it'), node.hint],
      ];
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
