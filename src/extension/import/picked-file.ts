import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { ValidationError } from '../../core/errors.ts';
import type { App } from '../shell/app.ts';

/** A file that is read from the disk. */
export interface PickedFile {
  readonly name: string;
  readonly path: string;
  /** Takes away what was written down for it. */
  readonly release: () => Promise<void>;
}

/** `data/My words.CSV` -> `My words`. */
export const titleOfFile = (fileName: string): string =>
  path.posix
    .basename(fileName)
    .replace(/\.[a-z]{2,7}$/i, '')
    .slice(0, 240);

/** What a window that was killed has left; a tab may be open for days. */
const OLD_MS = 14 * 24 * 60 * 60 * 1000;

async function sweep(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const file = path.join(folder, name);
    const { mtimeMs } = await stat(file);
    if (Date.now() - mtimeMs > OLD_MS) await rm(file, { force: true });
  }
}

/** A place of our own for a while, in the folder of the extension. */
export async function ownPlace(app: App): Promise<Omit<PickedFile, 'name'>> {
  const folder = path.join(app.context.globalStorageUri.fsPath, 'imports');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // Another window may sweep at the same moment.
  await sweep(folder).catch((error: unknown) =>
    app.log.warn('Old imports were not removed.', error),
  );
  const place = path.join(folder, randomUUID());
  return { path: place, release: () => rm(place, { force: true }) };
}

/** What is not on the disk of this machine is written down for as long as it is needed. */
export async function keptFile(app: App, name: string, bytes: Uint8Array): Promise<PickedFile> {
  const place = await ownPlace(app);
  await writeFile(place.path, bytes, { mode: 0o600 });
  return { name, ...place };
}

/** Nobody may know how to read from there, the file may be gone, or closed to us. */
async function reading<Value>(name: string, value: Thenable<Value>): Promise<Value> {
  try {
    return await value;
  } catch (cause) {
    throw notRead(name, cause);
  }
}

const notRead = (name: string, cause?: unknown): ValidationError =>
  new ValidationError(vscode.l10n.t("{0} can't be read.", name), {
    hint: vscode.l10n.t('Save it on this machine, and import it from there.'),
    cause,
  });

export async function fileAt(app: App, uri: vscode.Uri): Promise<PickedFile> {
  const name = path.posix.basename(uri.path);
  // VS Code would fetch it: nothing is asked of the network for a link that was dropped.
  if (/^https?$/i.test(uri.scheme)) throw notRead(name);
  const { type } = await reading(name, vscode.workspace.fs.stat(uri));
  if ((type & vscode.FileType.Directory) !== 0) {
    throw new ValidationError(vscode.l10n.t("{0} is a folder and can't be imported.", name), {
      hint: vscode.l10n.t('Import the files in it.'),
    });
  }
  if (uri.scheme === 'file') return { name, path: uri.fsPath, release: () => Promise.resolve() };
  return keptFile(app, name, await reading(name, vscode.workspace.fs.readFile(uri)));
}

export async function clipboardFile(app: App): Promise<PickedFile> {
  const text = await vscode.env.clipboard.readText();
  if (text.trim() === '') {
    throw new ValidationError(vscode.l10n.t('The clipboard has no text.'), {
      hint: vscode.l10n.t('Copy rows from a spreadsheet, or CSV, TSV or JSON as text.'),
    });
  }
  return keptFile(app, vscode.l10n.t('Clipboard'), Buffer.from(text));
}
