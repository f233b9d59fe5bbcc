import * as vscode from 'vscode';
import type { RunChunk } from '../../core/index.ts';
import type {
  ModelName,
  ComparisonRun,
  RunPageState,
  RunSnapshot,
  RunVariable,
  ViewEvents,
} from '../../protocol/run.ts';
import type { App } from '../shell/app.ts';
import type { Blueprint } from '../shell/choice-schema.ts';
import { runCommand } from '../shell/commands.ts';
import { keepRun } from '../kept-runs/keep-run.ts';
import { LiveRun } from '../kept-runs/live-run.ts';
import { withProgress } from '../shell/progress.ts';
import { versionOf } from '../shell/prompt-address.ts';
import type { Records } from '../shell/records.ts';
import type { EndedRun } from '../kept-runs/run-history.ts';
import { problemOf } from '../panels/run-problem.ts';
import { valuesOf } from '../ask/run-variables.ts';
import { showInformationMessage } from '../shell/shown.ts';
import { endedPrompt } from './ended.ts';
import type { MediaFiles } from './media.ts';
import type { PanelPrompt } from './panel-prompt.ts';
import type { KeptComparison, RunRecord } from './records.ts';
import { RunSession } from './session.ts';
import { unpublishedOptions } from './unpublished-options.ts';

export interface PanelRunsParts {
  readonly app: App;
  readonly prompt: PanelPrompt;
  readonly media: MediaFiles;
  readonly records: Records<RunRecord>;
  /** What the panel showed before the window was reloaded. */
  readonly record: RunRecord | undefined;
  /** The prompt that runs when the page says that it is kept. */
  readonly blueprint: Blueprint | undefined;
  readonly emit: <Name extends keyof ViewEvents>(name: Name, payload: ViewEvents[Name]) => void;
  /** Something began to run, or has ended. */
  readonly onState: () => void;
}

/** The run of a panel, and beside it the one that its answer is compared with. */
export class PanelRuns implements vscode.Disposable {
  readonly session: RunSession;
  readonly #parts: PanelRunsParts;
  /** What the answer is compared with. */
  #comparisonRun: (Omit<KeptComparison, 'record'> & { readonly session: RunSession }) | undefined;
  /** The tab is closed, and a run goes on. */
  #isWithoutTab = false;
  /** Answers that are kept are used by what runs now. */
  #usesCache = false;
  #ended: () => void = () => undefined;

  constructor(parts: PanelRunsParts) {
    const { record } = parts;
    this.#parts = parts;
    this.session = this.#newSession(undefined);
    if (record !== undefined) this.session.restore(record);
    if (record?.comparisonRun !== undefined) {
      const { record: kept, ...rest } = record.comparisonRun;
      const session = this.#newSession(rest.model);
      session.restore(kept);
      this.#comparisonRun = { ...rest, session };
    }
    // A page that is loaded anew finds it there, also when nothing was run yet.
    if (parts.blueprint !== undefined) this.#keep();
  }

  dispose(): void {
    this.session.dispose();
    this.#comparisonRun?.session.dispose();
  }

  get isRunning(): boolean {
    return this.session.isRunning || this.#comparisonRun?.session.isRunning === true;
  }

