import * as vscode from 'vscode';
import type { App } from './shell/app.ts';
import type { CopiedForm } from './grid/paste/note-copied.ts';
import { noteCopied } from './grid/paste/note-copied.ts';

/** One value, whatever lines it has. */
const oneValue: CopiedForm = { shape: 'text', rows: 1, isGuarded: false };

/** Onto the clipboard, so that a sheet that it is pasted into knows what it is. */
export async function copyText(
  { context: { globalState } }: App,
  text: string,
  form: CopiedForm | undefined,
): Promise<void> {
  await vscode.env.clipboard.writeText(text);
  await noteCopied(globalState, text, form);
}

export const copyValue = (app: App, text: string): Promise<void> => copyText(app, text, oneValue);
