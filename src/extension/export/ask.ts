import path from 'node:path';
import * as vscode from 'vscode';
import { CancelledError } from '../../core/errors.ts';
import type { App } from '../shell/app.ts';
import type { FileKind } from './formats.ts';
import { presentationOf, separatorOf } from './formats.ts';
import { plainFileName } from '../shell/plain-text.ts';
import { showQuickPick } from '../shell/questions.ts';
import { showSaveDialog } from '../shell/shown.ts';

type OptionName = 'guard' | 'mark' | 'states' | 'system' | 'shown' | 'rows';
export type FileOptions = Readonly<Record<OptionName, boolean>>;

const dismissed = (): CancelledError => new CancelledError('The question was dismissed.');

export async function askKind(title: string, kinds: readonly FileKind[]): Promise<FileKind> {
  const items = kinds.map((kind) => {
    const { label, description } = presentationOf(kind);
    return { label, description, fileKind: kind };
  });
  const picked = await showQuickPick(items, { title, matchOnDescription: true });
  if (picked === undefined) throw dismissed();
  return picked.fileKind;
}

interface Offered {
  readonly kind: FileKind;
  /** Columns are hidden in the grid, so that leaving them out is a choice. */
  readonly hasHidden: boolean;
  /** Rows that a filter of the grid leaves; undefined: all rows are shown. */
  readonly shownRows?: number | undefined;
}

function offered(app: App, { kind, hasHidden, shownRows }: Offered) {
  const isSeparated = separatorOf(kind) !== undefined;
  const option = (name: OptionName, label: string, detail: string, picked: boolean) => ({
    ...{ name, label, detail, picked },
  });
  const guard = option(
    'guard',
    vscode.l10n.t('Formula guard'),
    vscode.l10n.t("Adds ' before text that a spreadsheet would run. Off: text is exact."),
    app.settings.get('copy.formulaGuard'),
  );
  const mark = option(
    'mark',
    vscode.l10n.t('Byte order mark'),
    vscode.l10n.t('Marks the file as UTF-8 for older spreadsheets.'),
    false,
  );
  const shown = option(
    'shown',
    vscode.l10n.t('Only columns shown in the grid'),
    vscode.l10n.t('Hidden columns are left out; the order is that of the grid.'),
    true,
  );
  const rows = option(
    'rows',
    vscode.l10n.t('Only rows shown in the grid'),
    shownRows === 1
      ? vscode.l10n.t('1 row that matches the filter. Off: all rows of the sheet.')
      : vscode.l10n.t(
          '{0} rows that match the filter, in the order of the sheet. Off: all rows of the sheet.',
          shownRows ?? 0,
        ),
    true,
  );
  return [
    ...(shownRows === undefined ? [] : [rows]),
    ...(isSeparated ? [guard, mark] : []),
    ...(hasHidden ? [shown] : []),
    option(
      'states',
      vscode.l10n.t('Status and error of each cell'),
      vscode.l10n.t('Distinguishes failed cells from cells that never ran.'),
      false,
    ),
    option(
      'system',
      vscode.l10n.t('Cost and latency columns'),
      vscode.l10n.t('The columns that the service adds for prompt columns.'),
      false,
    ),
  ];
}

export async function askOptions(app: App, title: string, what: Offered): Promise<FileOptions> {
  const picked = await showQuickPick(offered(app, what), {
    title,
    canPickMany: true,
    placeHolder: vscode.l10n.t('Select what to include, then press Enter'),
  });
  if (picked === undefined) throw dismissed();
  const names = new Set(picked.map(({ name }) => name));
  return {
    guard: names.has('guard'),
    mark: names.has('mark'),
    states: names.has('states'),
    system: names.has('system'),
    shown: names.has('shown'),
    rows: names.has('rows'),
  };
}

/** `My: sheet` -> `My- sheet.csv`. */
export const fileNameOf = (title: string, kind: FileKind): string => {
  const name = plainFileName(title, 100);
  return `${name || 'sheet'}.${presentationOf(kind).extension}`;
};

export async function askFile(title: string, name: string, kind: FileKind): Promise<vscode.Uri> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const { label, extension } = presentationOf(kind);
  const chosen = await showSaveDialog({
    title,
    filters: { [label]: [extension] },
    defaultUri:
      folder === undefined
        ? vscode.Uri.file(path.resolve(name))
        : vscode.Uri.joinPath(folder, name),
  });
  if (chosen === undefined) throw dismissed();
  return chosen;
}
