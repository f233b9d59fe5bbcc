import * as vscode from 'vscode';
import type { SheetAddress } from '../../shell/address.ts';
import { isSheetAddress, refOf } from '../../shell/address.ts';
import type { App } from '../../shell/app.ts';
import { plainFileName } from '../../shell/plain-text.ts';

const scheme = 'prompt-tables-value';
const extensions = { json: 'json', markdown: 'md', plaintext: 'txt' } as const;
export type ValueLanguage = keyof typeof extensions;

export interface ValueDocument {
  readonly address: SheetAddress;
  readonly cellId: string;
  readonly name: string;
  readonly language: ValueLanguage;
}

/** Everything to read the value again is in the URI, so an editor survives a restart. */
export function valueUri({ address, cellId, name, language }: ValueDocument): vscode.Uri {
  const { connectionId, tableId, sheetId } = address;
  const fileName = plainFileName(name, 100);
  return vscode.Uri.from({
    scheme,
    path: `/${sheetId}/${fileName}.${extensions[language]}`,
    query: JSON.stringify({ connectionId, tableId, sheetId, cellId }),
  });
}

async function read(app: App, uri: vscode.Uri, signal: AbortSignal): Promise<string> {
  const query: unknown = JSON.parse(uri.query);
  if (!isSheetAddress(query) || !('cellId' in query) || typeof query.cellId !== 'string') {
    throw new Error(vscode.l10n.t("This isn't the address of a value: {0}", uri.toString()));
  }
  const client = await app.connections.client(query.connectionId, { signal });
  const cell = await client.tables.cells.get(refOf(query), query.cellId, { signal });
  const { wholeValue } = await import('./cell-detail.ts');
  const { text, json } = wholeValue(cell);
  return uri.path.endsWith('.json') ? (json ?? text) : text;
}

/** Values of cells as read-only documents, so that an editor's tools can be used on them. */
export function registerValues(app: App): vscode.Disposable {
  return vscode.workspace.registerTextDocumentContentProvider(scheme, {
    provideTextDocumentContent: (uri) => read(app, uri, app.signal),
  });
}

export async function openValue(document: ValueDocument): Promise<void> {
  const opened = await vscode.workspace.openTextDocument(valueUri(document));
  await vscode.languages.setTextDocumentLanguage(opened, document.language);
  await vscode.window.showTextDocument(opened, { preview: true });
}
