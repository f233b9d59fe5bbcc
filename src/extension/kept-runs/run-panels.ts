import type * as vscode from 'vscode';
import type * as z from 'zod';
import type { RunVariable } from '../../protocol/run.ts';
import type { App } from '../shell/app.ts';
import { DisposableStore } from '../shell/dispose.ts';
import type { FromRun } from './from-run.ts';
import type { HostedPanel } from '../panels/panel-host.ts';
import { PanelMap, restorePanels } from '../panels/panel-host.ts';
import type { Records } from '../shell/records.ts';
import type { RememberedVariables } from '../ask/run-variables.ts';
import { createWebviewPanel } from '../shell/shown.ts';

/** What every page of a panel that runs something keeps in its state. */
interface RunPage {
  readonly panelId: string;
  readonly connectionId: string;
}

/** One thing in an editor tab, to be run again and again. */
interface HostedRun extends HostedPanel {
  readonly session: { readonly begin: (variables: readonly RunVariable[]) => void };
}

/** What is needed once there is something to run, and not loaded at activation. */
interface Loaded<Page, Kept, Panel> {
  readonly records: Records<Kept>;
  readonly remembered: RememberedVariables;
  readonly readRecord: (value: unknown) => Kept;
  readonly make: (
    panel: vscode.WebviewPanel,
    page: Page,
    record: Kept | undefined,
    from: FromRun | undefined,
  ) => Panel;
}

interface RunPanelsParts<Page, Kept, Panel> {
  readonly app: App;
  readonly viewId: string;
  readonly pageSchema: () => z.ZodType<Page>;
  /** Of the prompt or workflow, by which its variables are remembered. */
  readonly nameOf: (page: Page) => string;
  readonly load: () => Promise<Loaded<Page, Kept, Panel>>;
}

/** Panels that run prompts, or workflows: opens them, and finds them again after a reload. */
export class RunPanels<Page extends RunPage, Kept, Panel extends HostedRun>
  implements vscode.Disposable
{
  readonly #parts: RunPanelsParts<Page, Kept, Panel>;
  readonly #panels: PanelMap<Panel>;
  readonly #own = new DisposableStore();
  #loading: Promise<Loaded<Page, Kept, Panel>> | undefined;

  constructor(parts: RunPanelsParts<Page, Kept, Panel>) {
    this.#parts = parts;
    this.#panels = this.#own.add(new PanelMap(parts.app));
    this.#own.add(
      restorePanels(parts.viewId, parts.pageSchema, async (panel, page) => {
        const isNew = this.panel(page.panelId) === undefined;
        if (isNew) await this.#adopt(panel, page);
        return isNew;
      }),
    );
  }

  panel(id: string): Panel | undefined {
    return this.#panels.get(id);
  }

  get active(): Panel | undefined {
    return this.#panels.active;
  }

  async records(): Promise<Records<Kept>> {
    return (await this.#loaded()).records;
  }

  async open(
    title: string,
    column: vscode.ViewColumn,
    page: Page,
    from: FromRun | undefined,
  ): Promise<void> {
    const panel = createWebviewPanel(this.#parts.viewId, title, column);
    await this.#adopt(panel, page, from);
  }

  dispose(): void {
    this.#own.dispose();
  }

  #loaded(): Promise<Loaded<Page, Kept, Panel>> {
    return (this.#loading ??= this.#load());
  }

  async #load(): Promise<Loaded<Page, Kept, Panel>> {
    const loaded = await this.#parts.load();
    loaded.records.prune().catch((error: unknown) => {
      this.#parts.app.errors.note(error, 'Removing outputs of old runs');
    });
    return loaded;
  }

  async #adopt(panel: vscode.WebviewPanel, page: Page, from?: FromRun): Promise<void> {
    const { app, nameOf } = this.#parts;
    const { records, remembered, readRecord, make } = await this.#loaded();
    if (from !== undefined) {
      const { connectionId } = page;
      await remembered.keep({ connectionId, name: nameOf(page) }, from.variables);
    }
    /** What a run has given; nothing when it is to be run, or was too large to be kept. */
    const recordIn = ({ record, isStarted }: FromRun): Kept | undefined =>
      isStarted || record === null ? undefined : readRecord(record);
    let record: Kept | undefined;
    try {
      record = from === undefined ? await records.read(page.panelId) : recordIn(from);
    } catch (error) {
      app.errors.note(error, 'Reading the output of an earlier run');
    }
    const run = make(panel, page, record, from);
    this.#panels.adopt(panel, page.panelId, run, () => {
      // Closed by hand, not with the window: nobody comes back for it.
      if (app.signal.aborted) return;
      records.remove(page.panelId).catch((error: unknown) => {
        app.errors.note(error, 'Removing the output of a closed panel');
      });
    });
    if (from?.isStarted === true) run.session.begin(from.variables);
  }
}
