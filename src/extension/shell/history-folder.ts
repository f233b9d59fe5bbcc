import { createHash } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import type { Log } from './log.ts';

/** What is open in this window, by name: the same in every window that shows it. */
function openHere(): string | undefined {
  const { workspaceFile, workspaceFolders = [] } = vscode.workspace;
  if (workspaceFile !== undefined) return workspaceFile.toString();
  return workspaceFolders.length === 0
    ? undefined
    : JSON.stringify(workspaceFolders.map(({ uri }) => uri.toString()));
}

/** Moves what an earlier release has kept; files that are there already stay. */
async function moveFrom(before: string, folder: string): Promise<void> {
  for (const kind of ['details', 'entries']) {
    const names = await fs.readdir(path.join(before, kind)).catch(() => []);
    if (names.length === 0) continue;
    await fs.mkdir(path.join(folder, kind), { recursive: true, mode: 0o700 });
    for (const name of names) {
      await fs.rename(path.join(before, kind, name), path.join(folder, kind, name));
    }
  }
}

/**
 * Where the runs of what is open here are kept. Not in the storage that VS Code has for it: of two
 * windows that show the same, only the first is given that.
 */
export async function historyFolder(context: vscode.ExtensionContext, log: Log): Promise<string> {
  const name = openHere();
  const all = context.globalStorageUri.fsPath;
  if (name === undefined) return path.join(all, 'no-folder', 'runs');
  const folder = path.join(all, 'history', createHash('sha256').update(name).digest('hex'));
  const { storageUri } = context;
  if (storageUri !== undefined) {
    await moveFrom(path.join(storageUri.fsPath, 'runs'), folder).catch((error: unknown) => {
      log.error('Moving the runs of an earlier release failed.', error);
    });
  }
  return folder;
}
