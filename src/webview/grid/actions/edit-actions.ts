import type { ManyRetraced } from '../../../protocol/grid-edits.ts';
import { t, spellNumber } from '../../common/language.ts';
import { attempt, type ActionParts } from './action-parts.ts';
import type { GridActions } from './grid-actions.ts';

type EditActions = Pick<
  GridActions,
  'edit' | 'clear' | 'undo' | 'redo' | 'fillDown' | 'setNull' | 'stopSaving'
>;

export function editActions(parts: ActionParts): EditActions {
  const { host, model, cursor, edits, blocks, banners } = parts;

  async function retrace(direction: 'undo' | 'redo'): Promise<void> {
    banners.clearNotice();
    const done = await attempt(parts, host.ask(direction, null));
    if (!done) return;
    if (done.many !== undefined) tellMany(direction, done.many);
    const cell = done.at;
    const row = model.store.position(cell.rowIndex);
    const column = model.columnIndex(cell.columnId);
    if (row !== undefined && column >= 0) cursor.goTo({ row, column });
  }

  function tellMany(direction: 'undo' | 'redo', { saved, open, dropped }: ManyRetraced): void {
    const total = saved + open + dropped;
    const said = [
      direction === 'undo'
        ? t('Undid the changes of {0} of {1} cells.', spellNumber(saved), spellNumber(total))
        : t('Redid the changes of {0} of {1} cells.', spellNumber(saved), spellNumber(total)),
    ];
    if (open > 0)
      said.push(t('{0} of {1} cells are not saved.', spellNumber(open), spellNumber(total)));
    if (dropped > 0) {
      said.push(t('Stopped. Cells left as they were: {0}.', spellNumber(dropped)));
    }
    banners.notify(open > 0 ? 'error' : 'info', { message: said.join(' ') });
  }

  return {
    edit: () => edits.begin(),
    clear: () => {
      if (model.isMultiple) void blocks.clear('empty');
      else edits.clear();
    },
    undo: () => void retrace('undo'),
    redo: () => void retrace('redo'),
    fillDown: () => void blocks.fillDown(),
    setNull: () => void blocks.clear('null'),
    stopSaving: () => void attempt(parts, host.ask('stopSaving', null)),
  };
}
