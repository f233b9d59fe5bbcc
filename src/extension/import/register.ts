import * as vscode from 'vscode';
import { CancelledError } from '../../core/errors.ts';
import { isSheetAddress } from '../shell/address.ts';
import type { App } from '../shell/app.ts';
import { registerCommand, runCommand } from '../shell/commands.ts';
import { pickTable } from '../ask/pick.ts';
import { showOpenDialog } from '../shell/shown.ts';
import type { ImportTarget } from './panel.ts';

const parts = () => import('../import-parts.ts');

const isTable = (value: unknown): value is ImportTarget =>
  typeof value === 'object' &&
  value !== null &&
  'connectionId' in value &&
  typeof value.connectionId === 'string' &&
  'tableId' in value &&
  typeof value.tableId === 'string';

/** The table or sheet that a menu or other code hands over; a table is asked for when there is none. */
async function targetOf(app: App, given: unknown): Promise<ImportTarget> {
  if (isSheetAddress(given)) {
    const { connectionId, tableId, sheetId } = given;
    return { connectionId, tableId, sheetId };
  }
  if (isTable(given)) return { connectionId: given.connectionId, tableId: given.tableId };
  const { id: tableId, connectionId } = await pickTable(app, vscode.l10n.t('Table to import into'));
  return { connectionId, tableId };
}

async function chooseFile(): Promise<vscode.Uri> {
  const { importEndings } = await parts();
  const chosen = await showOpenDialog({
    title: vscode.l10n.t('File to import'),
    filters: {
      [vscode.l10n.t('Tables')]: Object.values(importEndings).flat(),
      [vscode.l10n.t('All files')]: ['*'],
    },
    canSelectMany: false,
  });
  if (chosen?.[0] === undefined) throw new CancelledError('No file was selected.');
  return chosen[0];
}

async function importFrom(app: App, argument: unknown, file: unknown): Promise<unknown> {
  const target = await targetOf(app, argument);
  const { fileAt, importAtOnce, openImport } = await parts();
  if (file instanceof vscode.Uri) {
    const sheet = await importAtOnce(app, target, await fileAt(app, file));
    await runCommand('promptTables.openSheet', sheet);
    return sheet;
  }
  return openImport(app, target, await fileAt(app, await chooseFile()));
}

/** Files and the clipboard as rows: from the palette, and from tables and sheets of the tree. */
export function registerImports(app: App): vscode.Disposable {
  return vscode.Disposable.from(
    registerCommand(app, 'promptTables.importFile', (node, file) => importFrom(app, node, file)),
    registerCommand(app, 'promptTables.importClipboard', async (node) => {
      const { clipboardFile, openImport } = await parts();
      const file = await clipboardFile(app);
      await openImport(app, await targetOf(app, node), file);
    }),
  );
}
