import * as vscode from 'vscode';
import type { App } from '../shell/app.ts';
import { CancelledError, isCancellation } from '../../core/errors.ts';
import { withProgress } from '../shell/progress.ts';
import { checkAccess, checkFailure } from './check.ts';
import { promptLayerHost } from '../shell/known-hosts.ts';
import type { Connection } from './connections.ts';
import { cleanAddress, cleanKey, keyProblem } from './entered.ts';
import { environmentOffer } from './environment.ts';
import { askAddress, askKey, askName, pickOne } from './input.ts';
import type { HostedAccess } from './open-client.ts';
import type { ConnectionStore } from './store.ts';
import { showErrorMessage } from '../shell/shown.ts';

type Hosted = Extract<Connection, { kind: 'hosted' }>;

/** The key of the environment only if the user says so, each time. */
async function chooseKey(title: string): Promise<string> {
  const offered = environmentOffer().key;
  if (offered === undefined || keyProblem(offered) !== undefined) return askKey(title);
  const fromEnvironment = await pickOne(title, [
    {
      label: vscode.l10n.t('Paste an API key'),
      iconPath: new vscode.ThemeIcon('key'),
      value: false,
    },
    {
      label: vscode.l10n.t('Use the key in the environment variable PROMPTLAYER_API_KEY'),
      detail: vscode.l10n.t('It is copied into the secret storage of the editor.'),
      iconPath: new vscode.ThemeIcon('terminal'),
      value: true,
    },
  ]);
  return fromEnvironment ? cleanKey(offered) : askKey(title);
}

/** True when the key works, or the user wants it kept all the same. */
async function isAccepted(app: App, access: HostedAccess): Promise<boolean> {
  const title = vscode.l10n.t('Checking the API key at {0}', new URL(access.baseURL).host);
  try {
    await withProgress(app, { title, where: 'notification' }, (signal) =>
      checkAccess(app, access, { signal }),
    );
    return true;
  } catch (error) {
    if (isCancellation(error)) throw error;
    app.errors.note(error, 'Trying an API key');
    const again = vscode.l10n.t('Enter again');
    const keep = vscode.l10n.t('Save anyway');
    const text = checkFailure(app, error, access);
    const choice = await showErrorMessage(text, again, keep);
    if (choice === undefined) throw new CancelledError('The key was not saved.');
    return choice === keep;
  }
}

async function askAccess(app: App, title: string, address: string): Promise<HostedAccess> {
  let baseURL = address;
  for (;;) {
    baseURL = await askAddress(title, baseURL);
    const apiKey = await chooseKey(title);
    app.log.hide(apiKey);
    if (await isAccepted(app, { baseURL, apiKey })) return { baseURL, apiKey };
  }
}

export async function addConnection(app: App, store: ConnectionStore): Promise<void> {
  const title = vscode.l10n.t('Connect to PromptLayer');
  const proposed = environmentOffer().baseURL ?? app.settings.get('baseUrl');
  const { baseURL, apiKey } = await askAccess(app, title, cleanAddress(proposed));
  const taken = store.all.map(({ name }) => name);
  const host = new URL(baseURL).hostname;
  const wanted = host === promptLayerHost ? 'PromptLayer' : host;
  const free = [wanted, ...Array.from({ length: 98 }, (_, index) => `${wanted} ${index + 2}`)];
  const name = await askName(title, free.find((text) => !taken.includes(text)) ?? '', taken);
  const { id } = await store.add({ name, baseURL }, apiKey);
  await store.use(id);
}

export async function editConnection(store: ConnectionStore, connection: Hosted): Promise<void> {
  const title = vscode.l10n.t('Edit {0}', connection.name);
  const taken = store.all.filter(({ id }) => id !== connection.id).map(({ name }) => name);
  const name = await askName(title, connection.name, taken);
  const baseURL = await askAddress(title, connection.baseURL);
  await store.edit(connection.id, { name, baseURL });
}

/** A new key for a connection that stays as it is: open grids go on with it. */
export async function setKey(app: App, connection: Hosted): Promise<void> {
  const title = vscode.l10n.t('API key for {0}', connection.name);
  for (;;) {
    const apiKey = await chooseKey(title);
    app.log.hide(apiKey);
    if (!(await isAccepted(app, { baseURL: connection.baseURL, apiKey }))) continue;
    await app.secrets.set(connection.id, apiKey);
    return;
  }
}
