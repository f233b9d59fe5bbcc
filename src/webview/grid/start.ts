import { ChannelError, type Port } from '../../protocol/channel.ts';
import { firstPageOf, type GridState, type ViewEvents } from '../../protocol/grid.ts';
import { pageSize } from '../../protocol/grid-cells.ts';
import { el } from '../common/dom.ts';
import { t } from '../common/language.ts';
import { Banners } from './around/banners.ts';
import { connectHost, explain, type Host } from './connection.ts';
import { readState } from './saved-state.ts';
import { SheetGrid } from './sheet-grid.ts';

export interface StartOptions {
  readonly root: HTMLElement;
  readonly port: Port;
  readonly state: {
    readonly get: () => unknown;
    readonly set: (state: GridState) => void;
  };
  readonly onFault: (fault: unknown) => void;
  /** Called once the first rows are painted, or cannot be. */
  readonly showIcons: () => void;
  readonly capacity?: number;
}

/** The page from its start: asks for the sheet, shows it or why it can't be shown. */
class GridPage {
  readonly #options: StartOptions;
  readonly #end = new AbortController();
  readonly #host: Host;
  readonly #early: Banners;
  readonly #skeleton = el('div', 'loading', { 'aria-busy': 'true' }, [t('Opening…')]);
  #grid: SheetGrid | undefined;
  /** What comes before the first answer is part of that answer already, but for problems. */
  #problem: ViewEvents['problem'] = null;
  #hasFailed = false;

  constructor(options: StartOptions) {
    this.#options = options;
    const { signal } = this.#end;
    this.#early = new Banners(signal);
    options.root.replaceChildren(this.#early.element, this.#skeleton);
    this.#host = this.#connect();
    signal.addEventListener('abort', () => this.#host.close());
    // Keys that would go nowhere are the sheet's. Not at a `focus` event: it may come so late that
    // taking the focus takes it from a palette that has opened meanwhile.
    document.addEventListener(
      'keydown',
      (event) => {
        if (event.target === document.body) this.#grid?.takeKey(event);
      },
      { signal },
    );
    void this.#open();
  }

  end(): void {
    this.#end.abort();
  }

  #connect(): Host {
    const { port, onFault } = this.#options;
    const opened = (): SheetGrid => {
      if (this.#grid === undefined) throw new Error(t('The sheet is still being opened.'));
      return this.#grid;
    };
    return connectHost({
      port,
      onFault,
      handlers: {
        selection: () => opened().model.selected(),
        command: ({ command, argument }) => {
          opened().runCommand(command, argument);
          return null;
        },
      },
      listeners: {
        sheet: (sheet) => this.#grid?.takeSheet(sheet),
        cells: (change) => this.#grid?.takeCells(change),
        operations: (change) => this.#grid?.takeOperations(change),
        walk: (walk) => this.#grid?.takeWalk(walk),
        unsaved: (change) => this.#grid?.takeUnsaved(change),
        saving: (saving) => this.#grid?.takeSaving(saving),
        problem: (problem) => this.#takeProblem(problem),
      },
    });
  }

  #takeProblem(problem: ViewEvents['problem']): void {
    this.#problem = problem;
    if (this.#grid !== undefined) this.#grid.takeProblem(problem);
    else if (problem === null && this.#hasFailed) this.#reopen();
    else this.#early.showProblem(problem, problem?.retry ? () => this.#reopen() : undefined);
    if (problem !== null) this.#options.showIcons();
  }

  async #open(): Promise<void> {
    const { root, state, showIcons, capacity } = this.#options;
    const { signal } = this.#end;
    try {
      const { sheet, rows } = await this.#host.ready(firstPageOf(state.get(), pageSize));
      if (this.#grid !== undefined || signal.aborted) return;
      const grid = new SheetGrid({
        host: this.#host,
        sheet,
        rows,
        saved: readState(state.get(), sheet.sheetId),
        save: state.set,
        painted: showIcons,
        signal,
        capacity,
      });
      this.#grid = grid;
      root.replaceChildren(grid.element);
      if (document.hasFocus() && document.activeElement === document.body) grid.focus();
      if (this.#problem !== null) grid.takeProblem(this.#problem);
    } catch (error) {
      if (!signal.aborted) this.#failed(error);
    }
  }

  #failed(error: unknown): void {
    this.#hasFailed = true;
    this.#options.showIcons();
    this.#skeleton.textContent = t('This could not be opened.');
    this.#skeleton.removeAttribute('aria-busy');
    const isGone = error instanceof ChannelError && error.code === 'not_found';
    const close = isGone && (() => this.#host.tell('close', null));
    this.#early.showProblem(explain(error), () => this.#reopen(), close);
  }

  /** At the user's request, or because the extension says that all is well again. */
  #reopen(): void {
    this.#hasFailed = false;
    this.#skeleton.textContent = t('Opening…');
    this.#early.showProblem(null, undefined);
    void this.#open();
  }
}

/** Puts the grid into the page and connects it. The returned function ends it. */
export function startGrid(options: StartOptions): () => void {
  const page = new GridPage(options);
  return () => page.end();
}
