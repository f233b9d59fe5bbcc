import * as vscode from 'vscode';
import { refOf } from '../shell/address.ts';
import type { App } from '../shell/app.ts';
import { runCommand } from '../shell/commands.ts';
import { CancelledError } from '../../core/errors.ts';
import { askTitle, currentConnection, pickTable, pickVersion, titledSheet } from '../ask/pick.ts';
import { withProgress } from '../shell/progress.ts';
import { nodeOf } from './nodes.ts';
import { showWarningMessage } from '../shell/shown.ts';

interface TableAddress {
  readonly connectionId: string;
  readonly tableId: string;
  readonly title: string;
}

async function tableOf(app: App, argument: unknown, question: string): Promise<TableAddress> {
  const node = nodeOf(argument, 'table');
  if (node !== undefined) return { ...node, title: node.table.title };
  const { id, connectionId, title } = await pickTable(app, question);
  return { connectionId, tableId: id, title };
}

/** Says which workspace it happens in, since more than one may be connected. */
async function confirm(
  app: App,
  connectionId: string,
  question: { readonly message: string; readonly detail: string; readonly action: string },
): Promise<void> {
  const workspace = app.connections.get(connectionId)?.name ?? connectionId;
  const detail = `${question.detail}\n${vscode.l10n.t('Workspace: {0}', workspace)}`;
  const { message, action } = question;
  const choice = await showWarningMessage(message, { modal: true, detail }, action);
  if (choice !== action) throw new CancelledError('The question was answered with no.');
}

/** `work` with the bar over the tree, and a client of the connection. */
async function change<Result>(
  app: App,
  connectionId: string,
  title: string,
  work: (
    tables: Awaited<ReturnType<App['connections']['client']>>['tables'],
    options: { readonly signal: AbortSignal },
  ) => Promise<Result>,
): Promise<Result> {
  return withProgress(app, { title, where: 'view' }, async (signal) => {
    const client = await app.connections.client(connectionId, { signal });
    return work(client.tables, { signal });
  });
}

export async function createTable(app: App): Promise<void> {
  const { id: connectionId } = currentConnection(app);
  const question = vscode.l10n.t('New table');
  const title = await askTitle(question, '');
  await change(app, connectionId, question, (tables, options) => tables.create({ title }, options));
  app.changes.tell({ connectionId, what: 'tables' });
}

export async function renameTable(app: App, argument: unknown): Promise<void> {
  const question = vscode.l10n.t('Rename table');
  const { connectionId, tableId, title: before } = await tableOf(app, argument, question);
  const title = await askTitle(question, before);
  await change(app, connectionId, question, (tables, options) =>
    tables.update(tableId, { title }, options),
  );
  app.changes.tell({ connectionId, what: 'tables' });
}

export async function deleteTable(app: App, argument: unknown): Promise<void> {
  const question = vscode.l10n.t('Delete table');
  const { connectionId, tableId, title } = await tableOf(app, argument, question);
  await confirm(app, connectionId, {
    message: vscode.l10n.t('Delete the table {0} with all its sheets?', title),
    detail: vscode.l10n.t("This can't be undone."),
    action: vscode.l10n.t('Delete'),
  });
  await change(app, connectionId, question, (tables, options) => tables.delete(tableId, options));
  app.changes.tell({ connectionId, what: 'tables' });
}

export async function createSheet(app: App, argument: unknown): Promise<void> {
  const question = vscode.l10n.t('New sheet');
  const { connectionId, tableId } = await tableOf(app, argument, question);
  const title = await askTitle(question, '');
  const sheet = await change(app, connectionId, question, (tables, options) =>
    tables.sheets.create(tableId, { title }, options),
  );
  app.changes.tell({ connectionId, tableId, what: 'sheets' });
  await runCommand('promptTables.openSheet', { connectionId, tableId, sheetId: sheet.id });
}

export async function renameSheet(app: App, argument: unknown): Promise<void> {
  const question = vscode.l10n.t('Rename sheet');
  const sheet = await titledSheet(app, argument, question);
  const title = await askTitle(question, sheet.title);
  const { connectionId } = sheet;
  await change(app, connectionId, question, (tables, options) =>
    tables.sheets.update(refOf(sheet), { title }, options),
  );
  app.changes.tell({ ...refOf(sheet), connectionId, what: 'sheet' });
}

export async function deleteSheet(app: App, argument: unknown): Promise<void> {
  const question = vscode.l10n.t('Delete sheet');
  const sheet = await titledSheet(app, argument, question);
  const { connectionId, tableId } = sheet;
  await confirm(app, connectionId, {
    message: vscode.l10n.t('Delete the sheet {0}?', sheet.title),
    detail: vscode.l10n.t('Its rows, columns and saved versions go with it.'),
    action: vscode.l10n.t('Delete'),
  });
  await change(app, connectionId, question, (tables, options) =>
    tables.sheets.delete(refOf(sheet), options),
  );
  app.changes.tell({ connectionId, tableId, what: 'sheets' });
}

export async function saveVersion(app: App, argument: unknown): Promise<void> {
  const question = vscode.l10n.t('Save version');
  const group = nodeOf(argument, 'versions');
  const sheet = group ?? (await titledSheet(app, argument, question));
  const name = await askTitle(vscode.l10n.t('Name of the version'), '');
  const { connectionId } = sheet;
  await change(app, connectionId, question, (tables, options) =>
    tables.versions.create(refOf(sheet), { name }, options),
  );
  app.changes.tell({ ...refOf(sheet), connectionId, what: 'versions' });
}

export async function restoreVersion(app: App, argument: unknown): Promise<void> {
  const question = vscode.l10n.t('Restore version');
  const node = nodeOf(argument, 'version');
  const sheet = node ?? (await titledSheet(app, argument, question));
  const version = node?.version ?? (await pickVersion(app, question, sheet));
  const { connectionId } = sheet;
  const label = version.name ?? vscode.l10n.t('Version {0}', version.version_number);
  await confirm(app, connectionId, {
    message: vscode.l10n.t('Restore {0}?', label),
    detail: vscode.l10n.t(
      'The sheet goes back to what it was then, as a new version. Later changes stay in the versions saved since.',
    ),
    action: vscode.l10n.t('Restore'),
  });
  await change(app, connectionId, question, (tables, options) =>
    tables.versions.restore(refOf(sheet), version.id, {}, options),
  );
  app.changes.tell({ ...refOf(sheet), connectionId, what: 'sheet' });
}
