import * as vscode from 'vscode';
import type { App } from '../shell/app.ts';
import { createTreeView } from '../shell/shown.ts';
import { describeView } from './tree-problem.ts';

/** A model as its view sees it. */
interface ViewModel<Node> {
  readonly filter: string | undefined;
  readonly message: string;
  readonly onDidChange: vscode.Event<Node | undefined>;
  children(parent?: Node): Promise<readonly Node[]>;
  restart(filter?: string): void;
  refresh(): Promise<void>;
}

interface RegistryView<Node> {
  readonly viewId: string;
  readonly model: ViewModel<Node>;
  readonly itemOf: (node: Node) => vscode.TreeItem;
  readonly tooltip: (node: Node) => vscode.MarkdownString | undefined;
  readonly dragAndDropController?: vscode.TreeDragAndDropController<Node>;
}

/** Shows it in its tree view, and follows the workspace in use. Loads nothing until it is looked at. */
export function showRegistry<Node>(
  app: App,
  { viewId, model, itemOf, tooltip, ...more }: RegistryView<Node>,
): vscode.Disposable {
  const view = createTreeView<Node>(viewId, {
    treeDataProvider: {
      onDidChangeTreeData: model.onDidChange,
      getTreeItem: itemOf,
      getChildren: async (node) => [...(await model.children(node))],
      resolveTreeItem(item, node) {
        item.tooltip = tooltip(node);
        return item;
      },
    },
    showCollapseAll: true,
    ...more,
  });
  const describe = (): void => describeView(app, view, model);
  describe();
  return vscode.Disposable.from(
    view,
    model.onDidChange(describe),
    app.connections.onDidChange((change) => {
      if (change.what === 'list') describe();
      else if (change.what === 'current') model.restart();
      // Nobody has looked yet: there is nothing to bring up to date.
      else if (change.id === app.connections.current?.id && view.visible) void model.refresh();
      else if (change.id === app.connections.current?.id) model.restart(model.filter);
    }),
  );
}
