import { randomUUID } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';

/**
 * Writes what comes into a file beside the wanted one, which takes its place when all is there. When
 * it breaks off or is cancelled, nothing is left and an earlier file is as it was.
 */
export async function writeWhole(
  target: vscode.Uri,
  pieces: AsyncIterable<Uint8Array>,
  { spare, onBytes }: { readonly spare: vscode.Uri; readonly onBytes: (bytes: number) => void },
): Promise<void> {
  const isLocal = target.scheme === 'file';
  const folder = isLocal ? path.dirname(target.fsPath) : spare.fsPath;
  await fs.mkdir(folder, { recursive: true });
  const draft = path.join(folder, `.${path.posix.basename(target.path)}.${randomUUID()}.part`);
  try {
    await writeDraft(draft, pieces, onBytes);
    if (isLocal) await fs.rename(draft, target.fsPath);
    else await moveAway(draft, target);
  } finally {
    await fs.rm(draft, { force: true });
  }
}

async function writeDraft(
  draft: string,
  pieces: AsyncIterable<Uint8Array>,
  onBytes: (bytes: number) => void,
): Promise<void> {
  const file = await fs.open(draft, 'wx');
  try {
    let bytes = 0;
    for await (const piece of pieces) {
      await file.appendFile(piece);
      bytes += piece.byteLength;
      onBytes(bytes);
    }
    await file.sync();
  } finally {
    await file.close();
  }
}

/** To where only VS Code can write, for example a repository that is not on a disk. */
async function moveAway(draft: string, target: vscode.Uri): Promise<void> {
  const part = target.with({ path: `${target.path}.${randomUUID()}.part` });
  try {
    await vscode.workspace.fs.copy(vscode.Uri.file(draft), part);
    await vscode.workspace.fs.rename(part, target, { overwrite: true });
  } catch (error) {
    await vscode.workspace.fs.delete(part).then(undefined, () => {
      // It never came to be: the error above says why.
    });
    throw error;
  }
}
