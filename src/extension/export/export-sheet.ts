import * as vscode from 'vscode';
import * as z from 'zod';
import type { Column } from '../../api/column.ts';
import { ValidationError } from '../../core/errors.ts';
import type { Client } from '../../core/index.ts';
import { refOf } from '../shell/address.ts';
import type { App } from '../shell/app.ts';
import type { TitledSheet } from '../ask/pick.ts';
import { titledSheet } from '../ask/pick.ts';
import { withProgress } from '../shell/progress.ts';
import type { FileOptions } from './ask.ts';
import { askFile, askKind, askOptions, fileNameOf } from './ask.ts';
import type { FileKind } from './formats.ts';
import { fileKinds } from './formats.ts';
import type { FileRequest } from './pieces.ts';
import { ownPieces, sentPieces } from './pieces.ts';
import { readSheet } from './rows.ts';
import { writeWhole } from './write-file.ts';
import { showInformationMessage } from '../shell/shown.ts';

/** What a menu or a grid hands over beside the address of the sheet. */
const Given = z.object({
  /** Columns shown in the grid, in its order. */
  columnIds: z.array(z.string()).optional(),
  /** Rows that are selected there, by their row index; absent: all. */
  rowIndices: z.array(z.number()).optional(),
  /** Rows that a filter of the grid shows, by their row index; absent: it shows all. */
  shownRows: z.array(z.number()).optional(),
  /** A saved version of the tree. */
  version: z.object({ id: z.string(), name: z.string().nullish() }).optional(),
});
type Given = z.output<typeof Given>;

/** What other code asks for, so that nothing is asked of the user. */
const Answers = z.object({
  kind: z.enum(fileKinds),
  file: z.custom<vscode.Uri>((value) => value instanceof vscode.Uri),
  options: z
    .object({
      guard: z.boolean().default(true),
      mark: z.boolean().default(false),
      states: z.boolean().default(false),
      system: z.boolean().default(false),
      shown: z.boolean().default(true),
      rows: z.boolean().default(false),
    })
    .default({
      ...{ guard: true, mark: false, states: false, system: false, shown: true, rows: false },
    }),
});

interface Settled {
  readonly sheet: TitledSheet;
  readonly given: Given;
  readonly kind: FileKind;
  readonly options: FileOptions;
  readonly file: vscode.Uri;
}

const number = (value: number): string => new Intl.NumberFormat(vscode.env.language).format(value);

async function settle(app: App, argument: unknown, answers: unknown): Promise<Settled> {
  const title = vscode.l10n.t('Export sheet');
  const sheet = await titledSheet(app, argument, title);
  const read = Given.safeParse(argument);
  const given = read.success ? read.data : {};
  const answered = Answers.safeParse(answers);
  if (answered.success) return { sheet, given, ...answered.data };
  const name = given.version?.name ?? undefined;
  const heading = vscode.l10n.t(
    'Export {0}',
    name === undefined ? sheet.title : `${sheet.title} · ${name}`,
  );
  const kinds = given.version === undefined ? fileKinds : sentOnly;
  const kind = await askKind(heading, kinds);
  const hasHidden = given.columnIds !== undefined && given.rowIndices === undefined;
  const shownRows = given.shownRows?.length;
  const options = await askOptions(app, heading, { kind, hasHidden, shownRows });
  const fileName = name === undefined ? sheet.title : `${sheet.title} ${name}`;
  const file = await askFile(heading, fileNameOf(fileName, kind), kind);
  // Of a selection it was chosen already which columns it has.
  const rowIndices = options.rows ? given.shownRows : given.rowIndices;
  return {
    ...{ sheet, kind, file },
    given: { ...given, rowIndices },
    options: { ...options, shown: options.shown || !hasHidden },
  };
}

/** Saved versions are read by the service alone. */
const sentOnly = ['csv', 'json', 'jsonl', 'parquet'] as const;

async function columnsOf(
  client: Client,
  { sheet, given, options }: Settled,
  signal: AbortSignal,
): Promise<readonly Column[]> {
  const query = { include_system_columns: options.system };
  const all: Column[] = [];
  for await (const column of client.tables.columns.list(refOf(sheet), query, { signal })) {
    all.push(column);
  }
  if (given.columnIds === undefined || !options.shown) return all;
  const byId = new Map(all.map((column) => [column.id, column]));
  const shown = given.columnIds.flatMap((id) => byId.get(id) ?? []);
  const chosen = new Set(shown);
  // Requested by name; the grid shows them only on request.
  const system = all.filter((column) => column.is_system === true && !chosen.has(column));
  return [...shown, ...system];
}

