import * as vscode from 'vscode';
import type { Handlers, Listeners } from '../../protocol/channel.ts';
import type {
  HostEvents,
  HostRequests,
  ModelName,
  PanelCommand,
  ParameterText,
  ParameterVerdict,
  RunPageState,
  RunVariable,
  ViewEvents,
  ViewRequests,
} from '../../protocol/run.ts';
import { ValidationError } from '../../core/errors.ts';
import type { App } from '../shell/app.ts';
import { copyValue } from '../copy-text.ts';
import type { Blueprint, ModelChange } from '../shell/choice-schema.ts';
import { runCommand } from '../shell/commands.ts';
import { setContextKey } from '../shell/context-keys.ts';
import { DisposableStore } from '../shell/dispose.ts';
import { fillVariables } from '../ask/fill-variables.ts';
import { PageLink } from '../panels/page-link.ts';
import type { Records } from '../shell/records.ts';
import type { RememberedVariables } from '../ask/run-variables.ts';
import { valuesOf } from '../ask/run-variables.ts';
import { Throttled } from '../shell/throttled.ts';
import { VariableSets } from '../ask/variable-sets.ts';
import { askComparison } from './ask-comparison.ts';
import { askModel, askModelOr } from './ask-model.ts';
import { copyRunAsCode } from './copy-as-code.ts';
import type { PanelChatParts } from './chat/panel-chat.ts';
import { PanelChat } from './chat/panel-chat.ts';
import type { ChosenModels } from './chosen-models.ts';
import type { RunDocuments } from './documents.ts';
import { fetchImage } from './image.ts';
import { MediaFiles } from './media.ts';
import { checkFromPanel } from './messages.ts';
import { PanelPrompt } from './panel-prompt.ts';
import { PanelRuns } from './panel-runs.ts';
import type { RunRecord } from './records.ts';
import type { RunSession } from './session.ts';

export interface RunPanelParts {
  readonly app: App;
  readonly panel: vscode.WebviewPanel;
  readonly page: RunPageState;
  readonly records: Records<RunRecord>;
  readonly remembered: RememberedVariables;
  /** Models that were chosen in the place of those that prompts name. */
  readonly models: ChosenModels;
  readonly documents: RunDocuments;
  /** What the panel showed before the window was reloaded. */
  readonly record: RunRecord | undefined;
  /** The prompt that runs when the page says that it is kept. */
  readonly blueprint: Blueprint | undefined;
  /** The prompt that a document holds, as it stands. */
  readonly readDocument: (uri: string) => Promise<Blueprint>;
  /** Changes the model of the prompt that a document holds. */
  readonly changeDocument: (uri: string, change: ModelChange) => Promise<void>;
  /** Adds messages to the prompt that a document holds; undefined: the one in front. */
  readonly appendMessages: PanelChatParts['appendMessages'];
}

/** How often what is typed is written down. */
const rememberMs = 250;

const markdownKey = 'promptTables.run.markdown';

/** One prompt in an editor tab, to be run again and again. Keeps the connection it was opened with. */
export class RunPanel {
  readonly #parts: RunPanelParts;
  readonly #own = new DisposableStore();
  readonly #prompt: PanelPrompt;
  readonly #runs: PanelRuns;
  readonly #chat: PanelChat;
  readonly #sets: VariableSets;
  readonly #media: MediaFiles;
  readonly #link: PageLink<HostRequests, ViewRequests, HostEvents, ViewEvents>;
  /** The tab is closed, and a run goes on. */
  #isClosed = false;

