import * as vscode from 'vscode';
import { pythonOf } from '../../core/prompt-types/python.ts';
import { readPromptTypes } from '../../core/prompt-types/read.ts';
import { typescriptOf } from '../../core/prompt-types/typescript.ts';
import { connectionFor } from '../ask/pick.ts';
import type { App } from '../shell/app.ts';
import { withProgress } from '../shell/progress.ts';
import { setStatusBarMessage, showSaveDialog } from '../shell/shown.ts';

const { t } = vscode.l10n;

/** Writes the types of all prompts of the workspace in use to a file that is asked for. */
export async function generateTypes(app: App): Promise<void> {
  const connection = connectionFor(app, undefined);
  const title = t('Generate prompt types');
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  const target = await showSaveDialog({
    title,
    filters: { TypeScript: ['ts', 'mts'], Python: ['py'] },
    ...(folder !== undefined && { defaultUri: vscode.Uri.joinPath(folder.uri, 'prompts.gen.ts') }),
  });
  if (target === undefined) return;
  const where = 'notification' as const;
  const prompts = await withProgress(app, { title, where }, async (signal) => {
    const client = await app.connections.client(connection.id, { signal });
    return readPromptTypes(client, signal);
  });
  const text = target.path.endsWith('.py') ? pythonOf(prompts) : typescriptOf(prompts);
  await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(text));
  setStatusBarMessage(t('Types written. Prompts: {0}', prompts.length), 5000);
  await vscode.window.showTextDocument(target, { preview: false });
}
