import path from 'node:path';
import * as vscode from 'vscode';
import * as z from 'zod';
import { NotFoundError, ValidationError } from '../../core/errors.ts';
import type { Handlers } from '../../protocol/channel.ts';
import type {
  MatrixEvents,
  MatrixPageState,
  MatrixRequests,
  MatrixView,
} from '../../protocol/matrix.ts';
import { mostCases, mostCells } from '../../protocol/matrix.ts';
import { filled, oneLine, summary } from '../ask/fill-variables.ts';
import { vscodeProvider } from '../language-models/models.ts';
import { checkMessage } from '../panels/check-message.ts';
import { PageLink } from '../panels/page-link.ts';
import type { HostedPanel } from '../panels/panel-host.ts';
import { placeOf, problemOf } from '../panels/run-problem.ts';
import { askModel } from '../run-panel/ask-model.ts';
import { MediaFiles } from '../run-panel/media.ts';
import type { App } from '../shell/app.ts';
import { runCommand } from '../shell/commands.ts';
import { DisposableStore } from '../shell/dispose.ts';
import { askModelOf, judgeBy, type AskParts } from './ask.ts';
import { askCases } from './ask-cases.ts';
import { askScorer } from './ask-scorer.ts';
import { askVariant } from './ask-variant.ts';
import { Budget } from './budget.ts';
import type { StoredCell } from './cells.ts';
import { MatrixCells } from './cells.ts';
import type { Wanted } from './columns.ts';
import { columnFor, shownColumn, withColumn } from './columns.ts';
import { Followed } from './comparison.ts';
import { confirmRun, demandWhole } from './confirm.ts';
import { MatrixEngine } from './engine.ts';
import { MatrixJournal } from './journal.ts';
import type { Plan, Scorer } from './plan.ts';
import { Prices } from './prices.ts';
import { publishWinner } from './publish.ts';
import { saveAsSheet } from './save-sheet.ts';
import { scorerTitle } from './scorers.ts';

const t = vscode.l10n.t;

/** Requests of a provider at a time; the models of VS Code are asked one by one. */
const usualPlaces = 4;

const id = z.string().min(1).max(200);
const cell = z.object({ columnId: id, caseId: z.int().min(0) });
const requests: {
  readonly [Name in keyof MatrixRequests]: z.ZodType<MatrixRequests[Name]['params']>;
} = {
  ready: z.null(),
  addVariant: z.null(),
  removeColumn: z.object({ columnId: id }),
  addCases: z.null(),
  removeCases: z.null(),
  addScorer: z.null(),
  removeScorer: z.object({ scorerId: id }),
  run: z.null(),
  stop: z.null(),
  answer: cell,
  openAnswer: cell,
  showRequest: cell,
  decide: z.object({ caseId: z.int().min(0), columnId: id.nullable() }),
  saveAsSheet: z.null(),
  publishWinner: z.null(),
};
const check = checkMessage('The comparison', { request: requests, event: {} });

type NoMessages = Readonly<Record<string, never>>;

export const journalFolder = (app: App): string =>
  path.join(app.context.globalStorageUri.fsPath, 'matrices');

export interface MatrixPanelParts {
  readonly app: App;
  readonly panel: vscode.WebviewPanel;
  readonly page: MatrixPageState;
  /** What a comparison begins with that is new. */
  readonly first: FirstPlan | undefined;
}

export interface FirstPlan {
  readonly connectionId: string;
  readonly wanted: Wanted;
  /** The values of a run panel. */
  readonly values?: Readonly<Record<string, unknown>> | undefined;
}

