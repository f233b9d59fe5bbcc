import * as vscode from 'vscode';
import { isCancellation, isPromptTablesError, ValidationError } from '../../core/errors.ts';
import type {
  ModelName,
  ParameterFault,
  ParameterText,
  PromptPresentation,
  RunPageState,
  RunProblem,
  RunVariable,
  ViewEvents,
} from '../../protocol/run.ts';
import type { App } from '../shell/app.ts';
import type { Blueprint } from '../shell/choice-schema.ts';
import { DisposableStore } from '../shell/dispose.ts';
import { pickChoice } from '../ask/pick-prompt.ts';
import { problemOf } from '../panels/run-problem.ts';
import type { RememberedVariables } from '../ask/run-variables.ts';
import type { ReadForm } from './panel-parameters.ts';
import { PanelParameters } from './panel-parameters.ts';
import { cachedPrompt, presentationOf, loadPrompt } from './prompt.ts';
import { unpublishedPresentation } from './unpublished.ts';

export interface PanelPromptParts {
  readonly app: App;
  readonly page: RunPageState;
  readonly remembered: RememberedVariables;
  /** The prompt that runs when the page says that it is kept. */
  readonly blueprint: Blueprint | undefined;
  /** The prompt that a document holds, as it stands. */
  readonly readDocument: (uri: string) => Promise<Blueprint>;
  readonly shown: (prompt: ViewEvents['prompt']) => void;
}

/** A pause in typing after which the form follows the document. */
const typingPauseMs = 700;

/** What a run panel runs: fetched for head and form, and again when it changes. */
export class PanelPrompt implements vscode.Disposable {
  readonly #parts: PanelPromptParts;
  readonly #own = new DisposableStore();
  #page: RunPageState;
  #presentation: PromptPresentation | null = null;
  #problem: RunProblem | null = null;
  #loading = new AbortController();
  #loaded: Promise<void> = Promise.resolve();
  readonly #parameters = new PanelParameters();
  #following: ReturnType<typeof setTimeout> | undefined;

