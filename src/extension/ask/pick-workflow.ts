import * as vscode from 'vscode';
import type { Client, WorkflowLabel } from '../../core/index.ts';
import { CancelledError, ConfigurationError, hasErrorCode } from '../../core/errors.ts';
import type { PromptChoice } from '../../protocol/run.ts';
import type { App } from '../shell/app.ts';
import { firstOf } from '../shell/first-of.ts';
import { currentConnection } from './pick.ts';
import { offerChoices, versionNumbers } from './pick-prompt.ts';
import type { WorkflowAddress } from '../shell/workflow-address.ts';
import { showQuickPick } from '../shell/questions.ts';

/** More than anybody reads through. */
const mostOffered = 1000;

/** A workflow of the workspace in use. */
export async function pickWorkflow(app: App, title: string): Promise<WorkflowAddress> {
  const connection = currentConnection(app);
  const { signal } = app;
  const offered = async () => {
    const client = await app.connections.client(connection.id, { signal });
    const list = client.workflows.list({ per_page: 100 }, { signal });
    const items = (await firstOf(list, mostOffered)).map(
      ({ name, latest_version_number: version }) => ({
        label: name,
        description: typeof version === 'number' ? vscode.l10n.t('version {0}', version) : '',
        iconPath: new vscode.ThemeIcon('type-hierarchy'),
        name,
      }),
    );
    if (items.length > 0) return items;
    throw new ConfigurationError(vscode.l10n.t('{0} has no workflows.', connection.name), {
      hint: vscode.l10n.t('Create one with the client SDK or the API.'),
    });
  };
  const items = offered();
  const picked = await showQuickPick(items, { title, matchOnDescription: true });
  // A dismissed pick hides a failed list; the list's own error comes first.
  await items;
  if (picked === undefined) throw new CancelledError('The choice was dismissed.');
  return { connectionId: connection.id, workflowName: picked.name };
}

/** A service that has no labels to tell of says so with 404. */
export async function workflowLabels(
  client: Client,
  name: string,
  signal: AbortSignal,
): Promise<readonly WorkflowLabel[]> {
  try {
    return await client.workflows.labels(name, { signal });
  } catch (error) {
    if (hasErrorCode(error, 'not_found')) return [];
    throw error;
  }
}

/** Latest first, then the labels, then the numbers. */
export function pickWorkflowChoice(
  app: App,
  title: string,
  { connectionId, workflowName }: WorkflowAddress,
): Promise<PromptChoice> {
  const { signal } = app;
  const offered = async () => {
    const client = await app.connections.client(connectionId, { signal });
    const [{ version: latest }, labels] = await Promise.all([
      client.workflows.get(workflowName, {}, { signal }),
      workflowLabels(client, workflowName, signal),
    ]);
    return {
      latest,
      labels: labels.map(({ release_label: label, workflow_version_number: version }) => ({
        label,
        version,
      })),
      versions: versionNumbers(latest),
    };
  };
  return offerChoices(title, offered());
}
