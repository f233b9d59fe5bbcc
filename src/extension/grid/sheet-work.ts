import type { Handlers } from '../../protocol/channel.ts';
import type { RowsQuery, RowsView, Scope, WorkRequests } from '../../protocol/grid-work.ts';
import { changeCells } from './edit/change.ts';
import type { ChangeContext } from './edit/change.ts';
import { findInSheet } from './rows/find.ts';
import { pastedCells } from './paste/paste.ts';
import { pageCountOf } from './rows/page-chain.ts';
import type { RowView } from './rows/row-view.ts';
import { buildRowView, isPlainQuery, withinColumns } from './rows/row-view.ts';
import { everyPage } from './rows/scan.ts';
import { isCancellation } from '../../core/errors.ts';
import type { Translate } from '../shell/translate.ts';
import { orAborted } from './rows/shared-work.ts';
import type { Spelled } from './spelled.ts';
import { spellChange, spellError } from './spelled.ts';
import { summaryOf } from './rows/summary.ts';

export interface SheetWorkOptions extends ChangeContext {
  /** Other rows are shown, or in another order. */
  readonly shown: () => void;
  readonly changed: () => void;
}

/** A query that comes back by itself looks at this many pages at most: nobody waits for more. */
const restoredPages = 10;

/** Answers what the grid asks about many rows at once. */
export class SheetWork {
  readonly #options: SheetWorkOptions;

  constructor(options: SheetWorkOptions) {
    this.#options = options;
  }

  get view(): RowsView | null {
    const { state } = this.#options;
    const { view } = state.shown;
    if (view === undefined) return null;
    return { query: view.query, scanned: view.scanned, total: state.rowCount };
  }

  readonly handlers: Pick<
    Handlers<WorkRequests>,
    'setView' | 'find' | 'summary' | 'change' | 'readPaste'
  > = {
    setView: async ({ query, scope }, signal) => {
      const { state, shown, editorHost } = this.#options;
      if (query === null || isPlainQuery(query)) state.setView(undefined);
      else {
        const title = editorHost.t('Reading rows');
        state.setView(
          await this.#scan(title, signal, (stop, report) =>
            this.#build(query, scope, stop, report),
          ),
        );
      }
      shown();
      return this.view;
    },
    find: (request, signal) =>
      this.#scan(this.#options.editorHost.t('Searching rows'), signal, (stop, report) =>
        findInSheet(this.#options.state, request, this.#options.editorHost.t, stop, report),
      ),
    readPaste: (asked) => pastedCells(this.#options.editorHost, asked),
    summary: ({ selection }, signal) => summaryOf(this.#options.state, selection, signal),
    change: async (change, signal) => {
      const changing = changeCells(change, this.#options, signal);
      const outcome = await this.outliving(signal, changing, spellChange);
      this.#options.changed();
      return outcome;
    },
  };

  get context(): ChangeContext {
    return this.#options;
  }

  /**
   * Work goes on when the view that asked for it is gone; then how it ended is announced: nobody
   * else tells it.
   */
  async outliving<Result>(
    signal: AbortSignal,
    work: Promise<Result>,
    spell: (result: Result, t: Translate) => Spelled | undefined,
  ): Promise<Result> {
    const { editorHost, closing } = this.#options;
    const announce = (reported: Spelled | undefined): void => {
      if (signal.aborted && !closing.aborted && reported !== undefined) {
        editorHost.announce(reported.text, reported.isTrouble);
      }
    };
    work.then(
      (result) => announce(spell(result, editorHost.t)),
      (error: unknown) => {
        if (!isCancellation(error))
          announce({ text: spellError(editorHost, error), isTrouble: true });
      },
    );
    return orAborted(work, signal);
  }

  /** After the rows were laid out anew: the query is asked again of the first rows. */
  async restore(query: RowsQuery | undefined, signal: AbortSignal): Promise<void> {
    const { state } = this.#options;
    if (query === undefined) return;
    const known = withinColumns(query, state.columns);
    if (isPlainQuery(known)) return;
    state.setView(await this.#build(known, 'first', signal, () => undefined));
  }

  async #build(
    query: RowsQuery,
    scope: Scope | 'first',
    signal: AbortSignal,
    onProgress: (scanned: number) => void,
  ): Promise<RowView> {
    const { state, editorHost } = this.#options;
    const { pages, columns } = state;
    const count = pageCountOf(pages.rowCount ?? 0);
    const first = Array.from({ length: Math.min(count, restoredPages) }, (_, page) => page);
    const numbers = { loaded: pages.loaded, all: everyPage(pages), first }[scope];
    return buildRowView({ query, pages, columns, numbers, t: editorHost.t, onProgress }, signal);
  }

  /** With progress once it takes a while, and a way to stop. */
  async #scan<Result>(
    title: string,
    signal: AbortSignal,
    work: (stop: AbortSignal, report: (scanned: number) => void) => Promise<Result>,
  ): Promise<Result> {
    const { state, editorHost } = this.#options;
    return editorHost.withProgress(title, signal, (stop, progress) =>
      work(stop, (scanned) => {
        const total = state.rowCount;
        progress.report(
          total === undefined
            ? { message: editorHost.t('{0} rows', scanned) }
            : {
                message: editorHost.t('{0} of {1} rows', scanned, total),
                percent: (scanned / Math.max(1, total)) * 100,
              },
        );
      }),
    );
  }
}