  get shown(): { readonly run: RunSnapshot; readonly comparisonRun: ComparisonRun | null } {
    return { run: this.session.snapshot(), comparisonRun: this.#comparisonShown() };
  }

  image(id: string): string | undefined {
    return this.session.image(id) ?? this.#comparisonRun?.session.image(id);
  }

  /** Begins a run, and with it what it is compared with. */
  begin(variables: readonly RunVariable[], usesCache: boolean): void {
    this.#usesCache = usesCache;
    const comparisonRun = this.#comparisonRun;
    if (comparisonRun?.kind === 'last') this.#showLast();
    this.session.begin(variables);
    if (comparisonRun?.kind === 'model') comparisonRun.session.begin(variables);
  }

  stop(): void {
    this.session.stop();
    this.#comparisonRun?.session.stop();
  }

  compareWith(comparisonRun: Omit<KeptComparison, 'record'> | undefined): void {
    this.#setComparison(comparisonRun);
  }

  /** The tab is closed. What runs is paid for: it goes on without it, and says when it has ended. */
  async goOn(): Promise<void> {
    this.#isWithoutTab = true;
    const { app, prompt } = this.#parts;
    const title = vscode.l10n.t('Running {0}', prompt.page.promptName);
    await withProgress(app, { title, where: 'notification' }, async (signal) => {
      signal.addEventListener('abort', () => this.stop());
      while (this.isRunning) {
        await new Promise<void>((resolve) => (this.#ended = resolve));
      }
    });
  }

  #onEnd(ended: EndedRun): void {
    this.#ended();
    const { app } = this.#parts;
    if (!this.#isWithoutTab || app.signal.aborted || ended.state === 'stopped') return;
    const open = vscode.l10n.t('Open Run');
    const { name, connectionId, choice, detail, askedModel: model, parameters } = ended;
    const { variables, record, blueprint } = detail;
    const text =
      ended.state === 'done'
        ? vscode.l10n.t('{0} has answered.', name)
        : vscode.l10n.t('The run of {0} has failed: {1}', name, ended.problem ?? '');
    void showInformationMessage(text, open).then(async (chosen) => {
      if (chosen !== open) return;
      const from = { variables, record, isStarted: false, ...(blueprint && { blueprint }) };
      await runCommand('promptTables.runPrompt', {
        ...{ connectionId, promptName: name, choice, from },
        ...(model !== undefined && { model }),
        ...(parameters !== undefined && { parameters }),
        ...(blueprint !== undefined && { unpublished: { kind: 'kept' } }),
      });
    });
  }

  /** Runs the prompt: with its own model, or beside it with the one that it is compared with. */
  #newSession(comparisonRun: ModelName | undefined): RunSession {
    const { app, prompt, emit, onState } = this.#parts;
    const isComparison = (): boolean => this.session !== session;
    const asked = (): RunPageState => {
      if (comparisonRun === undefined) return prompt.page;
      // What was entered is meant for the model that it stands beside.
      const { parameters: _, ...page } = prompt.page;
      return { ...page, model: comparisonRun };
    };
    /** What the run that goes on was begun with. */
    let begun = asked();
    let blueprint: Blueprint | undefined;
    /** What the answer of that run has to fit. */
    let schema: unknown;
    let live = new LiveRun(app);
    const entryOf = (variables: readonly RunVariable[], kept: RunRecord): EndedRun => ({
      ...endedPrompt(app, begun, prompt.presentation, variables, kept, blueprint),
      id: live.id,
    });
    const session = new RunSession({
      start: async (variables, signal) => {
        begun = asked();
        blueprint = undefined;
        schema = undefined;
        blueprint = await prompt.blueprintOf(begun);
        const chunks = await this.#start(begun, blueprint, variables, signal);
        schema = await this.#schemaOf(begun, variables);
        return chunks;
      },
      emit: (name, payload) => {
        if (!isComparison()) emit(name, payload);
        else if ('status' in payload) emit('comparisonProgress', payload);
        else emit('comparisonStarted', payload);
      },
      problemOf: (error) => problemOf(app, error),
      endingOf: app.endingOf,
      checkOf: () =>
        schema === undefined
          ? undefined
          : async (text) => {
              const { checkAnswer } = await import('./answer-schema.ts');
              return checkAnswer(text, schema, vscode.l10n.t);
            },
      note: (error) => app.errors.note(error, `Running ${prompt.page.promptName}`),
      onState,
      save: () => this.#keep(),
      isLeaving: () => app.signal.aborted,
      onProgress: (variables, kept) => live.update(entryOf(variables, kept)),
      onEnd: (variables, kept) => {
        const { runId } = kept.status;
        const ended = entryOf(variables, kept);
        const over = live;
        live = new LiveRun(app);
        void over.end().then(() => {
          void keepRun(app, ended, (price) => session.setPrice(runId, price));
        });
        this.#onEnd(ended);
      },
    });
    return session;
  }

  /** The run that was shown last, to be compared with the next one. */
  #showLast(): void {
    const { session } = this;
    if (session.isIdle) return;
    session.stop();
    this.#setComparison({ kind: 'last', title: vscode.l10n.t('Previous run') }, session.record());
  }

  #setComparison(
    comparisonRun: Omit<KeptComparison, 'record'> | undefined,
    record?: RunRecord,
  ): void {
    this.#comparisonRun?.session.dispose();
    this.#comparisonRun = undefined;
    if (comparisonRun !== undefined) {
      const session = this.#newSession(comparisonRun.model);
      if (record !== undefined) session.restore(record);
      this.#comparisonRun = { ...comparisonRun, session };
    }
    this.#parts.emit('comparisonRun', this.#comparisonShown());
    this.#keep();
  }

