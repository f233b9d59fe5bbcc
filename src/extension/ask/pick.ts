import * as vscode from 'vscode';
import type { Column } from '../../api/column.ts';
import type { Sheet, Table } from '../../api/table.ts';
import type { SheetVersion } from '../../api/version.ts';
import type { Client } from '../../core/index.ts';
import { CancelledError, ConfigurationError } from '../../core/errors.ts';
import { spellDate } from '../shell/amounts.ts';
import type { SheetAddress } from '../shell/address.ts';
import { isSheetAddress, refOf } from '../shell/address.ts';
import type { App } from '../shell/app.ts';
import type { Connection } from '../connections/connections.ts';
import type { OpenSheet } from '../shell/open-sheets.ts';
import { showInputBox } from '../shell/questions.ts';
import { askOnce, StepBox, type Choice } from './step-box.ts';

/** The workspace in use, for commands that were not given an item. */
export function currentConnection(app: App): Connection {
  const { current } = app.connections;
  if (current !== undefined) return current;
  throw new ConfigurationError(vscode.l10n.t('No workspace is in use.'), {
    hint: vscode.l10n.t('Use the local workspace or connect to PromptLayer first.'),
  });
}

/** The workspace that is named, else the one in use. */
export const connectionFor = (app: App, id: string | undefined): Connection =>
  (id === undefined ? undefined : app.connections.get(id)) ?? currentConnection(app);

const tablesOf = (connection: Connection, client: Client, signal: AbortSignal): Choice<Table> => ({
  items: client.tables.list({ limit: 100 }, { signal }),
  show: (item) => ({ label: item.title, iconPath: new vscode.ThemeIcon('folder') }),
  placeholder: vscode.l10n.t('Table of {0}', connection.name),
  nothing: vscode.l10n.t('{0} has no tables.', connection.name),
});

/** A table of the workspace in use, or of the one that is named. */
export async function pickTable(
  app: App,
  title: string,
  connectionId?: string,
): Promise<Table & { connectionId: string }> {
  const connection = connectionFor(app, connectionId);
  const client = await app.connections.client(connection.id, { signal: app.signal });
  const table = await askOnce(title, tablesOf(connection, client, app.signal));
  return { ...table, connectionId: connection.id };
}

interface SheetQuestion {
  /** The workspace in use when left out. */
  readonly connectionId?: string;
  /** Asks for one that is not open: the open one is not offered first. */
  readonly isNew?: boolean;
}

type Place =
  | { readonly kind: 'open'; readonly sheet: OpenSheet }
  | { readonly kind: 'table'; readonly table: Table };

/** Tables, and before them the sheet that an editor tab shows: one answer instead of two. */
function placesOf(
  open: OpenSheet | undefined,
  { name }: Connection,
  tables: Choice<Table>,
): Choice<Place> {
  const placeholder =
    open === undefined
      ? {}
      : { placeholder: vscode.l10n.t('The open sheet, or a table of {0}', name) };
  async function* items(): AsyncGenerator<Place, void> {
    if (open !== undefined) yield { kind: 'open', sheet: open };
    for await (const table of tables.items) yield { kind: 'table', table };
  }
  const show = (place: Place): vscode.QuickPickItem =>
    place.kind === 'table'
      ? tables.show(place.table)
      : {
          label: place.sheet.title,
          description: vscode.l10n.t('{0} · open', place.sheet.tableTitle),
          iconPath: new vscode.ThemeIcon('table'),
        };
  return { ...tables, ...placeholder, items: items(), show };
}

export async function pickSheet(
  app: App,
  title: string,
  { connectionId, isNew = false }: SheetQuestion = {},
): Promise<SheetAddress & { readonly sheet: Sheet }> {
  const { signal } = app;
  const connection = connectionFor(app, connectionId);
  const client = await app.connections.client(connection.id, { signal });
  const box = new StepBox(title, 2);
  try {
    for (;;) {
      const open = isNew ? undefined : app.openSheets.latest(connection.id);
      const place = await box.ask(placesOf(open, connection, tablesOf(connection, client, signal)));
      if (place === undefined) continue;
      if (place.kind === 'open') {
        const { address } = place.sheet;
        return { ...address, sheet: await client.tables.sheets.get(refOf(address), { signal }) };
      }
      const { table } = place;
      const sheet = await box.ask<Sheet>(
        {
          items: client.tables.sheets.list(table.id, { limit: 100 }, { signal }),
          show: (item) => ({ label: item.title, iconPath: new vscode.ThemeIcon('table') }),
          placeholder: vscode.l10n.t('Sheet of {0}', table.title),
          nothing: vscode.l10n.t('{0} has no sheets.', table.title),
        },
        2,
      );
      if (sheet === undefined) continue;
      return { connectionId: connection.id, tableId: table.id, sheetId: sheet.id, sheet };
    }
  } finally {
    box.close();
  }
}

export type TitledSheet = SheetAddress & { readonly title: string };

const titleIn = (given: object): string | undefined => {
  const sheet = 'sheet' in given ? given.sheet : undefined;
  const isTitled = typeof sheet === 'object' && sheet !== null && 'title' in sheet;
  return isTitled && typeof sheet.title === 'string' ? sheet.title : undefined;
};

/** The sheet that a menu or other code hands over; asked for when there is none. */
export async function titledSheet(
  app: App,
  given: unknown,
  question: string,
): Promise<TitledSheet> {
  if (!isSheetAddress(given)) {
    const picked = await pickSheet(app, question);
    return { ...picked, title: picked.sheet.title };
  }
  const { connectionId } = given;
  const known = titleIn(given);
  if (known !== undefined) return { ...refOf(given), connectionId, title: known };
  const client = await app.connections.client(connectionId, { signal: app.signal });
  const { title } = await client.tables.sheets.get(refOf(given), { signal: app.signal });
  return { ...refOf(given), connectionId, title };
}

export async function pickColumn(
  app: App,
  title: string,
  address: SheetAddress,
  isOffered: (column: Column) => boolean,
): Promise<Column> {
  const client = await app.connections.client(address.connectionId, { signal: app.signal });
  async function* offered(): AsyncGenerator<Column, void> {
    for await (const column of client.tables.columns.list(
      refOf(address),
      {},
      { signal: app.signal },
    )) {
      if (isOffered(column)) yield column;
    }
  }
  return askOnce(title, {
    items: offered(),
    show: (column) => ({ label: column.title, description: column.type }),
    nothing: vscode.l10n.t("The sheet doesn't have this column."),
  });
}

export async function pickVersion(
  app: App,
  title: string,
  address: SheetAddress,
): Promise<SheetVersion> {
  const client = await app.connections.client(address.connectionId, { signal: app.signal });
  return askOnce(title, {
    items: client.tables.versions.list(refOf(address), {}, { signal: app.signal }),
    show: (version) => ({
      label: version.name ?? vscode.l10n.t('Version {0}', version.version_number),
      description: spellDate(version.created_at ?? ''),
    }),
    nothing: vscode.l10n.t('The sheet has no saved versions.'),
  });
}

export async function askTitle(title: string, value: string): Promise<string> {
  const entered = await showInputBox({
    title,
    value,
    validateInput(text) {
      if (text.trim() === '') return vscode.l10n.t('Enter a title.');
      if (text.trim().length > 255) return vscode.l10n.t('At most 255 characters.');
      return undefined;
    },
  });
  if (entered === undefined) throw new CancelledError('The input was dismissed.');
  return entered.trim();
}
