import * as z from 'zod';
import type { SheetAddress } from '../shell/address.ts';
import { isSheetAddress } from '../shell/address.ts';
import type { App } from '../shell/app.ts';
import { lazy } from '../shell/lazy.ts';

/** What the grid puts into `data-vscode-context`. */
const MenuContext = lazy(() => z.object({ columnId: z.string() }));

/**
 * What a command on a sheet or a column is about: the item that a menu or other code hands over, else
 * the sheet in front, with the column that its menu was opened on. Undefined: the command asks.
 */
export function targetOf(app: App, given: unknown): SheetAddress | undefined {
  if (isSheetAddress(given)) return given;
  const front = app.openSheets.inFront();
  if (front === undefined) return undefined;
  const menu = MenuContext().safeParse(given);
  return { ...front.address, ...(menu.success && { columnId: menu.data.columnId }) };
}

/** The same for what is written of a sheet: of the one in front, what is shown. */
export async function exportOf(app: App, given: unknown): Promise<SheetAddress | undefined> {
  const front = isSheetAddress(given) ? undefined : app.openSheets.inFront();
  return front === undefined
    ? targetOf(app, given)
    : { ...front.address, ...(await front.exported()) };
}
