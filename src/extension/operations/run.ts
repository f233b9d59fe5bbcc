import * as vscode from 'vscode';
import type { Column } from '../../api/column.ts';
import type { SheetAddress } from '../shell/address.ts';
import { isSheetAddress, refOf } from '../shell/address.ts';
import type { App } from '../shell/app.ts';
import { CancelledError } from '../../core/errors.ts';
import { isRun } from '../../core/tables/run-types.ts';
import { pickColumn, pickSheet } from '../ask/pick.ts';
import type { RunOutcome } from '../../protocol/grid.ts';
import { runCells, staleCount } from '../cells/run-cells.ts';
import { doneCount, runningIn } from '../cells/running-cells.ts';
import { cancelledWords } from './cancelled-words.ts';
import type { TrackedOperation } from './operations.ts';
import { showQuickPick } from '../shell/questions.ts';
import { setStatusBarMessage } from '../shell/shown.ts';

/** An item of the tree carries its sheet and what it stands for. */
const isColumnItem = (value: unknown): value is SheetAddress & { readonly column: Column } =>
  isSheetAddress(value) && 'column' in value;
const isOperationItem = (
  value: unknown,
): value is SheetAddress & Pick<TrackedOperation, 'operation'> =>
  isSheetAddress(value) && 'operation' in value;

/** A quiet word in the status bar: nothing went wrong, nothing is to be done. */
function tell(outcome: RunOutcome): RunOutcome {
  if (outcome.outcome === 'nothing') setStatusBarMessage(outcome.message, 5000);
  return outcome;
}

async function askScope(title: string, rowCount: number): Promise<'stale' | 'all'> {
  const count = new Intl.NumberFormat(vscode.env.language).format(rowCount);
  const picked = await showQuickPick(
    [
      {
        label: vscode.l10n.t('Stale cells'),
        description: vscode.l10n.t('up to {0} cells', count),
        detail: vscode.l10n.t('Cells never run, and cells whose inputs have changed.'),
        scope: 'stale' as const,
      },
      {
        label: vscode.l10n.t('All cells'),
        description: vscode.l10n.t('{0} cells', count),
        detail: vscode.l10n.t('Including cells that are up to date.'),
        scope: 'all' as const,
      },
    ],
    { title },
  );
  if (picked === undefined) throw new CancelledError('The choice was dismissed.');
  return picked.scope;
}

export async function runColumn(app: App, argument: unknown, scope: unknown): Promise<RunOutcome> {
  const title = vscode.l10n.t('Run column');
  const given = isColumnItem(argument) ? argument.column : undefined;
  const address = isSheetAddress(argument) ? argument : await pickSheet(app, title);
  const column = given ?? (await pickColumn(app, title, address, ({ type }) => isRun(type)));
  const options = { signal: app.signal };
  const client = await app.connections.client(address.connectionId, options);
  const { row_count: rowCount = 0 } = await client.tables.sheets.get(refOf(address), options);
  const chosen =
    scope === 'stale' || scope === 'all' ? scope : await askScope(column.title, rowCount);
  const isStale = chosen === 'stale';
  return tell(
    await runCells(app, {
      address,
      // No statuses means stale ones, an empty list means all.
      request: { column_ids: [column.id], ...(!isStale && { statuses: [] }) },
      cellCount: rowCount,
      isUpperLimit: isStale,
      subject: column.title,
    }),
  );
}

export async function runStaleCells(app: App, argument: unknown): Promise<RunOutcome> {
  const title = vscode.l10n.t('Run stale cells');
  const address = isSheetAddress(argument) ? argument : await pickSheet(app, title);
  const options = { signal: app.signal };
  const client = await app.connections.client(address.connectionId, options);
  const ref = refOf(address);
  const [sheet, list] = await Promise.all([
    client.tables.sheets.get(ref, options),
    client.tables.operations.list(ref, options),
  ]);
  return tell(
    await runCells(app, {
      address,
      request: {},
      cellCount: staleCount(list),
      isUpperLimit: false,
      subject: sheet.title,
    }),
  );
}

/** Nothing where nothing runs: an operation can end while its menu is open. */
async function chooseRunning(
  app: App,
  sheet?: SheetAddress,
): Promise<TrackedOperation | undefined> {
  const active = sheet === undefined ? app.operations.active : runningIn(app.operations, sheet);
  if (active.length < 2) return active[0];
  const number = new Intl.NumberFormat(vscode.env.language);
  const picked = await showQuickPick(
    active.map((tracked) => ({
      label: vscode.l10n.t('Run of {0} cells', number.format(tracked.operation.cell_count)),
      description: `${number.format(doneCount(tracked.operation))}/${number.format(tracked.operation.cell_count)}`,
      detail: app.connections.get(tracked.address.connectionId)?.name ?? '',
      tracked,
    })),
    { title: vscode.l10n.t('Operation to cancel') },
  );
  if (picked === undefined) throw new CancelledError('The choice was dismissed.');
  return picked.tracked;
}

export interface Cancelled {
  readonly cancelled: number;
}

/**
 * Of the sheet that is given, else of all. Says what became of the cells: those not run yet, and those
 * that were running, go back.
 */
export async function cancelOperation(app: App, argument: unknown): Promise<Cancelled> {
  const chosen = isOperationItem(argument)
    ? { address: argument, operation: argument.operation }
    : await chooseRunning(app, isSheetAddress(argument) ? argument : undefined);
  if (chosen === undefined) {
    setStatusBarMessage(vscode.l10n.t('Nothing is running'), 5000);
    return { cancelled: 0 };
  }
  const { address, operation } = chosen;
  const options = { signal: app.signal };
  const client = await app.connections.client(address.connectionId, options);
  const answer = await client.tables.operations.cancel(
    refOf(address),
    operation.operation_id,
    options,
  );
  const number = new Intl.NumberFormat(vscode.env.language);
  const text = cancelledWords(answer, number, vscode.l10n.t);
  setStatusBarMessage(text, 8000);
  app.changes.tell({ ...refOf(address), connectionId: address.connectionId, what: 'rows' });
  return { cancelled: answer.cancelled_cell_count };
}
