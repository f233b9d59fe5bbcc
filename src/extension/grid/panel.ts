import * as vscode from 'vscode';
import type { SheetAddress } from '../shell/address.ts';
import { refOf } from '../shell/address.ts';
import type { App } from '../shell/app.ts';
import { setContextKey } from '../shell/context-keys.ts';
import { DisposableStore } from '../shell/dispose.ts';
import type { GridCommand } from '../../protocol/grid-commands.ts';
import type { HostEvents, SheetRequests, ViewEvents, ViewRequests } from '../../protocol/grid.ts';
import { canRun } from '../../protocol/grid-sheet.ts';
import { PageLink } from '../panels/page-link.ts';
import { askWithFirstPage, dataOf } from './html.ts';
import type { Layouts } from './columns/layouts.ts';
import { checkFromGrid } from './messages.ts';
import { tabTitle } from './tab-title.ts';
import { describeForGrid } from './vscode-editor-host.ts';
import { MovedRowsError } from './rows/pages.ts';
import type { Session } from './session.ts';
import type { Sessions, SessionView } from './sessions.ts';
import type { ShownPart } from './rows/shown-part.ts';
import { shownColumns } from './rows/shown-part.ts';
import { showInformationMessage } from '../shell/shown.ts';

type GridLink = PageLink<SheetRequests, ViewRequests, HostEvents, ViewEvents>;

export interface PanelContext {
  readonly app: App;
  readonly layouts: Layouts;
  readonly sessions: Sessions;
  readonly panel: vscode.WebviewPanel;
  readonly address: SheetAddress;
  /** Its tab has this title from now on. */
  readonly named: (title: string) => void;
}

/** One sheet in an editor tab. Keeps the connection that it was opened with. */
export class GridPanel {
  readonly address: SheetAddress;
  readonly #app: App;
  readonly #layouts: Layouts;
  readonly #panel: vscode.WebviewPanel;
  readonly #session: Session;
  readonly #sessions: Sessions;
  readonly #view: SessionView;
  readonly #named: (title: string) => void;
  readonly #own = new DisposableStore();
  /** Undefined while the panel is being made. */
  #link: GridLink | undefined;
  #cursor: HostEvents['cursor'] = null;
  #hasDrawn: () => void = () => undefined;
  /** The page has shown rows for the first time. */
  readonly #drawn = new Promise<void>((resolve) => (this.#hasDrawn = resolve));
  #unsaved: Pick<ViewEvents['unsaved'], 'canUndo' | 'canRedo'> = { canUndo: false, canRedo: false };

