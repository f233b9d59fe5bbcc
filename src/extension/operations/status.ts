import * as vscode from 'vscode';
import { DisposableStore } from '../shell/dispose.ts';
import { progressOf } from '../cells/running-cells.ts';
import { createStatusBarItem } from '../shell/shown.ts';
import type { Operations } from './operations.ts';

/** The transient item of the status bar: there only while cells are being run. */
export function showRunning(operations: Operations): DisposableStore {
  const store = new DisposableStore();
  const item = store.add(
    createStatusBarItem('promptTables.running', 19, {
      name: vscode.l10n.t('Prompt Tables running cells'),
      command: 'promptTables.cancelOperation',
    }),
  );
  const number = new Intl.NumberFormat(vscode.env.language);
  const update = (): void => {
    const running = operations.active;
    if (running.length === 0) {
      item.hide();
      return;
    }
    const { done, total } = progressOf(running);
    item.show({
      icon: 'sync~spin',
      text: total === 0 ? '' : `${number.format(done)}/${number.format(total)}`,
      tooltip: vscode.l10n.t('Prompt Tables is running cells. Select to cancel.'),
      spoken: vscode.l10n.t(
        '{0} of {1} cells run, cancel',
        number.format(done),
        number.format(total),
      ),
    });
  };
  store.add(operations.onDidChange(update));
  update();
  return store;
}
