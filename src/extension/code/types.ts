import * as vscode from 'vscode';
import { pythonOf } from '../../core/prompt-types/python.ts';
import { readPromptTypes } from '../../core/prompt-types/read.ts';
import { typescriptOf } from '../../core/prompt-types/typescript.ts';
import { connectionFor } from '../ask/pick.ts';
import type { App } from '../shell/app.ts';
import { withProgress } from '../shell/progress.ts';
import { setStatusBarMessage, showSaveDialog, showWarningMessage } from '../shell/shown.ts';

const { t } = vscode.l10n;

/** What a file says that is about to be written anew; nothing if there is none. */
async function formerText(target: vscode.Uri): Promise<string> {
  try {
    const bytes = await vscode.workspace.fs.readFile(target);
    return new TextDecoder().decode(bytes).replaceAll('\r\n', '\n');
  } catch (error) {
    if (error instanceof vscode.FileSystemError && error.code === 'FileNotFound') return '';
    throw error;
  }
}

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
  const { prompts, unread } = await withProgress(app, { title, where }, async (signal) => {
    const client = await app.connections.client(connection.id, { signal });
    return readPromptTypes(client, signal);
  });
  const makeModule = target.path.endsWith('.py') ? pythonOf : typescriptOf;
  const former = { unread: unread.map(({ name }) => name), text: await formerText(target) };
  const { text, leftOut } = makeModule(prompts, former);
  await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(text));
  for (const { name, error } of unread) app.errors.note(error, `Reading the prompt ${name}`);
  if (unread.length > 0) {
    const kept = unread.map(({ name }) => name).filter((name) => !leftOut.includes(name));
    const list = (names: readonly string[]): string =>
      names.length === 0 ? t('none') : names.slice(0, 10).join(', ');
    void showWarningMessage(
      t(
        "Prompts that can't be read: {0}. They keep their former types: {1}. They have none: {2}. See the log.",
        ...[unread.length, list(kept), list(leftOut)],
      ),
    );
  }
  setStatusBarMessage(t('Types written. Prompts: {0}', prompts.length), 5000);
  await vscode.window.showTextDocument(target, { preview: false });
}
