import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { NodeOutputs, WorkflowProgress } from '../../core/index.ts';
import { ResponseFormatError, describeError, isCancellation } from '../../core/errors.ts';
import type { Handlers } from '../../protocol/channel.ts';
import type { RunProblem, RunVariable } from '../../protocol/run.ts';
import type {
  WorkflowCommand,
  WorkflowPresentation,
  WorkflowHostEvents,
  WorkflowHostRequests,
  WorkflowPageState,
  WorkflowReported,
  WorkflowViewEvents,
  WorkflowViewRequests,
} from '../../protocol/workflow.ts';
import type { App } from '../shell/app.ts';
import { copyValue } from '../copy-text.ts';
import { setContextKey } from '../shell/context-keys.ts';
import { DisposableStore } from '../shell/dispose.ts';
import { fillVariables } from '../ask/fill-variables.ts';
import { keepWorkflowRun, runMark } from '../kept-runs/keep-workflow-run.ts';
import { LiveRun } from '../kept-runs/live-run.ts';
import { PageLink } from '../panels/page-link.ts';
import type { PanelDocuments } from '../panels/panel-documents.ts';
import { choiceText } from '../ask/pick-prompt.ts';
import { pickWorkflowChoice } from '../ask/pick-workflow.ts';
import { versionOf } from '../shell/prompt-address.ts';
import type { Records } from '../shell/records.ts';
import { placeOf, problemOf } from '../panels/run-problem.ts';
import type { RememberedVariables } from '../ask/run-variables.ts';
import { valuesOf } from '../ask/run-variables.ts';
import { Throttled } from '../shell/throttled.ts';
import { VariableSets } from '../ask/variable-sets.ts';
import { allOutputs, fileOf } from './document-text.ts';
import { endedWorkflow } from './ended.ts';
import { checkFromWorkflowPanel } from './messages.ts';
import type { WorkflowRecord } from './records.ts';
import { graphOf, textOf, variablesOf } from './report.ts';
import { WorkflowSession } from './session.ts';

export interface WorkflowPanelParts {
  readonly app: App;
  readonly panel: vscode.WebviewPanel;
  readonly page: WorkflowPageState;
  readonly records: Records<WorkflowRecord>;
  readonly remembered: RememberedVariables;
  readonly documents: PanelDocuments;
  /** What the panel showed before the window was reloaded. */
  readonly record: WorkflowRecord | undefined;
}

const isNodeOutputs = (value: unknown): value is NodeOutputs =>
  typeof value === 'object' &&
  value !== null &&
  Object.values(value).every(
    (node) => typeof node === 'object' && node !== null && 'status' in node,
  );

/** How often what is typed is written down. */
const rememberMs = 250;