  #comparisonShown(): ComparisonRun | null {
    if (this.#comparisonRun === undefined) return null;
    const { kind, title, session } = this.#comparisonRun;
    return { kind, title, run: session.snapshot() };
  }

  /** As the model was given it. */
  async #schemaOf(
    { parameters = [] }: RunPageState,
    variables: readonly RunVariable[],
  ): Promise<unknown> {
    const { app, prompt } = this.#parts;
    try {
      const given = prompt.parameters.answerSchema(parameters);
      if (given === undefined) return undefined;
      const { filledSchema } = await import('./answer-schema.ts');
      return filledSchema(given, valuesOf(variables, vscode.l10n.t));
    } catch (error) {
      // Variables in it that only the service can fill in: nobody here knows what it was.
      app.errors.note(error, 'Reading the schema of an answer');
      return undefined;
    }
  }

  async #start(
    page: RunPageState,
    blueprint: Blueprint | undefined,
    variables: readonly RunVariable[],
    signal: AbortSignal,
  ): Promise<AsyncIterable<RunChunk>> {
    const { app, media, prompt } = this.#parts;
    const { connectionId, promptName, choice, model } = page;
    const usesCache = this.#usesCache;
    const modelParameterOverrides = await prompt.changedParameters(page);
    const { version, label } = versionOf(choice);
    const values = valuesOf(variables, vscode.l10n.t);
    const inputVariables = await media.read(variables, values);
    const client = await app.connections.client(connectionId, { signal });
    const chosen = {
      ...(blueprint === undefined
        ? { promptVersion: version, promptReleaseLabel: label }
        : unpublishedOptions(blueprint, promptName)),
      ...(model !== undefined && { provider: model.provider, model: model.name }),
      // Given, the cache of templates is left out.
      ...(Object.keys(modelParameterOverrides).length > 0 && { modelParameterOverrides }),
    };
    return client.run(
      {
        ...{ promptName, ...chosen, stream: true as const, answerCache: usesCache },
        ...(blueprint?.isRendered !== true && { inputVariables }),
      },
      { signal: AbortSignal.any([signal, app.signal]) },
    );
  }

  #keep(): void {
    // Nobody comes back for a tab that was closed; the run is in the list of runs.
    if (this.#isWithoutTab) return;
    const { app, records, blueprint, prompt } = this.#parts;
    const isKept = prompt.page.unpublished?.kind === 'kept' && blueprint !== undefined;
    const record = { ...withoutEvents(this.session), ...(isKept && { blueprint }) };
    const comparisonRun = this.#comparisonRun;
    const kept =
      comparisonRun === undefined
        ? record
        : {
            ...record,
            comparisonRun: {
              ...{
                kind: comparisonRun.kind,
                title: comparisonRun.title,
                record: withoutEvents(comparisonRun.session),
              },
              ...(comparisonRun.model !== undefined && { model: comparisonRun.model }),
            },
          };
    records.write(prompt.page.panelId, kept).catch((error: unknown) => {
      app.errors.note(error, 'Keeping the output of a run');
    });
  }
}

/** Thousands of events are not written down again and again: the raw answer follows at the end. */
function withoutEvents(session: RunSession): RunRecord {
  const record = session.record();
  return session.isRunning ? { ...record, raw: null } : record;
}
