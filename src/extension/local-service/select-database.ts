import * as vscode from 'vscode';
import type { App } from '../shell/app.ts';
import { isPostgresAddress, shownDatabase } from '../../core/database-address.ts';
import { CancelledError, ConfigurationError } from '../../core/errors.ts';
import { isLoopback } from '../../core/http/loopback.ts';
import { withProgress } from '../shell/progress.ts';
import { confirmed, showInputBox, showQuickPick } from '../shell/questions.ts';
import type { LocalService } from './local-service.ts';
import type { NamedDatabase } from './storage.ts';

const local = 'local';

function addressText(text: string): string | undefined {
  const address = text.trim();
  if (!isPostgresAddress(address)) {
    return vscode.l10n.t(
      'Enter the address of a PostgreSQL database, such as postgres://user:password@host/database.',
    );
  }
  if (!URL.canParse(address) || new URL(address).hostname === '') {
    return vscode.l10n.t('The address has no host.');
  }
  return /^\/[^/]+$/.test(new URL(address).pathname)
    ? undefined
    : vscode.l10n.t('The address has no database name.');
}

async function askAddress(title: string): Promise<string> {
  const entered = await showInputBox({
    title,
    prompt: vscode.l10n.t(
      'Address of the database, with user and password. It is kept in the secret storage of the editor, never in settings.',
    ),
    placeHolder: 'postgres://user:password@host/database',
    password: true,
    validateInput: addressText,
  });
  if (entered === undefined) throw new CancelledError('The input was dismissed.');
  return entered.trim();
}

/** Whether nothing on the way to it can be read by others; PostgreSQL's own words for it. */
const isEncrypted = (address: URL): boolean =>
  ['require', 'verify-ca', 'verify-full', 'no-verify'].includes(
    address.searchParams.get('sslmode') ?? '',
  ) || address.searchParams.get('ssl') === 'true';

function detailOf(address: string, before: string): string {
  const { t } = vscode.l10n;
  const url = new URL(address);
  const lines = [
    t(
      'Tables, prompts, workflows, logged requests, and answers of the local workspace are kept there from now on, in all windows. Anyone who can read the database can read them.',
    ),
    t("The data in {0} stays there and isn't copied.", before),
    t(
      'Other people on the same database have their own workspaces. If someone else starts a service with workers on it, that service also computes cells of this workspace, with its own keys.',
    ),
  ];
  if (!isLoopback(url.hostname) && !isEncrypted(url)) {
    lines.push(
      t("The connection isn't encrypted. Add ?sslmode=require to the address to encrypt it."),
    );
  }
  return lines.join('\n\n');
}

/** Undefined: the folder, or a file about it that can't be read, which choosing again mends. */
async function inUse(service: LocalService): Promise<NamedDatabase | undefined> {
  try {
    return await service.storage.database();
  } catch (error) {
    if (error instanceof ConfigurationError) return undefined;
    throw error;
  }
}

/** Asks where the local workspace is kept, and keeps it there. */
export async function selectDatabase(app: App, service: LocalService): Promise<void> {
  const { t } = vscode.l10n;
  const title = t('Database of the local workspace');
  const unsaved = await app.unsaved.count(local);
  if (unsaved > 0) {
    throw new ConfigurationError(t('Cells not saved yet: {0}.', unsaved), {
      hint: t('Wait until they are saved, or discard them, before you select another database.'),
    });
  }
  const current = await inUse(service);
  const used = t('In use');
  const picked = await showQuickPick(
    [
      {
        label: t('Folder on this computer (SQLite)'),
        iconPath: new vscode.ThemeIcon('folder'),
        description: service.folder.path,
        ...(current === undefined && { detail: used }),
        isFolder: true,
      },
      {
        label: t('PostgreSQL database…'),
        iconPath: new vscode.ThemeIcon('database'),
        ...(current !== undefined && { description: current.server, detail: used }),
        isFolder: false,
      },
    ],
    { title },
  );
  if (picked === undefined) throw new CancelledError('The choice was dismissed.');
  const before = current?.server ?? service.folder.path;
  const address = picked.isFolder ? undefined : await askAddress(title);
  await confirmed(
    address === undefined
      ? t('Keep the local workspace in the folder on this computer?')
      : t('Keep the local workspace in {0}?', shownDatabase(address)),
    address === undefined ? t('Use Folder') : t('Use Database'),
    address === undefined
      ? t("The data in {0} stays there and isn't copied.", before)
      : detailOf(address, before),
  );
  if (address !== undefined) app.log.hide(address);
  await withProgress(app, { title: t('Starting the local service'), where: 'notification' }, () =>
    service.keepIn(address),
  );
}