/** One workflow in an editor tab, to be run again and again. Keeps the connection it was opened with. */
export class WorkflowPanel {
  readonly session: WorkflowSession;
  readonly #parts: WorkflowPanelParts;
  readonly #own = new DisposableStore();
  readonly #link: PageLink<
    WorkflowHostRequests,
    WorkflowViewRequests,
    WorkflowHostEvents,
    WorkflowViewEvents
  >;
  readonly #sets: VariableSets;
  #page: WorkflowPageState;
  /** What the run that goes on was begun with, and which version that was then. */
  #begun: {
    readonly page: WorkflowPageState;
    readonly version: Promise<number | undefined>;
    /** Of the run, in the metadata of the requests that its nodes make. */
    readonly mark: string;
    readonly live: LiveRun;
  };
  #presentation: WorkflowPresentation | null = null;
  #problem: RunProblem | null = null;
  #loading = new AbortController();

  constructor(parts: WorkflowPanelParts) {
    const { app, panel, record, records } = parts;
    this.#parts = parts;
    this.#page = parts.page;
    this.#begun = {
      page: parts.page,
      version: Promise.resolve(undefined),
      mark: '',
      live: new LiveRun(app),
    };
    this.#sets = new VariableSets(app.context.workspaceState, 'workflow');
    this.session = new WorkflowSession({
      start: (variables, options) => this.#start(variables, options),
      cancel: async (executionId) => {
        const client = await app.connections.client(this.#page.connectionId);
        return client.workflows.cancel(executionId);
      },
      emit: (name, payload) => this.#link.channel?.emit(name, payload),
      problemOf: (error) => problemOf(app, error),
      redact: (text) => app.errors.redact(text),
      note: (error) => app.errors.note(error, `Running ${this.#page.workflowName}`),
      goesOn: vscode.l10n.t(
        'The run may still be in progress at the service; this panel no longer waits for it.',
      ),
      noOutput: vscode.l10n.t('No output node has succeeded. Check the failed nodes.'),
      onState: () => this.#setContextKeys(),
      onProgress: (variables, kept) => {
        const { page, live } = this.#begun;
        live.update(endedWorkflow(app, page, undefined, variables, kept));
      },
      onEnd: (variables, kept) => {
        const { page, version, mark, live } = this.#begun;
        void Promise.all([version, live.end()]).then(([number]) =>
          keepWorkflowRun(
            app,
            { ...endedWorkflow(app, page, number, variables, kept), id: live.id },
            mark,
          ),
        );
      },
      save: (kept) => {
        records.write(this.id, kept).catch((error: unknown) => {
          app.errors.note(error, 'Keeping the outputs of a workflow');
        });
      },
    });
    if (record !== undefined) this.session.restore(record);
    this.#own.defer(() => {
      this.#loading.abort();
      this.session.dispose();
    });
    this.#own.add(panel.onDidChangeViewState(() => this.#setContextKeys()));
    this.#own.add(
      app.connections.onDidChange((change) => {
        if (change.what === 'access' && change.id === this.#page.connectionId) void this.#load();
      }),
    );
    panel.iconPath = new vscode.ThemeIcon('type-hierarchy');
    const remembering = new Throttled<readonly RunVariable[]>(
      rememberMs,
      (variables) => {
        this.#remember(variables).then(undefined, (error: unknown) => {
          app.errors.note(error, 'Remembering the values of variables');
        });
      },
      app.signal,
    );
    this.#own.defer(() => remembering.flush());
    this.#link = this.#own.add(
      new PageLink({
        ...{ app, panel, bundle: 'workflow', what: 'workflow panel' },
        handlers: this.#handlers(),
        listeners: {
          variables: (variables) => {
            remembering.put(variables);
            if (this.#presentation !== null)
              this.#presentation = { ...this.#presentation, variables };
          },
        },
        check: checkFromWorkflowPanel,
      }),
    );
    void this.#load();
  }

  get id(): string {
    return this.#page.panelId;
  }

  get isActive(): boolean {
    return this.#parts.panel.active;
  }

  /** Commands of palette and title bar. */
  async command(command: WorkflowCommand): Promise<void> {
    const handlers = this.#handlers();
    const { signal } = this.#parts.app;
    if (command === 'start') await this.#link.channel?.request('start', null);
    else if (command === 'copyOutput' || command === 'openOutput') {
      await handlers[command]({ node: null }, signal);
    } else await handlers[command](null, signal);
  }

  /** The tab was closed, or the window is. A run goes on at the service. */
  close(): void {
    this.#own.dispose();
  }

  #remember(variables: readonly RunVariable[]): Promise<void> {
    const { connectionId, workflowName: name } = this.#page;
    return this.#parts.remembered.keep({ connectionId, name }, variables);
  }

  async #start(
    variables: readonly RunVariable[],
    options: {
      readonly signal: AbortSignal;
      readonly onProgress: (progress: WorkflowProgress) => void;
    },
  ): Promise<NodeOutputs> {
    const { app } = this.#parts;
    const { connectionId, workflowName, choice } = this.#page;
    const { version: workflowVersion, label: workflowLabelName } = versionOf(choice);
    const mark = randomUUID();
    this.#begun = {
      page: this.#page,
      version: this.#versionNow(this.#page),
      mark,
      live: new LiveRun(app),
    };
    const inputVariables = valuesOf(variables, vscode.l10n.t);
    const signal = AbortSignal.any([options.signal, app.signal]);
    const client = await app.connections.client(connectionId, { signal });
    const chosen = { workflowVersion, workflowLabelName, returnAllOutputs: true };
    const outputs = await client.runWorkflow(
      { workflowName, inputVariables, metadata: { [runMark]: mark }, ...chosen },
      { signal, onProgress: options.onProgress, numbersAsWritten: true },
    );
    if (isNodeOutputs(outputs)) return outputs;
    throw new ResponseFormatError(
      vscode.l10n.t("The service didn't return the node results of {0}.", workflowName),
    );
  }

  /** Asked as a run begins: a run does not tell it, and what the head shows may be older. */
  async #versionNow({
    connectionId,
    workflowName,
    choice,
  }: WorkflowPageState): Promise<number | undefined> {
    if (choice.kind === 'version') return choice.version;
    const { connections, log, signal } = this.#parts.app;
    try {
      const client = await connections.client(connectionId, { signal });
      return (await client.workflows.get(workflowName, versionOf(choice), { signal })).version;
    } catch (error) {
      log.debug(`The version of ${workflowName} is not known. ${describeError(error)}`);
      return undefined;
    }
  }

  /** What a node has given, or the workflow. */
  #textOf(node: string | null): string {
    const found = this.session.valueOf(node);
    return found === undefined ? '' : textOf(found.value);
  }

  #handlers(): Handlers<WorkflowHostRequests> {
    const { app, documents } = this.#parts;
    return {
      ready: () => {
        this.#setContextKeys();
        return { ...this.#reported(), run: this.session.snapshot() };
      },
      run: async ({ variables }) => {
        this.session.begin(variables);
        await this.#remember(variables);
        return null;
      },
      stop: () => {
        this.session.stop();
        return null;
      },
      copyOutput: async ({ node }) => {
        await copyValue(app, this.#textOf(node));
        return null;
      },
      openOutput: async ({ node }) => {
        const found = this.session.valueOf(node);
        const file = fileOf(node, typeof found?.value === 'string');
        await documents.open(this.id, this.#page.workflowName, file);
        return null;
      },
      showAll: async () => {
        await documents.open(this.id, this.#page.workflowName, allOutputs);
        return null;
      },
      choose: async () => {
        const title = vscode.l10n.t('Version of {0} to run', this.#page.workflowName);
        const choice = await pickWorkflowChoice(app, title, this.#page);
        this.#page = { ...this.#page, choice };
        await this.#load();
        return null;
      },
      reload: async () => {
        await this.#load();
        return null;
      },
      fill: ({ variables }) => {
        const { connectionId, workflowName: name } = this.#page;
        return fillVariables(app, this.#sets, { connectionId, name }, variables);
      },
    };
  }

  #reported(): WorkflowReported {
    return { page: this.#page, presentation: this.#presentation, problem: this.#problem };
  }

  /** Fetches the workflow for head, form and graph, and tells the page. */
  async #load(): Promise<void> {
    this.#loading.abort();
    const own = new AbortController();
    this.#loading = own;
    const { app, panel } = this.#parts;
    try {
      const presentation = await this.#loadPresentation(own.signal);
      if (this.#loading !== own) return;
      this.#presentation = presentation;
      this.#problem = null;
      panel.title = vscode.l10n.t('Run {0}', presentation.name);
    } catch (error) {
      if (this.#loading !== own || isCancellation(error)) return;
      app.errors.note(error, 'Loading a workflow to run it');
      this.#problem = problemOf(app, error);
    }
    this.#link.channel?.emit('workflow', this.#reported());
  }

  async #loadPresentation(signal: AbortSignal): Promise<WorkflowPresentation> {
    const { app, remembered } = this.#parts;
    const { connectionId, workflowName, choice } = this.#page;
    const client = await app.connections.client(connectionId, { signal });
    const workflow = await client.workflows.get(workflowName, versionOf(choice), { signal });
    const owner = { connectionId, name: workflowName };
    await remembered.read(owner);
    return {
      name: workflow.workflow_name,
      choice: choiceText(choice),
      version: workflow.version,
      connection: placeOf(app, connectionId),
      variables: remembered.fill(owner, variablesOf(workflow)),
      nodes: graphOf(workflow),
    };
  }

  /** Keys tell about the active panel only. */
  #setContextKeys(): void {
    if (!this.isActive) return;
    setContextKey('promptTables.workflowRunning', this.session.isRunning);
  }
}
