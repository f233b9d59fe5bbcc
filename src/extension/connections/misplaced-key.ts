import * as vscode from 'vscode';
import type { App } from '../shell/app.ts';
import { cleanKey } from './entered.ts';
import type { ConnectionStore } from './store.ts';
import { showWarningMessage } from '../shell/shown.ts';

/** A key in a settings file gets synchronised and committed: offers to move it where it belongs. */
export async function offerToMoveKey(app: App, store: ConnectionStore): Promise<void> {
  const misplaced = app.settings.misplacedKey();
  if (misplaced === undefined) return;
  app.log.hide(misplaced.key);
  app.log.warn('The settings hold an API key, which is not used.');
  const move = vscode.l10n.t('Move to secret storage');
  const remove = vscode.l10n.t('Remove from settings');
  const text = vscode.l10n.t(
    'The setting promptTables.apiKey holds an API key. Settings may be shared, so it is not used there.',
  );
  const choice = await showWarningMessage(text, move, remove);
  if (choice === move) {
    const name = vscode.l10n.t('PromptLayer (from settings)');
    const connection = { name, baseURL: app.settings.get('baseUrl') };
    const { id } = await store.add(connection, cleanKey(misplaced.key));
    await store.use(id);
  }
  if (choice !== undefined) await misplaced.remove();
}
