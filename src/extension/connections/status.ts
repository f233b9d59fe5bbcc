import * as vscode from 'vscode';
import { DisposableStore } from '../dispose.ts';
import type { Connections } from './connections.ts';

/** The one item on the left of the status bar: which workspace this window looks into. */
export function showStatus(connections: Connections): DisposableStore {
  const store = new DisposableStore();
  const item = store.add(
    vscode.window.createStatusBarItem('promptTables.workspace', vscode.StatusBarAlignment.Left, 20),
  );
  item.name = vscode.l10n.t('Prompt Tables workspace');
  item.command = 'promptTables.switchConnection';
  const update = (): void => {
    const { current } = connections;
    if (current === undefined) {
      item.hide();
      return;
    }
    const icon = current.kind === 'local' ? 'vm' : 'cloud';
    item.text = `$(${icon}) ${current.name}`;
    const where = current.kind === 'local' ? vscode.l10n.t('On this machine') : current.baseURL;
    item.tooltip = vscode.l10n.t(
      'Prompt Tables: {0} ({1}). Select to switch.',
      current.name,
      where,
    );
    item.accessibilityInformation = {
      label: vscode.l10n.t('Prompt Tables workspace {0}, switch', current.name),
    };
    item.show();
  };
  store.add(connections.onDidChange(update));
  update();
  return store;
}
