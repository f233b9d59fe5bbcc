import * as vscode from 'vscode';
import type { App } from '../shell/app.ts';
import type { CommandId } from '../contributions.ts';
import { showInputBox } from '../shell/questions.ts';

/** An item that does something about a problem. */
export interface Remedy {
  readonly kind: 'action';
  readonly id: string;
  readonly label: string;
  readonly icon: string;
  readonly command: CommandId;
  readonly argument: unknown;
}

/** What can be done when a branch of a view could not be loaded. */
export function remediesOf(
  connectionId: string,
  problem: { readonly id: string },
  retry: CommandId,
): readonly Remedy[] {
  const remedy = (
    name: string,
    label: string,
    icon: string,
    command: CommandId,
    argument?: unknown,
  ): Remedy => ({ kind: 'action', id: `${problem.id}/${name}`, label, icon, command, argument });
  return [
    remedy('retry', vscode.l10n.t('Try again'), 'refresh', retry, problem),
    connectionId === 'local'
      ? remedy(
          'restart',
          vscode.l10n.t('Restart the local service'),
          'debug-restart',
          'promptTables.restartService',
        )
      : remedy('key', vscode.l10n.t('Set the API key'), 'key', 'promptTables.setKey', connectionId),
    remedy('log', vscode.l10n.t('Show the log'), 'output', 'promptTables.showLog'),
  ];
}

/** What was there is better than nothing, as long as it says that it is old. */
export function oldWords(app: App, error: unknown): string {
  const time = new Intl.DateTimeFormat(vscode.env.language, { timeStyle: 'short' }).format();
  return vscode.l10n.t('Not up to date since {0}: {1}', time, app.errors.describe(error).message);
}

/** Whose content a view shows, and which part of it. */
export function describeView<Node>(
  app: App,
  view: vscode.TreeView<Node>,
  {
    filter,
    message,
  }: { readonly filter: string | undefined; readonly message: string | undefined },
): void {
  const name = app.connections.current?.name ?? '';
  // Not in the message: above an empty tree that would take the place of the text on what to do.
  view.description = filter === undefined ? name : vscode.l10n.t('{0}, filter “{1}”', name, filter);
  view.message = message ?? '';
}

export async function askFilter(
  model: { readonly filter: string | undefined; restart(filter?: string): void },
  title: string,
  prompt: string,
): Promise<void> {
  const value = model.filter ?? '';
  const entered = await showInputBox({ title, value, prompt });
  if (entered === undefined) return;
  model.restart(entered.trim() === '' ? undefined : entered.trim());
}
