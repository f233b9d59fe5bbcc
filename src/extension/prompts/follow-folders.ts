import fs from 'node:fs';
import * as vscode from 'vscode';
import type { App } from '../shell/app.ts';
import { DisposableStore } from '../shell/dispose.ts';

/** Another window may save a draft or a merge: tells soon after something changed in its folder. */
export function followFolders(
  app: App,
  folders: readonly string[],
  changed: () => void,
): vscode.Disposable {
  const own = new DisposableStore();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const soon = (): void => {
    timer ??= setTimeout(() => {
      timer = undefined;
      changed();
    }, 100);
  };
  for (const folder of folders) {
    try {
      fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
      const watcher = fs.watch(folder, { persistent: false }, soon);
      watcher.on('error', (error) => {
        app.errors.note(error, 'Following drafts of other windows');
      });
      own.defer(() => watcher.close());
    } catch (error) {
      // They are read again when the window gets the focus, all the same.
      app.errors.note(error, 'Following drafts of other windows');
    }
  }
  own.add(
    vscode.window.onDidChangeWindowState(({ focused }) => {
      if (focused) soon();
    }),
  );
  own.defer(() => clearTimeout(timer));
  return own;
}
