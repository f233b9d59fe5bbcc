import type { GridPage } from '../../protocol/grid-cells.ts';
import type { GridSheet } from '../../protocol/grid-sheet.ts';
import type { GridState, ViewEvents } from '../../protocol/grid.ts';
import type { ViewCommand } from '../../protocol/grid-commands.ts';
import { el } from '../common/dom.ts';
import { makeActions, type AllActions } from './actions.ts';
import { Announcer } from '../common/announcer.ts';
import { spellNumber, t } from '../common/language.ts';
import { Banners } from './around/banners.ts';
import { ColumnMenus } from './columns/column-menus.ts';
import { commandsOf } from './commands.ts';
import type { Host } from './connection.ts';
import { Cursor } from './cursor/cursor.ts';
import { Details } from './details/details.ts';
import { EditFlow } from './edit/edit-flow.ts';
import { FirstDrawing } from './rows/first-drawing.ts';
import type { Header } from './columns/header.ts';
import { pressAgain } from './cursor/press-again.ts';
import { ViewStateSaver } from './view-state-saver.ts';
import { LiveCells } from './rows/live-cells.ts';
import { LogBar } from './around/log-bar.ts';
import { makeHeader } from './columns/make-header.ts';
import { makePages } from './rows/make-pages.ts';
import { Menu } from './around/menu.ts';
import { SheetModel } from './rows/model.ts';
import { OperationsView } from './around/operations-view.ts';
import { rowHeightForFont } from './rows/row-height.ts';
import { headerRow } from './cursor/selection.ts';
import { SheetInput } from './cursor/sheet-input.ts';
import { StatusLine } from './around/status-line.ts';
import { Timers } from './timers.ts';
import { Toolbar, type Bar } from './around/toolbar.ts';
import { Viewport } from './rows/viewport.ts';
import { Waiting } from './rows/waiting.ts';
import type { PageWindow } from './rows/window.ts';
import { Work } from './work.ts';

export interface SheetGridOptions {
  readonly host: Host;
  readonly sheet: GridSheet;
  /** Those that came with the sheet. */
  readonly rows: GridPage | null;
  readonly saved: GridState | undefined;
  readonly save: (state: GridState) => void;
  /** The first rows are painted: what they did not need may come. */
  readonly painted: () => void;
  readonly signal: AbortSignal;
  /** Pages kept in memory. */
  readonly capacity?: number | undefined;
}

/** The whole view of one sheet: builds its parts, and brings to each what concerns it. */
export class SheetGrid {
  readonly element = el('div', 'view');
  readonly model: SheetModel;
  readonly viewport: Viewport;
  readonly #options: SheetGridOptions;
  readonly #host: Host;
  readonly #timers: Timers;
  readonly #announcer: Announcer;
  readonly #pages: PageWindow;
  readonly #header: Header;
  readonly #cursor: Cursor;
  readonly #edits: EditFlow;
  readonly #actions: AllActions;
  readonly #menus: ColumnMenus;
  readonly #menu: Menu;
  readonly #toolbar: Bar;
  readonly #operations: OperationsView;
  readonly #banners: Banners;
  readonly #waiting: Waiting;
  readonly #details: Details;
  readonly #status = new StatusLine();
  readonly #live: LiveCells;
  readonly #viewStateSaver: ViewStateSaver;
  readonly #work: Work;
  #isMakingRoom = false;
  readonly #first: FirstDrawing;

