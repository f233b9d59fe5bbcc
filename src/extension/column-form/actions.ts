import * as vscode from 'vscode';
import type { Column } from '../../api/column.ts';
import { CancelledError } from '../../core/errors.ts';
import type { Client } from '../../core/index.ts';
import type { SheetAddress } from '../shell/address.ts';
import { refOf } from '../shell/address.ts';
import type { App } from '../shell/app.ts';
import type { ColumnPlace } from '../ask/column-places.ts';
import { beforeIdOf, columnsOfSheet, isPlaced, rankBefore } from '../ask/column-places.ts';
import { askTitle } from '../ask/pick.ts';
import { showInformationMessage, showWarningMessage } from '../shell/shown.ts';

export interface ColumnTarget {
  readonly address: SheetAddress;
  readonly column: Column;
}

interface Opened {
  readonly client: Client;
  readonly columns: readonly Column[];
}

async function open(app: App, address: SheetAddress): Promise<Opened> {
  const { signal } = app;
  const client = await app.connections.client(address.connectionId, { signal });
  return { client, columns: await columnsOfSheet(client, refOf(address), signal) };
}

function tell(app: App, address: SheetAddress): void {
  app.changes.tell({ ...refOf(address), connectionId: address.connectionId, what: 'columns' });
}

/** Makes a column, beside another one where the service lets it be chosen. */
export async function createColumn(
  app: App,
  address: SheetAddress,
  draft: Pick<Column, 'title' | 'type' | 'config' | 'dependencies'>,
  place: ColumnPlace | undefined,
): Promise<void> {
  const { client, columns } = await open(app, address);
  const rank = place && rankBefore(columns, beforeIdOf(columns, place));
  const { title, type, config, dependencies } = draft;
  const body = {
    ...{ title, type, config },
    ...(dependencies && { dependencies }),
    ...(rank !== undefined && { position_rank: rank }),
  };
  const ref = refOf(address);
  const made = await client.tables.columns.create(ref, body, { signal: app.signal });
  tell(app, address);
  if (place !== undefined && !isPlaced(made.column, rank)) {
    void showInformationMessage(
      vscode.l10n.t(
        'The column {0} was added at the end: this service sets the position of new columns.',
        title,
      ),
    );
  }
}

function freeTitle(title: string, columns: readonly Column[]): string {
  const taken = new Set(columns.map((column) => column.title));
  for (let copy = 1; ; copy += 1) {
    const free =
      copy === 1
        ? vscode.l10n.t('{0} (copy)', title)
        : vscode.l10n.t('{0} (copy {1})', title, copy);
    if (!taken.has(free)) return free;
  }
}

/** The same type and configuration; its cells are the new column's own, and begin empty or stale. */
export async function duplicateColumn(app: App, { address, column }: ColumnTarget): Promise<void> {
  const { columns } = await open(app, address);
  const title = freeTitle(column.title, columns);
  const place = { columnId: column.id, side: 'right' } as const;
  await createColumn(app, address, { ...column, title }, place);
}

export async function renameColumn(app: App, { address, column }: ColumnTarget): Promise<void> {
  const title = await askTitle(vscode.l10n.t('Rename the column {0}', column.title), column.title);
  if (title === column.title) return;
  const { signal } = app;
  const client = await app.connections.client(address.connectionId, { signal });
  await client.tables.columns.update(refOf(address), column.id, { title }, { signal });
  tell(app, address);
}

/** Asks first, and names what is computed from the column. */
export async function deleteColumn(app: App, { address, column }: ColumnTarget): Promise<void> {
  const { client, columns } = await open(app, address);
  const dependants = columns.filter(({ dependencies }) =>
    dependencies?.some(({ column_id: id }) => id === column.id),
  );
  const action = vscode.l10n.t('Delete');
  const workspace = app.connections.get(address.connectionId)?.name ?? address.connectionId;
  const titles = dependants.map(({ title }) => title).join(', ');
  const detail = [
    vscode.l10n.t('Its cells are deleted.'),
    dependants.length === 0
      ? vscode.l10n.t('No other column is computed from it.')
      : vscode.l10n.t(
          'Columns computed from it, which become stale or fail without it: {0}.',
          titles,
        ),
    vscode.l10n.t('Workspace: {0}', workspace),
  ].join('\n');
  const question = vscode.l10n.t('Delete the column {0}?', column.title);
  const choice = await showWarningMessage(question, { modal: true, detail }, action);
  if (choice !== action) throw new CancelledError('The question was answered with no.');
  await client.tables.columns.delete(refOf(address), column.id, { signal: app.signal });
  tell(app, address);
}
