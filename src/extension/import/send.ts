import { open, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { isCancellation, ValidationError } from '../../core/errors.ts';
import { jsonItems } from '../../core/imports/json-rows.ts';
import type { ReadChoices } from '../../core/imports/open-file.ts';
import { uploadFormat, type TakenColumn } from '../../core/imports/upload.ts';
import type { Client, SheetRef, StreamedBytes } from '../../core/index.ts';
import { newColumn, noColumn, type ImportRequest } from '../../protocol/import.ts';
import type { SheetAddress } from '../shell/address.ts';
import { refOf } from '../shell/address.ts';
import type { App } from '../shell/app.ts';
import {
  followImport,
  importFile,
  largestFileBytes,
  removeHalf,
  report,
} from '../ask/import-file.ts';
import type { Progress } from '../shell/progress.ts';
import type { SheetColumn } from './look.ts';
import { ownPlace, titleOfFile, type PickedFile } from './picked-file.ts';
import { runTask } from './run-task.ts';
import type { SentFault } from './task.ts';
import { faultText, type Words } from './words.ts';

/** All that is known when somebody says Import. */
export interface SettledImport {
  readonly connectionId: string;
  readonly tableId: string;
  /** Of a sheet that rows are added to, with its columns; null: a new one. */
  readonly sheet: { readonly id: string; readonly columns: readonly SheetColumn[] } | null;
  readonly title: string;
  readonly file: PickedFile;
  readonly choices: ReadChoices;
  /** Separated values: texts, and what has no value. */
  readonly isText: boolean;
  readonly columns: ImportRequest['columns'];
}

/** What is wrong with the file itself. */
export class FileRefused extends ValidationError {}

export const words = (): Words => ({
  t: vscode.l10n.t,
  number: (value) => new Intl.NumberFormat(vscode.env.language).format(value),
});

export const workerPath = (app: App): string =>
  app.context.asAbsolutePath(path.join('dist', 'import-worker.cjs'));

/** Goes with the import, and is read as often as it is sent. */
interface Prepared {
  readonly handle: FileHandle;
  readonly rows: number;
  readonly content: StreamedBytes;
}

async function contentOf(handle: FileHandle): Promise<StreamedBytes> {
  const { size } = await handle.stat();
  return {
    byteLength: size,
    async *pieces() {
      const pieceBytes = 1024 * 1024;
      for (let at = 0; at < size; at += pieceBytes) {
        const piece = Buffer.allocUnsafe(Math.min(pieceBytes, size - at));
        await handle.read(piece, 0, piece.byteLength, at);
        yield piece;
      }
    },
  };
}

/** Reads the file to its end before anything is sent: one that breaks leaves nothing behind. */
async function prepared<Result>(
  app: App,
  { file, choices }: SettledImport,
  importRequest: { readonly format: 'csv' | 'json'; readonly columns: readonly TakenColumn[] },
  { signal, progress }: Running,
  use: (prepared: Prepared) => Promise<Result>,
): Promise<Result> {
  const place = await ownPlace(app);
  try {
    const { t, number } = words();
    const task = {
      ...{ path: file.path, name: file.name, choices },
      write: { ...importRequest, path: place.path, mostBytes: largestFileBytes },
    };
    const count = (rows: number): void =>
      progress.report({ message: t('reading row {0}', number(rows)) });
    const { rows, fault } = await runTask(workerPath(app), task, { count }, signal);
    if (fault !== null) throw refused(file, fault);
    const handle = await open(place.path, 'r');
    try {
      return await use({ handle, rows, content: await contentOf(handle) });
    } finally {
      await handle.close();
    }
  } finally {
    await place.release();
  }
}

export const refused = ({ name }: PickedFile, fault: SentFault): FileRefused =>
  new FileRefused(vscode.l10n.t('{0} could not be imported.', name), {
    hint: faultText(fault, words()),
  });

interface Running {
  readonly signal: AbortSignal;
  readonly progress: Progress;
}

/** Carries out an import: all of its rows are in the sheet then, or none. */
export async function carryOut(
  app: App,
  settled: SettledImport,
  running: Running,
): Promise<SheetAddress> {
  return settled.sheet === null
    ? makeSheet(app, settled, running)
    : fillSheet(app, settled, settled.sheet, running);
}

const takenOf = ({
  columns,
}: SettledImport): readonly (TakenColumn & { readonly goal: string })[] =>
  columns.flatMap(({ from, title, goal }) =>
    goal === noColumn ? [] : [{ from, title: title.trim(), goal }],
  );

async function makeSheet(
  app: App,
  settled: SettledImport,
  running: Running,
): Promise<SheetAddress> {
  const { connectionId, tableId, title, isText } = settled;
  const columns = takenOf(settled);
  const format = uploadFormat(isText, columns);
  const make = (content: Uint8Array | StreamedBytes, ending: string): Promise<SheetAddress> => {
    const upload = {
      connectionId,
      tableId,
      title,
      content,
      fileName: `${titleOfFile(settled.file.name)}.${ending}`,
    };
    return importFile(app, upload, running.signal, running.progress);
  };
  // Without rows a list of objects has no titles.
  const header = new TextEncoder().encode(headerLine(columns));
  if (format !== undefined) {
    return prepared(app, settled, { format, columns }, running, ({ rows, content }) =>
      rows === 0 ? make(header, 'csv') : make(content, format),
    );
  }
  const places = columns.map((column, at) => ({ ...column, title: placeName(at) }));
  return prepared(app, settled, { format: 'json', columns: places }, running, async (file) => {
    const address = await make(header, 'csv');
    try {
      const client = await app.connections.client(connectionId, running);
      const made = await columnsOf(client, refOf(address), running.signal);
      const ids = columns.map((column) => made.find((one) => one.title === column.title)?.id ?? '');
      await addRows(app, address, file, { ids, ...running });
    } catch (error) {
      await removeHalf(app, address);
      throw error;
    }
    return address;
  });
}

const headerLine = (columns: readonly TakenColumn[]): string =>
  `${columns.map((column) => `"${column.title.replaceAll('"', '""')}"`).join(',')}\n`;

async function columnsOf(client: Client, ref: SheetRef, signal: AbortSignal) {
  const columns: SheetColumn[] = [];
  for await (const column of client.tables.columns.list(ref, {}, { signal })) columns.push(column);
  return columns;
}

async function fillSheet(
  app: App,
  settled: SettledImport,
  sheet: { readonly id: string; readonly columns: readonly SheetColumn[] },
  running: Running,
): Promise<SheetAddress> {
  const { connectionId, tableId } = settled;
  const address = { connectionId, tableId, sheetId: sheet.id };
  const taken = takenOf(settled);
  const titleOf = (id: string) => sheet.columns.find((column) => column.id === id)?.title;
  const named = taken.map((column) => ({ ...column, title: titleOf(column.goal) ?? column.title }));
  // A file names columns by their titles: those must say which is meant.
  const isPlain =
    uploadFormat(settled.isText, named) === 'csv' &&
    named.every(
      ({ title }) =>
        title === title.trim() && sheet.columns.filter((one) => one.title === title).length <= 1,
    );
  try {
    if (isPlain) {
      const importRequest = { format: 'csv', columns: named } as const;
      await prepared(app, settled, importRequest, running, ({ content }) =>
        sendFile(app, address, { content, fileName: settled.file.name }, running),
      );
    } else {
      const columns = taken.map((column, at) => ({ ...column, title: placeName(at) }));
      await prepared(app, settled, { format: 'json', columns }, running, (file) =>
        sendRows(app, address, file, { taken, running }),
      );
    }
  } finally {
    app.changes.tell({ ...address, what: 'columns' });
    app.changes.tell({ ...address, what: 'rows' });
  }
  return address;
}

async function sendFile(
  app: App,
  address: SheetAddress,
  { content, fileName }: { readonly content: StreamedBytes; readonly fileName: string },
  { signal, progress }: Running,
): Promise<void> {
  const client = await app.connections.client(address.connectionId, { signal });
  const { imports } = client.tables;
  const started = await imports.file(
    refOf(address),
    { fileName: `${titleOfFile(fileName)}.csv`, content },
    { signal },
  );
  let added = 0;
  try {
    const operation = { operationId: started.operation_id, fileName };
    await followImport(client, address, operation, signal, (state) => {
      added = state.rows_added ?? added;
      report(progress, state);
    });
  } catch (error) {
    if (isCancellation(error) && !app.signal.aborted) {
      const own = { signal: app.signal };
      const ended = await imports.cancel(address.tableId, started.operation_id, own);
      added = ended.rows_added ?? added;
      if (added > 0) throw stays(added);
    }
    throw error;
  }
}

const stays = (rows: number): ValidationError =>
  new ValidationError(
    vscode.l10n.t('The import was canceled. Rows added before: {0}.', words().number(rows)),
  );

/** Of the columns in a list of objects: numbers would change their order. */
const placeName = (at: number): string => `c${String(at)}`;

async function sendRows(
  app: App,
  address: SheetAddress,
  file: Prepared,
  {
    taken,
    running,
  }: {
    readonly taken: readonly (TakenColumn & { readonly goal: string })[];
    readonly running: Running;
  },
): Promise<void> {
  const client = await app.connections.client(address.connectionId, running);
  const { columns } = client.tables;
  const ids: string[] = [];
  const made: string[] = [];
  try {
    for (const { goal, title } of taken) {
      if (goal === newColumn) {
        const body = { title, type: 'TEXT', config: {} } as const;
        const { column } = await columns.create(refOf(address), body, running);
        made.push(column.id);
        ids.push(column.id);
      } else ids.push(goal);
    }
    await addRows(app, address, file, { ids, ...running });
  } catch (error) {
    for (const id of made) {
      await columns.delete(refOf(address), id, { signal: app.signal });
    }
    throw error;
  }
}

const ROWS_AT_ONCE = 100;
const DELETED_AT_ONCE = 10_000;

/** Adds rows with values of every kind. Takes all of them back where one fails. */
async function addRows(
  app: App,
  address: SheetAddress,
  { handle, rows: total }: Prepared,
  { ids, signal, progress }: Running & { readonly ids: readonly string[] },
): Promise<void> {
  const client = await app.connections.client(address.connectionId, { signal });
  const ref = refOf(address);
  const added: number[] = [];
  const send = async (values: Record<string, unknown>[]): Promise<void> => {
    if (values.length === 0) return;
    const { row_indices: indices } = await client.tables.rows.add(ref, { values }, { signal });
    added.push(...(indices ?? []));
    report(progress, { rows_added: added.length, progress: added.length / total });
  };
  try {
    let values: Record<string, unknown>[] = [];
    const text = handle.createReadStream({ encoding: 'utf8', start: 0, autoClose: false });
    for await (const item of jsonItems(text as AsyncIterable<string>)) {
      const row: Record<string, unknown> = {};
      for (const [at, id] of ids.entries()) {
        const value = item[placeName(at)] ?? null;
        if (value !== null) row[id] = value;
      }
      values.push(row);
      if (values.length < ROWS_AT_ONCE) continue;
      await send(values);
      values = [];
    }
    await send(values);
  } catch (error) {
    for (let at = 0; at < added.length; at += DELETED_AT_ONCE) {
      const some = added.slice(at, at + DELETED_AT_ONCE);
      await client.tables.rows.delete(ref, some, { signal: app.signal });
    }
    throw error;
  }
}
