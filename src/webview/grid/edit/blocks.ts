import type { Block, CellsChange, ChangeOutcome } from '../../../protocol/grid-work.ts';
import { blockWidth, fillsSelection } from '../../../protocol/grid-work.ts';
import type { GridSelection } from '../../../protocol/grid-cells.ts';
import { spellKeys, t, spellNumber } from '../../common/language.ts';
import { oneLine, type Clip } from './clipboard.ts';
import type { EditFlow } from './edit-flow.ts';
import type { Banners } from '../around/banners.ts';
import { explain, type Host } from '../connection.ts';
import type { Cursor } from '../cursor/cursor.ts';
import type { SheetModel } from '../model/sheet-model.ts';
import { atSpot, extendTo, headerRow, type Selection } from '../cursor/selection.ts';
import { asBlock } from '../work-guards.ts';

export interface BlocksOptions {
  readonly host: Host;
  readonly model: SheetModel;
  readonly cursor: Cursor;
  readonly edits: EditFlow;
  readonly banners: Banners;
  readonly signal: AbortSignal;
}

const mostCells = 1_000_000;

/** Changes of many cells at once: the extension carries them out, here is said how they went. */
export class Blocks {
  readonly #options: BlocksOptions;

  constructor(options: BlocksOptions) {
    this.#options = options;
  }

  /** `isAsked`: at the user's request, whatever it is. */
  async paste(clip: Clip, isAsked = false): Promise<void> {
    const { host, model, banners, signal } = this.#options;
    const { selection } = model;
    if (selection.cursor.row === headerRow) return;
    const line = isAsked ? undefined : oneLine(clip);
    try {
      const block =
        line === undefined
          ? asBlock(await host.ask('readPaste', { ...clip, isAsked }))
          : ([[line]] as const);
      if (block !== null && block.length > 0) await this.#put(block, selection);
    } catch (error) {
      if (!signal.aborted) banners.notify('error', explain(error));
    }
  }

  async #put(block: Block, selection: Selection): Promise<void> {
    const { model, cursor, edits, banners } = this.#options;
    const width = blockWidth(block);
    if (block.length * width > mostCells) {
      const message = t(
        'The block has more than {0} cells. Import it as a file instead.',
        spellNumber(mostCells),
      );
      banners.notify('error', { message });
      return;
    }
    const isOne = block.length === 1 && width === 1;
    const text = isOne ? block[0]?.[0] : undefined;
    const isSame = model.selection === selection && !model.isMultiple;
    // One text for one cell is looked at before it is kept, but where the editor would change it.
    const isChosen = model.cursorColumn?.column.input?.kind === 'choice';
    if (text && isSame && !isChosen && !text.includes('\r')) {
      edits.begin(text);
      return;
    }
    const [rows, columns] = [selection.rows[0], selection.columns[0]];
    const start = {
      row: rows?.from ?? selection.cursor.row,
      column: columns?.from ?? Math.max(0, selection.cursor.column),
    };
    const selected = model.selected(selection);
    const columnIds = model.shown.slice(start.column).map(({ column: { id } }) => id);
    const change = { position: start.row, columnIds, block, selection: selected };
    const outcome = await this.#ask({ kind: 'paste', ...change });
    const fills = fillsSelection(block, selected.rows, selected.columnIds.length);
    if (outcome?.outcome !== 'done' || isOne || fills) return;
    const row = Math.min(model.rowCount, start.row + block.length) - 1;
    const end = { row, column: Math.min(model.shown.length, start.column + width) - 1 };
    cursor.select(extendTo(atSpot(start), end));
  }

  async fillDown(): Promise<void> {
    const { model } = this.#options;
    await this.#ask({ kind: 'fill', selection: model.selected() });
  }

  async clear(
    to: 'empty' | 'null',
    selection: GridSelection = this.#options.model.selected(),
  ): Promise<void> {
    await this.#ask({ kind: 'clear', selection, to });
  }

  async #ask(change: CellsChange): Promise<ChangeOutcome | undefined> {
    const { host, banners, signal } = this.#options;
    if (change.kind !== 'paste' && change.selection.rows.length === 0) return undefined;
    try {
      const outcome = await host.ask('change', change);
      this.#tell(outcome);
      return outcome;
    } catch (error) {
      if (!signal.aborted) banners.notify('error', explain(error));
      return undefined;
    }
  }

  #tell(outcome: ChangeOutcome): void {
    const { banners } = this.#options;
    if (outcome.outcome === 'declined') return;
    if (outcome.outcome === 'nothing') {
      banners.notify('info', { message: outcome.message });
      return;
    }
    if (outcome.outcome === 'stopped') {
      banners.notify('info', { message: t('Stopped before any cell was changed.') });
      return;
    }
    const { cells, rowsAdded, open, fault, dropped } = outcome;
    const parts = [
      cells === 1 ? t('Changed 1 cell.') : t('Changed {0} cells.', spellNumber(cells)),
    ];
    if (rowsAdded > 0) {
      parts.push(
        rowsAdded === 1 ? t('Added 1 row.') : t('Added {0} rows.', spellNumber(rowsAdded)),
      );
    }
    if (open > 0) {
      parts.push(
        t(
          '{0} of {1} cells are not saved.',
          spellNumber(open),
          spellNumber(cells + open + dropped),
        ),
      );
    }
    if (fault !== undefined) parts.push(fault);
    if (dropped > 0) {
      parts.push(t('Stopped. Cells left as they were: {0}.', spellNumber(dropped)));
    }
    if (cells > 0) parts.push(t('{0} undoes it.', spellKeys('Ctrl+Z')));
    banners.notify(open > 0 ? 'error' : 'info', { message: parts.join(' ') });
  }
}