  constructor(parts: RunPanelParts) {
    const { app, panel, page, records, record, remembered, blueprint, readDocument } = parts;
    this.#parts = parts;
    this.#sets = new VariableSets(app.context.workspaceState, 'prompt');
    this.#media = new MediaFiles(app.context.workspaceState);
    this.#prompt = this.#own.add(
      new PanelPrompt({
        ...{ app, page, remembered, blueprint, readDocument },
        shown: (prompt) => {
          const { presentation, problem } = prompt;
          if (presentation !== null && problem === null)
            panel.title = vscode.l10n.t('Run {0}', presentation.name);
          this.#link.channel?.emit('prompt', prompt);
        },
      }),
    );
    this.#runs = this.#own.add(
      new PanelRuns({
        ...{ app, records, record, blueprint, prompt: this.#prompt, media: this.#media },
        emit: (name, payload) => this.#link.channel?.emit(name, payload),
        onState: () => this.#setContextKeys(),
      }),
    );
    this.#chat = this.#own.add(
      new PanelChat({
        ...{ app, prompt: this.#prompt, media: this.#media },
        appendMessages: parts.appendMessages,
        emit: (name, payload) => this.#link.channel?.emit(name, payload),
        onState: () => this.#setContextKeys(),
      }),
    );
    this.#own.add(panel.onDidChangeViewState(() => this.#setContextKeys()));
    panel.iconPath = new vscode.ThemeIcon('play');
    this.#link = this.#own.add(
      new PageLink<HostRequests, ViewRequests, HostEvents, ViewEvents>({
        ...{ app, panel, bundle: 'run', what: 'run panel', dataImages: true },
        handlers: this.#handlers(),
        listeners: this.#listeners(),
        check: checkFromPanel,
      }),
    );
    void this.#prompt.load();
  }

  get session(): RunSession {
    return this.#runs.session;
  }

  get isActive(): boolean {
    // A tab that is closed must not be asked.
    return !this.#isClosed && this.#parts.panel.active;
  }

  /** Commands of palette and title bar. */
  async command(command: PanelCommand): Promise<void> {
    if (command === 'start') await this.#link.channel?.request('start', null);
    else await this.#handlers()[command](null, this.#parts.app.signal);
  }

  /** The tab was closed, or the window is. */
  close(): void {
    const { app } = this.#parts;
    if (!app.signal.aborted) {
      this.#chat
        .forget()
        .catch((error: unknown) => app.errors.note(error, 'Removing a conversation'));
    }
    if (!this.#runs.isRunning || app.signal.aborted) {
      this.#own.dispose();
      return;
    }
    this.#isClosed = true;
    this.#link.dispose();
    this.#prompt.dispose();
    this.#runs
      .goOn()
      .catch((error: unknown) => app.errors.note(error, 'Running on without a tab'))
      .finally(() => this.#own.dispose());
  }

  #listeners(): Listeners<HostEvents> {
    const { app, remembered } = this.#parts;
    const remembering = new Throttled<readonly RunVariable[]>(
      rememberMs,
      (variables) => {
        remembered.keep(this.#prompt.owner, variables).then(undefined, (error: unknown) => {
          app.errors.note(error, 'Remembering the values of variables');
        });
      },
      app.signal,
    );
    this.#own.defer(() => remembering.flush());
    return {
      markdown: (isMarkdown) => {
        app.context.globalState
          .update(markdownKey, isMarkdown)
          .then(undefined, (error: unknown) => {
            app.errors.note(error, 'Remembering how answers are shown');
          });
      },
      parameters: (parameters) => this.#prompt.keepEntered(parameters),
      chatDraft: (draft) => this.#chat.keepDraft(draft),
      chatResultDraft: ({ turn, call, text }) =>
        this.#chat.session.keepResultDraft(turn, call, text),
      variables: (variables) => {
        remembering.put(variables);
        this.#prompt.setVariables(variables);
      },
    };
  }

  #handlers(): Handlers<HostRequests> {
    const { app, remembered } = this.#parts;
    const prompt = this.#prompt;
    const runs = this.#runs;
    return {
      ready: async () => {
        this.#setContextKeys();
        const isMarkdown = app.context.globalState.get<boolean>(markdownKey) ?? true;
        const usesCache = app.settings.get('run.answerCache');
        const chat = await this.#chat.shown();
        return { ...prompt.shown, ...runs.shown, isMarkdown, usesCache, chat };
      },
      run: async ({ variables, parameters, usesCache }) => {
        const faults = await prompt.enter(parameters);
        if (faults.length > 0) return { faults };
        await this.#demandModel();
        runs.begin(variables, usesCache);
        await remembered.keep(prompt.owner, variables);
        return { faults };
      },
      checkParameters: async ({ parameters }) => ({ faults: await prompt.enter(parameters) }),
      saveParameters: ({ parameters }) => this.#save(parameters),
      ...this.#chatHandlers(),
      stop: () => {
        runs.stop();
        this.#chat.session.stop();
        return null;
      },
      fill: ({ variables }) => fillVariables(app, this.#sets, prompt.owner, variables),
      pickMedia: async () => ({ lines: await this.#media.pick() }),
      compare: async () => {
        const comparisonRun = await askComparison(app, prompt.page, prompt.presentation);
        if (comparisonRun?.kind === 'many') await this.#compareMany();
        else if (comparisonRun?.kind === 'last') {
          runs.compareWith({ kind: 'last', title: vscode.l10n.t('Previous run') });
        } else runs.compareWith(comparisonRun);
        return null;
      },
      chooseModel: async () => {
        await this.#chooseModel();
        return null;
      },
      resetModel: async () => {
        await this.#setModel(undefined);
        return null;
      },
      showRequest: async ({ requestId }) => {
        const { connectionId } = prompt.page;
        await runCommand('promptTables.openRequests', { connectionId, requestId });
        return null;
      },
      copyOutput: async () => {
        await copyValue(app, this.session.text);
        return null;
      },
      copyAsCode: async () => {
        await copyRunAsCode(prompt);
        return null;
      },
      openOutput: () => this.#open('output'),
      showRaw: () => this.#open('raw'),
      choose: async () => {
        await prompt.choose();
        return null;
      },
      reloadPrompt: async () => {
        await prompt.load();
        return null;
      },
      setKey: async ({ variable }) => ({
        isSet: (await runCommand('promptTables.setProviderKey', variable)) === true,
      }),
      loadImage: async ({ id }, signal) => ({
        source: await fetchImage(
          runs.image(id) ?? this.#chat.session.image(id) ?? '',
          signal,
          vscode.l10n.t,
        ),
      }),
    };
  }

  #chatHandlers() {
    const { remembered } = this.#parts;
    const prompt = this.#prompt;
    const chat = this.#chat;
    return {
      chatSay: async ({ text, edits, variables, parameters, usesCache }) => {
        const faults = await prompt.enter(parameters);
        if (faults.length > 0) return { faults };
        await this.#demandModel();
        await chat.say(text, edits, { variables, usesCache });
        await remembered.keep(prompt.owner, variables);
        return { faults };
      },
      chatAnswer: async ({ turn, call, text }) => {
        await chat.answer(turn, call, text);
        return null;
      },
      chatAnswerWith: async ({ turn, call }) => {
        await chat.answerWith(turn, call);
        return null;
      },
      chatAgain: ({ turn }) => {
        chat.session.again(turn);
        return null;
      },
      chatGoTo: ({ turn }) => {
        chat.session.goTo(turn);
        return null;
      },
      chatNew: async () => {
        await chat.startAnew();
        return null;
      },
      chatStopBefore: async () => {
        await chat.chooseStops();
        return null;
      },
      chatSave: async () => {
        await chat.save();
        return null;
      },
    } satisfies Partial<Handlers<HostRequests>>;
  }

  /** A prompt that names no model runs with one that is asked for. */
  async #demandModel(): Promise<void> {
    if (!this.#prompt.hasNoModel) return;
    const { connectionId, promptName } = this.#prompt.page;
    const title = vscode.l10n.t('{0} has no model. Run it with', promptName);
    await this.#setModel(await askModel(this.#parts.app, { title, connectionId }));
  }

  /** What the panel runs, with what was entered, is the first of many variants. */
  async #compareMany(): Promise<void> {
    const { page, presentation } = this.#prompt;
    const { unpublished } = page;
    const variables = presentation?.variables ?? [];
    const { changed, tools } = await this.#prompt.changedParameters(page);
    if (Object.keys(tools).length > 0) {
      throw new ValidationError(vscode.l10n.t('Compare Many uses the tools of the prompt.'), {
        hint: vscode.l10n.t('Save the changed tools, or reset them.'),
      });
    }
    const isFilled = variables.some(({ text }) => text !== '');
    await runCommand('promptTables.compareMany', {
      ...page,
      blueprint: await this.#prompt.blueprintOf(page),
      uri: unpublished?.kind === 'document' ? unpublished.uri : undefined,
      changed,
      values: isFilled ? valuesOf(variables, vscode.l10n.t) : undefined,
    });
  }

  /** Another model than the one that the prompt names, or that one again. */
  async #chooseModel(): Promise<void> {
    const { app } = this.#parts;
    const { page } = this.#prompt;
    const own = page.model === undefined ? undefined : vscode.l10n.t('Model of the prompt');
    const title = vscode.l10n.t('Run {0} with', page.promptName);
    const { connectionId } = page;
    await this.#setModel(await askModelOr(app, { title, connectionId, own }));
  }

  /** Makes what was changed the prompt's own. */
  async #save(parameters: readonly ParameterText[]): Promise<ParameterVerdict> {
    const prompt = this.#prompt;
    const faults = await prompt.enter(parameters);
    if (faults.length > 0) return { faults };
    const change = await prompt.parameters.changeOf(parameters);
    if (change === undefined) return { faults };
    const { connectionId, promptName, choice, unpublished } = prompt.page;
    let version: unknown;
    if (unpublished?.kind === 'document') {
      await this.#parts.changeDocument(unpublished.uri, change);
    } else {
      version = await runCommand('promptTables.editPrompt', {
        ...{ connectionId, promptName, choice, change },
      });
      // Not published: the changes are in a draft, and stay here too.
      if (typeof version !== 'number') return { faults };
    }
    if (change.model !== undefined) await this.#parts.models.keep(prompt.owner, undefined);
    await prompt.saved(typeof version === 'number' ? version : undefined);
    return { faults };
  }

  /** Here and the next time that this prompt is opened. */
  async #setModel(model: ModelName | undefined): Promise<void> {
    await this.#prompt.setModel(model);
    await this.#parts.models.keep(this.#prompt.owner, model);
  }

  async #open(what: 'output' | 'raw'): Promise<null> {
    const { panelId, promptName } = this.#prompt.page;
    await this.#parts.documents.open(panelId, promptName, what);
    return null;
  }

  /** Keys tell about the active panel only. */
  #setContextKeys(): void {
    if (!this.isActive) return;
    setContextKey('promptTables.promptRunning', this.#runs.isRunning || this.#chat.isRunning);
  }
}
