import * as vscode from 'vscode';
import type { SheetAddress } from '../address.ts';
import { isSheetAddress } from '../address.ts';
import type { App } from '../app.ts';
import { registerCommand, runCommand } from '../commands.ts';
import type { SheetLink } from './link.ts';
import { showInformationMessage } from '../shown.ts';

type Connection = App['connections']['all'][number];

const baseOf = (connection: Connection | undefined): string | undefined =>
  connection?.kind === 'hosted' ? connection.baseURL : undefined;

/** The reader's own connection for a link: the one in use when several fit. */
function connectionFor(app: App, link: SheetLink): Connection | undefined {
  const { all, current } = app.connections;
  const fitting = all.filter((connection) => baseOf(connection) === link.baseURL);
  return fitting.find(({ id }) => id === current?.id) ?? fitting[0];
}

async function open(app: App, uri: vscode.Uri): Promise<void> {
  const { readLink } = await import('./link.ts');
  const link = readLink(uri.toString());
  if (link === undefined) {
    throw new Error(
      vscode.l10n.t('The link names no sheet. Copy it again with "Copy Link to Sheet".'),
    );
  }
  const connection = connectionFor(app, link);
  if (connection !== undefined) {
    const address = { connectionId: connection.id, tableId: link.tableId, sheetId: link.sheetId };
    await runCommand('promptTables.openSheet', address);
    return;
  }
  const connect = vscode.l10n.t('Connect…');
  const choice = await showInformationMessage(
    vscode.l10n.t('The link leads to {0}, which is not among your workspaces.', link.baseURL ?? ''),
    connect,
  );
  if (choice === connect) await vscode.commands.executeCommand('promptTables.addConnection');
}

async function copy(app: App, address: SheetAddress): Promise<void> {
  const { writeLink } = await import('./link.ts');
  const connection = app.connections.get(address.connectionId);
  const target = { scheme: vscode.env.uriScheme, extensionId: app.context.extension.id };
  await vscode.env.clipboard.writeText(
    writeLink(target, { ...address, baseURL: baseOf(connection) }),
  );
}

/** Links to sheets: copied from the tree, opened by the editor. They hold ids, never keys. */
export function registerLinks(app: App): vscode.Disposable {
  return vscode.Disposable.from(
    vscode.window.registerUriHandler({
      handleUri: (uri) =>
        open(app, uri).catch((error: unknown) => {
          app.errors.show(error, { doing: vscode.l10n.t('Opening the link') });
        }),
    }),
    registerCommand(app, 'promptTables.copyLink', (sheet) =>
      isSheetAddress(sheet) ? copy(app, sheet) : undefined,
    ),
  );
}
