import * as vscode from 'vscode';
import type { ContextKeys } from '../contributions.ts';

/** As they were set: each one that is set goes to VS Code's window, which evaluates menus and keys anew. */
const values = new Map<keyof ContextKeys, unknown>();

/** Sets one of the declared keys that `when` clauses read. */
export function setContextKey<Key extends keyof ContextKeys>(
  key: Key,
  value: ContextKeys[Key] | undefined,
): void {
  if (values.has(key) && values.get(key) === value) return;
  values.set(key, value);
  void vscode.commands.executeCommand('setContext', key, value);
}
