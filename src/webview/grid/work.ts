import type { RowsQuery, Scope, SortKey } from '../../protocol/grid-work.ts';
import type { Announcer } from '../common/announcer.ts';
import { el } from '../common/dom.ts';
import { t, spellNumber } from '../common/language.ts';
import { Blocks } from './edit/blocks.ts';
import { explain, type Host } from './connection.ts';
import type { Cursor } from './cursor/cursor.ts';
import { emptyQuery, FilterBar } from './find-filter/filter-bar.ts';
import { FindBar } from './find-filter/find-bar.ts';
import type { SheetModel } from './rows/model.ts';
import { SelectionSum } from './cursor/selection-sum.ts';
import type { StatusLine } from './around/status-line.ts';
import { ViewNote } from './find-filter/view-note.ts';

export interface WorkOptions {
  readonly host: Host;
  readonly model: SheetModel;
  readonly cursor: Cursor;
  readonly announcer: Announcer;
  readonly status: StatusLine;
  readonly repaint: () => void;
  readonly edit: (text: string) => void;
  readonly notify: (look: 'info' | 'error', problem: { message: string; hint?: string }) => void;
  readonly signal: AbortSignal;
}

/** Work on many rows at once. Its bars are made when they are first opened. */
export class Work {
  /** Where the bars are, between toolbar and rows. */
  readonly element = el('div', 'bars');
  readonly blocks: Blocks;
  readonly #options: WorkOptions;
  readonly #sum: SelectionSum;
  #find: FindBar | undefined;
  #filter: FilterBar | undefined;
  #note: ViewNote | undefined;
  #generation: number;

  constructor(options: WorkOptions) {
    this.#options = options;
    this.blocks = new Blocks(options);
    this.#sum = new SelectionSum(options);
    this.#generation = options.model.store.generation;
  }

  find(): void {
    if (this.#find === undefined) {
      this.#find = new FindBar(this.#options);
      this.element.prepend(this.#find.element);
    }
    this.#find.open();
  }

  filter(query?: RowsQuery): void {
    this.#filterBar().open(query);
  }

  /** The conditions in force, and one about this column. */
  filterBy(columnId: string): void {
    const bar = this.#filterBar();
    bar.open();
    if (this.#options.model.sheet.view !== null) bar.addCondition(columnId);
  }

  /** The column first, what the rows were sorted by after it. */
  async sortBy(key: SortKey): Promise<void> {
    const query = this.#query;
    const others = query.sort.filter(({ columnId }) => columnId !== key.columnId);
    await this.#applyAloud({ ...query, sort: [key, ...others] }, 'loaded');
  }

  async clear(): Promise<void> {
    await this.#applyAloud(null, 'loaded');
  }

  /** The sheet is as the extension says now. */
  show(): void {
    const { model } = this.#options;
    if (model.sheet.view !== null && this.#note === undefined) {
      this.#note = new ViewNote({
        edit: () => this.filter(),
        again: (scope) => void this.#applyAloud(this.#query, scope),
        clear: () => void this.clear(),
      });
      this.element.append(this.#note.element);
    }
    this.#note?.show(model);
    if (model.store.generation === this.#generation) return;
    this.#generation = model.store.generation;
    this.#find?.outdated();
  }

  selected(): void {
    this.#sum.selected();
  }

  get #query(): RowsQuery {
    return this.#options.model.sheet.view?.query ?? emptyQuery;
  }

  #filterBar(): FilterBar {
    if (this.#filter !== undefined) return this.#filter;
    const { model, cursor, signal } = this.#options;
    this.#filter = new FilterBar({
      model,
      apply: (query, scope) => this.#apply(query, scope),
      closed: () => cursor.focus(),
      signal,
    });
    this.element.prepend(this.#filter.element);
    return this.#filter;
  }

  async #apply(query: RowsQuery | null, scope: Scope): Promise<string | undefined> {
    const { host, model, announcer } = this.#options;
    try {
      await host.ask('setView', { query, scope });
      announcer.say(t('{0} rows shown', spellNumber(model.rowCount)));
      return undefined;
    } catch (error) {
      return explain(error).message;
    }
  }

  async #applyAloud(query: RowsQuery | null, scope: Scope): Promise<void> {
    const fault = await this.#apply(query, scope);
    const { notify, signal } = this.#options;
    if (fault !== undefined && !signal.aborted) notify('error', { message: fault });
  }
}
