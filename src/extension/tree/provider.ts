import type * as vscode from 'vscode';
import type { App } from '../shell/app.ts';
import { itemOf, tooltipOf } from './item.ts';
import type { TreeModel } from './model.ts';
import type { Node } from './nodes.ts';
import { isParent } from './nodes.ts';

/** Hands the model to VS Code. */
export class TreeProvider implements vscode.TreeDataProvider<Node> {
  readonly #app: App;
  readonly #model: TreeModel;
  readonly onDidChangeTreeData: vscode.Event<Node | undefined>;

  constructor(app: App, model: TreeModel) {
    this.#app = app;
    this.#model = model;
    this.onDidChangeTreeData = model.onDidChange;
  }

  getTreeItem(node: Node): vscode.TreeItem {
    return itemOf(this.#app, node);
  }

  async getChildren(node?: Node): Promise<Node[]> {
    if (node !== undefined && !isParent(node)) return [];
    return [...(await this.#model.children(node))];
  }

  getParent(node: Node): Node | undefined {
    return this.#model.parentOf(node);
  }

  resolveTreeItem(item: vscode.TreeItem, node: Node): vscode.TreeItem {
    item.tooltip = tooltipOf(this.#app, node);
    return item;
  }
}
