import * as vscode from 'vscode';
import type { ModelName } from '../../protocol/run.ts';
import type { App } from '../shell/app.ts';
import { askValue } from '../ask/ask-value.ts';
import { modelsOf, providers } from '../shell/models.ts';

const t = vscode.l10n.t;

interface Asked {
  readonly title: string;
  readonly connectionId: string;
  /** Not suggested. */
  readonly except?: string | undefined;
}

/** Asks for a provider and one of its models: those that the workspace has used are suggested. */
export async function askModel(
  app: App,
  { title, connectionId, except }: Asked,
): Promise<ModelName> {
  const { signal } = app;
  const note = (error: unknown): void => app.errors.note(error, 'Suggesting models');
  const options = { title, before: '', fault: () => undefined, note };
  const provider = await askValue({
    ...options,
    placeholder: t('Provider'),
    suggest: () => Promise.resolve(providers),
  });
  const name = await askValue({
    ...options,
    placeholder: t('Model of {0}', provider),
    suggest: async () => {
      const client = await app.connections.client(connectionId, { signal });
      const found = await modelsOf(client, provider, signal);
      return found.filter((model) => model !== except);
    },
  });
  return { provider, name };
}
