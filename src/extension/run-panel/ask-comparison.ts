import * as vscode from 'vscode';
import { CancelledError } from '../../core/errors.ts';
import type { ModelName, PromptPresentation, RunPageState } from '../../protocol/run.ts';
import type { App } from '../shell/app.ts';
import { askValue } from '../ask/ask-value.ts';
import { modelsOf, providers } from '../shell/models.ts';
import { showQuickPick } from '../shell/questions.ts';

const t = vscode.l10n.t;

export type AskedComparison =
  | { readonly kind: 'last' }
  | { readonly kind: 'model'; readonly title: string; readonly model: ModelName };

async function askModel(
  app: App,
  { connectionId }: RunPageState,
  now: string | undefined,
): Promise<ModelName> {
  const title = t('Compare with another model');
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
      return found.filter((model) => model !== now);
    },
  });
  return { provider, name };
}

/** What the next answers are to be compared with; undefined: nothing. */
export async function askComparison(
  app: App,
  page: RunPageState,
  presentation: PromptPresentation | null,
): Promise<AskedComparison | undefined> {
  const item = (
    as: 'model' | 'last' | 'nothing',
    label: string,
    icon: string,
    description = '',
  ) => ({
    ...{ as, label, description, iconPath: new vscode.ThemeIcon(icon) },
  });
  const items = [
    item('model', t('Another model…'), 'sparkle', t('both run at once')),
    item('last', t('Previous run'), 'history'),
    item('nothing', t('Nothing'), 'close'),
  ];
  const title = t('Compare the answer with');
  const picked = await showQuickPick(items, { title });
  if (picked === undefined) throw new CancelledError('The choice was dismissed.');
  if (picked.as === 'nothing') return undefined;
  if (picked.as === 'last') return { kind: 'last' };
  const model = await askModel(app, page, presentation?.model);
  return { kind: 'model', title: `${model.name} · ${model.provider}`, model };
}
