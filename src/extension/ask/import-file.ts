import * as vscode from 'vscode';
import { isCancellation, ServerError, ValidationError } from '../../core/errors.ts';
import type { SheetAddress } from '../shell/address.ts';
import type { App } from '../shell/app.ts';
import type { Client, FileContent, SheetRef } from '../../core/index.ts';
import type { Progress } from '../shell/progress.ts';

export const largestFileBytes = 100 * 1024 * 1024;

export interface FileToImport {
  readonly connectionId: string;
  readonly tableId: string;
  /** Ends in .csv or .json. */
  readonly fileName: string;
  readonly content: FileContent;
  readonly title: string;
}

function refuse({ content, fileName }: FileToImport): void {
  if (content.byteLength === 0) {
    throw new ValidationError(vscode.l10n.t('{0} is empty.', fileName), {
      hint: vscode.l10n.t('The first line must hold the names of the columns.'),
    });
  }
  if (content.byteLength > largestFileBytes) {
    throw new ValidationError(vscode.l10n.t('{0} is larger than 100 MB.', fileName), {
      hint: vscode.l10n.t('Split it into several files.'),
    });
  }
}

/** Makes a new sheet of a file. A sheet that was not filled to its end is taken away again. */
export async function importFile(
  app: App,
  file: FileToImport,
  signal: AbortSignal,
  progress: Progress,
): Promise<SheetAddress> {
  refuse(file);
  const { connectionId, tableId, fileName, content, title } = file;
  const client = await app.connections.client(connectionId, { signal });
  progress.report({ message: vscode.l10n.t('sending {0}', fileName) });
  const upload = { fileName, content, title };
  const started = await client.tables.sheets.createFromFile(tableId, upload, { signal });
  const ref = { tableId, sheetId: started.sheet.id };
  try {
    await followImport(
      client,
      ref,
      { operationId: started.operation_id, fileName },
      signal,
      (state) => report(progress, state),
    );
  } catch (error) {
    // Where only its progress was lost, the import goes on in the service.
    if (error instanceof FailedImport || (isCancellation(error) && !app.signal.aborted))
      await removeHalf(app, { connectionId, ...ref });
    throw error;
  } finally {
    app.changes.tell({ connectionId, tableId, what: 'sheets' });
  }
  return { connectionId, ...ref };
}

/** The service has ended an import without bringing in all rows. */
export class FailedImport extends ServerError {}

/** Waits for the end of an import. Throws FailedImport unless it is complete. */
export async function followImport(
  client: Client,
  { tableId }: SheetRef,
  { operationId, fileName }: { readonly operationId: string; readonly fileName: string },
  signal: AbortSignal,
  tell: (state: ImportState) => void,
): Promise<void> {
  const often = { firstDelayMs: 100, maxDelayMs: 1000, signal };
  for await (const { operation } of client.tables.imports.watch(tableId, operationId, often)) {
    if (operation.status === 'failed' || operation.status === 'cancelled') {
      throw new FailedImport(vscode.l10n.t('{0} could not be imported.', fileName), {
        hint: operation.error_message ?? operation.message ?? undefined,
      });
    }
    tell(operation);
  }
}

interface ImportState {
  readonly progress?: number | null | undefined;
  readonly rows_added?: number | null | undefined;
}

export function report(
  progress: Progress,
  { progress: part, rows_added: rows }: ImportState,
): void {
  // The unit is not published: up to 1 it is a share, above that per cent.
  const percent = typeof part !== 'number' ? undefined : part <= 1 ? part * 100 : part;
  const count = new Intl.NumberFormat(vscode.env.language).format(rows ?? 0);
  progress.report({
    message: vscode.l10n.t('{0} rows', count),
    ...(percent !== undefined && { percent: Math.min(percent, 100) }),
  });
}

/** The import itself cannot be stopped, but its sheet can go. */
export async function removeHalf(app: App, address: SheetAddress): Promise<void> {
  try {
    const client = await app.connections.client(address.connectionId, { signal: app.signal });
    await client.tables.sheets.delete(address, { signal: app.signal });
  } catch (error) {
    app.errors.note(error, 'Removing a sheet whose import has not come to its end');
  }
}
