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

/**
 * Shows the box until something acceptable is accepted, or `begin` says that nothing can be; throws
 * when it is dismissed. What listens goes with the answer: the box may stay for another question.
 */
export async function answerOf<Answer, Item extends vscode.QuickPickItem>(
  picker: vscode.QuickPick<Item>,
  accepted: () => Answer | undefined,
  begin: (
    end: (answer: Answer) => void,
    fail: (error: unknown) => void,
  ) => readonly vscode.Disposable[],
): Promise<Answer> {
  let listeners: readonly vscode.Disposable[] = [];
  try {
    return await new Promise<Answer>((resolve, reject) => {
      listeners = [
        picker.onDidAccept(() => {
          const answer = accepted();
          if (answer !== undefined) resolve(answer);
        }),
        picker.onDidHide(() => reject(new CancelledError('The choice was dismissed.'))),
        ...begin(resolve, reject),
      ];
      picker.show();
    });
  } finally {
    for (const listener of listeners) listener.dispose();
  }
}

/** A question with one button besides Cancel; throws when that is pressed. */
export async function confirmed(message: string, action: string, detail?: string): Promise<void> {
  const options = { modal: true, ...(detail !== undefined && { detail }) };
  const choice = await vscode.window.showWarningMessage(message, options, action);
  if (choice !== action) throw new CancelledError('The question was dismissed.');
}
