import * as vscode from 'vscode';
import type { PromptFiles } from './file-system.ts';

/** A file system whose work is loaded with the first file. */
export function lazyFileSystem(
  files: () => Promise<PromptFiles>,
  changed: vscode.EventEmitter<vscode.FileChangeEvent[]>,
): vscode.FileSystemProvider {
  const refuse = (): never => {
    throw vscode.FileSystemError.NoPermissions(vscode.l10n.t('Prompts have no folders.'));
  };
  return {
    onDidChangeFile: changed.event,
    watch: () => new vscode.Disposable(() => undefined),
    stat: async (uri) => (await files()).stat(uri),
    readFile: async (uri) => (await files()).readFile(uri),
    writeFile: async (uri, bytes) => (await files()).writeFile(uri, bytes),
    readDirectory: refuse,
    createDirectory: refuse,
    delete: refuse,
    rename: refuse,
  };
}
