import { readdir } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import * as z from 'zod';
import type { SheetAddress } from '../address.ts';
import { isSheetAddress } from '../address.ts';
import type { App } from '../app.ts';
import { registerCommand, runCommand } from '../commands.ts';
import type { CommandId } from '../contributions.ts';
import { gridPanelId } from '../contributions.ts';
import { DisposableStore } from '../dispose.ts';
import { pickSheet } from '../pick.ts';
import { gridCommands } from '../../protocol/grid.ts';
import type { GridCommand } from '../../protocol/grid.ts';
import { askFor } from './ask.ts';
import type { Layouts } from './layouts.ts';
import type { GridPanel } from './panel.ts';
import { registerComparison } from './register-compare.ts';
import { RestoredTabs } from './restored-tabs.ts';
import type { Sessions } from './sessions.ts';
import { tabTitle } from './tab-title.ts';
import type { ShownPart } from './shown-part.ts';
import { registerValues } from './values.ts';
import { createWebviewPanel, registerWebviewPanelSerializer } from '../shown.ts';

/** The part of a grid's own state that says which sheet it showed. */
const RestoredState = z.object({
  connectionId: z.string(),
  tableId: z.string(),
  sheetId: z.string(),
});
/** What the grid puts into `data-vscode-context`. */
const MenuContext = z.object({ columnId: z.string().optional() });

interface ColumnCommandTarget {
  readonly shell: CommandId;
  /** Where a new column goes. */
  readonly side?: 'left' | 'right';
}
/** Column commands of a grid, and those of the tree that do the work. */
const columnCommands = {
  addColumn: { shell: 'promptTables.addColumn' },
  addColumnLeft: { shell: 'promptTables.addColumn', side: 'left' },
  addColumnRight: { shell: 'promptTables.addColumn', side: 'right' },
  editColumn: { shell: 'promptTables.editColumn' },
  duplicateColumn: { shell: 'promptTables.duplicateColumn' },
  renameColumn: { shell: 'promptTables.renameColumn' },
  deleteColumn: { shell: 'promptTables.deleteColumn' },
  compareColumns: { shell: 'promptTables.compareColumns' },
} as const satisfies Readonly<Record<string, ColumnCommandTarget>>;
type ColumnCommand = keyof typeof columnCommands;

/** A row to go to, when other code opens the sheet. */
const RowInSheet = z.object({ rowIndex: z.int().min(0).optional() });

/** What is needed once there is a sheet to show, and not loaded at activation. */
interface GridParts {
  readonly Panel: typeof GridPanel;
  readonly layouts: Layouts;
  readonly sessions: Sessions;
}

async function loadParts(app: App): Promise<GridParts> {
  const {
    GridPanel: Panel,
    Layouts,
    Sessions,
    removeLeftSpools,
    spoolFolder,
  } = await import('./grid-parts.ts');
  const pages = path.join(app.context.globalStorageUri.fsPath, spoolFolder);
  removeLeftSpools(pages).catch((error: unknown) => {
    app.errors.note(error, 'Removing pages of closed windows');
  });
  const layouts = new Layouts(app.context.workspaceState);
  const sessions = new Sessions(app, layouts);
  sessions.finishLeftBehind();
  return { Panel, layouts, sessions };
}

const keyOf = ({ connectionId, tableId, sheetId }: SheetAddress): string =>
  `${connectionId}/${tableId}/${sheetId}`;

/** A tree item may carry more than the address. */
const titleOf = (sheet: SheetAddress & { readonly sheet?: unknown }): string | undefined => {
  const read = z.object({ title: z.string() }).safeParse(sheet.sheet);
  return read.success ? read.data.title : undefined;
};

/** Activation comes first. */
const lookAfterMs = 1000;

