import { readdir } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import * as z from 'zod';
import type { SheetAddress } from '../shell/address.ts';
import { isSheetAddress } from '../shell/address.ts';
import type { App } from '../shell/app.ts';
import { registerCommand } from '../shell/commands.ts';
import { gridPanelId } from '../contributions.ts';
import { DisposableStore } from '../shell/dispose.ts';
import { PanelHost } from '../panels/panel-host.ts';
import { pickSheet } from '../ask/pick.ts';
import type { Layouts } from './columns/layouts.ts';
import { registerGridCommands } from './grid-commands.ts';
import type { GridPanel } from './panel.ts';
import { RestoredTabs } from './restored-tabs.ts';
import type { Sessions } from './sessions.ts';
import { tabTitle } from './tab-title.ts';
import { registerValues } from './cells/values.ts';
import { ifThere } from '../shell/if-there.ts';
import { lazy } from '../shell/lazy.ts';

/** The part of a grid's own state that says which sheet it showed. */
const RestoredState = lazy(() =>
  z.object({
    connectionId: z.string(),
    tableId: z.string(),
    sheetId: z.string(),
  }),
);
/** A row to go to, when other code opens the sheet. */
const RowInSheet = lazy(() => z.object({ rowIndex: z.int().min(0).optional() }));

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
  } = await import('../grid-parts.ts');
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
  const tabs = new RestoredTabs(app.context.workspaceState);
  const panels: PanelHost<SheetAddress, GridPanel> = own.add(
    new PanelHost({
      ...{ app, viewId: gridPanelId, schema: RestoredState, keyOf },
      async load() {
        const { Panel, layouts, sessions } = await parts();
        return (panel, address) => {
          const named = (title: string): void => {
            tabs.remember(keyOf(address), title).catch((error: unknown) => {
              app.errors.note(error, 'Keeping the title of a tab');
            });
          };
          panel.iconPath = new vscode.ThemeIcon('table');
          return new Panel({ app, layouts, sessions, panel, address, named });
        };
      },
      isThere: (panel) => panel.reveal(),
      closed: (address) => app.openSheets.close(address),
    }),
  );
  const active = (): GridPanel | undefined => panels.active;

  const open = async (address: SheetAddress): Promise<void> => {
    await parts();
    const { rowIndex } = RowInSheet().catch({}).parse(address);
    const isOpen = (): boolean => panels.get(address) !== undefined;
    if (!isOpen()) {
      const titles = panels.all.filter(({ isVisible }) => !isVisible).map(({ title }) => title);
      await tabs.bring(keyOf(address), isOpen, titles);
    }
    const there = panels.get(address);
    const title = tabTitle(titleOf(address) ?? vscode.l10n.t('Sheet'));
    const grid = there ?? (await panels.open(address, title));
    // A new one is in front already.
    there?.reveal();
    if (rowIndex !== undefined) await grid.goToRow(rowIndex);
  };

  own.add(
    registerCommand(app, 'promptTables.openSheet', async (sheet) => {
      const title = vscode.l10n.t('Open sheet');
      await open(isSheetAddress(sheet) ? sheet : await pickSheet(app, title, { isNew: true }));
    }),
  );

  own.add(registerValues(app));
  own.add(registerGridCommands(app, active));
  app.openSheets.inFront = () => {
    const grid = active();
    return grid && { address: grid.address, exported: () => grid.exported() };
  };
  own.defer(() => (app.openSheets.inFront = () => undefined));
  own.add(registerUnsaved(app, parts, () => loading));
  return vscode.Disposable.from(own);
}

/** What is not saved outlives windows: also a window that shows no sheet looks after it. */
function registerUnsaved(
  app: App,
  parts: () => Promise<GridParts>,
  loading: () => Promise<GridParts> | undefined,
): vscode.Disposable {
  // What another window has left behind is a reason to load them before a sheet is opened.
  const hasUnsaved = async (): Promise<boolean> => {
    const folder = path.join(app.context.globalStorageUri.fsPath, 'unsaved');
    return ((await ifThere(readdir(folder))) ?? []).length > 0;
  };
  const partsWithUnsaved = async (): Promise<GridParts | undefined> =>
    loading() ?? ((await hasUnsaved()) ? parts() : undefined);
  app.unsaved.use({
    count: async (id) => (await partsWithUnsaved())?.sessions.unsavedCount(id) ?? 0,
    discard: async (id) => (await partsWithUnsaved())?.sessions.discard(id),
  });
  const look = setTimeout(() => {
    partsWithUnsaved().catch((error: unknown) =>
      app.errors.note(error, 'Looking for unsaved edits'),
    );
  }, lookAfterMs);
  return new vscode.Disposable(() => {
    clearTimeout(look);
    void loading()?.then(({ sessions }) => sessions.close());
  });
}
