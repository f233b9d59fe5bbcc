import * as vscode from 'vscode';
import { DisposableStore } from '../dispose.ts';
import { progressOf } from '../running-cells.ts';
import type { Operations } from './operations.ts';

/** The transient item of the status bar: there only while cells are being run. */
export function showRunning(operations: Operations): DisposableStore {
  const store = new DisposableStore();
  const item = store.add(
    vscode.window.createStatusBarItem('promptTables.running', vscode.StatusBarAlignment.Left, 19),
  );
  item.name = vscode.l10n.t('Prompt Tables running cells');
  item.command = 'promptTables.cancelOperation';
  const number = new Intl.NumberFormat(vscode.env.language);
  const update = (): void => {
    const running = operations.active;
    if (running.length === 0) {
      item.hide();
      return;
    }
    const { done, total } = progressOf(running);
    const counts = total === 0 ? '' : ` ${number.format(done)}/${number.format(total)}`;
    item.text = `$(sync~spin)${counts}`;
    item.tooltip = vscode.l10n.t('Prompt Tables is running cells. Select to cancel.');
    item.accessibilityInformation = {
      label: vscode.l10n.t(
        '{0} of {1} cells run, cancel',
        number.format(done),
        number.format(total),
      ),
    };
    item.show();
  };
  store.add(operations.onDidChange(update));
  update();
  return store;
}
