import * as vscode from 'vscode';
import { setContextKey } from '../shell/context-keys.ts';
import type { Errors } from '../shell/errors.ts';
import type { RunEntry, RunHistory } from '../kept-runs/run-history.ts';
import type { RunFilter } from './filter.ts';
import { fits, sumsOf } from './filter.ts';
import { TextSearch } from './text-search.ts';
import { isMixed } from './item.ts';
import { sumsText } from './words.ts';

/** What the Runs view shows: the runs that fit the filter, latest first, and their sums. */
export class RunsModel implements vscode.Disposable {
  readonly #errors: Errors;
  readonly #history: RunHistory;
  readonly #changed = new vscode.EventEmitter<undefined>();
  readonly #own: vscode.Disposable;
  #entries: Promise<readonly RunEntry[]> | undefined;
  #filter: RunFilter = {};
  #message = '';
  #isMixed = false;
  readonly #search: TextSearch;

  readonly onDidChange = this.#changed.event;

  constructor(errors: Errors, history: RunHistory) {
    this.#errors = errors;
    this.#history = history;
    this.#search = new TextSearch(
      (id) => history.detail(id),
      (error) => errors.note(error, 'Looking for a text in a run'),
    );
    this.#own = vscode.Disposable.from(
      this.#changed,
      history.onDidChange(() => this.refresh()),
      history.follow((error) => errors.note(error, 'Following the runs of other windows')),
    );
  }

  get filter(): RunFilter {
    return this.#filter;
  }

  /** Sums of the runs that are shown. */
  get message(): string {
    return this.#message;
  }

  /** Runs of more than one workspace are shown. */
  get isMixed(): boolean {
    return this.#isMixed;
  }

  set filter(filter: RunFilter) {
    this.#filter = filter;
    setContextKey('promptTables.runsFiltered', Object.values(filter).some(Boolean));
    this.#changed.fire(undefined);
  }

  /** Reads the runs again: another window may have added some. */
  refresh(): void {
    this.#entries = undefined;
    this.#changed.fire(undefined);
  }

  /** All runs, latest first. */
  all(): Promise<readonly RunEntry[]> {
    this.#entries ??= this.#history.list((error) => this.#errors.note(error, 'Reading a run'));
    return this.#entries;
  }

  async shown(): Promise<readonly RunEntry[]> {
    const filter = this.#filter;
    const all = await this.all();
    const some = all.filter((entry) => fits(entry, filter));
    const { text } = filter;
    const shown = text === undefined ? some : await this.#search.among(some, text);
    // Another one was set while this one was looked for: it is shown next.
    if (filter !== this.#filter) return this.shown();
    this.#message = all.length === 0 ? '' : sumsText(sumsOf(shown), all.length);
    this.#isMixed = isMixed(shown);
    const isFiltered = Object.values(filter).some(Boolean);
    setContextKey(
      'promptTables.runsState',
      shown.length > 0 ? 'ready' : isFiltered && all.length > 0 ? 'noMatch' : 'empty',
    );
    return shown;
  }

  dispose(): void {
    this.#own.dispose();
  }
}