  constructor(options: SheetGridOptions) {
    const { host, saved, signal } = options;
    this.#options = options;
    this.#host = host;
    this.#timers = new Timers(signal);
    this.#announcer = new Announcer(signal);
    this.#banners = new Banners(signal);
    this.#menu = new Menu(signal);
    this.model = new SheetModel(options.sheet, options.capacity);
    if (options.rows !== null) this.model.takeRows(options.rows);
    this.#actions = this.#makeActions();
    this.#header = makeHeader({
      model: this.model,
      actions: this.#actions,
      cursor: () => this.#cursor,
      menus: () => this.#menus,
      signal,
    });
    this.viewport = new Viewport({
      model: this.model,
      head: this.#header.element,
      signal,
      drawn: (first, last) => this.#drawn(first, last),
      columnsChanged: (slots) => this.#header.show(slots),
      painted: () => this.#completed(),
      resized: () => this.#keepCursorInView(),
    });
    this.#live = new LiveCells({
      model: this.model,
      ring: this.viewport.ring,
      subjectChanged: () => this.#details.refresh(),
    });
    this.#viewStateSaver = new ViewStateSaver({
      ...{ host, model: this.model, viewport: this.viewport, timers: this.#timers, signal },
      edits: () => this.#edits,
      details: () => this.#details,
      save: options.save,
      detailsSize: saved?.detailsSize,
    });
    this.#cursor = new Cursor({
      model: this.model,
      viewport: this.viewport,
      header: this.#header,
      changed: () => this.#cursorChanged(),
    });
    this.#pages = makePages({
      host,
      model: this.model,
      changed: (page) => this.#pagesChanged(page),
      editedRow: () => this.#edits.place?.position,
    });
    this.#waiting = new Waiting({
      pages: this.#pages,
      viewport: this.viewport,
      timers: this.#timers,
      announcer: this.#announcer,
    });
    this.#edits = new EditFlow({
      host,
      model: this.model,
      viewport: this.viewport,
      cursor: this.#cursor,
      banners: this.#banners,
      changed: () => this.#showEdits(),
      moved: () => this.#viewStateSaver.cursorMoved(),
      menu: this.#menu,
      clearMany: (to) => void this.#work.blocks.clear(to),
      signal,
    });
    this.#work = new Work({
      ...{ host, model: this.model, cursor: this.#cursor, announcer: this.#announcer, signal },
      status: this.#status,
      repaint: () => this.viewport.ring.repaint(),
      edit: (text) => this.#edits.begin(text),
      notify: (look, problem) => this.#banners.notify(look, problem),
    });
    this.#menus = new ColumnMenus(this.model, this.#actions, this.#menu, () =>
      this.#cursor.focus(),
    );
    this.#operations = new OperationsView(this.#announcer, (id) => void this.#cancel(id));
    this.#toolbar = this.#makeBar();
    this.#details = this.#makeDetails();
    this.#first = new FirstDrawing({
      ...{ saved, model: this.model, viewport: this.viewport, pages: this.#pages },
      ...{ timers: this.#timers, edits: this.#edits, showAll: () => this.#showAll() },
    });
    this.#build();
    this.#listen();
    new SheetInput({
      element: this.element,
      model: this.model,
      viewport: this.viewport,
      header: this.#header,
      cursor: this.#cursor,
      edits: this.#edits,
      actions: this.#actions,
      menus: this.#menus,
      details: this.#details,
      toolbar: this.#toolbar,
      paste: this.#actions.paste,
      signal,
    });
    this.#details.toggle(saved?.detailsOpen ?? false);
    this.#toolbar.showDetailsOpen(saved?.detailsOpen ?? false);
    // Sizes can be taken once the element is in the page.
    queueMicrotask(() => this.#first.start());
  }

  focus(): void {
    this.#cursor.focus();
  }

  /** A key pressed beside everything: acts as if it had been pressed on the rows. */
  takeKey(pressed: KeyboardEvent): void {
    this.focus();
    pressAgain(pressed, this.viewport.grid);
  }

  // What the extension says.

  takeSheet(sheet: GridSheet): void {
    const { model } = this;
    const rowsBefore = model.rowCount;
    // The layout is the user's: what comes back may be older than what was just done here.
    const isNew = model.apply({ ...sheet, layout: model.layout });
    this.viewport.relayout();
    if (isNew) this.#pages.reset();
    this.#showAll();
    if (model.rowCount !== rowsBefore)
      this.#announcer.say(t('{0} rows', spellNumber(model.rowCount)));
  }

  takeCells(change: ViewEvents['cells']): void {
    this.#live.take(change);
  }

  takeOperations(change: ViewEvents['operations']): void {
    this.model.sheet = { ...this.model.sheet, ...change };
    this.#operations.show(change.operations);
    this.#showStatus();
  }

  takeWalk(walk: ViewEvents['walk']): void {
    this.#waiting.takeWalk(walk);
  }

  takeUnsaved(change: ViewEvents['unsaved']): void {
    const { canUndo, canRedo, counts: unsavedCounts } = change;
    this.model.sheet = { ...this.model.sheet, canUndo, canRedo, unsavedCounts };
    this.model.applyUnsaved(change);
    this.#edits.showAttention();
    this.#showEdits();
    this.#showSaving();
  }

  takeSaving(saving: ViewEvents['saving']): void {
    this.model.sheet = { ...this.model.sheet, saving };
    this.#showSaving();
  }

  takeProblem(problem: ViewEvents['problem']): void {
    const close = problem?.isGone === true && (() => this.#host.tell('close', null));
    this.#banners.showProblem(problem, problem?.retry ? this.#actions.reload : undefined, close);
    if (problem === null) this.#pages.retryAll();
  }

  runCommand(command: ViewCommand, argument: string | undefined): void {
    commandsOf(this.#actions, this.model)[command](argument);
  }

  // Parts.

  #makeActions(): AllActions {
    return makeActions({
      host: this.#host,
      model: this.model,
      cursor: () => this.#cursor,
      announcer: this.#announcer,
      notify: (look, problem) => this.#banners.notify(look, problem),
      clearNotice: () => this.#banners.clearNotice(),
      edit: () => this.#edits.begin(),
      toggleDetails: () => this.#toggleDetails(!this.#details.isOpen),
      work: () => this.#work,
      relayout: () => {
        this.viewport.relayout();
        this.#showStatus();
        this.#cursorChanged();
      },
      retryPages: () => this.#pages.retryAll(),
      signal: this.#options.signal,
    });
  }

  #makeBar(): Bar {
    const openMoreMenu = (button: HTMLElement): void =>
      this.#menus.openMore(button, this.#details.isOpen);
    if (this.model.sheet.log !== undefined) return new LogBar({ ...this.#actions, openMoreMenu });
    const openRunMenu = (button: HTMLElement): void => this.#menus.openRun(button);
    return new Toolbar({ ...this.#actions, openRunMenu, openMoreMenu });
  }

  #makeDetails(): Details {
    return new Details(
      {
        fetch: (address, aborted) => this.#host.cell(address, aborted),
        openValue: this.#actions.openValue,
        edit: () => this.#edits.begin(),
        run: (cell) => this.#actions.run({ kind: 'cell', cell }),
        close: () => this.#toggleDetails(false),
        resized: (size) => {
          this.#viewStateSaver.detailsSize = size;
          this.#viewStateSaver.saveSoon();
        },
      },
      this.#viewStateSaver.detailsSize,
      this.#options.signal,
    );
  }

  #build(): void {
    const { grid, element: scroller } = this.viewport;
    const { sheet } = this.model;
    scroller.append(this.#waiting.bands.element);
    const stage = el('div', 'stage', {}, [scroller, this.#waiting.note.element]);
    const body = el('div', 'body', {}, [stage, this.#details.edge, this.#details.element]);
    const name = [sheet.tableTitle, sheet.title].filter((title) => title !== '').join(', ');
    grid.setAttribute('aria-label', name);
    const context = { preventDefaultContextMenuItems: true };
    this.element.setAttribute('data-vscode-context', JSON.stringify(context));
    this.element.append(
      el('header', 'top', {}, [
        this.#toolbar.element,
        this.#work.element,
        this.#operations.rows.element,
      ]),
      this.#banners.element,
      el('main', 'main', {}, [body]),
      this.#status.element,
      this.#menu.element,
      this.#announcer.element,
    );
  }

  #listen(): void {
    const { signal } = this.#options;
    const theme = new MutationObserver(() => this.#measure());
    theme.observe(document.documentElement, { attributeFilter: ['style'] });
    signal.addEventListener('abort', () => {
      theme.disconnect();
      this.#pages.close();
    });
  }

  #measure(): void {
    const height = rowHeightForFont();
    if (height === this.viewport.rowHeight) return;
    const row = this.viewport.firstRow;
    this.viewport.rowHeight = height;
    this.viewport.relayout();
    this.viewport.scrollToRow(row, 'top');
  }

  // Drawing what changed.

  #showAll(): void {
    this.#showStatus();
    this.#toolbar.show(this.model.sheet);
    this.#work.show();
    this.#operations.show(this.model.sheet.operations);
    this.#edits.showAttention();
    this.#showUndo();
    this.#showSaving();
    this.#cursorChanged();
  }

  #showSaving(): void {
    this.#status.showSaving(this.model.sheet, this.#actions.stopSaving);
  }

  /** Numbers come after the first rows: to prepare their spelling takes as long as a screen of rows. */
  #showStatus(): void {
    if (this.viewport.isPainted) this.#status.show(this.model);
  }

  /** The first rows are painted: now for what they did not need. */
  #completed(): void {
    this.element.classList.add('settled');
    this.#options.painted();
    this.#showStatus();
    const { firstRow, rowsPerPage } = this.viewport;
    const last = Math.min(this.model.rowCount, firstRow + rowsPerPage) - 1;
    this.#pages.move(firstRow, Math.max(firstRow, last), this.model.rowCount);
  }

  #drawn(first: number, last: number): void {
    const { store, rowCount } = this.model;
    const isHere = store.rowIndex(first) !== undefined && store.rowIndex(last) !== undefined;
    if (this.viewport.isPainted || !isHere) this.#pages.move(first, last, rowCount);
    this.#edits.reposition();
    this.#waiting.showBands();
    this.#cursor.markActive();
    if (!this.#viewStateSaver.rowsShown(first, last)) return;
    this.#timers.later('waiting', 300, () => this.#waiting.showNote());
  }

  #pagesChanged(page: number | undefined): void {
    if (this.#first.isWaiting) {
      this.model.noteRows();
      this.#first.draw();
      return;
    }
    if (this.model.noteRows()) this.viewport.relayout();
    else if (page === undefined || this.viewport.shows(page)) this.viewport.invalidate();
    this.#edits.followRow();
    this.#waiting.showBands();
    this.#waiting.showNote();
    this.#showStatus();
    this.#showSubject();
  }

  #showEdits(): void {
    this.viewport.ring.repaint();
    this.#showUndo();
    this.#showSubject();
  }

  #showUndo(): void {
    this.#toolbar.showUndo(this.model.sheet.canUndo, this.model.sheet.canRedo);
  }

  #cursorChanged(): void {
    this.#cursor.show();
    this.#status.showSelection(this.model);
    this.#work.selected();
    this.#showSubject();
    this.#viewStateSaver.cursorMoved();
  }

  #showSubject(): void {
    const { model } = this;
    const cell = model.cursorCell;
    const column = model.cursorColumn?.column;
    const subject = cell &&
      column && { ...cell, isComputed: column.computed, unsaved: model.unsavedAt(cell) };
    this.#details.show(subject, column?.title ?? '');
  }

  /** Details that open must not cover the cell they are of. */
  #keepCursorInView(): void {
    if (!this.#isMakingRoom) return;
    this.#isMakingRoom = false;
    const { row, column } = this.model.selection.cursor;
    if (row !== headerRow) this.viewport.scrollToRow(row);
    this.viewport.scrollToColumn(column);
  }

  #toggleDetails(isOpen: boolean): void {
    const hadFocus = this.#details.element.contains(document.activeElement);
    this.#details.toggle(isOpen);
    this.#toolbar.showDetailsOpen(isOpen);
    this.#isMakingRoom = isOpen;
    this.#showSubject();
    if (!isOpen && hadFocus) this.#cursor.focus();
    this.#viewStateSaver.saveSoon();
  }

  async #cancel(operationId: string): Promise<void> {
    const isAsked = await this.#actions.cancelOperation(operationId);
    if (!isAsked) this.#operations.rows.allowCancel(operationId);
  }
}