/** Asks what the file is to be, and writes it. The file is whole or not there. */
export async function exportSheet(app: App, argument: unknown, answers: unknown): Promise<void> {
  const settled = await settle(app, argument, answers);
  const { sheet, file } = settled;
  const title = vscode.l10n.t('Exporting {0}', sheet.title);
  const notes = await withProgress(app, { title, where: 'notification' }, (signal, progress) =>
    write(app, settled, signal, (message, percent) =>
      progress.report({ message, ...(percent !== undefined && { percent }) }),
    ),
  );
  const open = vscode.l10n.t('Open');
  const done = [vscode.l10n.t('{0} was written.', vscode.workspace.asRelativePath(file)), ...notes];
  void showInformationMessage(done.join(' '), open).then((choice) => {
    if (choice === open) void vscode.commands.executeCommand('vscode.open', file);
  });
}

type Report = (message: string, percent?: number) => void;

/** The remarks to make when it is done. */
async function write(
  app: App,
  settled: Settled,
  signal: AbortSignal,
  report: Report,
): Promise<readonly string[]> {
  const { sheet, given, kind, options, file } = settled;
  const ref = refOf(sheet);
  const client = await app.connections.client(sheet.connectionId, { signal });
  const columns = await columnsOf(client, settled, signal);
  if (columns.length === 0) {
    throw new ValidationError(vscode.l10n.t('{0} has no columns to export.', sheet.title), {
      hint: vscode.l10n.t('Add a column, or show one that is hidden.'),
    });
  }
  const { row_count: sheetRows } = await client.tables.sheets.get(ref, { signal });
  const total = given.rowIndices?.length ?? (given.version === undefined ? sheetRows : undefined);
  const fileRequest: FileRequest = {
    ...{ kind, options, columns },
    isEveryColumn: given.columnIds === undefined || !options.shown,
    sheetTitle: sheet.title,
    versionId: given.version?.id,
  };
  // Types of Parquet are found by reading the sheet once before.
  const passes = kind === 'parquet' ? 2 : 1;
  let pass = 0;
  let rows = 0;
  const seen = { cut: 0, isChanged: false };
  const onRows = (read: number): void => {
    if (read <= rows) pass += 1;
    rows = read;
    const share = total === undefined || total === 0 ? undefined : (pass + rows / total) / passes;
    report(rowsText(rows, total), share === undefined ? undefined : Math.min(1, share) * 100);
  };
  const sent =
    given.rowIndices === undefined
      ? await sentPieces(client, ref, fileRequest, { signal, onRows })
      : undefined;
  const pages = readSheet({
    ...{ client, ref, columns, signal, onRows },
    rowIndices: given.rowIndices === undefined ? undefined : new Set(given.rowIndices),
    withSystem: options.system,
    onChanged: () => (seen.isChanged = true),
    t: vscode.l10n.t,
  });
  const pieces = sent ?? (await ownPieces(fileRequest, pages, () => (seen.cut += 1)));
  await writeWhole(file, pieces, {
    spare: vscode.Uri.joinPath(app.context.globalStorageUri, 'exports'),
    onBytes: (bytes) => {
      signal.throwIfAborted();
      // A file whose rows can't be counted from outside.
      if (rows === 0 && sent !== undefined) report(bytesText(bytes));
    },
  });
  return [
    ...(seen.isChanged
      ? [vscode.l10n.t('The sheet changed during the export; the file may mix two versions.')]
      : []),
    ...(seen.cut > 0
      ? [
          vscode.l10n.t(
            '{0} values were shortened to the length that an Excel cell can have.',
            number(seen.cut),
          ),
        ]
      : []),
  ];
}

const rowsText = (rows: number, total: number | undefined): string =>
  total === undefined
    ? vscode.l10n.t('{0} rows', number(rows))
    : vscode.l10n.t('{0} of {1} rows', number(rows), number(total));

const bytesText = (bytes: number): string =>
  vscode.l10n.t('{0} MB', number(Math.round(bytes / 100_000) / 10));
