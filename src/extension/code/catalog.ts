import * as vscode from 'vscode';
import type { CodeCall } from '../../core/code-index/call.ts';
import type { Asked } from '../../core/code-index/call-index.ts';
import { askedBy } from '../../core/code-index/call-index.ts';
import { hasErrorCode } from '../../core/errors.ts';
import type { Client } from '../../core/index.ts';
import type { PromptType } from '../../core/prompt-types/read.ts';
import { order } from '../../core/prompt-types/read.ts';
import type { PromptChoice } from '../../protocol/run.ts';
import { labelsOf, modelOf } from '../ask/pick-prompt.ts';
import type { App } from '../shell/app.ts';
import { pairsIn } from '../shell/pairs-in.ts';
import { versionOf } from '../shell/prompt-address.ts';
import { firstOf } from '../shell/first-of.ts';
import { Lookups } from './lookups.ts';
import type { FoundPrompt, KnownNames, PromptInfo, RunFigures, VersionInfo } from './known.ts';
import { choiceOf } from './known.ts';
import { ofTemplate } from './prompt-info.ts';
import { ofWorkflow } from './workflow-info.ts';

/** More would take too long to list; then nothing is called unknown. */
const mostNames = 5000;
const pageSize = 100;
/** Figures are nice to have: a service that needs longer for them is not kept busy. */
const longestFiguresMs = 5000;
/** Of the newest requests, for the latest that was scored. */
const mostScored = 10;

type Query = ReturnType<typeof versionOf>;
type FilterGroup = Readonly<Record<string, unknown>>;

/** What the service has by that name; undefined: it says that there is none. */
async function versionIn(
  client: Client,
  what: Asked,
  name: string,
  query: Query,
  signal: AbortSignal,
): Promise<VersionInfo | undefined> {
  try {
    return what === 'prompt'
      ? ofTemplate(await client.templates.getRaw(name, query, { signal }))
      : ofWorkflow(await client.workflows.get(name, query, { signal }));
  } catch (error) {
    if (hasErrorCode(error, 'not_found')) return undefined;
    throw error;
  }
}

async function labelsIn(
  client: Client,
  { what, id }: VersionInfo,
  signal: AbortSignal,
): Promise<PromptInfo['labels']> {
  if (what === 'prompt') {
    const found = await labelsOf(client, id, signal);
    return found.map(({ release_label: label, prompt_version_number: version }) => ({
      ...{ label, version },
    }));
  }
  const found = await client.workflows.labels(id, { signal });
  return found.map(({ release_label: label, workflow_version_number: version }) => ({
    ...{ label, version },
  }));
}

/**
 * What the workspace in use has, as far as code asks for it. Nothing is asked in a folder that is not
 * trusted, and what can't be asked is not known: never missing.
 */
export class Catalog implements vscode.Disposable {
  readonly #app: App;
  readonly #emitter = new vscode.EventEmitter<void>();
  readonly #subscriptions: readonly vscode.Disposable[];
  readonly #kept: Lookups;
  #timer: NodeJS.Timeout | undefined;
  readonly onDidChange = this.#emitter.event;

  constructor(app: App) {
    this.#app = app;
    this.#kept = new Lookups(app);
    this.#subscriptions = [
      app.connections.onDidChange(() => this.forget()),
      app.connections.onDidChangeTemplates(() => this.#forgetSoon()),
      app.changes.onDidChangePrompts(() => this.#forgetSoon()),
      vscode.workspace.onDidGrantWorkspaceTrust(() => this.forget()),
      // Somebody may have published elsewhere, and a service that was away may be back.
      vscode.window.onDidChangeWindowState(({ focused }) => {
        if (focused && this.#kept.isOld) this.forget();
      }),
    ];
  }

  /** Undefined: none is in use, or nothing may be asked here. */
  get connectionId(): string | undefined {
    return this.#kept.connectionId;
  }

  get workspaceName(): string {
    return this.#app.connections.current?.name ?? '';
  }

  /** The names of all of them; undefined: not known. */
  names(what: Asked): Promise<KnownNames | undefined> {
    const list = { prompt: promptNames, workflow: workflowNames }[what];
    return this.#kept.once<KnownNames | undefined>(
      `${what}s`,
      undefined,
      async (client, signal) => {
        const all = await list(client, signal);
        return { all: all.slice(0, mostNames), isComplete: all.length <= mostNames };
      },
    );
  }

  find(what: Asked, name: string, choice: PromptChoice): Promise<FoundPrompt> {
    const { version, label } = versionOf(choice);
    const key = `${what} ${JSON.stringify([name, version, label])}`;
    return this.#kept.once<FoundPrompt>(key, { kind: 'unknown' }, (client, signal) =>
      this.#kept.inTurn(() => this.#find(client, what, name, choice, signal)),
    );
  }

