import * as vscode from 'vscode';
import { CancelledError } from '../../core/errors.ts';
import { addressProblem, cleanAddress, cleanKey, keyProblem } from './entered.ts';
import { showInputBox, showQuickPick } from '../shell/questions.ts';

/** The user pressed Escape: nothing to show. */
function given<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new CancelledError('The input was dismissed.');
  return value;
}

function keyText(pasted: string): string | undefined {
  switch (keyProblem(pasted)) {
    case 'empty':
      return vscode.l10n.t('Paste the API key of the workspace.');
    case 'character':
      return vscode.l10n.t("It contains a character that API keys don't have. Copy it again.");
    case 'short':
      return vscode.l10n.t('This is too short for an API key.');
    case undefined:
      return undefined;
  }
}

function addressText(text: string): string | undefined {
  switch (addressProblem(text)) {
    case 'address':
      return vscode.l10n.t('Enter an address such as https://api.promptlayer.com.');
    case 'scheme':
      return vscode.l10n.t('The address must begin with https:// or http://.');
    case 'parts':
      return vscode.l10n.t('Enter the host and path only; the key is entered separately.');
    case undefined:
      return undefined;
  }
}

export async function askKey(title: string): Promise<string> {
  const pasted = await showInputBox({
    title,
    prompt: vscode.l10n.t('It is kept in the secret storage of the editor, never in settings.'),
    placeHolder: vscode.l10n.t('API key'),
    password: true,
    validateInput: keyText,
  });
  return cleanKey(given(pasted));
}

export async function askAddress(title: string, value: string): Promise<string> {
  const entered = await showInputBox({
    title,
    value,
    prompt: vscode.l10n.t('Address of the service'),
    validateInput: addressText,
  });
  return cleanAddress(given(entered));
}

export async function askName(
  title: string,
  value: string,
  taken: readonly string[],
): Promise<string> {
  const entered = await showInputBox({
    title,
    value,
    prompt: vscode.l10n.t('Name of the workspace in this editor'),
    validateInput(text) {
      if (text.trim() === '') return vscode.l10n.t('Enter a name.');
      if (taken.includes(text.trim())) return vscode.l10n.t('Another workspace has this name.');
      return undefined;
    },
  });
  return given(entered).trim();
}

export async function pickOne<Value>(
  title: string,
  items: readonly (vscode.QuickPickItem & { readonly value: Value })[],
): Promise<Value> {
  const picked = await showQuickPick(items, { title, matchOnDescription: true });
  return given(picked).value;
}
