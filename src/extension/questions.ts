/**
 * The questions of the extension stay when the focus goes elsewhere: after another question VS Code
 * gives it back to the page below, often so late that it would close the one that has just opened.
 */
import * as vscode from 'vscode';
import { CancelledError } from '../core/errors.ts';

const stays = { ignoreFocusOut: true };

export const showQuickPick = ((
  items: readonly vscode.QuickPickItem[] | Thenable<readonly vscode.QuickPickItem[]>,
  options?: vscode.QuickPickOptions,
  token?: vscode.CancellationToken,
) =>
  vscode.window.showQuickPick(
    items,
    { ...options, ...stays },
    token,
  )) as typeof vscode.window.showQuickPick;

export const showInputBox = (options: vscode.InputBoxOptions): Thenable<string | undefined> =>
  vscode.window.showInputBox({ ...options, ...stays });

export const createQuickPick = <Item extends vscode.QuickPickItem>(): vscode.QuickPick<Item> =>
  Object.assign(vscode.window.createQuickPick<Item>(), stays);

/** A question with one button besides Cancel; throws when that is pressed. */
export async function confirmed(message: string, action: string, detail?: string): Promise<void> {
  const options = { modal: true, ...(detail !== undefined && { detail }) };
  const choice = await vscode.window.showWarningMessage(message, options, action);
  if (choice !== action) throw new CancelledError('The question was dismissed.');
}
