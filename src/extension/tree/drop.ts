import path from 'node:path';
import * as vscode from 'vscode';
import type { App } from '../shell/app.ts';
import { ValidationError } from '../../core/errors.ts';
import type { PickedFile } from '../import-parts.ts';
import { currentConnection } from '../ask/pick.ts';
import type { Node } from './nodes.ts';

const parts = () => import('../import-parts.ts');

interface DroppedFile {
  readonly name: string;
  /** Absent: there is nothing that could be read. */
  readonly keep?: () => Promise<PickedFile>;
}

/** What is no address has only its text. */
const uriOf = (line: string): vscode.Uri | undefined => {
  try {
    return vscode.Uri.parse(line, true);
  } catch {
    return undefined;
  }
};

/** From the explorer come addresses, from outside come files; both at once name the same ones. */
async function droppedFiles(
  app: App,
  dropped: vscode.DataTransfer,
): Promise<readonly DroppedFile[]> {
  const { fileAt, keptFile } = await parts();
  const text = (await dropped.get('text/uri-list')?.asString()) ?? '';
  const lines = text.split(/\r?\n/).filter((line) => line !== '' && !line.startsWith('#'));
  if (lines.length > 0) {
    return lines.map((line): DroppedFile => {
      const uri = uriOf(line);
      if (uri === undefined) return { name: line };
      return { name: path.posix.basename(uri.path), keep: () => fileAt(app, uri) };
    });
  }
  return [...dropped].flatMap(([, item]): DroppedFile[] => {
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
  const all = await droppedFiles(app, dropped);
  const ours = all.flatMap(({ name, keep }) =>
    keep !== undefined && canBeImported(name) ? [{ name, keep }] : [],
  );
  if (ours.length === 0) {
    throw new ValidationError(vscode.l10n.t("These files can't be imported."), { hint: kinds() });
  }
  if (ours.length > mostAtOnce) {
    throw new ValidationError(
      vscode.l10n.t('These are too many files at once: {0}.', ours.length),
      {
        hint: vscode.l10n.t('Drop up to {0} at once.', mostAtOnce),
      },
    );
  }
  const names = new Set(ours.map(({ name }) => name));
  const others = all.map(({ name }) => name).filter((name) => !names.has(name));
  if (others.length > 0) sayNotImported(app, others);
  const files = await readable(app, ours);
  const [first] = files;
  // Each has said why it can't be read, and no table is made for none.
  if (first === undefined) return;
  try {
    const place = await targetFor(app, target, first.name);
    for (let file = files.shift(); file !== undefined; file = files.shift()) {
      await openImport(app, place, file);
    }
  } finally {
    await Promise.all(files.map(({ release }) => release()));
  }
}

const doing = 'Importing a dropped file';
const kinds = (): string =>
  vscode.l10n.t('Drop CSV, TSV, JSON, JSON Lines, Excel (.xlsx) or Parquet files.');
const mostNamed = 5;

/** Beside others that can be: nobody should take them for imported. */
function sayNotImported(app: App, names: readonly string[]): void {
  const named = names.slice(0, mostNamed).join(', ');
  const message =
    names.length > mostNamed
      ? vscode.l10n.t('Not imported: {0} and {1} more.', named, names.length - mostNamed)
      : vscode.l10n.t('Not imported: {0}.', named);
  app.errors.show(new ValidationError(message, { hint: kinds() }), { doing });
}

async function readable(
  app: App,
  files: readonly { readonly keep: () => Promise<PickedFile> }[],
): Promise<PickedFile[]> {
  const found: PickedFile[] = [];
  for (const { keep } of files) {
    try {
      found.push(await keep());
    } catch (error) {
      app.errors.show(error, { doing });
    }
  }
  return found;
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
      this.#app.errors.show(error, { doing });
    }
  }
}
