import { t, spellNumber } from '../../common/language.ts';
import { attempt, type ActionParts } from './action-parts.ts';
import type { GridActions } from './grid-actions.ts';

type RowActions = Pick<GridActions, 'addRow' | 'deleteRows' | 'goToRow'>;

export function rowActions(parts: ActionParts): RowActions {
  const { host, model, cursor, banners, announcer } = parts;

  async function addRow(): Promise<void> {
    const added = await attempt(parts, host.ask('addRows', { count: 1 }));
    if (added === undefined) return;
    if (model.sheet.view !== null) {
      const message = t('A row was added at the end of the sheet; the filter hides it.');
      banners.notify('info', { message });
      return;
    }
    model.rowCount = added.rowCount;
    const row = model.sheet.order === 'asc' ? Math.max(0, added.rowCount - 1) : 0;
    const column = model.shown.findIndex((shown) => shown.column.editable);
    cursor.goTo({ row, column: Math.max(0, column) });
    cursor.focus();
    announcer.say(t('Row {0} added', row + 1));
  }

  async function deleteRows(): Promise<void> {
    const { rows } = model.selection;
    if (rows.length === 0) return;
    const done = await attempt(parts, host.ask('deleteRows', { rows }));
    if (done === undefined || done.deleted === 0) return;
    const { deleted, left = 0 } = done;
    const message =
      deleted === 1 ? t('Deleted 1 row.') : t('Deleted {0} rows.', spellNumber(deleted));
    const rest = left === 0 ? '' : ` ${t('Stopped. Rows left: {0}.', spellNumber(left))}`;
    banners.notify('info', { message: `${message}${rest}` });
  }

  return {
    addRow: () => void addRow(),
    deleteRows: () => void deleteRows(),
    goToRow: (asked) => {
      const row = Math.max(0, Math.min(model.rowCount - 1, asked));
      cursor.goTo({ row, column: Math.max(0, model.selection.cursor.column) });
      cursor.focus();
    },
  };
}
