import * as vscode from 'vscode';
import type { RunChunk } from '../../core/index.ts';
import { isCancellation, isPromptTablesError, ValidationError } from '../../core/errors.ts';
import type { Handlers } from '../../protocol/channel.ts';
import type {
  HostEvents,
  HostRequests,
  ModelName,
  PanelCommand,
  PromptFace,
  Rival,
  RunPageState,
  RunProblem,
  RunVariable,
  ViewEvents,
  ViewRequests,
} from '../../protocol/run.ts';
import type { App } from '../app.ts';
import type { Blueprint } from '../choice-schema.ts';
import { runCommand } from '../commands.ts';
import { setContextKey } from '../context-keys.ts';
import { DisposableStore } from '../dispose.ts';
import { fillVariables } from '../fill-variables.ts';
import { PageLink } from '../page-link.ts';
import { withProgress } from '../progress.ts';
import { pickChoice } from '../pick-prompt.ts';
import { versionOf } from '../prompt-address.ts';
import type { Records } from '../records.ts';
import { keepRun } from '../keep-run.ts';
import { LiveRun } from '../live-run.ts';
import { problemOf } from '../run-problem.ts';
import type { RememberedVariables } from '../run-variables.ts';
import { valuesOf } from '../run-variables.ts';
import { Throttled } from '../throttled.ts';
import { VariableSets } from '../variable-sets.ts';
import { askRival } from './ask-rival.ts';
import type { RunDocuments } from './documents.ts';
import { endedPrompt } from './ended.ts';
import { fetchImage } from './image.ts';
import { MediaFiles } from './media.ts';
import { checkFromPanel } from './messages.ts';
import { cachedPrompt, faceOf, loadPrompt } from './prompt.ts';
import type { KeptRival, RunRecord } from './records.ts';
import type { EndedRun } from '../run-history.ts';
import { RunSession } from './session.ts';
import { unpublishedFace, unpublishedOptions } from './unpublished.ts';
import { showInformationMessage } from '../shown.ts';

export interface RunPanelParts {
  readonly app: App;
  readonly panel: vscode.WebviewPanel;
  readonly page: RunPageState;
  readonly records: Records<RunRecord>;
  readonly remembered: RememberedVariables;
  readonly documents: RunDocuments;
  /** What the panel showed before the window was reloaded. */
  readonly record: RunRecord | undefined;
  /** The prompt that runs when the page says that it is kept. */
  readonly blueprint: Blueprint | undefined;
  /** The prompt that a document holds, as it stands. */
  readonly readDocument: (uri: string) => Promise<Blueprint>;
}

/** How often what is typed is written down. */
const rememberMs = 250;

const markdownKey = 'promptTables.run.markdown';

/** A pause in typing after which the form follows the document. */
const typingPauseMs = 700;

/** One prompt in an editor tab, to be run again and again. Keeps the connection it was opened with. */
export class RunPanel {
  readonly session: RunSession;
  readonly #parts: RunPanelParts;
  readonly #own = new DisposableStore();
  readonly #sets: VariableSets;
  readonly #media: MediaFiles;
  #page: RunPageState;
  /** What the answer is compared with. */
  #rival: (Omit<KeptRival, 'record'> & { readonly session: RunSession }) | undefined;
  readonly #link: PageLink<HostRequests, ViewRequests, HostEvents, ViewEvents>;
  #face: PromptFace | null = null;
  #problem: RunProblem | null = null;
  #loading = new AbortController();
  #following: ReturnType<typeof setTimeout> | undefined;
  /** The tab is closed, and a run goes on. */
  #isClosed = false;
  #ended: () => void = () => undefined;

