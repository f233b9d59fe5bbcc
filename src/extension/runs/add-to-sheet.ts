import * as vscode from 'vscode';
import { addRows } from '../ask/add-rows.ts';
import type { App } from '../shell/app.ts';
import { detailOf, runOf } from './actions.ts';
import { fieldsOf } from './fields.ts';
import type { RunsModel } from './model.ts';

/** A row of a sheet out of what a run was given and has given. */
export async function addToSheet(app: App, model: RunsModel, given: unknown): Promise<void> {
  const title = vscode.l10n.t('Add run to sheet');
  const entry = await runOf(model, given, title);
  const detail = await detailOf(app, entry);
  await addRows(app, {
    ...{ title, fields: fieldsOf(entry, detail) },
    done: (sheet) => vscode.l10n.t('The run of {0} is a row of {1}.', entry.name, sheet),
  });
}
