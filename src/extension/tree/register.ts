import * as vscode from 'vscode';
import { isSheetAddress } from '../shell/address.ts';
import type { App } from '../shell/app.ts';
import type { Change } from '../shell/changes.ts';
import { registerCommand } from '../shell/commands.ts';
import { viewId } from '../contributions.ts';
import type { Disposable } from '../shell/dispose.ts';
import { FileDrop } from './drop.ts';
import {
  createSheet,
  createTable,
  deleteSheet,
  deleteTable,
  renameSheet,
  renameTable,
  restoreVersion,
  saveVersion,
} from './edit.ts';
import { TreeModel } from './model.ts';
import type { Node, ParentNode } from './nodes.ts';
import { isNode, isParent, nameOf, nodeOf, serviceIdOf, tableNodeId } from './nodes.ts';
import { TreeProvider } from './provider.ts';
import { createTreeView } from '../shell/shown.ts';
import { askFilter, describeView } from '../trees/tree-problem.ts';

/** The branch to load again after something was changed. */
function branchOf(model: TreeModel, change: Change): ParentNode | undefined | 'none' {
  const { connectionId, tableId, sheetId } = change;
  const found = (id: string): ParentNode | 'none' => {
    const node = model.find(id);
    return node !== undefined && isParent(node) ? node : 'none';
  };
  switch (change.what) {
    case 'tables':
      return undefined;
    case 'sheets':
    case 'sheet':
      return tableId === undefined ? undefined : found(tableNodeId({ connectionId, tableId }));
    case 'columns':
    case 'versions':
      return found(`${connectionId}/${tableId ?? ''}/${sheetId ?? ''}/${change.what}`);
    case 'rows':
    case 'score':
    case 'operation':
      return 'none';
  }
}

async function follow(model: TreeModel, change: Change): Promise<void> {
  const branch = branchOf(model, change);
  // What was never loaded is not out of date.
  const isShown = branch === undefined || (branch !== 'none' && model.isLoaded(branch));
  if (isShown) await model.refresh(branch);
  if (isSheetAddress(change) && change.what !== 'operation') await model.refreshSheet(change);
}

function bindView(app: App, view: vscode.TreeView<Node>, model: TreeModel): vscode.Disposable {
  const quietly = (work: Promise<unknown>): void => {
    work.catch((error: unknown) => app.errors.note(error, 'Updating the tree'));
  };
  const describe = (): void => describeView(app, view, model);
  const badge = (): void => {
    const value = app.operations.active.length;
    const tooltip =
      value === 1
        ? vscode.l10n.t('1 operation is running')
        : vscode.l10n.t('{0} operations are running', value);
    view.badge = value === 0 ? undefined : { value, tooltip };
  };
  describe();
  return vscode.Disposable.from(
    model.onDidChangeState(describe),
    view.onDidChangeVisibility(({ visible }) => app.operations.setAttentive(visible)),
    app.connections.onDidChange((change) => {
      const current = app.connections.current?.id;
      if (change.what === 'list') describe();
      else if (change.what === 'current') {
        model.restart();
        describe();
      } else if (change.id === current) quietly(model.refresh());
    }),
    app.changes.onDidChange((change) => quietly(follow(model, change))),
    app.operations.onDidChange(({ address, operation, isFinished }) => {
      badge();
      model.showOperation(address, operation, isFinished);
      if (isFinished) quietly(model.refreshSheet(address));
    }),
  );
}

function registerTreeCommands(app: App, model: TreeModel): vscode.Disposable {
  const copy = (text: string | undefined): Thenable<void> | undefined =>
    text === undefined ? undefined : vscode.env.clipboard.writeText(text);
  return vscode.Disposable.from(
    registerCommand(app, 'promptTables.refresh', () => model.refresh()),
    registerCommand(app, 'promptTables.refreshItem', (node) =>
      isNode(node) && isParent(node) ? model.refresh(node) : undefined,
    ),
    registerCommand(app, 'promptTables.retryItem', (node) =>
      model.refresh(nodeOf(node, 'problem')?.parent),
    ),
    registerCommand(app, 'promptTables.loadMore', (node) => {
      const more = nodeOf(node, 'more');
      return more === undefined ? undefined : model.loadMore(more.parent);
    }),
    registerCommand(app, 'promptTables.filterTables', () =>
      askFilter(
        model,
        vscode.l10n.t('Show tables with this in their name'),
        vscode.l10n.t('Leave it empty to show all tables.'),
      ),
    ),
    registerCommand(app, 'promptTables.clearFilter', () => {
      model.restart();
    }),
    registerCommand(app, 'promptTables.copyName', (node) =>
      copy(isNode(node) ? nameOf(node) : undefined),
    ),
    registerCommand(app, 'promptTables.copyId', (node) =>
      copy(isNode(node) ? serviceIdOf(node) : undefined),
    ),
  );
}

export interface RegisteredTree extends Disposable {
  readonly model: TreeModel;
}

export function registerTree(app: App): RegisteredTree {
  const model = new TreeModel(app);
  const view = createTreeView(viewId, {
    treeDataProvider: new TreeProvider(app, model),
    dragAndDropController: new FileDrop(app),
    showCollapseAll: true,
  });
  const reveal = async (sheet: unknown): Promise<void> => {
    if (!isSheetAddress(sheet)) return;
    if (app.connections.current?.id !== sheet.connectionId)
      await app.connections.use(sheet.connectionId);
    const node = await model.findSheet(sheet);
    if (node !== undefined) await view.reveal(node, { select: true, focus: true });
  };
  const own = vscode.Disposable.from(
    model,
    view,
    bindView(app, view, model),
    registerTreeCommands(app, model),
    registerCommand(app, 'promptTables.revealSheet', reveal),
    registerCommand(app, 'promptTables.createTable', () => createTable(app)),
    registerCommand(app, 'promptTables.renameTable', (node) => renameTable(app, node)),
    registerCommand(app, 'promptTables.deleteTable', (node) => deleteTable(app, node)),
    registerCommand(app, 'promptTables.createSheet', (node) => createSheet(app, node)),
    registerCommand(app, 'promptTables.renameSheet', (node) => renameSheet(app, node)),
    registerCommand(app, 'promptTables.deleteSheet', (node) => deleteSheet(app, node)),
    registerCommand(app, 'promptTables.saveVersion', (node) => saveVersion(app, node)),
    registerCommand(app, 'promptTables.restoreVersion', (node) => restoreVersion(app, node)),
  );
  return { model, dispose: () => void own.dispose() };
}