/** Many variants by many cases in an editor tab. */
export class MatrixPanel implements HostedPanel {
  readonly #parts: MatrixPanelParts;
  readonly #own = new DisposableStore();
  readonly #cells: MatrixCells;
  readonly #engine: MatrixEngine;
  readonly #prices: Prices;
  readonly #link: PageLink<MatrixRequests, NoMessages, NoMessages, MatrixEvents>;
  readonly #opened: Promise<void>;
  readonly #closing = new AbortController();
  #followed: Followed | undefined;
  #running: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(parts: MatrixPanelParts) {
    const { app, panel, page } = parts;
    this.#parts = parts;
    const folder = journalFolder(app);
    this.#cells = new MatrixCells(new MatrixJournal({ folder, id: page.matrixId, t }), t);
    const signal = AbortSignal.any([this.#closing.signal, app.signal]);
    this.#prices = new Prices({
      signal,
      ask: async (requestId, stop) => {
        const client = await this.#client(stop);
        const { price } = await client.requests.get(requestId, { signal: stop });
        return typeof price === 'number' ? price : undefined;
      },
      found: (requestId, usd) => void this.#priced(requestId, usd),
    });
    this.#engine = this.#makeEngine();
    panel.iconPath = new vscode.ThemeIcon('table');
    this.#opened = this.#open();
    // Whoever asks for the page is told of it.
    this.#opened.catch(() => undefined);
    this.#link = this.#own.add(
      new PageLink<MatrixRequests, NoMessages, NoMessages, MatrixEvents>({
        ...{ app, panel, bundle: 'matrix', what: 'comparison of many variants' },
        ...{ handlers: this.#handlers(), listeners: {}, check },
      }),
    );
  }

  get isActive(): boolean {
    return !this.#isClosed && this.#parts.panel.active;
  }

  /** What goes on is stopped: what has come is kept, and the journal says that nobody writes any more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#engine.stop();
    this.#own.dispose();
    this.#followed?.dispose();
    await this.#opened.catch(() => undefined);
    await this.#running;
    this.#closing.abort();
    await this.#cells.close();
  }

  async #open(): Promise<void> {
    const { first, app } = this.#parts;
    await this.#cells.open();
    if (this.#cells.plan === undefined) {
      if (first === undefined) {
        throw new NotFoundError(t('This comparison is no longer kept.'), {
          hint: t('Begin a new one with Compare Many.'),
        });
      }
      const { connectionId, wanted, values = {} } = first;
      const column = await columnFor(app, connectionId, wanted, this.#askModel(connectionId));
      const plan = { connectionId, title: wanted.promptName, columns: [column], scorers: [] };
      await this.#cells.setPlan(plan);
      if (Object.keys(values).length > 0) {
        await this.#cells.addCases([{ title: t('Values of the run panel'), values }]);
      }
    }
    const { panel } = this.#parts;
    panel.title = t('Compare {0}', this.#plan.title);
    this.#followed = new Followed({
      ...{ cells: this.#cells, engine: this.#engine },
      emit: (message) => this.#link.channel?.emit('cells', message),
    });
    for (const requestId of this.#cells.requestIds) {
      if (this.#cells.priceOf(requestId) === undefined) this.#prices.add(requestId);
    }
  }

  get #plan(): Plan {
    const { plan } = this.#cells;
    if (plan === undefined) throw new Error('There is nothing to compare.');
    return plan;
  }

  #askModel(connectionId: string) {
    const title = t('The prompt has no model. Compare it with');
    return () => askModel(this.#parts.app, { title, connectionId });
  }

  #client(signal: AbortSignal) {
    return this.#parts.app.connections.client(this.#plan.connectionId, { signal });
  }

  #makeEngine(): MatrixEngine {
    const { app } = this.#parts;
    const media = new MediaFiles(app.context.workspaceState);
    const asking: AskParts = {
      client: (signal) => this.#client(signal),
      problemOf: (error) => problemOf(app, error),
      endingOf: app.endingOf,
      note: (error) => app.errors.note(error, 'A request of a comparison'),
      isLeaving: () => app.signal.aborted,
      filled,
      readMedia: (variables, values) => media.read(variables, values),
      usesCache: () => app.settings.get('run.answerCache'),
      t,
    };
    return new MatrixEngine({
      cells: this.#cells,
      ask: askModelOf(asking),
      judge: judgeBy(asking),
      providerOf: (scorer) => (scorer.kind === 'assertion' ? scorer.model.provider : undefined),
      placesOf: (provider) => (provider === vscodeProvider ? 1 : usualPlaces),
      price: (requestId) => this.#prices.add(requestId),
      changed: (changed: StoredCell) => this.#followed?.changed(changed),
      note: (error, doing) => app.errors.note(error, doing),
      notAsked: (message) => t('Not sent, because others of this variant failed: {0}', message),
    });
  }

  async #priced(requestId: number, usd: number | null): Promise<void> {
    this.#engine.priced(requestId, usd);
    if (usd === null) return;
    try {
      await this.#cells.priced(requestId, usd);
      this.#followed?.setHalt(this.#followed.progress.halt);
    } catch (error) {
      this.#parts.app.errors.note(error, 'Keeping the price of a request');
    }
  }

  #view(): MatrixView {
    const { app, page } = this.#parts;
    const { connectionId, title, columns, scorers } = this.#plan;
    const followed = this.#followed;
    if (followed === undefined) throw new Error('The comparison is not open yet.');
    return {
      ...{ page, title, connection: placeOf(app, connectionId) },
      columns: columns.map(shownColumn),
      cases: this.#cells.cases.map(({ id: caseId, title: name, values }) => ({
        ...{ id: caseId, title: name, summary: oneLine(summary(values)) },
      })),
      scorers: scorers.map((scorer) => ({ id: scorer.id, title: scorerTitle(scorer, t) })),
      ...{ cells: followed.shown, foots: followed.foots, progress: followed.progress },
      best: this.#cells.best,
    };
  }

  #showAnew(): null {
    this.#link.channel?.emit('changed', this.#view());
    return null;
  }

  /** Nothing is changed below a run that goes on. */
  #demandIdle(): void {
    if (this.#engine.isRunning) {
      throw new ValidationError(t('The comparison is running.'), { hint: t('Stop it first.') });
    }
  }

  async #change(plan: Partial<Plan>): Promise<null> {
    await this.#cells.setPlan({ ...this.#plan, ...plan });
    return this.#showAnew();
  }

  #handlers(): Handlers<MatrixRequests> {
    return {
      ready: async () => {
        await this.#opened;
        return this.#view();
      },
      ...this.#planHandlers(),
      ...this.#runHandlers(),
      ...this.#answerHandlers(),
    };
  }

  #planHandlers() {
    const { app } = this.#parts;
    return {
      addVariant: async () => {
        this.#demandIdle();
        const { connectionId } = this.#plan;
        let columns = this.#plan.columns;
        for (const wanted of await askVariant(app, connectionId, columns)) {
          const column = await columnFor(app, connectionId, wanted, this.#askModel(connectionId));
          columns = withColumn(columns, column);
        }
        this.#demandIdle();
        this.#demandRoom(columns.length, this.#cells.cases.length);
        return this.#change({ columns });
      },
      removeColumn: ({ columnId }: { readonly columnId: string }) => {
        this.#demandIdle();
        return this.#change({ columns: this.#plan.columns.filter((one) => one.id !== columnId) });
      },
      addCases: async () => {
        this.#demandIdle();
        const taken = this.#cells.cases.length;
        const most = Math.min(mostCases, Math.floor(mostCells / this.#plan.columns.length));
        const asked = { app, plan: this.#plan, room: most - taken };
        const cases = await askCases(asked, taken);
        this.#demandIdle();
        await this.#cells.addCases(cases);
        return this.#showAnew();
      },
      removeCases: async () => {
        this.#demandIdle();
        await this.#cells.removeCases();
        return this.#showAnew();
      },
      addScorer: async () => {
        this.#demandIdle();
        const scorer = await askScorer(app, this.#plan, this.#cells.cases);
        await this.#change({ scorers: [...this.#plan.scorers, scorer] });
        if (scorer.kind !== 'assertion') await this.#scoreHere(scorer);
        return null;
      },
      removeScorer: ({ scorerId }: { readonly scorerId: string }) => {
        this.#demandIdle();
        return this.#change({ scorers: this.#plan.scorers.filter((one) => one.id !== scorerId) });
      },
    };
  }

  #demandRoom(columns: number, cases: number): void {
    if (columns * cases <= mostCells) return;
    const most = new Intl.NumberFormat(vscode.env.language).format(mostCells);
    throw new ValidationError(t('At most {0} answers can be compared.', most), {
      hint: t('Remove variants or cases first.'),
    });
  }

  #runHandlers() {
    const { app } = this.#parts;
    return {
      run: async () => {
        this.#demandIdle();
        const plan = this.#plan;
        demandWhole(plan, this.#cells.cases);
        const confirmed = await confirmRun(app, this.#cells, this.#engine, plan);
        if (confirmed === undefined) return null;
        this.#demandIdle();
        await this.#cells.own();
        this.#demandIdle();
        void this.#begin(plan, confirmed.budget, true);
        return null;
      },
      stop: () => {
        this.#engine.stop();
        return null;
      },
    };
  }

  #begin({ columns, scorers }: Pick<Plan, 'columns' | 'scorers'>, budget: Budget, asks: boolean) {
    const { app } = this.#parts;
    const halted = this.#followed?.progress.halt;
    const ended = this.#engine.run({ columns, scorers, budget, asks });
    this.#followed?.setHalt(asks ? undefined : halted);
    this.#running = ended.then(async ({ halt, error }) => {
      if (asks) this.#followed?.setHalt(halt);
      this.#followed?.tell();
      if (error !== undefined) app.errors.show(error, { doing: 'Comparing many variants' });
      if (!asks) return;
      await this.#cells.release().catch((fault: unknown) => {
        app.errors.note(fault, 'Releasing a comparison');
      });
    });
    return this.#running;
  }

  /** Answers that are there cost nothing to be scored. */
  #scoreHere(scorer: Scorer): Promise<void> {
    const { columns } = this.#plan;
    return this.#begin({ columns, scorers: [scorer] }, new Budget(undefined), false);
  }

  #cell({ columnId, caseId }: { readonly columnId: string; readonly caseId: number }): StoredCell {
    const isOurs =
      this.#plan.columns.some((one) => one.id === columnId) &&
      this.#cells.cases.some((one) => one.id === caseId);
    if (!isOurs) throw new NotFoundError(t('This answer is no longer part of the comparison.'));
    return this.#cells.cell(columnId, caseId);
  }

  #answerHandlers() {
    const { app } = this.#parts;
    type Of = { readonly columnId: string; readonly caseId: number };
    return {
      answer: async (of: Of) => {
        const found = this.#cell(of);
        const text = await this.#cells.textOf(found);
        const first = this.#plan.columns[0];
        if (first === undefined || first.id === of.columnId) return { text };
        const other = this.#cells.cell(first.id, of.caseId);
        return other.state === 'done' ? { text, first: await this.#cells.textOf(other) } : { text };
      },
      openAnswer: async (of: Of) => {
        const content = await this.#cells.textOf(this.#cell(of));
        const document = await vscode.workspace.openTextDocument({ content, language: 'markdown' });
        await vscode.window.showTextDocument(document, { preview: true });
        return null;
      },
      showRequest: async (of: Of) => {
        const requestId = this.#cell(of).answer?.requestId;
        const { connectionId } = this.#plan;
        if (requestId === undefined) {
          throw new NotFoundError(t('This answer has no request in the log.'));
        }
        await runCommand('promptTables.openRequests', { connectionId, requestId });
        return null;
      },
      decide: async ({
        caseId,
        columnId,
      }: {
        readonly caseId: number;
        readonly columnId: string | null;
      }) => {
        if (columnId !== null) this.#cell({ columnId, caseId });
        await this.#cells.decided(caseId, columnId);
        this.#followed?.tell();
        return null;
      },
      saveAsSheet: async () => {
        await saveAsSheet(app, this.#plan, this.#cells);
        return null;
      },
      publishWinner: async () => {
        await publishWinner(this.#plan, this.#followed?.foots ?? []);
        return null;
      },
    };
  }
}
