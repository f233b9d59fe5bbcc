import * as vscode from 'vscode';
import * as z from 'zod';
import { isCancellation } from '../../core/errors.ts';
import type { Client } from '../../core/index.ts';
import type { Handlers } from '../../protocol/channel.ts';
import type {
  ChartTab,
  ChartsEvents,
  ChartsPageState,
  ChartsRequests,
  ScoreView,
} from '../../protocol/charts.ts';
import { chartTabs, verdicts } from '../../protocol/charts.ts';
import { refOf } from '../shell/address.ts';
import type { App } from '../shell/app.ts';
import { checkMessage } from '../panels/check-message.ts';
import { runCommand } from '../shell/commands.ts';
import { DisposableStore } from '../shell/dispose.ts';
import { PageLink } from '../panels/page-link.ts';
import { placeOf } from '../panels/run-problem.ts';
import { SheetMetrics } from './read.ts';
import { judgedRow, readScore, readSpread, stepTitles } from './score.ts';
import { VersionsOfSheet } from './versions.ts';

const requests: {
  readonly [Name in keyof ChartsRequests]: z.ZodType<ChartsRequests[Name]['params']>;
} = {
  ready: z.null(),
  showTab: z.object({ tab: z.enum(chartTabs) }),
  read: z.null(),
  stop: z.null(),
  readVersions: z.null(),
  stopVersions: z.null(),
  scoreSpread: z.null(),
  lookAtScore: z.null(),
  calculate: z.null(),
  cancelCalculation: z.null(),
  editScorecard: z.null(),
  judged: z.object({ verdict: z.enum(verdicts), after: z.int().min(0).nullable() }),
  openRow: z.object({ rowIndex: z.int().min(0) }),
};
export const checkFromCharts = checkMessage('The charts of a sheet', {
  request: requests,
  event: {},
});

type NoMessages = Readonly<Record<string, never>>;

/** While rows are read, the page is updated no more often than this. */
const tellMs = 300;
const scoreMs = 700;

/** Time, cost, tokens and score of one sheet in an editor tab. */
export class ChartsPanel {
  readonly #app: App;
  readonly #panel: vscode.WebviewPanel;
  readonly #own = new DisposableStore();
  readonly #closing = new AbortController();
  readonly #metrics = new SheetMetrics();
  readonly #versions = new VersionsOfSheet();
  readonly #link: PageLink<ChartsRequests, NoMessages, NoMessages, ChartsEvents>;
  #page: ChartsPageState;
  #title = '';
  #reading: AbortController | undefined;
  #readingVersions: AbortController | undefined;
  #score: ScoreView | undefined;
  #isWatching = false;

  constructor(app: App, panel: vscode.WebviewPanel, page: ChartsPageState) {
    this.#app = app;
    this.#panel = panel;
    this.#page = page;
    panel.iconPath = new vscode.ThemeIcon('graph');
    this.#link = this.#own.add(
      new PageLink<ChartsRequests, NoMessages, NoMessages, ChartsEvents>({
        ...{ app, panel, bundle: 'charts', what: 'charts of a sheet' },
        ...{ handlers: this.#handlers(), listeners: {}, check: checkFromCharts },
      }),
    );
    this.#own.add(
      app.changes.onDidChange(({ what, sheetId }) => {
        if (what === 'score' && sheetId === this.#page.sheetId) void this.#watchScore();
      }),
    );
    this.#own.defer(() => this.#closing.abort(new vscode.CancellationError()));
  }

  get isActive(): boolean {
    return this.#panel.active;
  }

  close(): void {
    this.#own.dispose();
  }

  show(tab: ChartTab): void {
    this.#page = { ...this.#page, tab };
    this.#panel.reveal();
    this.#link.channel?.emit('tab', { tab });
  }

  get #signal(): AbortSignal {
    return AbortSignal.any([this.#closing.signal, this.#app.signal]);
  }

  #client(): Promise<Client> {
    return this.#app.connections.client(this.#page.connectionId, { signal: this.#signal });
  }

