import * as vscode from 'vscode';
import type { SheetAddress } from './address.ts';
import type { App } from './app.ts';
import type { CommandId } from './contributions.ts';
import { isCommandId } from './contributions.ts';

/** Arguments of the commands that other code calls; the rest take what a menu hands them. */
export interface CommandArguments {
  'promptTables.openSheet': readonly [sheet: SheetAddress & { readonly rowIndex?: number }];
  'promptTables.setKey': readonly [connectionId?: string];
  'promptTables.revealSheet': readonly [sheet: SheetAddress];
  'promptTables.refresh': readonly [];
  'promptTables.showLog': readonly [];
}

/** A menu hands over the item it was opened on (and the selected ones), the palette nothing. */
export type ArgumentsOf<Id extends CommandId> = Id extends keyof CommandArguments
  ? Partial<CommandArguments[Id]>
  : readonly unknown[];

/**
 * Registers a command that package.json declares. Failures are shown once, with Retry;
 * cancellations are silent. Dispose the result or give it to `context.subscriptions`.
 */
export function registerCommand<Id extends CommandId>(
  app: App,
  id: Id,
  run: (...args: ArgumentsOf<Id>) => unknown,
): vscode.Disposable {
  if (!isCommandId(id)) throw new Error(`${String(id)} is not declared in contributions.ts`);
  const attempt = async (args: ArgumentsOf<Id>): Promise<unknown> => {
    try {
      return await run(...args);
    } catch (error) {
      app.errors.show(error, { doing: id, retry: () => void attempt(args) });
      return undefined;
    }
  };
  // The one place where VS Code's untyped arguments meet the declared ones.
  return vscode.commands.registerCommand(id, (...args: unknown[]) =>
    attempt(args as unknown as ArgumentsOf<Id>),
  );
}

/** Runs one of our commands; its failure is shown by the command itself. */
export async function runCommand<Id extends CommandId>(
  id: Id,
  ...args: Id extends keyof CommandArguments ? CommandArguments[Id] : readonly unknown[]
): Promise<unknown> {
  return vscode.commands.executeCommand(id, ...args);
}
