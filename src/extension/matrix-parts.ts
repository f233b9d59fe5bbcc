/** What comparisons of many variants need: a file of its own beside the extension's, loaded with the first one. */
import * as vscode from 'vscode';
import { sourceOf } from './prompts/source.ts';
import type { App } from './shell/app.ts';

export { wantedIn } from './matrix/ask-variant.ts';
export { keptMatrices, pruneJournals } from './matrix/journal.ts';
export { MatrixPanel, journalFolder } from './matrix/panel.ts';

/** The workspace that a document belongs to. */
export const connectionOf = async (app: App, uri: vscode.Uri): Promise<string> =>
  (await sourceOf(app, await vscode.workspace.openTextDocument(uri))).connectionId;
