import * as vscode from 'vscode';
import * as z from 'zod';
import type { App } from '../shell/app.ts';
import { Choice } from '../shell/choice-schema.ts';
import { laidOut } from '../panels/laid-out.ts';
import { plainFileName } from '../shell/plain-text.ts';
import { versionOf } from '../shell/prompt-address.ts';
import type { WorkflowAddress } from '../shell/workflow-address.ts';
import { lazy } from '../shell/lazy.ts';

const scheme = 'prompt-tables-workflow-definition';

const Query = lazy(() =>
  z.object({
    connectionId: z.string(),
    workflowName: z.string(),
    choice: Choice.optional(),
  }),
);

/** Everything to read the workflow again is in the URI, so an editor survives a restart. */
function uriOf({ connectionId, workflowName, choice }: WorkflowAddress): vscode.Uri {
  const { version, label } = versionOf(choice);
  const suffix = version === undefined ? (label ?? '') : `v${version}`;
  const name = `${workflowName}${suffix === '' ? '' : ` · ${suffix}`}`;
  const fileName = plainFileName(name, 120);
  const query = JSON.stringify({ connectionId, workflowName, choice });
  return vscode.Uri.from({ scheme, path: `/${fileName}.json`, query });
}

async function read(app: App, uri: vscode.Uri): Promise<string> {
  const { connectionId, workflowName, choice } = Query().parse(JSON.parse(uri.query));
  const { signal } = app;
  const client = await app.connections.client(connectionId, { signal });
  return laidOut(await client.workflows.get(workflowName, versionOf(choice), { signal }));
}

/** Definitions of workflows as read-only JSON documents. */
export const registerWorkflowDocuments = (app: App): vscode.Disposable =>
  vscode.workspace.registerTextDocumentContentProvider(scheme, {
    provideTextDocumentContent: (uri) => read(app, uri),
  });

export async function openWorkflowDocument(address: WorkflowAddress): Promise<void> {
  const document = await vscode.workspace.openTextDocument(uriOf(address));
  await vscode.window.showTextDocument(document, { preview: true });
}
