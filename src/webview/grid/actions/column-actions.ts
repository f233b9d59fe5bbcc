import type { GridLayout } from '../../../protocol/grid-sheet.ts';
import { t } from '../../common/language.ts';
import { neighbour, withMoved, withWidth } from '../columns/arrangement.ts';
import { attempt, type ActionParts } from './action-parts.ts';
import type { GridActions } from './grid-actions.ts';

type ColumnActions = Pick<
  GridActions,
  | 'setLayout'
  | 'arrange'
  | 'moveColumn'
  | 'keepMove'
  | 'widen'
  | 'goToColumn'
  | 'columnAction'
  | 'showSystemColumns'
>;

export function columnActions(parts: ActionParts): ColumnActions {
  const { host, model, cursor, banners, announcer } = parts;

  function arrange(layout: GridLayout, isFinal: boolean): void {
    model.layout = layout;
    if (isFinal) host.tell('layout', layout);
  }

  let hasSaidMove = false;
  async function keepMove(columnId: string, before: string | undefined): Promise<void> {
    if (model.sheet.log !== undefined) return;
    const asked = host.ask('moveColumn', { columnId, beforeId: before ?? null });
    const moved = await attempt(parts, asked);
    if (moved === undefined || moved.kept || hasSaidMove) return;
    hasSaidMove = true;
    banners.notify('info', { message: moved.message });
  }

  function moveColumn(step: -1 | 1): void {
    const id = model.cursorColumn?.column.id;
    const to = id === undefined ? undefined : neighbour(model.shown, id, step);
    if (id === undefined || to === undefined) return;
    arrange(withMoved(model.sheet.columns, model.layout, { columnId: id, ...to }), true);
    void keepMove(id, to.beforeId);
    announcer.say(t('Column moved to position {0}', model.columnIndex(id) + 1));
  }

  function widen(step: number): void {
    const shown = model.cursorColumn;
    if (shown === undefined) return;
    arrange(withWidth(model.layout, shown.column.id, shown.width + step), true);
    announcer.say(t('{0} pixels wide', model.cursorColumn?.width ?? 0));
  }

  return {
    setLayout: (layout) => arrange(layout, true),
    arrange,
    moveColumn,
    keepMove: (columnId, beforeId) => void keepMove(columnId, beforeId),
    widen,
    goToColumn: (columnId) => {
      const column = model.columnIndex(columnId);
      if (column < 0) return;
      cursor.goTo({ row: model.selection.cursor.row, column });
      cursor.focus();
    },
    columnAction: (action, columnId) =>
      void attempt(parts, host.ask('columnAction', { action, columnId })),
    showSystemColumns: (show) => void attempt(parts, host.ask('showSystemColumns', { show })),
  };
}
