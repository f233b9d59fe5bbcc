import * as vscode from 'vscode';
import { CancelledError } from '../../core/errors.ts';
import { refOf } from '../shell/address.ts';
import type { App } from '../shell/app.ts';
import { columnsOfSheet } from '../ask/column-places.ts';
import { pickSheet } from '../ask/pick.ts';
import { runCommand } from '../shell/commands.ts';
import { detailOf, runOf } from './actions.ts';
import { fieldsOf, matched } from './fields.ts';
import type { RunsModel } from './model.ts';
import { showQuickPick } from '../shell/questions.ts';
import { showInformationMessage } from '../shell/shown.ts';

/** A row of a sheet out of what a run was given and has given. */
export async function addToSheet(app: App, model: RunsModel, given: unknown): Promise<void> {
  const title = vscode.l10n.t('Add run to sheet');
  const entry = await runOf(model, given, title);
  const detail = await detailOf(app, entry);
  const address = await pickSheet(app, title);
  const { connectionId, tableId, sheetId } = address;
  const { signal } = app;
  const ref = refOf(address);
  const client = await app.connections.client(connectionId, { signal });
  const columns = await columnsOfSheet(client, ref, signal);
  const items = matched(fieldsOf(entry, detail), columns).map((one) => ({
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
  const values: Record<string, string> = {};
  for (const { one } of chosen) {
    let { column } = one;
    if (column === undefined) {
      const body = { title: one.title, type: 'TEXT' };
      ({ column } = await client.tables.columns.create(ref, body, { signal }));
      app.changes.tell({ connectionId, tableId, sheetId, what: 'columns' });
    }
    values[column.id] = one.field.text;
  }
  await client.tables.rows.add(ref, { values: [values] }, { signal });
  app.changes.tell({ connectionId, tableId, sheetId, what: 'rows' });
  const open = vscode.l10n.t('Open sheet');
  const text = vscode.l10n.t('The run of {0} is a row of {1}.', entry.name, address.sheet.title);
  void showInformationMessage(text, open).then((choice) => {
    if (choice === open)
      void runCommand('promptTables.openSheet', { connectionId, tableId, sheetId });
  });
}