/** Sheets in editor tabs: one tab a sheet and connection. */
export function registerGrids(app: App): vscode.Disposable {
  const own = new DisposableStore();
  let loading: Promise<GridParts> | undefined;
  const parts = (): Promise<GridParts> => (loading ??= loadParts(app));
  const panels = new Map<string, GridPanel>();
  const tabs = new RestoredTabs(app.context.workspaceState);
  const active = (): GridPanel | undefined => [...panels.values()].find((panel) => panel.isActive);

  const adopt = (
    { Panel, layouts, sessions }: GridParts,
    panel: vscode.WebviewPanel,
    address: SheetAddress,
  ): void => {
    const key = keyOf(address);
    const named = (title: string): void => {
      tabs.remember(key, title).catch((error: unknown) => {
        app.errors.note(error, 'Keeping the title of a tab');
      });
    };
    const grid = new Panel({ app, layouts, sessions, panel, address, named });
    panels.set(key, grid);
    panel.iconPath = new vscode.ThemeIcon('table');
    // Not among what the window holds: it would keep every panel that was ever open.
    panel.onDidDispose(() => {
      if (panels.get(key) === grid) {
        panels.delete(key);
        app.openSheets.close(address);
      }
      void closeQuietly(app, grid);
    });
  };

  const open = async (address: SheetAddress): Promise<void> => {
    const loaded = await parts();
    const { rowIndex } = RowInSheet.catch({}).parse(address);
    const existing = panels.get(keyOf(address));
    if (existing !== undefined) {
      existing.reveal();
      if (rowIndex !== undefined) await existing.goToRow(rowIndex);
      return;
    }
    const key = keyOf(address);
    const others = [...panels.values()].filter(({ isVisible }) => !isVisible);
    const isOpen = (): boolean => panels.has(key);
    const titles = others.map(({ title }) => title);
    if (!(await tabs.bring(key, isOpen, titles))) {
      const title = tabTitle(titleOf(address) ?? vscode.l10n.t('Sheet'));
      const column = vscode.ViewColumn.Active;
      adopt(loaded, createWebviewPanel(gridPanelId, title, column), address);
    }
    if (rowIndex !== undefined) await panels.get(keyOf(address))?.goToRow(rowIndex);
  };

  own.add(
    registerCommand(app, 'promptTables.openSheet', async (sheet) => {
      const title = vscode.l10n.t('Open sheet');
      await open(isSheetAddress(sheet) ? sheet : await pickSheet(app, title, { isNew: true }));
    }),
  );

  own.add(
    registerWebviewPanelSerializer(gridPanelId, {
      async deserializeWebviewPanel(panel, state: unknown) {
        const read = RestoredState.safeParse(state);
        const loaded = await parts();
        // Which sheet it was is not known, or it is open already: an empty tab helps nobody.
        const open = read.success ? panels.get(keyOf(read.data)) : undefined;
        if (!read.success || open !== undefined) panel.dispose();
        else adopt(loaded, panel, read.data);
        open?.reveal();
      },
    }),
  );
  own.add(registerValues(app));
  own.add(registerComparison(app));
  for (const command of gridCommands) {
    own.add(
      registerCommand(app, `promptTables.grid.${command}`, async (...args: readonly unknown[]) => {
        const grid = active();
        if (grid !== undefined) await carryOut(grid, command, args[0]);
      }),
    );
  }
  own.add(registerCommand(app, 'promptTables.grid.cancelRun', () => active()?.cancelRunning()));
  own.add(
    registerCommand(app, 'promptTables.grid.reveal', async () => {
      const shown = [...panels].find(([, panel]) => panel.isActive)?.[1].address;
      if (shown !== undefined) await runCommand('promptTables.revealSheet', shown);
    }),
  );
  for (const [command, { shell, side }] of Object.entries<ColumnCommandTarget>(columnCommands)) {
    own.add(
      registerCommand(app, `promptTables.grid.${command as ColumnCommand}`, async (menu) => {
        const grid = active();
        const context = MenuContext.safeParse(menu);
        const columnId = context.success ? context.data.columnId : grid?.cursorColumnId;
        const place = side !== undefined && columnId !== undefined ? { columnId, side } : undefined;
        // The palette asks which column; a menu has been opened on one.
        const named = context.success || side !== undefined ? { columnId } : {};
        if (grid !== undefined) await runCommand(shell, { ...grid.address, ...named, place });
      }),
    );
  }
  const selected = (grid: GridPanel): Promise<ShownPart> => grid.selected();
  const exported = (grid: GridPanel): Promise<ShownPart> => grid.exported();
  const shown = async (grid: GridPanel): Promise<ShownPart> => grid.shown();
  for (const [command, whole, partOf] of [
    ['exportSheet', 'promptTables.exportSheet', exported],
    ['exportSelection', 'promptTables.exportSheet', selected],
    ['showCharts', 'promptTables.showCharts', shown],
    ['showScorecard', 'promptTables.showScorecard', shown],
  ] as const) {
    own.add(
      registerCommand(app, `promptTables.grid.${command}`, async () => {
        const grid = active();
        if (grid !== undefined)
          await runCommand(whole, { ...grid.address, ...(await partOf(grid)) });
      }),
    );
  }
  // What another window has left behind is a reason to load them before a sheet is opened.
  const hasUnsaved = async (): Promise<boolean> => {
    const folder = path.join(app.context.globalStorageUri.fsPath, 'unsaved');
    return (await readdir(folder).catch(() => [])).length > 0;
  };
  const partsWithUnsaved = async (): Promise<GridParts | undefined> =>
    loading ?? ((await hasUnsaved()) ? parts() : undefined);
  app.unsaved.use({
    count: async (id) => (await partsWithUnsaved())?.sessions.unsavedCount(id) ?? 0,
    discard: async (id) => (await partsWithUnsaved())?.sessions.discard(id),
  });
  const look = setTimeout(() => {
    partsWithUnsaved().catch((error: unknown) =>
      app.errors.note(error, 'Looking for unsaved edits'),
    );
  }, lookAfterMs);
  own.defer(() => {
    clearTimeout(look);
    for (const grid of panels.values()) void closeQuietly(app, grid);
    void loading?.then(({ sessions }) => sessions.close());
  });
  return vscode.Disposable.from(own);
}

/** Column commands of a context menu carry their column; some commands need something typed first. */
async function carryOut(grid: GridPanel, command: GridCommand, menu: unknown): Promise<void> {
  const context = MenuContext.safeParse(menu);
  const columnId = context.success ? context.data.columnId : undefined;
  await grid.command(command, columnId ?? (await askFor(command, grid)));
}

async function closeQuietly(app: App, grid: GridPanel): Promise<void> {
  try {
    await grid.close();
  } catch (error) {
    app.errors.note(error, 'Closing a sheet');
  }
}
