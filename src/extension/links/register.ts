import * as vscode from 'vscode';
import type { Sheet } from '../../api/table.ts';
import { hasErrorCode, NotFoundError } from '../../core/errors.ts';
import type { SheetRef } from '../../core/index.ts';
import type { SheetAddress } from '../shell/address.ts';
import { isSheetAddress, refOf } from '../shell/address.ts';
import type { App } from '../shell/app.ts';
import { registerCommand, runCommand } from '../shell/commands.ts';
import { confirmed } from '../shell/questions.ts';
import { showWarningMessage } from '../shell/shown.ts';

type Connection = App['connections']['all'][number];
type OriginOf = (baseURL: string) => string | undefined;

const baseOf = (connection: Connection | undefined): string | undefined =>
  connection?.kind === 'hosted' ? connection.baseURL : undefined;

/** The reader's own connections that a link may mean, the one in use before the others. */
function connectionsFor(app: App, origin: string | undefined, originOf: OriginOf): Connection[] {
  const { all, current } = app.connections;
  const fitting = all.filter((connection) =>
    connection.kind === 'local' ? origin === undefined : originOf(connection.baseURL) === origin,
  );
  const isInUse = ({ id }: Connection): number => (id === current?.id ? 0 : 1);
  return fitting.toSorted((one, other) => isInUse(one) - isInUse(other));
}

/** A page may have made the link: it alone doesn't start the service of this machine. */
async function confirmLocal(app: App): Promise<void> {
  const isInUse = app.connections.openClient('local') !== undefined;
  if (isInUse || app.connections.current?.kind === 'local') return;
  await confirmed(
    vscode.l10n.t('The link points to a sheet of the local workspace on this machine. Open it?'),
    vscode.l10n.t('Open sheet'),
  );
}

/** Where the sheet is, of several workspaces of one service; nothing is opened that is nowhere. */
async function find(
  app: App,
  fitting: readonly Connection[],
  ref: SheetRef,
): Promise<SheetAddress & { readonly sheet: Sheet }> {
  const { signal } = app;
  let failure: Error | undefined;
  for (const { id: connectionId } of fitting) {
    try {
      const client = await app.connections.client(connectionId, { signal });
      const sheet = await client.tables.sheets.get(ref, { signal });
      return { ...ref, connectionId, sheet };
    } catch (error) {
      if (hasErrorCode(error, 'not_found')) continue;
      failure ??= error instanceof Error ? error : new Error(String(error));
    }
  }
  // One that could not be asked may have it.
  if (failure !== undefined) throw failure;
  const name = fitting[0]?.name ?? '';
  throw new NotFoundError(
    vscode.l10n.t("The sheet of the link isn't in {0}. It may have been deleted.", name),
  );
}

/** Opens a sheet that is there, in a workspace that the reader has. A link can do nothing else. */
async function open(app: App, uri: vscode.Uri): Promise<void> {
  const { originOf, readLink } = await import('./link.ts');
  const link = readLink(uri.toString());
  if (link === undefined) {
    throw new Error(
      vscode.l10n.t('The link names no sheet. Copy it again with "Copy Link to Sheet".'),
    );
  }
  const fitting = connectionsFor(app, link.origin, originOf);
  if (fitting.length > 0) {
    if (link.origin === undefined) await confirmLocal(app);
    await runCommand('promptTables.openSheet', await find(app, fitting, refOf(link)));
    return;
  }
  const connect = vscode.l10n.t('Connect…');
  const choice = await showWarningMessage(
    vscode.l10n.t("The link points to {0}, which isn't one of your workspaces.", link.origin ?? ''),
    connect,
  );
  // Address and key are typed by the reader: nothing of the link is taken over.
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
