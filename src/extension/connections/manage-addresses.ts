import * as vscode from 'vscode';
import { showQuickPick } from '../shell/questions.ts';
import { showInformationMessage } from '../shell/shown.ts';
import type { ConnectionStore } from './store.ts';

/** Shows the addresses that were allowed; those that are selected are taken away. */
export async function manageAddresses(store: ConnectionStore): Promise<void> {
  const { t } = vscode.l10n;
  const { all } = store.addresses;
  if (all.length === 0) {
    await showInformationMessage(t('No workspace addresses are allowed.'));
    return;
  }
  const picked = await showQuickPick(
    all.map(({ id, connectionId, provider, address }) => ({
      label: address,
      description: [provider, store.get(connectionId)?.name].filter(Boolean).join(' · '),
      id,
    })),
    {
      title: t('Allowed Addresses'),
      placeHolder: t('Select the addresses to remove'),
      canPickMany: true,
      matchOnDescription: true,
    },
  );
  if (picked === undefined || picked.length === 0) return;
  const gone = new Set(picked.map(({ id }) => id));
  await store.addresses.forget(({ id }) => gone.has(id));
  void showInformationMessage(
    gone.size === 1
      ? t('1 address was removed. You are asked again before anything is sent there.')
      : t(
          '{0} addresses were removed. You are asked again before anything is sent there.',
          gone.size,
        ),
  );
}