  #handlers(): Handlers<ChartsRequests> {
    const ref = refOf(this.#page);
    return {
      ready: async (_, signal) => {
        const client = await this.#client();
        const sheet = await client.tables.sheets.get(ref, { signal });
        this.#title = sheet.title;
        this.#panel.title = vscode.l10n.t('Charts of {0}', sheet.title);
        // The answer comes first, then what there is.
        setImmediate(() => this.#resume());
        return {
          sheet: this.#title,
          connection: placeOf(this.#app, this.#page.connectionId),
          tab: this.#page.tab,
          page: this.#page,
        };
      },
      showTab: ({ tab }) => {
        this.#page = { ...this.#page, tab };
        // A version may have been saved, or the score calculated elsewhere, since it was read.
        if (tab === 'score') void this.#watchScore();
        if (tab === 'versions') this.#showVersions();
        return null;
      },
      read: () => {
        this.#read();
        return null;
      },
      stop: () => {
        this.#reading?.abort(new vscode.CancellationError());
        return null;
      },
      readVersions: () => {
        this.#readVersions();
        return null;
      },
      stopVersions: () => {
        this.#readingVersions?.abort(new vscode.CancellationError());
        return null;
      },
      scoreSpread: async (_, signal) => readSpread(await this.#client(), ref, signal),
      lookAtScore: () => {
        void this.#watchScore();
        return null;
      },
      calculate: async (_, signal) => {
        const client = await this.#client();
        if (this.#score?.kind === 'scorecard') {
          await client.tables.scorecards.recalculate(ref, {}, { signal });
        } else await client.tables.scores.recalculate(ref, { signal });
        void this.#watchScore();
        return null;
      },
      cancelCalculation: async (_, signal) => {
        await (await this.#client()).tables.scorecards.cancel(ref, {}, { signal });
        void this.#watchScore();
        return null;
      },
      editScorecard: async () => {
        await runCommand('promptTables.editScorecard', this.#page);
        return null;
      },
      judged: async ({ verdict, after }, signal) => {
        const client = await this.#client();
        const { scorecards } = client.tables;
        const query = { verdict, limit: 50, ...(after !== null && { cursor: after }) };
        const [answer, page] = await Promise.all([
          scorecards.get(ref, { signal }),
          scorecards.rows(ref, query, { signal }),
        ]);
        const titles = stepTitles(answer);
        return {
          rows: page.rows.map((row) => judgedRow(row, titles)),
          next: page.next_cursor ?? null,
        };
      },
      openRow: async ({ rowIndex }) => {
        const { connectionId } = this.#page;
        await runCommand('promptTables.openSheet', { ...ref, connectionId, rowIndex });
        return null;
      },
    };
  }

  /** A page that has come back gets what is there; what was never read is read now. */
  #resume(): void {
    if (this.#reading === undefined && this.#metrics.state === 'reading') this.#read();
    else this.#tell();
    void this.#watchScore();
    if (this.#page.tab === 'versions') this.#showVersions();
  }

  /** What was never read is read now. */
  #showVersions(): void {
    if (this.#versions.charts.state === 'idle') this.#readVersions();
    else this.#link.channel?.emit('versions', this.#versions.charts);
  }

  #readVersions(): void {
    this.#readingVersions?.abort(new vscode.CancellationError());
    const reading = new AbortController();
    this.#readingVersions = reading;
    const signal = AbortSignal.any([reading.signal, this.#signal]);
    const tell = (): void => {
      if (this.#readingVersions === reading) {
        this.#link.channel?.emit('versions', this.#versions.charts);
      }
    };
    const read = async (): Promise<void> => {
      try {
        const client = await this.#client();
        const reads = this.#versions.read(client, refOf(this.#page), { signal, onVersion: tell });
        tell();
        await reads;
      } catch (error) {
        this.#fault('versions', error);
      } finally {
        tell();
      }
    };
    void read();
  }

  #tell(): void {
    this.#link.channel?.emit('charts', this.#metrics.charts);
  }

  #read(): void {
    this.#reading?.abort(new vscode.CancellationError());
    const reading = new AbortController();
    this.#reading = reading;
    const signal = AbortSignal.any([reading.signal, this.#signal]);
    let reportedAt = -Infinity;
    const onPage = (): void => {
      if (this.#reading !== reading || performance.now() - reportedAt < tellMs) return;
      reportedAt = performance.now();
      this.#tell();
    };
    const read = async (): Promise<void> => {
      try {
        const client = await this.#client();
        await this.#metrics.read(client, refOf(this.#page), { signal, onPage });
      } catch (error) {
        this.#fault('charts', error);
      } finally {
        if (this.#reading === reading) {
          this.#reading = undefined;
          this.#tell();
        }
      }
    };
    void read();
  }

  /** Reads the score, and again while it is being calculated. */
  async #watchScore(): Promise<void> {
    if (this.#isWatching) return;
    this.#isWatching = true;
    try {
      const client = await this.#client();
      for (;;) {
        this.#score = await readScore(client, refOf(this.#page), this.#signal);
        this.#link.channel?.emit('score', this.#score);
        if (!this.#score.isRunning) return;
        await new Promise((resolve) => setTimeout(resolve, scoreMs));
        this.#signal.throwIfAborted();
      }
    } catch (error) {
      this.#fault('score', error);
    } finally {
      this.#isWatching = false;
    }
  }

  #fault(where: 'charts' | 'score' | 'versions', error: unknown): void {
    if (isCancellation(error) || this.#signal.aborted) return;
    this.#app.errors.note(error, 'Reading the charts of a sheet');
    const { message, hint } = this.#app.errors.describe(error);
    this.#link.channel?.emit('problem', {
      where,
      message: hint === undefined ? message : `${message} ${hint}`,
    });
  }
}
