import * as vscode from 'vscode';
import { CancelledError, ConfigurationError } from '../../core/errors.ts';
import type { ModelName } from '../../protocol/run.ts';
import type { App } from '../shell/app.ts';
import { askValue } from '../ask/ask-value.ts';
import { editorModels } from '../language-models/models.ts';
import { modelsOf, providers } from '../shell/models.ts';
import { showQuickPick } from '../shell/questions.ts';

const t = vscode.l10n.t;

interface Asked {
  readonly title: string;
  readonly connectionId: string;
  /** Not suggested. */
  readonly except?: string | undefined;
}

/** Resolved by what is picked. */
interface Item extends vscode.QuickPickItem {
  readonly choose?: () => ModelName | undefined | Promise<ModelName | undefined>;
}

const separator = (label: string): Item => ({
  label,
  kind: vscode.QuickPickItemKind.Separator,
});

/** VS Code asks nobody for consent by listing them; that comes with the first request. */
async function fromVscode(app: App): Promise<readonly Item[]> {
  const models = await editorModels().catch((error: unknown) => {
    app.errors.note(error, 'Listing the language models of VS Code');
    return [];
  });
  const none: Item = {
    label: t('No language models yet'),
    description: t('how to get them'),
    choose: () => {
      throw new ConfigurationError(t('VS Code has no language models yet.'), {
        hint: t(
          'Sign in to GitHub Copilot, or install an extension that provides language models.',
        ),
      });
    },
  };
  const items = models.map(({ title, vendor, model, maxInputTokens }): Item => ({
    label: title,
    description: vendor,
    detail: t('No key needed, up to {0} tokens of input', maxInputTokens.toLocaleString()),
    choose: () => model,
  }));
  return [separator(t('From VS Code')), ...(items.length === 0 ? [none] : items)];
}

async function modelOf(app: App, provider: string, asked: Asked): Promise<ModelName> {
  const { signal } = app;
  const name = await askValue({
    ...{ title: asked.title, before: '', fault: () => undefined },
    note: (error) => app.errors.note(error, 'Suggesting models'),
    placeholder: t('Model of {0}', provider),
    suggest: async () => {
      const client = await app.connections.client(asked.connectionId, { signal });
      const found = await modelsOf(client, provider, signal);
      return found.filter((model) => model !== asked.except);
    },
  });
  return { provider, name };
}

async function otherProvider(app: App, asked: Asked): Promise<ModelName> {
  const provider = await askValue({
    ...{ title: asked.title, before: '', fault: () => undefined },
    note: (error) => app.errors.note(error, 'Suggesting models'),
    placeholder: t('Provider'),
    suggest: undefined,
  });
  return modelOf(app, provider, asked);
}

/**
 * Asks for a model: one that VS Code has, or a provider and one of its models, of which those that
 * the workspace has used are suggested. `own`: the words for the model that the prompt names, which
 * is answered as undefined. Errors: CancelledError.
 */
export async function askModelOr(
  app: App,
  asked: Asked & { readonly own: string | undefined },
): Promise<ModelName | undefined> {
  const { title, own } = asked;
  const items: Item[] = [
    ...(own === undefined ? [] : [{ label: own, choose: () => undefined }]),
    ...(await fromVscode(app)),
    separator(t('By provider, with your own key')),
    ...providers.map((provider) => ({
      label: provider,
      choose: () => modelOf(app, provider, asked),
    })),
    { label: t('Other provider…'), choose: () => otherProvider(app, asked) },
  ];
  const picked = await showQuickPick(items, { title, placeHolder: t('Model or provider') });
  if (picked?.choose === undefined) throw new CancelledError('The choice was dismissed.');
  return picked.choose();
}

/** The same where there is no other model to go back to. */
export async function askModel(app: App, asked: Asked): Promise<ModelName> {
  const model = await askModelOr(app, { ...asked, own: undefined });
  if (model === undefined) throw new CancelledError('The choice was dismissed.');
  return model;
}
