import path from 'node:path';
import * as vscode from 'vscode';
import type { App } from '../app.ts';
import { ValidationError } from '../../core/errors.ts';
import { importWithProgress, titleOfFile } from '../import-file.ts';
import { currentConnection } from '../pick.ts';
import { runCommand } from '../commands.ts';
import type { Node } from './nodes.ts';

interface DroppedFile {
  readonly name: string;
  readonly read: () => Thenable<Uint8Array>;
}

function urisIn(text: string): readonly vscode.Uri[] {
  return text
    .split(/\r?\n/)
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => vscode.Uri.parse(line, true));
}

/** From the explorer come addresses, from outside come files; both at once name the same ones. */
async function droppedFiles(dropped: vscode.DataTransfer): Promise<readonly DroppedFile[]> {
  const uris = urisIn((await dropped.get('text/uri-list')?.asString()) ?? '');
  if (uris.length > 0) {
    return uris.map((uri) => ({
      name: path.posix.basename(uri.path),
      read: () => vscode.workspace.fs.readFile(uri),
    }));
  }
  return [...dropped].flatMap(([, item]) => {
    const file = item.asFile();
    return file === undefined ? [] : [{ name: file.name, read: () => file.data() }];
  });
}

/** The table of the item dropped on; a new one, named after the first file, for the empty space. */
async function tableFor(app: App, target: Node | undefined, firstName: string) {
  if (target !== undefined && 'tableId' in target) return target;
  const connection = currentConnection(app);
  const client = await app.connections.client(connection.id, { signal: app.signal });
  const { table } = await client.tables.create(
    { title: titleOfFile(firstName), create_default_sheet: false },
    { signal: app.signal },
  );
  app.changes.tell({ connectionId: connection.id, what: 'tables' });
  return { connectionId: connection.id, tableId: table.id };
}

export async function importDropped(
  app: App,
  target: Node | undefined,
  dropped: vscode.DataTransfer,
): Promise<void> {
  const files = (await droppedFiles(dropped)).filter(({ name }) => /\.csv$/i.test(name));
  const first = files[0];
  if (first === undefined) {
    throw new ValidationError(vscode.l10n.t('Only CSV files can be dropped here.'), {
      hint: vscode.l10n.t('Their names end in .csv.'),
    });
  }
  const { connectionId, tableId } = await tableFor(app, target, first.name);
  for (const { name, read } of files) {
    const content = await read();
    const title = titleOfFile(name);
    const sheet = await importWithProgress(app, {
      connectionId,
      tableId,
      fileName: name,
      content,
      title,
    });
    if (files.length === 1) await runCommand('promptTables.openSheet', sheet);
  }
}

export class CsvDrop implements vscode.TreeDragAndDropController<Node> {
  readonly dragMimeTypes = [];
  readonly dropMimeTypes = ['text/uri-list', 'files'];
  readonly #app: App;

  constructor(app: App) {
    this.#app = app;
  }

  async handleDrop(target: Node | undefined, dropped: vscode.DataTransfer): Promise<void> {
    try {
      await importDropped(this.#app, target, dropped);
    } catch (error) {
      this.#app.errors.show(error, { doing: 'Importing a dropped file' });
    }
  }
}
