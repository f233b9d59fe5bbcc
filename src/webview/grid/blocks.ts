import type { Block, CellsChange, ChangeOutcome } from '../../protocol/grid-work.ts';
import { spellKeys, t, spellNumber } from '../common/language.ts';
import { explain, type Host } from './connection.ts';
import type { Cursor } from './cursor.ts';
import type { SheetModel } from './model.ts';
import { atSpot, extendTo, headerRow } from './selection.ts';

export interface BlocksOptions {
  readonly host: Host;
  readonly model: SheetModel;
  readonly cursor: Cursor;
  readonly notify: (look: 'info' | 'error', problem: { message: string; hint?: string }) => void;
  readonly signal: AbortSignal;
}

const mostCells = 1_000_000;

/** Changes of many cells at once: the extension carries them out, here is said how they went. */
export class Blocks {
  readonly #options: BlocksOptions;

  constructor(options: BlocksOptions) {
    this.#options = options;
  }

  async paste(block: Block): Promise<void> {
    const { model, cursor, notify } = this.#options;
    const { row: position, column } = model.selection.cursor;
    if (position === headerRow) return;
    const width = Math.max(0, ...block.map(({ length }) => length));
    if (block.length * width > mostCells) {
      const message = t(
        'The block has more than {0} cells. Import it as a file instead.',
        spellNumber(mostCells),
      );
      notify('error', { message });
      return;
    }
    const columnIds = model.shown.slice(Math.max(0, column)).map(({ column: { id } }) => id);
    const selection = model.selected();
    const start = { row: position, column: Math.max(0, column) };
    const outcome = await this.#ask({ kind: 'paste', position, columnIds, block, selection });
    if (outcome?.outcome !== 'done' || (block.length === 1 && width === 1)) return;
    const row = Math.min(model.rowCount, position + block.length) - 1;
    const end = { row, column: Math.min(model.shown.length, start.column + width) - 1 };
    cursor.select(extendTo(atSpot(start), end));
  }

  async fillDown(): Promise<void> {
    const { model } = this.#options;
    await this.#ask({ kind: 'fill', selection: model.selected() });
  }

  async clear(to: 'empty' | 'null'): Promise<void> {
    const { model } = this.#options;
    await this.#ask({ kind: 'clear', selection: model.selected(), to });
  }

  async #ask(change: CellsChange): Promise<ChangeOutcome | undefined> {
    const { host, notify, signal } = this.#options;
    if (change.kind !== 'paste' && change.selection.rows.length === 0) return undefined;
    try {
      const outcome = await host.ask('change', change);
      this.#tell(outcome);
      return outcome;
    } catch (error) {
      if (!signal.aborted) notify('error', explain(error));
      return undefined;
    }
  }

  #tell(outcome: ChangeOutcome): void {
    const { notify } = this.#options;
    if (outcome.outcome === 'declined') return;
    if (outcome.outcome === 'nothing') {
      notify('info', { message: outcome.message });
      return;
    }
    if (outcome.outcome === 'stopped') {
      notify('info', { message: t('Stopped before any cell was changed.') });
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
    if (cells > 0) parts.push(t('{0} takes it back.', spellKeys('Ctrl+Z')));
    notify(open > 0 ? 'error' : 'info', { message: parts.join(' ') });
  }
}
