import * as vscode from 'vscode';
import * as z from 'zod';
import { ConfigurationError } from '../../core/errors.ts';
import { pythonOf } from '../../core/prompt-types/python.ts';
import type { ReadTypes } from '../../core/prompt-types/read.ts';
import { readPromptTypes } from '../../core/prompt-types/read.ts';
import { typescriptOf } from '../../core/prompt-types/typescript.ts';
import { connectionFor } from '../ask/pick.ts';
import type { App } from '../shell/app.ts';
import { withProgress } from '../shell/progress.ts';
import type { ProgressOptions } from '../shell/progress.ts';
import { setStatusBarMessage, showSaveDialog, showWarningMessage } from '../shell/shown.ts';
import { TypesOrigins } from './types-files.ts';
import type { WorkspaceCode } from './workspace-code.ts';

const { t } = vscode.l10n;

/** What a file says that is about to be written anew; nothing if there is none. */
export async function formerText(target: vscode.Uri): Promise<string> {
  try {
    const bytes = await vscode.workspace.fs.readFile(target);
    return new TextDecoder().decode(bytes).replaceAll('\r\n', '\n');
  } catch (error) {
    if (error instanceof vscode.FileSystemError && error.code === 'FileNotFound') return '';
    throw error;
  }
}

export function readTypes(
  app: App,
  connectionId: string,
  where: ProgressOptions['where'],
): Promise<ReadTypes> {
  const title = t('Generate prompt types');
  return withProgress(app, { title, where }, async (signal) => {
    const client = await app.connections.client(connectionId, { signal });
    return readPromptTypes(client, signal);
  });
}

const hasUnsavedChanges = (uri: vscode.Uri): boolean =>
  vscode.workspace.textDocuments.some(
    (document) => document.isDirty && document.uri.toString() === uri.toString(),
  );

/** Prompts that could not be read: which of them keep what the file said of them. */
function warnOfUnread(app: App, { unread }: ReadTypes, leftOut: readonly string[]): void {
  for (const { name, error } of unread) app.errors.note(error, `Reading the prompt ${name}`);
  if (unread.length === 0) return;
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

/** What is typed in an editor is never written over. */
export async function writeTypes(
  app: App,
  target: vscode.Uri,
  types: ReadTypes,
  connectionId: string,
): Promise<'same' | 'written' | 'unsaved'> {
  const makeModule = target.path.endsWith('.py') ? pythonOf : typescriptOf;
  const before = await formerText(target);
  const former = { unread: types.unread.map(({ name }) => name), text: before };
  const { text, leftOut } = makeModule(types.prompts, former);
  warnOfUnread(app, types, leftOut);
  const isSame = text === before;
  if (!isSame && hasUnsavedChanges(target)) return 'unsaved';
  if (!isSame) await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(text));
  await new TypesOrigins(app).remember(target, connectionId);
  return isSame ? 'same' : 'written';
}

const Target = z.object({ typesFile: z.string() });

/** The file that a quick fix names, if it is one of ours, or one that is asked for. */
async function targetOf(
  given: unknown,
  code: WorkspaceCode,
  app: App,
): Promise<vscode.Uri | undefined> {
  const named = Target.safeParse(given).data?.typesFile;
  const files = named === undefined ? [] : await code.typesFiles(app.signal);
  const known = files.find(({ uri }) => uri.toString() === named);
  if (known !== undefined) return known.uri;
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  return showSaveDialog({
    title: t('Generate prompt types'),
    filters: { TypeScript: ['ts', 'mts'], Python: ['py'] },
    ...(folder !== undefined && { defaultUri: vscode.Uri.joinPath(folder.uri, 'prompts.gen.ts') }),
  });
}

/** Writes the types of all prompts of the workspace in use to a file. */
export async function generateTypes(app: App, code: WorkspaceCode, given: unknown): Promise<void> {
  const { id } = connectionFor(app, undefined);
  const target = await targetOf(given, code, app);
  if (target === undefined) return;
  const types = await readTypes(app, id, 'notification');
  if ((await writeTypes(app, target, types, id)) === 'unsaved') {
    throw new ConfigurationError(
      t(
        '{0} has unsaved changes, so nothing was written to it.',
        vscode.workspace.asRelativePath(target),
      ),
      { hint: t('Save the file or undo the changes, then try again.') },
    );
  }
  setStatusBarMessage(t('Types written. Prompts: {0}', types.prompts.length), 5000);
  if (Target.safeParse(given).success) return;
  await vscode.window.showTextDocument(target, { preview: false });
}
