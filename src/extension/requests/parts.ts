import * as vscode from 'vscode';
import type { App } from '../shell/app.ts';
import { requestText } from './document.ts';
import { requestOf } from './request-uri.ts';

export { LogPanel } from './panel.ts';

/** Text of the document of a request. A document cannot show an error of its own but as its text. */
export async function requestDocument(app: App, uri: vscode.Uri): Promise<string> {
  const named = requestOf(uri);
  if (named === undefined) return vscode.l10n.t("This isn't a logged request.");
  const { signal } = app;
  try {
    const client = await app.connections.client(named.connectionId, { signal });
    const detail = await client.requests.get(named.requestId, { signal });
    return requestText(detail, (message, ...args) => vscode.l10n.t(message, ...args));
  } catch (error) {
    app.errors.note(error, 'Opening a logged request');
    const { message, hint } = app.errors.describe(error);
    return [message, hint].filter(Boolean).join('\n\n');
  }
}
