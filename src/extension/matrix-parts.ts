/** What comparisons of many variants need: a file of its own beside the extension's, loaded with the first one. */
import * as vscode from 'vscode';
import { askComparison as askFor } from './matrix/begin.ts';
import { sourceOf } from './prompts/source.ts';
import type { App } from './shell/app.ts';

export { pruneJournals } from './matrix/journal.ts';
export { MatrixPanel, journalFolder } from './matrix/panel.ts';

/** What is to be compared. */
export const askComparison = (app: App, given: unknown): ReturnType<typeof askFor> =>
  askFor(app, given, async (uri) => {
    const document = await vscode.workspace.openTextDocument(uri);
    return (await sourceOf(app, document)).connectionId;
  });