  constructor(parts: PanelPromptParts) {
    const { app, page } = parts;
    this.#parts = parts;
    this.#page = page;
    this.#own.defer(() => {
      clearTimeout(this.#following);
      this.#loading.abort();
    });
    this.#own.add(
      app.connections.onDidChange((change) => {
        if (change.what === 'access' && change.id === this.#page.connectionId) void this.load();
      }),
    );
    this.#own.add(
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        const { unpublished } = this.#page;
        const isOurs =
          unpublished?.kind === 'document' && document.uri.toString() === unpublished.uri;
        if (!isOurs || contentChanges.length === 0) return;
        clearTimeout(this.#following);
        this.#following = setTimeout(() => void this.load(), typingPauseMs);
      }),
    );
  }

  dispose(): void {
    this.#own.dispose();
  }

  get page(): RunPageState {
    return this.#page;
  }

  get presentation(): PromptPresentation | null {
    return this.#presentation;
  }

  /** The prompt names none, and none was asked for yet. */
  get hasNoModel(): boolean {
    return this.#presentation !== null && this.#presentation.model === undefined;
  }

  /** Keeps what was entered, right or wrong. */
  keepEntered(texts: readonly ParameterText[]): void {
    const { parameters: _before, ...page } = this.#page;
    this.#page = texts.length === 0 ? page : { ...page, parameters: texts };
  }

  /** Keeps what was entered; answers what is wrong with it. */
  async enter(texts: readonly ParameterText[]): Promise<readonly ParameterFault[]> {
    this.keepEntered(texts);
    return (await this.#parameters.read(texts)).faults;
  }

  get parameters(): PanelParameters {
    return this.#parameters;
  }

  /** What a run that begins takes in the place of the prompt's own parameters. */
  async changedParameters({
    parameters = [],
  }: RunPageState): Promise<Pick<ReadForm, 'changed' | 'tools'>> {
    if (parameters.length === 0) return { changed: {}, tools: {} };
    // A run may begin with the panel.
    await this.#loaded;
    const { changed, tools, faults } = await this.#parameters.read(parameters);
    const [fault] = faults;
    if (fault === undefined) return { changed, tools };
    throw new ValidationError(vscode.l10n.t("{0} can't be used. {1}", fault.name, fault.message), {
      hint: vscode.l10n.t('Correct it under Parameters, or reset it.'),
    });
  }

  /** What was changed is the prompt's own now: `version` has it, or its document. */
  async saved(version: number | undefined): Promise<void> {
    const { parameters: _parameters, model: _model, ...page } = this.#page;
    const isMoved = version !== undefined && page.choice.kind !== 'latest';
    this.#page = isMoved ? { ...page, choice: { kind: 'version', version } } : page;
    await this.load();
  }

  /** The panel runs the prompt with it from now on; undefined: with the one that it names. */
  async setModel(model: ModelName | undefined): Promise<void> {
    // What was entered was meant for the model before.
    const { model: _before, parameters: _parameters, ...page } = this.#page;
    this.#page = model === undefined ? page : { ...page, model };
    await this.load();
  }

  get shown(): ViewEvents['prompt'] {
    return { page: this.#page, presentation: this.#presentation, problem: this.#problem };
  }

  get owner(): { readonly connectionId: string; readonly name: string } {
    return { connectionId: this.#page.connectionId, name: this.#page.promptName };
  }

  setVariables(variables: readonly RunVariable[]): void {
    if (this.#presentation !== null) this.#presentation = { ...this.#presentation, variables };
  }

  /** Asks for another version. */
  async choose(): Promise<void> {
    const { app, blueprint } = this.#parts;
    if (blueprint?.isRendered === true) {
      throw new ValidationError(vscode.l10n.t('A request without a prompt has no versions.'));
    }
    const title = vscode.l10n.t('Version of {0} to run', this.#page.promptName);
    const choice = await pickChoice(app, title, this.#page);
    const { unpublished: _, ...page } = this.#page;
    this.#page = { ...page, choice };
    await this.load();
  }

  /** What runs in the place of a published version, read anew; undefined: a published one runs. */
  async blueprintOf({ unpublished }: RunPageState): Promise<Blueprint | undefined> {
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

  load(): Promise<void> {
    this.#loaded = this.#load();
    return this.#loaded;
  }

  /** With the form of what its model takes. */
  #present(
    presentation: PromptPresentation,
    prompt: Parameters<PanelParameters['present']>[2],
  ): void {
    const parameters = this.#parameters.present(this.#page, presentation, prompt);
    this.#presentation = parameters === undefined ? presentation : { ...presentation, parameters };
  }

  async #published(page: RunPageState, signal: AbortSignal) {
    const { app, remembered } = this.#parts;
    const template = await loadPrompt(app, page, signal);
    return [presentationOf(app, page, template, remembered), template] as const;
  }

  async #load(): Promise<void> {
    if (this.#own.isDisposed) return;
    this.#loading.abort();
    const own = new AbortController();
    this.#loading = own;
    const { app, remembered } = this.#parts;
    const page = this.#page;
    const isLate = (): boolean => this.#loading !== own || this.#own.isDisposed;
    await remembered.read(this.owner).catch((error: unknown) => {
      app.errors.note(error, 'Reading the values of variables');
    });
    if (isLate()) return;
    const cached = page.unpublished === undefined ? cachedPrompt(app, page) : undefined;
    if (cached !== undefined && this.#presentation === null) {
      // Something to fill in while the service is asked.
      this.#present(presentationOf(app, page, cached, remembered), cached);
      this.#parts.shown(this.shown);
    }
    try {
      const { signal } = own;
      const blueprint = await this.blueprintOf(page);
      const [presentation, prompt] =
        blueprint === undefined
          ? await this.#published(page, signal)
          : ([
              await unpublishedPresentation(app, page, blueprint, { remembered, signal }),
              blueprint,
            ] as const);
      if (isLate()) return;
      this.#present(presentation, prompt);
      this.#problem = null;
    } catch (error) {
      if (isLate() || isCancellation(error)) return;
      app.errors.note(error, 'Loading a prompt to run it');
      if (cached !== undefined && isPromptTablesError(error) && error.retryable) {
        const presentation = presentationOf(app, page, cached, remembered);
        this.#present({ ...presentation, isCached: true }, cached);
        this.#problem = null;
      } else this.#problem = problemOf(app, error);
    }
    this.#parts.shown(this.shown);
  }
}
