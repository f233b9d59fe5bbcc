import * as vscode from 'vscode';
import { CancelledError } from '../../core/errors.ts';
import type { App } from '../shell/app.ts';
import { registerCommand } from '../shell/commands.ts';
import { providerVariables } from '../../core/providers/variables.ts';
import { cleanValue, nameProblem } from './variables.ts';
import { showInputBox, showQuickPick } from '../shell/questions.ts';
import { showInformationMessage } from '../shell/shown.ts';

async function pickVariable(app: App, title: string): Promise<string> {
  const stored = new Set(await app.providerSecrets.ids());
  const item = (variable: string, provider: string) => ({
    label: variable,
    description: provider,
    ...(stored.has(variable) && { detail: vscode.l10n.t('Key set') }),
    iconPath: new vscode.ThemeIcon('key'),
    variable,
  });
  const known = Object.entries(providerVariables).flatMap(([provider, names]) =>
    names.map((name) => item(name, provider)),
  );
  const names = new Set(known.map(({ variable }) => variable));
  const others = [...stored].filter((name) => !names.has(name)).map((name) => item(name, ''));
  const another = {
    label: vscode.l10n.t('Another variable…'),
    iconPath: new vscode.ThemeIcon('add'),
    variable: undefined,
  };
  const picked = await showQuickPick([...known, ...others, another], {
    title,
    placeHolder: vscode.l10n.t('Environment variable that has the key of the provider'),
    matchOnDescription: true,
  });
  if (picked === undefined) throw new CancelledError('The choice was dismissed.');
  return picked.variable ?? askName(title);
}

async function askName(title: string): Promise<string> {
  const entered = await showInputBox({
    title,
    prompt: vscode.l10n.t('Name of the variable, such as OPENAI_API_KEY'),
    validateInput(text) {
      switch (nameProblem(text.trim())) {
        case 'shape':
          return vscode.l10n.t('Capital letters, digits and underscores only.');
        case 'own':
          return vscode.l10n.t('This key belongs to a workspace: use the command Set API Key.');
        case undefined:
          return undefined;
      }
    },
  });
  if (entered === undefined) throw new CancelledError('The input was dismissed.');
  return entered.trim();
}

/** True when it was set, false when the user thought better of it. */
async function setProviderKey(app: App, given: unknown): Promise<boolean> {
  const title = vscode.l10n.t('Set provider key');
  const isNamed = typeof given === 'string' && nameProblem(given) === undefined;
  const variable = isNamed ? given : await pickVariable(app, title);
  const pasted = await showInputBox({
    title: variable,
    prompt: vscode.l10n.t(
      'It is kept in the secret storage of the editor and goes to its provider only. A variable of this name in the environment comes first.',
    ),
    password: true,
    validateInput: (text) =>
      cleanValue(variable, text) === '' ? vscode.l10n.t('Paste the value.') : undefined,
  });
  if (pasted === undefined) return false;
  await app.providerSecrets.set(variable, cleanValue(variable, pasted));
  return true;
}

async function removeProviderKey(app: App): Promise<void> {
  const stored = await app.providerSecrets.ids();
  if (stored.length === 0) {
    void showInformationMessage(vscode.l10n.t('No provider keys are stored here.'));
    return;
  }
  const picked = await showQuickPick(
    stored.map((label) => ({ label })),
    { title: vscode.l10n.t('Remove provider key') },
  );
  if (picked !== undefined) await app.providerSecrets.delete(picked.label);
}

/** Keys of model providers: set once, by hand. */
export const registerProviderKeys = (app: App): vscode.Disposable =>
  vscode.Disposable.from(
    registerCommand(app, 'promptTables.setProviderKey', (variable) =>
      setProviderKey(app, variable),
    ),
    registerCommand(app, 'promptTables.removeProviderKey', () => removeProviderKey(app)),
  );
