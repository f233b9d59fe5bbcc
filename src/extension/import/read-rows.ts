import * as vscode from 'vscode';
import { ValidationError } from '../../core/errors.ts';
import { parseJsonAsWritten } from '../../core/http/json.ts';
import type { App } from '../shell/app.ts';
import { withProgress } from '../shell/progress.ts';
import { fileAt } from './picked-file.ts';
import { runTask } from './run-task.ts';
import { words, workerPath } from './send.ts';
import type { FirstRows } from './task.ts';
import { faultText } from './words.ts';

export interface FileRows {
  readonly name: string;
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  /** How many there are in all. */
  readonly total: number;
}

/** The first rows of a file as named values. Errors: ValidationError that says what is wrong with it. */
export async function readFileRows(app: App, uri: vscode.Uri, mostRows: number): Promise<FileRows> {
  const { name, path, release } = await fileAt(app, uri);
  const refused = (hint: string): ValidationError =>
    new ValidationError(vscode.l10n.t("{0} can't be read.", name), { hint });
  try {
    const title = vscode.l10n.t('Reading {0}', name);
    return await withProgress(app, { title, where: 'notification' }, async (signal) => {
      let found: FirstRows | undefined;
      const task = { path, name, mostRows, choices: {} };
      const first = (rows: FirstRows): void => void (found = rows);
      const { rows: total, fault } = await runTask(workerPath(app), task, { first }, signal);
      const wrong = fault ?? found?.fault ?? null;
      if (wrong !== null) throw refused(faultText(wrong, words()));
      if (found === undefined || found.fields.length === 0) {
        throw refused(
          vscode.l10n.t(
            'Its encoding or its delimiter is not clear. Import it as a sheet, and use the rows of that.',
          ),
        );
      }
      const { fields, rows } = found;
      return {
        ...{ name, total },
        rows: rows.map(({ values }) =>
          Object.fromEntries(
            fields.flatMap((field, at) => {
              const value = values[at] ?? null;
              return field === null || value === null ? [] : [[field, parseJsonAsWritten(value)]];
            }),
          ),
        ),
      };
    });
  } finally {
    await release();
  }
}
