import * as vscode from 'vscode';
import type { App } from '../shell/app.ts';
import { registerCommand } from '../shell/commands.ts';
import { addConnection, editConnection, setKey } from './connect.ts';
import type { Connection } from './connections.ts';
import { pickOne } from './input.ts';
import { offerToMoveKey } from './misplaced-key.ts';
import { showStatus } from './status.ts';
import { manageAddresses } from './manage-addresses.ts';
import type { ConnectionStore } from './store.ts';
import { showWarningMessage } from '../shell/shown.ts';

type Hosted = Extract<Connection, { kind: 'hosted' }>;

const isHosted = (connection: Connection | undefined): connection is Hosted =>
  connection?.kind === 'hosted';

/** The connection named, else the one in use, else a choice among the hosted ones. */
async function chooseHosted(store: ConnectionStore, title: string, id?: unknown): Promise<Hosted> {
  const named = typeof id === 'string' ? store.get(id) : store.current;
  if (isHosted(named)) return named;
  return pickOne(
    title,
    store.all.filter(isHosted).map((value) => ({
      label: value.name,
      description: value.baseURL,
      iconPath: new vscode.ThemeIcon('cloud'),
      value,
    })),
  );
}

async function switchConnection(app: App, store: ConnectionStore): Promise<void> {
  const inUse = store.current?.id;
  const choice = await pickOne<string | undefined>(vscode.l10n.t('Workspace to show'), [
    ...store.all.map((connection) => ({
      label: connection.name,
      description:
        connection.kind === 'local' ? vscode.l10n.t('on this machine') : connection.baseURL,
      iconPath: new vscode.ThemeIcon(connection.kind === 'local' ? 'vm' : 'cloud'),
      ...(connection.id === inUse && { detail: vscode.l10n.t('In use') }),
      value: connection.id,
    })),
    {
      label: vscode.l10n.t('Connect to PromptLayer…'),
      iconPath: new vscode.ThemeIcon('add'),
      value: undefined,
    },
  ]);
  await (choice === undefined ? addConnection(app, store) : store.use(choice));
}

async function confirmed(message: string, detail: string, action: string): Promise<boolean> {
  const choice = await showWarningMessage(message, { modal: true, detail }, action);
  return choice === action;
}

async function signOut(app: App, connection: Hosted): Promise<void> {
  const message = vscode.l10n.t('Sign out of {0}?', connection.name);
  const detail = vscode.l10n.t(
    'Its API key is deleted from this computer. The workspace stays in the list.',
  );
  const unsaved = await app.unsaved.count(connection.id);
  const kept =
    unsaved === 0
      ? detail
      : `${detail}\n\n${vscode.l10n.t('Cells not saved yet: {0}. They stay on this computer and are sent when you sign in again.', unsaved)}`;
  if (!(await confirmed(message, kept, vscode.l10n.t('Sign out')))) return;
  await app.secrets.delete(connection.id);
}

async function remove(app: App, store: ConnectionStore, connection: Hosted): Promise<void> {
  const message = vscode.l10n.t('Remove {0} from the list?', connection.name);
  const detail = vscode.l10n.t(
    'Its API key is deleted from this computer. Nothing changes on {0}.',
    connection.baseURL,
  );
  const unsaved = await app.unsaved.count(connection.id);
  const [lost, action] =
    unsaved === 0
      ? [detail, vscode.l10n.t('Remove')]
      : [
          `${detail}\n\n${vscode.l10n.t('Unsaved cells: {0}. They will be lost.', unsaved)}`,
          vscode.l10n.t('Remove and Discard'),
        ];
  if (!(await confirmed(message, lost, action))) return;
  await app.unsaved.discard(connection.id);
  await store.remove(connection.id);
}

export function registerConnections(app: App, store: ConnectionStore): vscode.Disposable {
  const title = vscode.l10n.t('Workspace');
  const moveKey = (): void => {
    offerToMoveKey(app, store).catch((error: unknown) => app.errors.show(error));
  };
  moveKey();
  return vscode.Disposable.from(
    showStatus(store),
    app.settings.onDidChange((isAffected) => {
      if (isAffected('apiKey')) moveKey();
    }),
    registerCommand(app, 'promptTables.useLocal', () => store.use('local')),
    registerCommand(app, 'promptTables.addConnection', () => addConnection(app, store)),
    registerCommand(app, 'promptTables.switchConnection', () => switchConnection(app, store)),
    registerCommand(app, 'promptTables.editConnection', async () =>
      editConnection(store, await chooseHosted(store, title)),
    ),
    registerCommand(app, 'promptTables.setKey', async (id) =>
      setKey(app, await chooseHosted(store, title, typeof id === 'string' ? id : undefined)),
    ),
    registerCommand(app, 'promptTables.signOut', async () =>
      signOut(app, await chooseHosted(store, title)),
    ),
    registerCommand(app, 'promptTables.removeConnection', async () =>
      remove(app, store, await chooseHosted(store, title)),
    ),
    registerCommand(app, 'promptTables.manageAddresses', () => manageAddresses(store)),
  );
}
