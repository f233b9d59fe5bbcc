import { cellKinds, pageSize } from '../../../protocol/grid-cells.ts';
import type { CellsChange } from '../../../protocol/grid-work.ts';
import { blockWidth } from '../../../protocol/grid-work.ts';
import { cellsOf, type ChangePlan } from './change-plan.ts';
import type { EditorHost } from '../editor-host.ts';
import { hasValue } from '../rows/order.ts';
import { pagesOfRanges, settleRanges } from '../rows/positions.ts';
import type { SheetState } from '../rows/sheet-state.ts';

/** More are asked about first. */
const quietCells = 2000;

interface Asked {
  readonly state: SheetState;
  readonly editorHost: EditorHost;
}

/** Cells beside the selection that hold something else than what comes there. */
async function overwritten(
  plan: ChangePlan,
  { rows, columnIds }: CellsChange['selection'],
  { shown }: SheetState,
  signal: AbortSignal,
): Promise<number> {
  const selected = settleRanges(rows, shown.count);
  const isSelected = (at: number): boolean =>
    selected.some(({ from, to }) => at >= from && at <= to);
  const chosen = new Set(columnIds);
  let count = 0;
  for (const { page, from, to } of pagesOfRanges(settleRanges(plan.rows, shown.count))) {
    const { grid } = await shown.page(page, signal);
    for (let place = from; place <= to; place += 1) {
      const at = page * pageSize + place;
      const isInside = isSelected(at);
      for (const column of plan.columns) {
        if (isInside && chosen.has(column.id)) continue;
        const wanted = plan.wanted(at, column);
        const cells = grid.columns[column.id];
        const kind = cellKinds[cells?.kind[place] ?? 0] ?? 'missing';
        if (wanted === undefined || !hasValue(kind)) continue;
        const isCut = cells?.cut.includes(place) === true;
        if (isCut || cells?.text[place] !== wanted) count += 1;
      }
    }
  }
  return count;
}

/** Whether cells beside the selection are touched. */
function reachesBeyond(
  { rows, columns }: ChangePlan,
  { rows: chosen, columnIds }: CellsChange['selection'],
): boolean {
  const selected = settleRanges(chosen, undefined);
  const ids = new Set(columnIds);
  return (
    columns.some(({ id }) => !ids.has(id)) ||
    rows.some(({ from, to }) => !selected.some((one) => from >= one.from && to <= one.to))
  );
}

async function pasteNotes(
  plan: ChangePlan,
  change: CellsChange & { readonly kind: 'paste' },
  { editorHost: { t }, state }: Asked,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const notes: string[] = [];
  const { block, columnIds, position, selection } = change;
  const lost = blockWidth(block) - columnIds.length;
  if (lost > 0) notes.push(t('{0} columns of the block have no column here.', lost));
  const hidden = position + block.length - (state.shown.count ?? 0) - plan.rowsAdded;
  if (hidden > 0 && block.length > 1) {
    notes.push(
      t(
        '{0} rows of the block have no row here: rows are added only while all rows are shown, first rows first.',
        hidden,
      ),
    );
  }
  if (plan.skipped.length > 0) {
    const titles = plan.skipped.map(({ title }) => title).join(', ');
    notes.push(t('Skipped, because they are computed: {0}.', titles));
  }
  if (!reachesBeyond(plan, selection)) return notes;
  const isMany = cellsOf(plan, state) > quietCells;
  const lostCells = isMany ? 0 : await overwritten(plan, selection, state, signal);
  if (isMany) {
    notes.push(t('Cells outside the selection will also be overwritten.'));
  } else if (lostCells === 1) {
    notes.push(t("1 cell outside the selection isn't empty and will be overwritten."));
  } else if (lostCells > 1) {
    notes.push(
      t("{0} cells outside the selection aren't empty and will be overwritten.", lostCells),
    );
  }
  return notes;
}

/** Asks once, before anything is changed, when it does more than its user can see. */
export async function isAgreed(
  plan: ChangePlan,
  change: CellsChange,
  asked: Asked,
  signal: AbortSignal,
): Promise<boolean> {
  const { t } = asked.editorHost;
  const most = cellsOf(plan, asked.state);
  const notes = [
    ...(most > quietCells ? [t('Up to {0} cells are changed.', most)] : []),
    ...(plan.rowsAdded > 0 ? [t('{0} rows are added at the end.', plan.rowsAdded)] : []),
    ...(change.kind === 'paste' ? await pasteNotes(plan, change, asked, signal) : []),
  ];
  return notes.length === 0 || asked.editorHost.confirmChange(notes);
}
