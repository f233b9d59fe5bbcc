import type { RowsQuery, Scope, SortKey } from '../../../protocol/grid-work.ts';
import type { Banners } from '../around/banners.ts';
import type { Announcer } from '../../common/announcer.ts';
import { el } from '../../common/dom.ts';
import { t, spellNumber } from '../../common/language.ts';
import { explain, type Host } from '../connection.ts';
import type { Cursor } from '../cursor/cursor.ts';
import type { SheetModel } from '../model/sheet-model.ts';
import { emptyQuery, FilterBar } from './filter-bar.ts';
import { FindBar } from './find-bar.ts';
import { ViewNote } from './view-note.ts';

export interface BarsOptions {
  readonly host: Host;
  readonly model: SheetModel;
  readonly cursor: Cursor;
  readonly announcer: Announcer;
  readonly banners: Banners;
  readonly signal: AbortSignal;
}

/** What finds, filters and sorts rows, between toolbar and rows. Each bar is made when it is first opened. */
export class Bars {
  readonly element = el('div', 'bars');
  readonly #options: BarsOptions;
  #find: FindBar | undefined;
  #filter: FilterBar | undefined;

  constructor(options: BarsOptions) {
    this.#options = options;
    const note = new ViewNote(options.model, {
      edit: () => this.filter(),
      again: (scope) => void this.#applyAloud(this.#query, scope),
      clear: () => void this.clear(),
    });
    this.element.append(note.element);
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
    const { banners, signal } = this.#options;
    if (fault !== undefined && !signal.aborted) banners.notify('error', { message: fault });
  }
}
