import path from 'node:path';
import * as vscode from 'vscode';
import type { App } from '../app.ts';
import { ValidationError } from '../../core/errors.ts';
import type { PickedFile } from '../import-parts.ts';
import { currentConnection } from '../pick.ts';
import type { Node } from './nodes.ts';

const parts = () => import('../import-parts.ts');

interface DroppedFile {
  readonly name: string;
  readonly keep: () => Promise<PickedFile>;
}

function urisIn(text: string): readonly vscode.Uri[] {
  return text
    .split(/\r?\n/)
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => vscode.Uri.parse(line, true));
}

/** From the explorer come addresses, from outside come files; both at once name the same ones. */
async function droppedFiles(
  app: App,
  dropped: vscode.DataTransfer,
): Promise<readonly DroppedFile[]> {
  const { fileAt, keptFile } = await parts();
  const uris = urisIn((await dropped.get('text/uri-list')?.asString()) ?? '');
  if (uris.length > 0) {
    return uris.map((uri) => ({
      name: path.posix.basename(uri.path),
      keep: () => fileAt(app, uri),
    }));
  }
  return [...dropped].flatMap(([, item]) => {
    const file = item.asFile();
    if (file === undefined) return [];
    return [{ name: file.name, keep: async () => keptFile(app, file.name, await file.data()) }];
  });
}

/** The table or sheet dropped on; a new table, named after the first file, for the empty space. */
async function targetFor(app: App, target: Node | undefined, firstName: string) {
  if (target !== undefined && 'tableId' in target) {
    const { connectionId, tableId } = target;
    return { connectionId, tableId, ...('sheetId' in target && { sheetId: target.sheetId }) };
  }
  const connection = currentConnection(app);
  const client = await app.connections.client(connection.id, { signal: app.signal });
  const { table } = await client.tables.create(
    { title: (await parts()).titleOfFile(firstName), create_default_sheet: false },
    { signal: app.signal },
  );
  app.changes.tell({ connectionId: connection.id, what: 'tables' });
  return { connectionId: connection.id, tableId: table.id };
}

/** Each has a tab of its own, in which it is looked at first. */
const mostAtOnce = 10;

export async function importDropped(
  app: App,
  target: Node | undefined,
  dropped: vscode.DataTransfer,
): Promise<void> {
  const { canBeImported, openImport } = await parts();
  const files = (await droppedFiles(app, dropped)).filter(({ name }) => canBeImported(name));
  const [first] = files;
  if (first === undefined) {
    throw new ValidationError(vscode.l10n.t("These files can't be imported."), {
      hint: vscode.l10n.t('Drop CSV, TSV, JSON, JSON Lines, Excel (.xlsx) or Parquet files.'),
    });
  }
  if (files.length > mostAtOnce) {
    throw new ValidationError(
      vscode.l10n.t('These are too many files at once: {0}.', files.length),
      {
        hint: vscode.l10n.t('Drop up to {0} at once.', mostAtOnce),
      },
    );
  }
  const place = await targetFor(app, target, first.name);
  for (const { keep } of files) await openImport(app, place, await keep());
}

export class FileDrop implements vscode.TreeDragAndDropController<Node> {
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
