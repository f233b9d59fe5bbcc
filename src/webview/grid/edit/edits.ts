import {
  cellKinds,
  pageSize,
  previewLength,
  type CellAddress,
  type CellKind,
  type CellPatch,
} from '../../../protocol/grid-cells.ts';
import type { EditOutcome, UnsavedEdit } from '../../../protocol/grid-edits.ts';
import type { GridColumn } from '../../../protocol/grid-sheet.ts';
import { t } from '../../common/language.ts';
import { explain, type Host } from '../connection.ts';
import type { EditPlace, EditStart, FinishedEdit } from './editor.ts';
import type { Banners } from '../around/banners.ts';
import type { SheetModel } from '../model/sheet-model.ts';

export interface EditsOptions {
  readonly host: Host;
  readonly model: SheetModel;
  readonly banners: Banners;
  readonly signal: AbortSignal;
}

const kindNumber = (kind: CellKind): number => cellKinds.indexOf(kind);

/** What an edit begins with, and what becomes of it. The extension keeps the journal. */
export class Edits {
  readonly #options: EditsOptions;

  constructor(options: EditsOptions) {
    this.#options = options;
  }

  /** Undefined with a notice when the cell cannot be edited. `typed` replaces what is there. */
  start(typed: string | undefined): EditStart | undefined {
    const { model, banners } = this.#options;
    const cell = model.cursorCell;
    const column = model.cursorColumn?.column;
    if (cell === undefined || column === undefined) return undefined;
    if (!column.editable) {
      const message = column.computed
        ? t("“{0}” is computed, so its cells can't be edited.", column.title)
        : t("“{0}” is read-only, so its cells can't be edited.", column.title);
      banners.notify('info', { message });
      return undefined;
    }
    const place: EditPlace = { ...cell, columnTitle: column.title };
    const base = this.#textOf(place);
    const known = this.#knownText(place);
    const whole = known === undefined ? base.then((text) => text ?? '') : (known ?? '');
    return { place, text: typed ?? whole, base };
  }

  /** Null: no value. Undefined: must be fetched. */
  #knownText(place: EditPlace): string | null | undefined {
    const { model } = this.#options;
    const unsaved = model.unsavedAt(place);
    if (unsaved !== undefined) return unsaved.text;
    const stored = model.store.cell(place);
    if (stored === undefined || stored.isCut) return undefined;
    switch (stored.kind) {
      case 'text':
      case 'number':
      case 'boolean':
        return stored.text;
      case 'empty':
        return '';
      case 'json':
        return undefined;
      case 'null':
      case 'missing':
      case 'notRun':
        return null;
    }
  }

  async #textOf(place: EditPlace): Promise<string | null> {
    const known = this.#knownText(place);
    if (known !== undefined) return known;
    const { columnId, rowIndex } = place;
    const detail = await this.#options.host.cell({ columnId, rowIndex }, this.#options.signal);
    if (detail.cut) {
      throw new Error(
        t('This text is too long to be edited here. Open the value in an editor instead.'),
      );
    }
    const isNothing =
      detail.kind === 'null' || detail.kind === 'missing' || detail.kind === 'notRun';
    return isNothing ? null : detail.text;
  }

  async send({ place, text, base }: FinishedEdit): Promise<void> {
    const { host, model } = this.#options;
    const { columnId, rowIndex } = place;
    const address = { columnId, rowIndex };
    model.setSending(address, text);
    try {
      const outcome = await host.ask('edit', { ...address, text, base });
      this.#settle({ ...address, text, state: 'sending' }, outcome, text);
    } catch (error) {
      const { message, hint } = explain(error);
      this.#keep({
        ...address,
        text,
        state: 'refused',
        message: hint === undefined ? message : `${message} ${hint}`,
      });
    } finally {
      model.setSending(address, undefined);
    }
  }

  async resolve(edit: UnsavedEdit, keep: 'mine' | 'theirs'): Promise<void> {
    const { host, banners } = this.#options;
    const { columnId, rowIndex } = edit;
    try {
      const outcome = await host.ask('resolveEdit', { columnId, rowIndex, keep });
      this.#settle(edit, outcome, keep === 'mine' ? edit.text : edit.current);
    } catch (error) {
      banners.notify('error', explain(error));
    }
  }

  /** Empties the cell under the cursor when it holds something. */
  async clear(): Promise<void> {
    const { model, banners } = this.#options;
    const cell = model.cursorCell;
    const column = model.cursorColumn?.column;
    if (cell === undefined || column?.editable !== true) return;
    const place: EditPlace = { ...cell, columnTitle: column.title };
    try {
      const base = await this.#textOf(place);
      if (base !== '') await this.send({ place, text: '', base });
    } catch (error) {
      banners.notify('error', explain(error));
    }
  }

  /** `asked`: what the cell holds if it is saved now; undefined when only the service knows. */
  #settle(asked: UnsavedEdit, outcome: EditOutcome, askedText: string | null | undefined): void {
    const { rowIndex, columnId } = asked;
    const isSaid = outcome.text !== undefined;
    const edit = isSaid ? { ...asked, text: outcome.text } : asked;
    const text = isSaid ? outcome.text : askedText;
    switch (outcome.outcome) {
      case 'saved':
        this.#options.model.settle(
          { changed: [], gone: [edit] },
          text === undefined ? undefined : this.#saved({ rowIndex, columnId }, text),
        );
        break;
      case 'waiting':
        this.#keep({ ...edit, state: 'waiting', message: outcome.message });
        break;
      case 'conflict':
        this.#keep({ ...edit, state: 'conflict', current: outcome.current });
        break;
      case 'refused':
        this.#keep({ ...edit, state: 'refused', message: outcome.message });
        break;
    }
  }

  /** The cell shows what was saved before the next page or patch says so. */
  #saved({ rowIndex, columnId }: CellAddress, text: string | null): CellPatch | undefined {
    const { store, sheet } = this.#options.model;
    const column = sheet.columns.find(({ id }) => id === columnId);
    const position = store.position(rowIndex);
    if (position === undefined) return undefined;
    return {
      rowIndex,
      columnId,
      page: Math.floor(position / pageSize),
      place: position % pageSize,
      text: (text ?? '').slice(0, previewLength),
      kind: kindNumber(kindOf(text, column)),
      status: statusOf(text, column),
      cut: (text ?? '').length > previewLength,
    };
  }

  async resolveAll(state: 'conflict' | 'refused', keep: 'mine' | 'theirs'): Promise<void> {
    const { host, banners } = this.#options;
    try {
      await host.ask('resolveAll', { state, keep });
    } catch (error) {
      banners.notify('error', explain(error));
    }
  }

  #keep(edit: UnsavedEdit): void {
    this.#options.model.settle({ changed: [edit], gone: [] });
  }
}

type Filled = Pick<GridColumn, 'input'> | undefined;

/** An answer that is emptied is taken back. */
function kindOf(text: string | null, column: Filled): CellKind {
  if (column?.input !== undefined && !text) return 'notRun';
  if (text === null) return 'null';
  if (column?.input?.kind === 'number') return 'number';
  return text === '' ? 'empty' : 'text';
}

function statusOf(text: string | null, column: Filled): string {
  if (column?.input === undefined) return '';
  return text ? 'completed' : 'stale';
}
