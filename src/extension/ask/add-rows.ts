import * as vscode from 'vscode';
import { CancelledError } from '../../core/errors.ts';
import type { SheetAddress } from '../shell/address.ts';
import { refOf } from '../shell/address.ts';
import type { App } from '../shell/app.ts';
import { runCommand } from '../shell/commands.ts';
import { showQuickPick } from '../shell/questions.ts';
import { showInformationMessage } from '../shell/shown.ts';
import { columnsOfSheet } from './column-places.ts';
import { pickSheet } from './pick.ts';
import type { SheetField } from './sheet-fields.ts';
import { matched } from './sheet-fields.ts';

/** Rows in one request. */
const mostAtOnce = 100;

/** Texts by the names of the fields; what a row has not is left empty. */
type Row = Readonly<Record<string, string>>;

interface NewRows {
  readonly title: string;
  readonly fields: readonly SheetField[];
  /** Absent: one row with the texts of the fields. */
  readonly rows?: readonly Row[];
  /** Says that it was done. */
  readonly done: (sheet: string) => string;
}

/** Asks for a sheet, and for columns of it that take the fields, and adds rows to it. Errors: CancelledError. */
export async function addRows(
  app: App,
  { title, fields, rows, done }: NewRows,
): Promise<SheetAddress> {
  const address = await pickSheet(app, title);
  const { connectionId, tableId, sheetId } = address;
  const { signal } = app;
  const ref = refOf(address);
  const client = await app.connections.client(connectionId, { signal });
  const columns = await columnsOfSheet(client, ref, signal);
  const items = matched(fields, columns).map((one) => ({
    label: one.field.name,
    description:
      one.column === undefined
        ? vscode.l10n.t('new column {0}', one.title)
        : vscode.l10n.t('into column {0}', one.column.title),
    detail: one.field.text.replaceAll(/\s+/g, ' ').slice(0, 120),
    picked: one.column !== undefined || one.field.isUsual,
    one,
  }));
  const chosen = await showQuickPick(items, { title, canPickMany: true });
  if (chosen === undefined || chosen.length === 0) {
    throw new CancelledError('The choice was dismissed.');
  }
  const ids = new Map<string, string>();
  for (const { one } of chosen) {
    let { column } = one;
    if (column === undefined) {
      const body = { title: one.title, type: 'TEXT' };
      ({ column } = await client.tables.columns.create(ref, body, { signal }));
      app.changes.tell({ connectionId, tableId, sheetId, what: 'columns' });
    }
    ids.set(one.field.name, column.id);
  }
  const texts = rows ?? [Object.fromEntries(fields.map(({ name, text }) => [name, text]))];
  const values = texts.map((row) =>
    Object.fromEntries([...ids].map(([name, id]) => [id, row[name] ?? ''])),
  );
  for (let at = 0; at < values.length; at += mostAtOnce) {
    const some = values.slice(at, at + mostAtOnce);
    await client.tables.rows.add(ref, { count: some.length, values: some }, { signal });
  }
  app.changes.tell({ connectionId, tableId, sheetId, what: 'rows' });
  const open = vscode.l10n.t('Open sheet');
  void showInformationMessage(done(address.sheet.title), open).then((choice) => {
    if (choice === open)
      void runCommand('promptTables.openSheet', { connectionId, tableId, sheetId });
  });
  return address;
}
