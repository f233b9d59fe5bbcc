import type * as vscode from 'vscode';
import type { App } from '../shell/app.ts';
import { registerCommand } from '../shell/commands.ts';
import { SampleSheet } from './open-sample.ts';

export function registerSample(app: App): vscode.Disposable {
  const sample = new SampleSheet(app);
  return registerCommand(app, 'promptTables.openSample', () => sample.open());
}
