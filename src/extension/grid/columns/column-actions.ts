import * as vscode from 'vscode';
import { hasErrorCode } from '../../../core/errors.ts';
import type { Handlers } from '../../../protocol/channel.ts';
import type { WorkRequests } from '../../../protocol/grid-work.ts';
import type { SheetAddress } from '../../shell/address.ts';
import { refOf } from '../../shell/address.ts';
import type { App } from '../../shell/app.ts';
import { columnsOfSheet, isPlaced, rankBefore } from '../../ask/column-places.ts';
import { runCommand } from '../../shell/commands.ts';

const commandOf = {
  edit: 'promptTables.editColumn',
  duplicate: 'promptTables.duplicateColumn',
  rename: 'promptTables.renameColumn',
  delete: 'promptTables.deleteColumn',
  compare: 'promptTables.compareColumns',
} as const;

/** Columns made, changed and moved from a grid: the work of commands that the tree has as well. */
export function columnHandlers(
  app: App,
  address: SheetAddress,
): Pick<Handlers<WorkRequests>, 'columnAction' | 'moveColumn'> {
  const sheet = { ...refOf(address), connectionId: address.connectionId };
  /** Moves are made one after the other: each is counted from where the one before it has led. */
  let line: Promise<unknown> = Promise.resolve();

  async function move(
    { columnId, beforeId }: WorkRequests['moveColumn']['params'],
    signal: AbortSignal,
  ): Promise<WorkRequests['moveColumn']['result']> {
    const client = await app.connections.client(address.connectionId, { signal });
    const ref = refOf(address);
    const columns = await columnsOfSheet(client, ref, signal);
    const others = columns.filter(({ id }) => id !== columnId);
    const rank = rankBefore(others, beforeId);
    if (rank !== undefined) {
      try {
        const body = { position_rank: rank };
        const { column } = await client.tables.columns.update(ref, columnId, body, { signal });
        if (isPlaced(column, rank)) {
          app.changes.tell({ ...sheet, what: 'columns' });
          return { kept: true, message: '' };
        }
      } catch (error) {
        // A service that knows no ranks may refuse them.
        if (!hasErrorCode(error, 'validation')) throw error;
      }
    }
    const message = vscode.l10n.t(
      'This service keeps its own order of columns: the column has moved on this screen only.',
    );
    return { kept: false, message };
  }

  return {
    columnAction: async ({ action, columnId }) => {
      if (action === 'addLeft' || action === 'addRight') {
        const side = action === 'addLeft' ? 'left' : 'right';
        await runCommand('promptTables.addColumn', { ...sheet, place: { columnId, side } });
      } else await runCommand(commandOf[action], { ...sheet, columnId });
      return null;
    },
    moveColumn: async (params, signal) => {
      const moved = line.then(() => move(params, signal));
      line = moved.catch(() => undefined);
      return moved;
    },
  };
}
