import { canRun, runnableOf, type GridColumn } from '../../../protocol/grid-sheet.ts';
import type { GridActions } from '../actions/grid-actions.ts';
import type { MenuItem } from '../around/menu.ts';
import { t, spellNumber } from '../../common/language.ts';
import { shortened } from '../../common/shortened.ts';
import { sizeOf } from '../cursor/selection.ts';
import type { SheetModel } from '../model/sheet-model.ts';

export const shortTitle = (text: string): string => shortened(text, 28);

const notComputed = ({ title, input }: GridColumn): string =>
  input === undefined
    ? t("“{0}” isn't computed, so there is nothing to run.", shortTitle(title))
    : t('“{0}” is filled in by people, so there is nothing to run.', shortTitle(title));

const noComputedColumn = (): string => t('This sheet has no computed column.');
const noStale = (): string => t('No cell is stale.');

/** Why the cells of this column can't be run; undefined: they can. */
function whyNotColumn(column: GridColumn | undefined): string | undefined {
  if (column === undefined) return t('Move to a column first.');
  return canRun(column) ? undefined : notComputed(column);
}

/** Runs of one column. */
export function columnRuns(
  column: GridColumn | undefined,
  { sheet }: SheetModel,
  actions: GridActions,
): readonly MenuItem[] {
  const name = column ? `“${shortTitle(column.title)}”` : '';
  const reason = whyNotColumn(column);
  const runColumn = (onlyStale: boolean) => (): void => {
    if (column !== undefined) actions.run({ kind: 'column', columnId: column.id, onlyStale });
  };
  return [
    { label: t('Run column {0}', name), isApart: true, reason, run: runColumn(false) },
    {
      label: t('Run stale cells of {0}', name),
      reason: reason ?? (runnableOf(sheet).stale ? undefined : noStale()),
      run: runColumn(true),
    },
  ];
}

/** What the Run button offers; what has nothing to run says why. */
export function runItems(model: SheetModel, actions: GridActions): readonly MenuItem[] {
  const { selection, sheet, cursorCell: cell } = model;
  const column = model.cursorColumn?.column;
  const { any, stale, failed } = runnableOf(sheet);
  const rows = sizeOf(selection).rows;
  const failures = (sheet.statusCounts['failed'] ?? 0) + (sheet.statusCounts['error'] ?? 0);
  const whyNotAny = any ? undefined : noComputedColumn();
  const noRow = rows === 0 ? t('Select a row first.') : undefined;
  const noCell = cell === undefined ? t('Move to a cell first.') : undefined;
  return [
    {
      label: t('Run this cell'),
      keys: 'Ctrl+Enter',
      icon: 'play',
      reason: noCell ?? whyNotColumn(column),
      run: () => {
        if (cell === undefined) return;
        const { columnId, rowIndex } = cell;
        actions.run({ kind: 'cell', cell: { columnId, rowIndex } });
      },
    },
    {
      label: t('Run selected cells'),
      keys: 'Ctrl+Shift+Enter',
      reason: noRow ?? (model.canRun ? undefined : t('No selected cell is computed.')),
      run: () => actions.run({ kind: 'selection', selection: model.selected() }),
    },
    {
      label: rows < 2 ? t('Run this row') : t('Run {0} selected rows', spellNumber(rows)),
      reason: whyNotAny ?? noRow,
      run: () => actions.run({ kind: 'rows', rows: selection.rows }),
    },
    ...columnRuns(column, model, actions),
    {
      label: t('Run all stale cells'),
      icon: 'refresh',
      isApart: true,
      reason: whyNotAny ?? (stale ? undefined : noStale()),
      run: () => actions.run({ kind: 'stale' }),
    },
    {
      label:
        failures > 0 ? t('Run {0} failed cells', spellNumber(failures)) : t('Run failed cells'),
      icon: 'warning',
      reason: whyNotAny ?? (failed ? undefined : t('No cell has failed.')),
      run: () => actions.run({ kind: 'failed' }),
    },
  ];
}
