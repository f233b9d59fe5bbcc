import * as vscode from 'vscode';
import type { SheetAddress } from './address.ts';
import type { App } from './app.ts';
import type { CommandId } from '../contributions.ts';
import { isCommandId } from '../contributions.ts';

/** What the commands that other code calls take. */
interface CommandArguments {
  'promptTables.openSheet': readonly [sheet: SheetAddress & { readonly rowIndex?: number }];
  'promptTables.setKey': readonly [connectionId?: string];
  'promptTables.revealSheet': readonly [sheet: SheetAddress];
  'promptTables.refresh': readonly [];
  'promptTables.showLog': readonly [];
}

/**
 * Registers a command that package.json declares. A menu hands over the item it was opened on (and
 * the selected ones), the palette nothing, a key or a link whatever it likes: a command looks at what
 * it is given. Failures are shown once, with Retry; cancellations are silent. Dispose the result or
 * give it to `context.subscriptions`.
 */
export function registerCommand(
  app: App,
  id: CommandId,
  run: (...args: readonly unknown[]) => unknown,
): vscode.Disposable {
  if (!isCommandId(id)) throw new Error(`${String(id)} is not declared in contributions.ts`);
  const attempt = async (args: readonly unknown[]): Promise<unknown> => {
    try {
      return await run(...args);
    } catch (error) {
      app.errors.show(error, { doing: id, retry: () => void attempt(args) });
      return undefined;
    }
  };
  return vscode.commands.registerCommand(id, (...args: unknown[]) => attempt(args));
}

/** Runs one of our commands; its failure is shown by the command itself. */
export async function runCommand<Id extends CommandId>(
  id: Id,
  ...args: Id extends keyof CommandArguments ? CommandArguments[Id] : readonly unknown[]
): Promise<unknown> {
  return vscode.commands.executeCommand(id, ...args);
}
