import * as vscode from 'vscode';
import { DisposableStore } from '../shell/dispose.ts';
import { createStatusBarItem } from '../shell/shown.ts';
import type { Connections } from './connections.ts';

/** The one item on the left of the status bar: which workspace this window looks into. */
export function showStatus(connections: Connections): DisposableStore {
  const store = new DisposableStore();
  const item = store.add(
    createStatusBarItem('promptTables.workspace', 20, {
      name: vscode.l10n.t('Prompt Tables workspace'),
      command: 'promptTables.switchConnection',
    }),
  );
  const update = (): void => {
    const { current } = connections;
    if (current === undefined) {
      item.hide();
      return;
    }
    const where = current.kind === 'local' ? vscode.l10n.t('On this machine') : current.baseURL;
    item.show({
      icon: current.kind === 'local' ? 'vm' : 'cloud',
      text: current.name,
      tooltip: vscode.l10n.t('Prompt Tables: {0} ({1}). Select to switch.', current.name, where),
      spoken: vscode.l10n.t('Prompt Tables workspace {0}, switch', current.name),
    });
  };
  store.add(connections.onDidChange(update));
  update();
  return store;
}
