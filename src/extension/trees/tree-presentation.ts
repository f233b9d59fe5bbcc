import * as vscode from 'vscode';
import type { CommandId } from '../contributions/commands.ts';
import type { ItemKind } from '../contributions/when.ts';
import { plainLine } from '../shell/plain-text.ts';
import { createTreeItem, PlainMarkdown } from '../shell/shown.ts';

/** How an item of a tree looks. */
export interface ItemPresentation {
  readonly label: string;
  readonly icon: string;
  readonly color?: string;
  readonly description?: string;
  /** What a screen reader says; label and description when absent. */
  readonly spoken?: string;
  readonly opens?: boolean;
  /** What its menus go by, where that is not the kind of the node. */
  readonly menusOf?: ItemKind;
  readonly command?: vscode.Command;
}

/** Items that stand for a state of the tree, not for a thing of the workspace. */
export type StateNode =
  | { readonly kind: 'more' }
  | { readonly kind: 'problem'; readonly message: string; readonly hint?: string | undefined }
  | {
      readonly kind: 'action';
      readonly label: string;
      readonly icon: string;
      readonly command: string;
      readonly argument?: unknown;
    };

export function presentationOfState(node: StateNode, loadMore: CommandId): ItemPresentation {
  switch (node.kind) {
    case 'more':
      return {
        label: vscode.l10n.t('Load more…'),
        icon: 'ellipsis',
        command: { command: loadMore, title: '', arguments: [node] },
      };
    case 'problem':
      return {
        label: node.message,
        icon: 'warning',
        color: 'problemsWarningIcon.foreground',
        ...(node.hint !== undefined && { description: node.hint }),
      };
    case 'action':
      return {
        label: node.label,
        icon: node.icon,
        command: {
          command: node.command,
          title: node.label,
          arguments: node.argument === undefined ? [] : [node.argument],
        },
      };
  }
}

/** A label of a prompt or workflow, and the version that it stands on. */
export const presentationOfLabel = (label: string, version: number): ItemPresentation => ({
  label,
  icon: 'tag',
  description: `v${version}`,
  spoken: vscode.l10n.t('Label {0}, version {1}', label, version),
});

/** A version of a prompt or workflow, with the labels that stand on it. */
export const presentationOfVersion = (
  version: number,
  labels: readonly string[],
): ItemPresentation => ({
  label: vscode.l10n.t('Version {0}', version),
  icon: 'git-commit',
  description: labels.join(', '),
});

export function treeItem(
  presentation: ItemPresentation,
  { id, kind }: { readonly id: string; readonly kind: string },
): vscode.TreeItem {
  const { Collapsed, None } = vscode.TreeItemCollapsibleState;
  const { label, description } = presentation;
  const spoken = presentation.spoken ?? [label, description].filter(Boolean).join(', ');
  const item = createTreeItem(
    { label, description, spoken },
    presentation.opens === true ? Collapsed : None,
  );
  item.id = id;
  item.contextValue = presentation.menusOf ?? kind;
  item.iconPath = new vscode.ThemeIcon(
    presentation.icon,
    presentation.color === undefined ? undefined : new vscode.ThemeColor(presentation.color),
  );
  if (presentation.command !== undefined) item.command = presentation.command;
  return item;
}

export type Fact = readonly [name: string, value: string | null | undefined];

/** Why a row is a problem. */
export const factsOfProblem = ({
  message,
  hint,
}: Extract<StateNode, { readonly kind: 'problem' }>): readonly Fact[] => [
  [vscode.l10n.t('Reason'), message],
  [vscode.l10n.t('How to fix it'), hint],
];

export function tooltipFrom(
  facts: readonly Fact[],
  heading?: string,
): vscode.MarkdownString | undefined {
  if (facts.length === 0) return undefined;
  const tooltip = new PlainMarkdown();
  if (heading !== undefined) tooltip.strong(heading).paragraph();
  for (const [name, value] of facts) {
    if (value) tooltip.text(`${name}: ${plainLine(value, 1000)}`).paragraph();
  }
  return tooltip.value;
}
