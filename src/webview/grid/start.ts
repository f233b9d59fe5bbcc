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

/** Puts the grid into the page and connects it. The returned function ends it. */
export function startGrid(options: StartOptions): () => void {
  const { root, port, state, onFault, showIcons } = options;
  const end = new AbortController();
  let grid: SheetGrid | undefined;
  // What comes before the first answer is part of that answer already, but for problems.
  let problem: ViewEvents['problem'] = null;
  let hasFailed = false;
  const early = new Banners(end.signal);
  const skeleton = el('div', 'loading', { 'aria-busy': 'true' }, [t('Opening…')]);
  root.replaceChildren(early.element, skeleton);

  const host: Host = connectHost({
    port,
    onFault,
    handlers: {
      selection: () => {
        if (grid === undefined) throw new Error(t('The sheet is still being opened.'));
        return grid.model.selected();
      },
      command: ({ command, argument }) => {
        if (grid === undefined) throw new Error(t('The sheet is still being opened.'));
        grid.runCommand(command, argument);
        return null;
      },
    },
    listeners: {
      sheet: (sheet) => grid?.takeSheet(sheet),
      cells: (change) => grid?.takeCells(change),
      operations: (change) => grid?.takeOperations(change),
      walk: (walk) => grid?.takeWalk(walk),
      unsaved: (change) => grid?.takeUnsaved(change),
      saving: (saving) => grid?.takeSaving(saving),
      problem: (now) => {
        problem = now;
        if (grid !== undefined) grid.takeProblem(now);
        else if (now === null && hasFailed) reopen();
        else early.showProblem(now, now?.retry ? reopen : undefined);
        if (now !== null) showIcons();
      },
    },
  });
  end.signal.addEventListener('abort', () => host.close());

  function takeFocus(): void {
    if (document.hasFocus() && document.activeElement === document.body) grid?.focus();
  }
  // Keys that would go nowhere are the sheet's. Not at a `focus` event: it may come so late that
  // taking the focus takes it from a palette that has opened meanwhile.
  document.addEventListener(
    'keydown',
    (event) => {
      if (event.target === document.body) grid?.takeKey(event);
    },
    { signal: end.signal },
  );

  async function open(): Promise<void> {
    try {
      const { sheet, rows } = await host.ready(firstPageOf(state.get(), pageSize));
      if (grid !== undefined || end.signal.aborted) return;
      grid = new SheetGrid({
        host,
        sheet,
        rows,
        saved: readState(state.get(), sheet.sheetId),
        save: state.set,
        painted: showIcons,
        signal: end.signal,
        capacity: options.capacity,
      });
      root.replaceChildren(grid.element);
      takeFocus();
      if (problem !== null) grid.takeProblem(problem);
    } catch (error) {
      if (end.signal.aborted) return;
      hasFailed = true;
      showIcons();
      skeleton.textContent = t('This could not be opened.');
      skeleton.removeAttribute('aria-busy');
      const isGone = error instanceof ChannelError && error.code === 'not_found';
      early.showProblem(explain(error), reopen, isGone && (() => host.tell('close', null)));
    }
  }

  /** At the user's request, or because the extension says that all is well again. */
  function reopen(): void {
    hasFailed = false;
    skeleton.textContent = t('Opening…');
    early.showProblem(null, undefined);
    void open();
  }
  void open();
  return () => end.abort();
}
