import * as vscode from 'vscode';
import type { App } from '../shell/app.ts';
import { registerCommand } from '../shell/commands.ts';
import { withProgress } from '../shell/progress.ts';
import type { LocalService } from './local-service.ts';
import { selectDatabase } from './select-database.ts';

export function registerLocalService(app: App, service: LocalService): vscode.Disposable {
  return vscode.Disposable.from(
    service,
    registerCommand(app, 'promptTables.restartService', () =>
      withProgress(
        app,
        { title: vscode.l10n.t('Restarting the local service'), where: 'notification' },
        () => service.restart(),
      ),
    ),
    registerCommand(app, 'promptTables.selectLocalDatabase', () => selectDatabase(app, service)),
    registerCommand(app, 'promptTables.openDataFolder', async () => {
      await service.folder.key();
      await vscode.commands.executeCommand('revealFileInOS', vscode.Uri.file(service.folder.path));
    }),
    registerCommand(app, 'promptTables.showLog', () => app.log.show()),
  );
}