  constructor({ app, layouts, sessions, panel, address, named }: PanelContext) {
    this.#named = named;
    this.#app = app;
    this.#layouts = layouts;
    this.#panel = panel;
    this.address = { ...refOf(address), connectionId: address.connectionId };
    this.#sessions = sessions;
    this.#view = {
      emit: (name, payload) => this.#emit(name, payload),
      isShown: () => this.#link?.channel !== undefined && panel.visible,
    };
    this.#session = sessions.attach(this.address, this.#view);
    this.#own.add(panel.onDidChangeViewState(() => this.#followVisibility()));
    this.#own.add(app.changes.onDidChange((change) => this.#follow(change)));
    this.#own.add(
      app.connections.onDidChange((change) => {
        if (change.what === 'access' && change.id === address.connectionId) this.#session.poke();
      }),
    );
    this.#link = this.#own.add(this.#openLink());
    this.#followVisibility();
  }

  get isActive(): boolean {
    return this.#panel.active;
  }

  get isVisible(): boolean {
    return this.#panel.visible;
  }

  get title(): string {
    return this.#panel.title;
  }

  get columns(): readonly { readonly id: string; readonly title: string; readonly type: string }[] {
    return this.#session.sheet().columns;
  }

  get cursorColumnId(): string | undefined {
    return this.#cursor?.columnId;
  }

  get rowCount(): number | undefined {
    return this.#session.sheet().rowCount;
  }

  reveal(): void {
    this.#panel.reveal();
  }

  /** Has the grid carry out a command of its own. */
  async command(command: GridCommand, argument?: string): Promise<void> {
    const request = { command, ...(argument !== undefined && { argument }) };
    await this.#link?.channel?.request('command', request);
  }

  /** Goes to a row by its index, once the page is there. */
  async goToRow(rowIndex: number): Promise<void> {
    await this.#drawn;
    const place = await this.#session.placeOf(rowIndex, this.#app.signal);
    if (place === undefined) this.#offerAllRows(rowIndex);
    else await this.command('goToRow', String(place + 1));
  }

  #offerAllRows(rowIndex: number): void {
    const all = vscode.l10n.t('Show all rows');
    const message = vscode.l10n.t(
      'The row with the index {0} is not shown: the filter or sort of the grid leaves it out.',
      rowIndex,
    );
    const show = async (): Promise<void> => {
      if ((await showInformationMessage(message, all)) !== all) return;
      await this.#session.handlers.setView({ query: null, scope: 'loaded' }, this.#app.signal);
      await this.#keepView();
      await this.goToRow(rowIndex);
    };
    show().catch((error: unknown) =>
      this.#app.errors.show(error, { doing: 'Showing all rows of a sheet' }),
    );
  }

  /** The columns on screen, in their order. */
  shown(): ShownPart {
    const { columns, layout } = this.#session.sheet();
    return shownColumns(columns, layout);
  }

  /** The columns on screen, and the rows when a filter leaves some out. */
  async exported(): Promise<ShownPart> {
    const rows = await this.#session.filteredRows(this.#app.signal);
    return { ...this.shown(), ...(rows !== undefined && { shownRows: rows }) };
  }

  /** Rows and columns that are selected; rows by their row index. */
  async selected(): Promise<ShownPart> {
    const selection = await this.#link?.channel?.request('selection', null);
    return selection === undefined
      ? this.shown()
      : this.#session.selected(selection, this.#app.signal);
  }

  async cancelRunning(): Promise<void> {
    const running = this.#session.operations.filter(({ finished }) => !finished);
    const { signal } = this.#app;
    for (const { operationId } of running) {
      await this.#session.handlers.cancelOperation({ operationId }, signal);
    }
  }

  /** The tab was closed, or the window is. */
  async close(): Promise<void> {
    this.#own.dispose();
    await this.#sessions.detach(this.address, this.#view);
  }

  #emit<Name extends keyof ViewEvents>(name: Name, payload: ViewEvents[Name]): void {
    this.#link?.channel?.emit(name, payload);
    if (name === 'unsaved') this.#unsaved = payload as ViewEvents['unsaved'];
    if (name === 'sheet') this.#followSheet();
    if (name === 'unsaved' || name === 'operations' || name === 'sheet') this.#setContextKeys();
  }

  #openLink(): GridLink {
    const { handlers } = this.#session;
    return new PageLink<SheetRequests, ViewRequests, HostEvents, ViewEvents>({
      ...{ app: this.#app, panel: this.#panel, bundle: 'grid', what: 'grid' },
      ...{ askWith: askWithFirstPage, data: dataOf(this.address), check: checkFromGrid },
      handlers: {
        ...handlers,
        ready: async (params, signal) => {
          const opened = await handlers.ready(params, signal);
          this.#followSheet();
          this.#setContextKeys();
          this.#sessions.viewChanged(this.address);
          return opened;
        },
        setOrder: async (params, signal) => {
          const answer = await handlers.setOrder(params, signal);
          await this.#keepView();
          return answer;
        },
        setView: async (params, signal) => {
          const answer = await handlers.setView(params, signal);
          await this.#keepView();
          return answer;
        },
        showSystemColumns: async (params, signal) => {
          const answer = await handlers.showSystemColumns(params, signal);
          await this.#keepView();
          return answer;
        },
      },
      listeners: {
        visiblePages: ({ first, last }) => {
          this.#session.seePages(first, last);
          this.#hasDrawn();
        },
        layout: (layout) => {
          this.#session.layout = layout;
          void this.#keepView();
        },
        cursor: (cursor) => {
          this.#cursor = cursor;
          this.#setContextKeys();
        },
        draft: (draft) => this.#session.keepDraft(draft),
        close: () => void this.#panel.dispose(),
      },
      isNews: (error) => !(error instanceof MovedRowsError),
      describe: (error) => describeForGrid(this.#app, this.#session.named(error)),
    });
  }

  async #keepView(): Promise<void> {
    const { layout, order, systemColumns, view } = this.#session.sheet();
    const query = view?.query ?? null;
    await this.#layouts.set(this.address, { layout, order, systemColumns, query });
  }

  #followVisibility(): void {
    if (this.#panel.visible) this.#session.show();
    else {
      this.#session.hide();
      this.#cursor = null;
    }
    this.#sessions.viewChanged(this.address);
    this.#tellOpen();
    this.#setContextKeys();
  }

  #follow({ connectionId, sheetId }: { connectionId: string; sheetId?: string | undefined }): void {
    if (connectionId !== this.address.connectionId) return;
    if (sheetId === undefined || sheetId === this.address.sheetId) this.#session.poke();
  }

  #followSheet(): void {
    const { title, tableTitle } = this.#session;
    if (!title) return;
    this.#panel.title = tabTitle(title, tableTitle);
    this.#named(this.#panel.title);
    this.#tellOpen();
  }

  #tellOpen(): void {
    const { title, tableTitle = '' } = this.#session;
    if (!this.#panel.active || title === undefined) return;
    this.#app.openSheets.look({ address: this.address, title, tableTitle });
  }

  /** Keys tell about the active grid only. */
  #setContextKeys(): void {
    if (!this.#panel.active) return;
    const column = this.#cursor === null ? undefined : this.#session.column(this.#cursor.columnId);
    setContextKey('promptTables.cellEditable', column?.editable ?? false);
    setContextKey('promptTables.cellComputed', column !== undefined && canRun(column));
    setContextKey('promptTables.cellEditing', this.#cursor?.editing ?? false);
    setContextKey('promptTables.selectionComputed', this.#cursor?.canRun ?? false);
    setContextKey('promptTables.canUndo', this.#unsaved.canUndo);
    setContextKey('promptTables.canRedo', this.#unsaved.canRedo);
    setContextKey('promptTables.sheetRunning', this.#session.isRunning);
    const { any, stale, failed } = this.#session.runnable;
    setContextKey('promptTables.sheetComputed', any);
    setContextKey('promptTables.sheetStale', stale);
    setContextKey('promptTables.sheetFailed', failed);
  }
}
