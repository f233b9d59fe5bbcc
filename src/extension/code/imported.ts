import * as vscode from 'vscode';
import type { FilesBeside } from '../../core/code-index/imported.ts';
import { longestImported } from '../../core/code-index/imported.ts';

async function textOf(uri: vscode.Uri): Promise<string | undefined> {
  const open = vscode.workspace.textDocuments.find(
    (document) => document.uri.toString() === uri.toString(),
  );
  if (open !== undefined) return open.getText();
  try {
    const bytes = await vscode.workspace.fs.readFile(uri);
    return bytes.byteLength > longestImported ? undefined : new TextDecoder().decode(bytes);
  } catch {
    // As one that isn't there.
    return undefined;
  }
}

/** Files of the folder, as they stand in editors. */
export function filesBeside(uri: vscode.Uri): FilesBeside<vscode.Uri> {
  const folder = vscode.Uri.joinPath(uri, '..');
  return {
    at(path) {
      const file = vscode.Uri.joinPath(folder, path);
      return vscode.workspace.getWorkspaceFolder(file) === undefined ? undefined : file;
    },
    textOf,
    async isThere(file) {
      try {
        return ((await vscode.workspace.fs.stat(file)).type & vscode.FileType.File) !== 0;
      } catch {
        // What can't be looked at is not there, as far as it goes: its names are left alone.
        return false;
      }
    },
    pathOf: ({ path }) => path,
    keyOf: (file) => file.toString(),
  };
}
