import * as vscode from 'vscode';
import * as z from 'zod';
import type { App } from '../shell/app.ts';
import { registerCommand } from '../shell/commands.ts';
import { comparePanelId } from '../contributions.ts';
import { pickColumn, pickSheet } from '../ask/pick.ts';
import { restorePanels } from '../panels/panel-host.ts';
import { targetOf } from '../ask/targets.ts';
import { lazy } from '../shell/lazy.ts';

const Named = lazy(() => z.looseObject({ columnId: z.string() }));
const Restored = lazy(() =>
  z.object({
    target: z.object({
      connectionId: z.string(),
      tableId: z.string(),
      sheetId: z.string(),
      leftId: z.string(),
      rightId: z.string(),
    }),
  }),
);

/** Two columns of a sheet side by side. */
export function registerComparison(app: App): vscode.Disposable {
  return vscode.Disposable.from(
    registerCommand(app, 'promptTables.compareColumns', async (given) => {
      const title = vscode.l10n.t('Compare columns');
      const target = targetOf(app, given);
      const picked = target ?? (await pickSheet(app, title));
      const { connectionId, tableId, sheetId } = picked;
      const address = { connectionId, tableId, sheetId };
      const named = Named().safeParse(target);
      const leftId = named.success
        ? named.data.columnId
        : (await pickColumn(app, vscode.l10n.t('Left column'), address, () => true)).id;
      const right = vscode.l10n.t('Right column');
      const isOther = ({ id }: { readonly id: string }): boolean => id !== leftId;
      const { id: rightId } = await pickColumn(app, right, address, isOther);
      const { openComparison } = await import('../grid-parts.ts');
      openComparison(app, { ...address, leftId, rightId });
    }),
    restorePanels(comparePanelId, Restored, async (panel, { target }) => {
      const { openComparison } = await import('../grid-parts.ts');
      openComparison(app, target, panel);
      return true;
    }),
  );
}
