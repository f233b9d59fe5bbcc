import type { GridPage } from '../../protocol/grid-cells.ts';
import type { GridSheet } from '../../protocol/grid-sheet.ts';
import type { GridState, ViewEvents } from '../../protocol/grid.ts';
import type { ViewCommand } from '../../protocol/grid-commands.ts';
import type { GridActions } from './actions/grid-actions.ts';
import { makeActions } from './actions/make-actions.ts';
import { Banners } from './around/banners.ts';
import { LogBar } from './around/log-bar.ts';
import { Menu } from './around/menu.ts';
import { OperationsView } from './around/operations-view.ts';
import { showProblems } from './around/show-problems.ts';
import { StatusLine } from './around/status-line.ts';
import { Toolbar } from './around/toolbar.ts';
import { Announcer } from '../common/announcer.ts';
import { el } from '../common/dom.ts';
import { spellNumber, t } from '../common/language.ts';
import { ColumnMenus } from './columns/column-menus.ts';
import { HeaderInput } from './columns/header-input.ts';
import { Header } from './columns/header.ts';
import { commandsOf } from './commands.ts';
import type { Host } from './connection.ts';
import { Cursor } from './cursor/cursor.ts';
import { pressAgain } from './cursor/press-again.ts';
import { SelectionSum } from './cursor/selection-sum.ts';
import { SheetInput } from './cursor/sheet-input.ts';
import { Details } from './details/details.ts';
import { Blocks } from './edit/blocks.ts';
import { EditFlow } from './edit/edit-flow.ts';
import { Bars } from './find-filter/bars.ts';
import { SheetModel } from './model/sheet-model.ts';
import { FirstDrawing } from './rows/first-drawing.ts';
import { makePages } from './rows/make-pages.ts';
import { followFont } from './rows/row-height.ts';
import { Viewport } from './rows/viewport.ts';
import { Waiting } from './rows/waiting.ts';
import { Timers } from './timers.ts';
import { ViewStateSaver } from './view-state-saver.ts';

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

/**
 * The whole view of one sheet. Makes its parts, each from those before it: what is drawn in a frame
 * is drawn in this order. From then on they know of each other by the model only.
 */
export class SheetGrid {
  readonly element = el('div', 'view');
  readonly model: SheetModel;
  readonly viewport: Viewport;
  readonly #announcer: Announcer;
  readonly #cursor: Cursor;
  readonly #waiting: Waiting;
  readonly #actions: GridActions;

  constructor(options: SheetGridOptions) {
    const { host, saved, save, signal } = options;
    const model = new SheetModel(options.sheet, { capacity: options.capacity, saved });
    this.model = model;
    if (options.rows !== null) model.takeRows(options.rows);
    model.changes.atOnce(['painted'], () => {
      this.element.classList.add('settled');
      options.painted();
    });
    const timers = new Timers(signal);
    const announcer = new Announcer(signal);
    const banners = new Banners(signal);
    const menu = new Menu(signal);
    const header = new Header(model);
    const viewport = new Viewport({ model, header, signal });
    followFont(viewport, signal);
    const cursor = new Cursor({ model, viewport, header });
    const pages = makePages({ host, model, viewport, signal });
    const waiting = new Waiting({ model, pages, viewport, timers, announcer });
    const edits = new EditFlow({ host, model, viewport, cursor, banners, menu, signal });
    const blocks = new Blocks({ host, model, cursor, edits, banners, signal });
    const bars = new Bars({ host, model, cursor, announcer, banners, signal });
    const doing = { host, model, cursor, edits, blocks, bars, pages, banners, announcer, signal };
    const actions = makeActions(doing);
    const menus = new ColumnMenus({ model, actions, menu, cursor });
    const isLog = model.sheet.log !== undefined;
    const toolbar = new (isLog ? LogBar : Toolbar)({ model, actions, menus });
    const operations = new OperationsView(model, announcer, actions);
    const status = new StatusLine(model, actions);
    new SelectionSum({ host, model, status, signal });
    const details = new Details({ host, model, viewport, cursor, actions, signal });
    showProblems({ host, model, banners, actions });
    new ViewStateSaver({ host, model, viewport, timers, save, signal });
    new HeaderInput({ model, header, cursor, menus, actions, signal });
    const { element } = this;
    const parts = { model, viewport, header, cursor, edits, actions, menus, details, toolbar };
    new SheetInput({ element, ...parts, signal });
    const first = new FirstDrawing({ model, viewport, cursor, pages, timers, edits, saved });

    const stage = el('div', 'stage', {}, [viewport.element, waiting.note.element]);
    const body = el('div', 'body', {}, [stage, details.edge.element, details.element]);
    element.append(
      el('header', 'top', {}, [toolbar.element, bars.element, operations.rows.element]),
      banners.element,
      el('main', 'main', {}, [body]),
      ...[status.element, menu.element, announcer.element],
    );
    const context = { preventDefaultContextMenuItems: true };
    element.setAttribute('data-vscode-context', JSON.stringify(context));
    [this.viewport, this.#cursor, this.#waiting] = [viewport, cursor, waiting];
    [this.#actions, this.#announcer] = [actions, announcer];
    // Sizes can be taken once the element is in the page.
    queueMicrotask(() => first.start());
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
    model.takeSheet(sheet);
    if (model.rowCount !== rowsBefore)
      this.#announcer.say(t('{0} rows', spellNumber(model.rowCount)));
  }

  takeCells(change: ViewEvents['cells']): void {
    this.model.takeCells(change);
  }

  takeOperations(change: ViewEvents['operations']): void {
    this.model.takeOperations(change);
  }

  takeWalk(walk: ViewEvents['walk']): void {
    this.#waiting.takeWalk(walk);
  }

  takeUnsaved(change: ViewEvents['unsaved']): void {
    this.model.takeUnsaved(change);
  }

  takeSaving(saving: ViewEvents['saving']): void {
    this.model.takeSaving(saving);
  }

  takeProblem(problem: ViewEvents['problem']): void {
    this.model.view.problem = problem;
  }

  runCommand(command: ViewCommand, argument: string | undefined): void {
    commandsOf(this.#actions, this.model)[command](argument);
  }
}
