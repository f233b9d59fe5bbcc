import * as vscode from 'vscode';

export const requestScheme = 'prompt-tables-request';

/** Where the document of a logged request is. */
export const requestUri = (connectionId: string, requestId: number): vscode.Uri =>
  vscode.Uri.from({
    scheme: requestScheme,
    path: `/${encodeURIComponent(connectionId)}/Request ${requestId}.md`,
  });

/** Of such a document; undefined when it is none. */
export function requestOf({
  path,
}: vscode.Uri): { readonly connectionId: string; readonly requestId: number } | undefined {
  const [, connection, number] = /^\/([^/]+)\/Request (\d+)\.md$/.exec(path) ?? [];
  if (connection === undefined || number === undefined) return undefined;
  return { connectionId: decodeURIComponent(connection), requestId: Number(number) };
}