  /** What a call asks for; of one whose version is computed, the latest. */
  askedBy(call: CodeCall): Promise<FoundPrompt> {
    return this.find(askedBy(call), call.name.value, choiceOf(call) ?? { kind: 'latest' });
  }

  /** Undefined: there are none, or they could not be found out. */
  async figures(info: PromptInfo): Promise<RunFigures | undefined> {
    const sums = await this.#ofRequests(info, 'sums', async (client, filterGroup, signal) => {
      const { totalRequests, totalCost, averageLatency } = await client.requests.analytics(
        { filterGroup },
        { signal },
      );
      const requests = totalRequests ?? 0;
      return { requests, cost: totalCost ?? undefined, meanSeconds: averageLatency ?? undefined };
    });
    if (sums === undefined || sums.requests < 1) return undefined;
    return { ...sums, scores: await this.#scores(info) };
  }

  #scores(info: PromptInfo): Promise<RunFigures['scores']> {
    return this.#ofRequests(info, 'scores', async (client, filterGroup, signal) => {
      const { items } = await client.requests.search(
        { filterGroup, sortBy: 'request_start_time', sortOrder: 'desc', perPage: mostScored },
        // A hosted service takes few searches a minute: those of people come first.
        { signal, retries: false },
      );
      return items.map(({ scores }) => pairsIn(scores)).find((scores) => scores !== undefined);
    });
  }

  #ofRequests<Value>(
    { what, id, version }: PromptInfo,
    kind: string,
    ask: (client: Client, filterGroup: FilterGroup, signal: AbortSignal) => Promise<Value>,
  ): Promise<Value | undefined> {
    const key = `${kind} ${JSON.stringify([what, id, version])}`;
    if (what === 'workflow' || version === undefined) return Promise.resolve(undefined);
    return this.#kept.once<Value | undefined>(key, undefined, (client, appSignal) =>
      this.#kept.inTurn(() => {
        const filters = [
          { field: 'prompt_id', operator: 'eq', value: id },
          { field: 'prompt_version_number', operator: 'eq', value: version },
        ];
        const signal = AbortSignal.any([appSignal, AbortSignal.timeout(longestFiguresMs)]);
        return ask(client, { logic: 'AND', filters }, signal);
      }),
    );
  }

  forget(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#kept.clear();
    this.#emitter.fire();
  }

  dispose(): void {
    clearTimeout(this.#timer);
    for (const subscription of this.#subscriptions) subscription.dispose();
    this.#emitter.dispose();
  }

  /** Runs and publications change much at once. */
  #forgetSoon(): void {
    this.#timer ??= setTimeout(() => this.forget(), 500);
  }

  async #find(
    client: Client,
    what: Asked,
    name: string,
    choice: PromptChoice,
    signal: AbortSignal,
  ): Promise<FoundPrompt> {
    const newest = await versionIn(client, what, name, {}, signal);
    if (newest === undefined) {
      // Something on the way may answer that for everything: the list must agree.
      const names = await this.names(what);
      const isAbsent = names?.isComplete === true && names.all.every((each) => each.name !== name);
      return isAbsent ? { kind: 'absent' } : { kind: 'unknown' };
    }
    // A name of digits may be the id of another one.
    if (newest.name !== name) return { kind: 'unknown' };
    const labels = await labelsIn(client, newest, signal);
    const latest = newest.version;
    const type = newest.type && withLabels(newest.type, labels);
    const infoOf = (info: VersionInfo): PromptInfo => ({ ...info, latest, labels, type });
    if (choice.kind === 'latest') return { kind: 'found', info: infoOf(newest) };
    const chosen = await versionIn(client, what, name, versionOf(choice), signal);
    if (chosen !== undefined) return { kind: 'found', info: infoOf(chosen) };
    const isListed =
      choice.kind === 'label'
        ? labels.some(({ label }) => label === choice.label)
        : choice.version <= (newest.version ?? 0);
    return isListed ? { kind: 'unknown' } : { kind: 'choiceAbsent', info: infoOf(newest) };
  }
}

const withLabels = (type: PromptType, labels: PromptInfo['labels']): PromptType => ({
  ...type,
  labels: labels.map(({ label }) => label).toSorted(order),
});

const promptNames = async (client: Client, signal: AbortSignal): Promise<KnownNames['all']> =>
  (await firstOf(client.templates.list({ per_page: pageSize }, { signal }), mostNames + 1)).map(
    (template) => ({
      name: template.prompt_name,
      version: template.version ?? undefined,
      model: modelOf(template),
    }),
  );

const workflowNames = async (client: Client, signal: AbortSignal): Promise<KnownNames['all']> =>
  (await firstOf(client.workflows.list({ per_page: pageSize }, { signal }), mostNames + 1)).map(
    ({ name, latest_version_number: version }) => ({
      ...{ name, version: version ?? undefined, model: undefined },
    }),
  );