  constructor(parts: RunPanelParts) {
    const { app, panel, record } = parts;
    this.#parts = parts;
    this.#page = parts.page;
    this.#sets = new VariableSets(app.context.workspaceState, 'prompt');
    this.#media = new MediaFiles(app.context.workspaceState);
    this.session = this.#newSession(undefined);
    if (record !== undefined) this.session.restore(record);
    if (record?.rival !== undefined) {
      const { record: kept, ...rest } = record.rival;
      const session = this.#newSession(rest.model);
      session.restore(kept);
      this.#rival = { ...rest, session };
    }
    // A page that is loaded anew finds it there, also when nothing was run yet.
    if (parts.blueprint !== undefined) this.#keep();
    this.#own.defer(() => {
      clearTimeout(this.#following);
      this.#loading.abort();
      this.session.dispose();
      this.#rival?.session.dispose();
    });
    this.#own.add(panel.onDidChangeViewState(() => this.#setContextKeys()));
    this.#own.add(
      app.connections.onDidChange((change) => {
        if (change.what === 'access' && change.id === this.#page.connectionId) void this.#load();
      }),
    );
    this.#own.add(
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        const { unpublished } = this.#page;
        const isOurs =
          unpublished?.kind === 'document' && document.uri.toString() === unpublished.uri;
        if (!isOurs || contentChanges.length === 0) return;
        clearTimeout(this.#following);
        this.#following = setTimeout(() => void this.#load(), typingPauseMs);
      }),
    );
    panel.iconPath = new vscode.ThemeIcon('play');
    const remembering = new Throttled<readonly RunVariable[]>(rememberMs, (variables) => {
      parts.remembered.keep(this.#owner, variables).then(undefined, (error: unknown) => {
        app.errors.note(error, 'Remembering the values of variables');
      });
    });
    this.#own.defer(() => remembering.flush());
    this.#link = this.#own.add(
      new PageLink<HostRequests, ViewRequests, HostEvents, ViewEvents>({
        ...{ app, panel, bundle: 'run', what: 'run panel', dataImages: true },
        handlers: this.#handlers(),
        listeners: {
          markdown: (isMarkdown) => {
            app.context.globalState
              .update(markdownKey, isMarkdown)
              .then(undefined, (error: unknown) => {
                app.errors.note(error, 'Remembering how answers are shown');
              });
          },
          variables: (variables) => {
            remembering.put(variables);
            if (this.#face !== null) this.#face = { ...this.#face, variables };
          },
        },
        check: checkFromPanel,
      }),
    );
    void this.#load();
  }

  get id(): string {
    return this.#page.panelId;
  }

  get #owner(): { readonly connectionId: string; readonly name: string } {
    return { connectionId: this.#page.connectionId, name: this.#page.promptName };
  }

  get isActive(): boolean {
    // A tab that is closed must not be asked.
    return !this.#isClosed && this.#parts.panel.active;
  }

  reveal(): void {
    this.#parts.panel.reveal();
  }

  /** Commands of palette and title bar. */
  async command(command: PanelCommand): Promise<void> {
    if (command === 'start') await this.#link.channel?.request('start', null);
    else await this.#handlers()[command](null, this.#parts.app.signal);
  }

  /** The tab was closed, or the window is. What runs is paid for: it goes on without its tab. */
  close(): void {
    const isRunning = this.session.isRunning || this.#rival?.session.isRunning === true;
    if (!isRunning || this.#parts.app.signal.aborted) {
      this.#own.dispose();
      return;
    }
    this.#isClosed = true;
    this.#link.dispose();
    const { app } = this.#parts;
    const title = vscode.l10n.t('Running {0}', this.#page.promptName);
    withProgress(app, { title, where: 'notification' }, async (signal) => {
      signal.addEventListener('abort', () => {
        this.session.stop();
        this.#rival?.session.stop();
      });
      await this.#untilEnded();
    })
      .catch((error: unknown) => app.errors.note(error, 'Running on without a tab'))
      .finally(() => this.#own.dispose());
  }

  /** Of the answer and what it is compared with. */
  async #untilEnded(): Promise<void> {
    while (this.session.isRunning || this.#rival?.session.isRunning === true) {
      await new Promise<void>((resolve) => (this.#ended = resolve));
    }
  }

  #onEnd(ended: EndedRun): void {
    this.#ended();
    const { app } = this.#parts;
    if (!this.#isClosed || app.signal.aborted || ended.state === 'stopped') return;
    const open = vscode.l10n.t('Open Run');
    const { name, connectionId, choice, detail, askedModel: model } = ended;
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
        ...(blueprint !== undefined && { unpublished: { kind: 'kept' } }),
      });
    });
  }

  /** Runs the prompt: with its own model, or beside it with the one of a rival. */
  #newSession(rival: ModelName | undefined): RunSession {
    const { app } = this.#parts;
    const isRival = (): boolean => this.session !== session;
    const asked = (): RunPageState =>
      rival === undefined ? this.#page : { ...this.#page, model: rival };
    /** What the run that goes on was begun with. */
    let begun = asked();
    let blueprint: Blueprint | undefined;
    let live = new LiveRun(app);
    const entryOf = (variables: readonly RunVariable[], kept: RunRecord): EndedRun => ({
      ...endedPrompt(app, begun, this.#face, variables, kept, blueprint),
      id: live.id,
    });
    const session = new RunSession({
      start: async (variables, signal) => {
        begun = asked();
        blueprint = undefined;
        blueprint = await this.#blueprintOf(begun);
        return this.#start(begun, blueprint, variables, signal);
      },
      emit: (name, payload) => {
        const { channel } = this.#link;
        if (!isRival()) channel?.emit(name, payload);
        else if ('status' in payload) channel?.emit('rivalProgress', payload);
        else channel?.emit('rivalStarted', payload);
      },
      problemOf: (error) => problemOf(app, error),
      endingOf: app.endingOf,
      note: (error) => app.errors.note(error, `Running ${this.#page.promptName}`),
      onState: () => this.#setContextKeys(),
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

  /** Begins a run, and with it what it is compared with. */
  #begin(variables: readonly RunVariable[]): void {
    const rival = this.#rival;
    if (rival?.kind === 'last') this.#showLast();
    this.session.begin(variables);
    if (rival?.kind === 'model') rival.session.begin(variables);
  }

  /** The run that was shown last, to be compared with the next one. */
  #showLast(): void {
    const { session } = this;
    if (session.isIdle) return;
    session.stop();
    this.#setRival({ kind: 'last', title: vscode.l10n.t('Previous run') }, session.record());
  }

  #setRival(rival: Omit<KeptRival, 'record'> | undefined, record?: RunRecord): void {
    this.#rival?.session.dispose();
    this.#rival = undefined;
    if (rival !== undefined) {
      const session = this.#newSession(rival.model);
      if (record !== undefined) session.restore(record);
      this.#rival = { ...rival, session };
    }
    this.#link.channel?.emit('rival', this.#rivalShown());
    this.#keep();
  }

  #rivalShown(): Rival | null {
    if (this.#rival === undefined) return null;
    const { kind, title, session } = this.#rival;
    return { kind, title, run: session.snapshot() };
  }

  /** What runs in the place of a published version, read anew; undefined: a published one runs. */
  async #blueprintOf({ unpublished }: RunPageState): Promise<Blueprint | undefined> {
    if (unpublished === undefined) return undefined;
    const { blueprint, readDocument } = this.#parts;
    if (unpublished.kind === 'document') return readDocument(unpublished.uri);
    if (blueprint !== undefined) return blueprint;
    throw new ValidationError(
      vscode.l10n.t('The prompt that ran was not published, and is no longer kept.'),
      {
        hint: vscode.l10n.t('Select a published version, or run it from its document.'),
      },
    );
  }

  async #start(
    { connectionId, promptName, choice, model }: RunPageState,
    blueprint: Blueprint | undefined,
    variables: readonly RunVariable[],
    signal: AbortSignal,
  ): Promise<AsyncIterable<RunChunk>> {
    const { app } = this.#parts;
    const { version, label } = versionOf(choice);
    const values = valuesOf(variables, vscode.l10n.t);
    const inputVariables = await this.#media.read(variables, values);
    const client = await app.connections.client(connectionId, { signal });
    const chosen = {
      ...(blueprint === undefined
        ? { promptVersion: version, promptReleaseLabel: label }
        : unpublishedOptions(blueprint, promptName)),
      ...(model !== undefined && { provider: model.provider, model: model.name }),
    };
    return client.run(
      {
        ...{ promptName, ...chosen, stream: true as const },
        ...(blueprint?.isRendered !== true && { inputVariables }),
      },
      { signal: AbortSignal.any([signal, app.signal]) },
    );
  }

  #handlers(): Handlers<HostRequests> {
    const { app, remembered, documents } = this.#parts;
    return {
      ready: () => {
        this.#setContextKeys();
        const { session } = this;
        const run = session.snapshot();
        const rival = this.#rivalShown();
        const isMarkdown = app.context.globalState.get<boolean>(markdownKey) ?? false;
        return {
          page: this.#page,
          face: this.#face,
          problem: this.#problem,
          run,
          rival,
          isMarkdown,
        };
      },
      run: async ({ variables }) => {
        this.#begin(variables);
        await remembered.keep(this.#owner, variables);
        return null;
      },
      stop: () => {
        this.session.stop();
        this.#rival?.session.stop();
        return null;
      },
      fill: ({ variables }) => fillVariables(app, this.#sets, this.#owner, variables),
      pickMedia: async () => ({ lines: await this.#media.pick() }),
      compare: async () => {
        const rival = await askRival(app, this.#page, this.#face);
        if (rival?.kind === 'last') {
          this.#setRival({ kind: 'last', title: vscode.l10n.t('Previous run') });
        } else this.#setRival(rival);
        return null;
      },
      showRequest: async ({ requestId }) => {
        const { connectionId } = this.#page;
        await runCommand('promptTables.openRequests', { connectionId, requestId });
        return null;
      },
      copyOutput: async () => {
        await vscode.env.clipboard.writeText(this.session.text);
        return null;
      },
      openOutput: async () => {
        await documents.open(this.id, this.#page.promptName, 'output');
        return null;
      },
      showRaw: async () => {
        await documents.open(this.id, this.#page.promptName, 'raw');
        return null;
      },
      choose: async () => {
        if (this.#parts.blueprint?.isRendered === true) {
          throw new ValidationError(vscode.l10n.t('A request without a prompt has no versions.'));
        }
        const title = vscode.l10n.t('Version of {0} to run', this.#page.promptName);
        const choice = await pickChoice(app, title, this.#page);
        const { unpublished: _, ...page } = this.#page;
        this.#page = { ...page, choice };
        await this.#load();
        return null;
      },
      reloadPrompt: async () => {
        await this.#load();
        return null;
      },
      setKey: async ({ variable }) => ({
        isSet: (await runCommand('promptTables.setProviderKey', variable)) === true,
      }),
      loadImage: async ({ id }, signal) => ({
        source: await fetchImage(
          this.session.image(id) ?? this.#rival?.session.image(id) ?? '',
          signal,
          vscode.l10n.t,
        ),
      }),
    };
  }

  /** Fetches the prompt for head and form, and tells the page. */
  async #load(): Promise<void> {
    if (this.#isClosed) return;
    this.#loading.abort();
    const own = new AbortController();
    this.#loading = own;
    const { app, panel, remembered } = this.#parts;
    const page = this.#page;
    const cached = page.unpublished === undefined ? cachedPrompt(app, page) : undefined;
    if (cached !== undefined && this.#face === null) {
      // Something to fill in while the service is asked.
      this.#face = faceOf(app, page, cached, remembered);
      this.#tellPrompt();
    }
    const isLate = (): boolean => this.#loading !== own || this.#isClosed;
    try {
      const { signal } = own;
      const blueprint = await this.#blueprintOf(page);
      const face =
        blueprint === undefined
          ? faceOf(app, page, await loadPrompt(app, page, signal), remembered)
          : await unpublishedFace(app, page, blueprint, { remembered, signal });
      if (isLate()) return;
      this.#face = face;
      this.#problem = null;
      panel.title = vscode.l10n.t('Run {0}', this.#face.name);
    } catch (error) {
      if (isLate() || isCancellation(error)) return;
      app.errors.note(error, 'Loading a prompt to run it');
      if (cached !== undefined && isPromptTablesError(error) && error.retryable) {
        this.#face = { ...faceOf(app, page, cached, remembered), isCached: true };
        this.#problem = null;
      } else this.#problem = problemOf(app, error);
    }
    this.#tellPrompt();
  }

  #tellPrompt(): void {
    const told = { page: this.#page, face: this.#face, problem: this.#problem };
    this.#link.channel?.emit('prompt', told);
  }

  #keep(): void {
    // Nobody comes back for a tab that was closed; the run is in the list of runs.
    if (this.#isClosed) return;
    const { app, records } = this.#parts;
    const { blueprint } = this.#parts;
    const isKept = this.#page.unpublished?.kind === 'kept' && blueprint !== undefined;
    const record = { ...withoutEvents(this.session), ...(isKept && { blueprint }) };
    const rival = this.#rival;
    const kept =
      rival === undefined
        ? record
        : {
            ...record,
            rival: {
              ...{ kind: rival.kind, title: rival.title, record: withoutEvents(rival.session) },
              ...(rival.model !== undefined && { model: rival.model }),
            },
          };
    records.write(this.id, kept).catch((error: unknown) => {
      app.errors.note(error, 'Keeping the output of a run');
    });
  }

  /** Keys tell about the active panel only. */
  #setContextKeys(): void {
    if (!this.isActive) return;
    const isRunning = this.session.isRunning || this.#rival?.session.isRunning === true;
    setContextKey('promptTables.promptRunning', isRunning);
  }
}

/** Thousands of events are not written down again and again: the raw answer follows at the end. */
function withoutEvents(session: RunSession): RunRecord {
  const record = session.record();
  return session.isRunning ? { ...record, raw: null } : record;
}
