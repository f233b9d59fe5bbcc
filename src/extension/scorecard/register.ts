import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import * as z from 'zod';
import { hasErrorCode } from '../../core/errors.ts';
import type { Client, SheetRef } from '../../core/index.ts';
import type { SheetAddress } from '../shell/address.ts';
import { refOf } from '../shell/address.ts';
import type { App } from '../shell/app.ts';
import { columnsOfSheet } from '../ask/column-places.ts';
import { registerCommand } from '../shell/commands.ts';
import { scorecardFormId } from '../contributions.ts';
import { titledSheet } from '../ask/pick.ts';
import { restorePanels } from '../panels/panel-host.ts';
import { formComesBack } from '../column-form/ended-forms.ts';
import { lazy } from '../shell/lazy.ts';

const parts = () => import('../form-parts.ts');

const Restored = lazy(() =>
  z.object({
    target: z.object({
      formId: z.string(),
      connectionId: z.string(),
      tableId: z.string(),
      sheetId: z.string(),
    }),
  }),
);

async function scorecardOf(client: Client, ref: SheetRef, signal: AbortSignal) {
  try {
    return (await client.tables.scorecards.get(ref, { signal })).scorecard ?? null;
  } catch (error) {
    // A message may say that a sheet has none.
    if (hasErrorCode(error, 'not_found')) return null;
    throw error;
  }
}

async function openForm(
  app: App,
  address: SheetAddress,
  { formId = randomUUID(), panel }: { formId?: string; panel?: vscode.WebviewPanel } = {},
): Promise<void> {
  const { signal } = app;
  const ref = refOf(address);
  const client = await app.connections.client(address.connectionId, { signal });
  const [{ openScorecardForm }, sheet, columns, scorecard] = await Promise.all([
    parts(),
    client.tables.sheets.get(ref, { signal }),
    columnsOfSheet(client, ref, signal),
    scorecardOf(client, ref, signal),
  ]);
  openScorecardForm(app, {
    ...{ address, sheet: sheet.title, columns, scorecard, formId, panel },
    openAgain: () => openForm(app, address),
  });
}

/** The scorecard of a sheet, made, changed and deleted from the tree, its score and the palette. */
export function registerScorecardForm(app: App): vscode.Disposable {
  return vscode.Disposable.from(
    registerCommand(app, 'promptTables.editScorecard', async (given) => {
      await openForm(app, await titledSheet(app, given, vscode.l10n.t('Edit scorecard')));
    }),
    registerCommand(app, 'promptTables.deleteScorecard', async (given) => {
      const address = await titledSheet(app, given, vscode.l10n.t('Delete scorecard'));
      const client = await app.connections.client(address.connectionId, { signal: app.signal });
      await (await parts()).deleteScorecard(app, client, address);
    }),
    restorePanels(scorecardFormId, Restored, async (panel, { target }) => {
      const { formId, ...address } = target;
      const again = () => openForm(app, address, { formId, panel });
      return formComesBack(app, formId, again, 'Opening the form of a scorecard again');
    }),
  );
}
