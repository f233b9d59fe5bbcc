import * as vscode from 'vscode';
import type { CachedState } from '../../core/index.ts';
import { modelOf } from '../ask/pick-prompt.ts';
import type { ItemPresentation, Fact } from '../trees/tree-presentation.ts';
import {
  factsOfProblem,
  presentationOfLabel,
  presentationOfState,
  presentationOfVersion,
  tooltipFrom,
  treeItem,
} from '../trees/tree-presentation.ts';
import type { PromptItem, PromptNode } from './nodes.ts';

/** What is in memory of a prompt; undefined: nothing. */
function cacheText(state: CachedState | undefined): string | undefined {
  switch (state) {
    case 'fresh':
      return vscode.l10n.t('cached');
    case 'stale':
      return vscode.l10n.t('cached, stale');
    case 'served':
      return vscode.l10n.t('stale copy in use');
    case undefined:
      return undefined;
  }
}

function presentationOf(node: PromptNode, state: CachedState | undefined): ItemPresentation {
  switch (node.kind) {
    case 'prompt': {
      const { template } = node;
      const version = typeof template.version !== 'number' ? undefined : `v${template.version}`;
      const tags = template.tags?.map((tag) => `#${tag}`).join(' ') || undefined;
      const place = node.path?.length ? vscode.l10n.t('in {0}', node.path.join(' / ')) : undefined;
      const parts = [place, version, modelOf(template), cacheText(state), tags].filter(
        (part) => part !== undefined,
      );
      const snippet = template['is_snippet'] === true;
      return {
        label: node.promptName,
        opens: true,
        ...(state === 'served' && { color: 'problemsWarningIcon.foreground' }),
        icon: snippet ? 'symbol-snippet' : 'comment-discussion',
        description: parts.join(' · '),
        spoken: vscode.l10n.t('Prompt {0}, {1}', node.promptName, parts.join(', ')),
      };
    }
    case 'promptFolder':
      return {
        label: node.name,
        opens: true,
        icon: 'folder',
        spoken: vscode.l10n.t('Folder {0}', node.name),
      };
    case 'promptLabel':
      return presentationOfLabel(node.label, node.version);
    case 'promptVersion':
      return presentationOfVersion(node.version, node.labels);
    case 'more':
    case 'problem':
    case 'action':
      return presentationOfState(node, 'promptTables.loadMorePrompts');
  }
}

export const promptItemOf = (node: PromptNode, state?: CachedState): vscode.TreeItem =>
  treeItem(presentationOf(node, state), node);

/** What was not read is not left out as if there were none. */
function detailsOf({ template, isBrief }: PromptItem): readonly Fact[] {
  if (isBrief) {
    const unread = vscode.l10n.t('not read, there are many newer prompts: View Prompts as List');
    return [[vscode.l10n.t('Model and tags'), unread]];
  }
  return [
    [vscode.l10n.t('Model'), modelOf(template)],
    [vscode.l10n.t('Tags'), template.tags?.join(', ')],
  ];
}

function factsOf(node: PromptNode): readonly Fact[] {
  switch (node.kind) {
    case 'problem':
      return factsOfProblem(node);
    case 'prompt':
      return [
        [vscode.l10n.t('Name'), node.promptName],
        [vscode.l10n.t('Version'), node.template.version?.toString()],
        ...detailsOf(node),
        [vscode.l10n.t('Folder'), node.path?.join(' / ')],
        [vscode.l10n.t('Last message'), node.template.commit_message],
        [vscode.l10n.t('ID'), String(node.template.id)],
      ];
    default:
      return [];
  }
}

export const promptTooltip = (node: PromptNode): vscode.MarkdownString | undefined =>
  tooltipFrom(factsOf(node));
