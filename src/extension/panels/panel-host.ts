import * as vscode from 'vscode';
import type * as z from 'zod';
import type { App } from '../shell/app.ts';
import { DisposableStore } from '../shell/dispose.ts';
import { createWebviewPanel, registerWebviewPanelSerializer } from '../shell/shown.ts';

/**
 * Brings tabs back after a reload of the window. One that nobody fills is closed: what it was of is
 * not known, or not there any more, or open already, and an empty tab helps nobody.
 */
export const restorePanels = <Page>(
  viewId: string,
  schema: () => z.ZodType<Page>,
  fill: (panel: vscode.WebviewPanel, page: Page) => Promise<boolean>,
): vscode.Disposable =>
  registerWebviewPanelSerializer(viewId, {
    async deserializeWebviewPanel(panel, state: unknown) {
      const read = schema().safeParse(state);
      if (!read.success || !(await fill(panel, read.data))) panel.dispose();
    },
  });

/** What fills a tab. */
export interface HostedPanel {
  readonly isActive: boolean;
  /** The tab was closed, or the window is. */
  close(): void | Promise<void>;
}

/** What fills the tabs of one kind, held for as long as they are open. */
export class PanelMap<Panel extends HostedPanel> implements vscode.Disposable {
  readonly #app: App;
  readonly #panels = new Map<string, Panel>();

  constructor(app: App) {
    this.#app = app;
  }

  dispose(): void {
    for (const panel of this.#panels.values()) this.#close(panel);
  }

  get(key: string): Panel | undefined {
    return this.#panels.get(key);
  }

  get all(): readonly Panel[] {
    return [...this.#panels.values()];
  }

  get active(): Panel | undefined {
    return this.all.find(({ isActive }) => isActive);
  }

  adopt(tab: vscode.WebviewPanel, key: string, panel: Panel, closed?: () => void): Panel {
    this.#panels.set(key, panel);
    // Not among what the window holds: it would keep every panel that was ever open.
    tab.onDidDispose(() => {
      if (this.#panels.get(key) === panel) this.#panels.delete(key);
      this.#close(panel);
      closed?.();
    });
    return panel;
  }

  #close(panel: Panel): void {
    Promise.resolve(panel.close()).catch((error: unknown) => {
      this.#app.errors.note(error, 'Closing a tab');
    });
  }
}

interface HostParts<Page, Panel> {
  readonly app: App;
  readonly viewId: string;
  /** Of what a page keeps while the window is loaded anew. */
  readonly schema: () => z.ZodType<Page>;
  /** Of what there is one tab only. */
  readonly keyOf: (page: Page) => string;
  /** Loads what fills tabs: none of it is needed before there is one. */
  readonly load: () => Promise<(tab: vscode.WebviewPanel, page: Page) => Panel>;
  /** A tab that came back was closed, as this one is of the same. */
  readonly isThere?: (panel: Panel) => void;
  /** The last tab of this was closed. */
  readonly closed?: (page: Page) => void;
}

/** The tabs of one kind: one for each thing, found again after a reload, forgotten when closed. */
export class PanelHost<Page, Panel extends HostedPanel> implements vscode.Disposable {
  readonly #parts: HostParts<Page, Panel>;
  readonly #panels: PanelMap<Panel>;
  readonly #own = new DisposableStore();

  constructor(parts: HostParts<Page, Panel>) {
    this.#parts = parts;
    this.#panels = this.#own.add(new PanelMap(parts.app));
    this.#own.add(
      restorePanels(parts.viewId, parts.schema, async (tab, page) => {
        const make = await parts.load();
        const there = this.get(page);
        if (there === undefined) this.#adopt(tab, page, make);
        else parts.isThere?.(there);
        return there === undefined;
      }),
    );
  }

  dispose(): void {
    this.#own.dispose();
  }

  get(page: Page): Panel | undefined {
    return this.#panels.get(this.#parts.keyOf(page));
  }

  get all(): readonly Panel[] {
    return this.#panels.all;
  }

  get active(): Panel | undefined {
    return this.#panels.active;
  }

  /** The tab of this, as it is; a new one when there is none. */
  async open(page: Page, title: string): Promise<Panel> {
    const make = await this.#parts.load();
    const there = this.get(page);
    if (there !== undefined) return there;
    const tab = createWebviewPanel(this.#parts.viewId, title, vscode.ViewColumn.Active);
    return this.#adopt(tab, page, make);
  }

  #adopt(
    tab: vscode.WebviewPanel,
    page: Page,
    make: (tab: vscode.WebviewPanel, page: Page) => Panel,
  ): Panel {
    return this.#panels.adopt(tab, this.#parts.keyOf(page), make(tab, page), () => {
      if (this.get(page) === undefined) this.#parts.closed?.(page);
    });
  }
}
