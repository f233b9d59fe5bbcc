import type * as vscode from 'vscode';
import * as z from 'zod';
import type { App } from '../shell/app.ts';
import { registerCommand, runCommand } from '../shell/commands.ts';
import { DisposableStore } from '../shell/dispose.ts';
import { gridCommands } from '../../protocol/grid-commands.ts';
import type { GridCommand } from '../../protocol/grid-commands.ts';
import { askFor } from './ask.ts';
import type { GridPanel } from './panel.ts';
import { lazy } from '../shell/lazy.ts';

/** What the grid puts into `data-vscode-context`. */
const MenuContext = lazy(() => z.object({ columnId: z.string().optional() }));

/** Commands about the grid in front. */
export function registerGridCommands(
  app: App,
  active: () => GridPanel | undefined,
): vscode.Disposable {
  const own = new DisposableStore();
  for (const command of gridCommands) {
    own.add(
      registerCommand(app, `promptTables.grid.${command}`, async (...args: readonly unknown[]) => {
        const grid = active();
        if (grid !== undefined) await carryOut(grid, command, args[0]);
      }),
    );
  }
  own.add(registerCommand(app, 'promptTables.grid.cancelRun', () => active()?.cancelRunning()));
  own.add(
    registerCommand(app, 'promptTables.grid.reveal', async () => {
      const grid = active();
      if (grid !== undefined) await runCommand('promptTables.revealSheet', grid.address);
    }),
  );
  for (const [command, side] of [
    ['addColumnLeft', 'left'],
    ['addColumnRight', 'right'],
  ] as const) {
    own.add(
      registerCommand(app, `promptTables.grid.${command}`, async (menu) => {
        const grid = active();
        const columnId = MenuContext().safeParse(menu).data?.columnId ?? grid?.cursorColumnId;
        const place = columnId === undefined ? undefined : { columnId, side };
        if (grid !== undefined)
          await runCommand('promptTables.addColumn', { ...grid.address, place });
      }),
    );
  }
  own.add(
    registerCommand(app, 'promptTables.grid.exportSelection', async () => {
      const grid = active();
      if (grid !== undefined)
        await runCommand('promptTables.exportSheet', {
          ...grid.address,
          ...(await grid.selected()),
        });
    }),
  );
  return own;
}

/** Column commands of a context menu carry their column; some commands need something typed first. */
async function carryOut(grid: GridPanel, command: GridCommand, menu: unknown): Promise<void> {
  const context = MenuContext().safeParse(menu);
  const columnId = context.success ? context.data.columnId : undefined;
  await grid.command(command, columnId ?? (await askFor(command, grid)));
}
