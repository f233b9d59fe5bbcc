import * as vscode from 'vscode';
import type { App } from '../shell/app.ts';
import { registerCommand } from '../shell/commands.ts';
import { cancelOperation, runColumn, runStaleCells } from './run.ts';
import { showRunning } from './status.ts';

export function registerOperations(app: App): vscode.Disposable {
  return vscode.Disposable.from(
    showRunning(app.operations),
    registerCommand(app, 'promptTables.runColumn', (node, scope) => runColumn(app, node, scope)),
    registerCommand(app, 'promptTables.runStaleCells', (node) => runStaleCells(app, node)),
    registerCommand(app, 'promptTables.cancelOperation', (node) => cancelOperation(app, node)),
  );
}
