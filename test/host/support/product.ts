/** The extension under test, reached the way a user or another extension would. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { PromptTablesApi, TreeEntry } from '../../../src/extension/shell/api.ts';

export const extensionId = 'prompt-tables.prompt-tables';

export function extension(): vscode.Extension<PromptTablesApi> {
  const found = vscode.extensions.getExtension<PromptTablesApi>(extensionId);
  assert.ok(found, `${extensionId} is not installed in this VS Code`);
  return found;
}

export const product = async (): Promise<PromptTablesApi> => extension().activate();

/** Runs a command; arguments as a menu or other code would give them. */
export const run = async <Result>(command: string, ...args: readonly unknown[]): Promise<Result> =>
  vscode.commands.executeCommand<Result>(command, ...args);

export function entryNamed(entries: readonly TreeEntry[], label: string): TreeEntry {
  const found = entries.find((entry) => entry.label === label);
  assert.ok(found, `no ${label} among ${entries.map((entry) => entry.label).join(', ')}`);
  return found;
}

/** Sets a setting for one test; returns what puts it back. */
export async function setting(name: string, value: unknown): Promise<() => Promise<void>> {
  const configuration = vscode.workspace.getConfiguration();
  await configuration.update(name, value, vscode.ConfigurationTarget.Global);
  return async () => {
    await configuration.update(name, undefined, vscode.ConfigurationTarget.Global);
  };
}
