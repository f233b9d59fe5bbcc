import * as vscode from 'vscode';
import type { SheetAddress } from '../shell/address.ts';
import type { App } from '../shell/app.ts';
import { runCommand } from '../shell/commands.ts';
import type { Progress } from '../shell/progress.ts';
import { withProgress } from '../shell/progress.ts';
import { prepareLibrary } from './library.ts';
import { connectionId, readSample } from './sample.ts';
import { findOrCreateTable, prepareSheets } from './sheets.ts';

async function prepare(app: App, signal: AbortSignal, progress: Progress): Promise<SheetAddress> {
  const folder = vscode.Uri.joinPath(app.context.extensionUri, 'media', 'sample');
  const sample = await readSample(folder);
  progress.report({ message: vscode.l10n.t('starting the local service') });
  const client = await app.connections.client(connectionId, { signal });
  const { tables } = client;
  const tableId = await findOrCreateTable(tables, sample.table, { signal });
  const preparation = { app, folder, tables, tableId, signal, progress };
  const [[first], isLibraryNew] = await Promise.all([
    prepareSheets(preparation, sample.sheets),
    prepareLibrary(client, sample, { signal }),
  ]);
  if (isLibraryNew) {
    await runCommand('promptTables.refreshPrompts');
    await runCommand('promptTables.refreshWorkflows');
  }
  if (first === undefined) throw new Error('The sample has no sheet.');
  return first;
}

/** Imports the shipped file once, then shows its sheet. Calling it again just shows it. */
export class SampleSheet {
  readonly #app: App;
  #preparing: Promise<SheetAddress> | undefined;

  constructor(app: App) {
    this.#app = app;
  }

  async open(): Promise<SheetAddress> {
    await this.#app.connections.use(connectionId);
    const sheet = await (this.#preparing ??= this.#prepare());
    await runCommand('promptTables.openSheet', sheet);
    return sheet;
  }

  /** Two clicks share one import. */
  async #prepare(): Promise<SheetAddress> {
    const title = vscode.l10n.t('Preparing the sample sheet');
    try {
      return await withProgress(this.#app, { title, where: 'notification' }, (signal, progress) =>
        prepare(this.#app, signal, progress),
      );
    } finally {
      this.#preparing = undefined;
    }
  }
}
