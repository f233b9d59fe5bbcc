import * as vscode from 'vscode';
import type { ContextKeys } from '../contributions.ts';

/** Sets one of the declared keys that `when` clauses read. */
export function setContextKey<Key extends keyof ContextKeys>(
  key: Key,
  value: ContextKeys[Key] | undefined,
): void {
  void vscode.commands.executeCommand('setContext', key, value);
}
