import * as vscode from 'vscode';
import type { SheetAddress } from '../shell/address.ts';
import type { App } from '../shell/app.ts';
import { runCommand } from '../shell/commands.ts';
import type { Progress } from '../shell/progress.ts';
import { withProgress } from '../shell/progress.ts';
import { addMissing, missingOf } from './library.ts';
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
  const looking = missingOf(client, sample, { signal });
  // Reported where it is waited for.
  looking.catch(() => undefined);
  const [first] = await prepareSheets(preparation, sample.sheets);
  const missing = await looking;
  if (missing.length > 0) {
    await addMissing(client, sample, missing, { signal });
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
