import * as vscode from 'vscode';
import type { Template } from '../../api/template.ts';
import { hasErrorCode } from '../../core/errors.ts';
import type { Client } from '../../core/index.ts';
import { isMapping, listOf } from '../../core/mapping.ts';
import { promptVariables } from '../../core/templates/prompt-variables.ts';
import { variablesOf as usedIn } from '../../core/templates/template-variables.ts';
import type { PromptChoice } from '../../protocol/run.ts';
import { labelsOf, modelOf } from '../ask/pick-prompt.ts';
import type { App } from '../shell/app.ts';
import { versionOf } from '../shell/prompt-address.ts';
import { firstOf } from '../shell/first-of.ts';
import type { FoundPrompt, KnownNames, PromptInfo, PromptVariable } from './known.ts';

/** More would take too long to list; then nothing is called unknown. */
const mostNames = 5000;
const pageSize = 100;
const keptMs = 60_000;
/** A service that could not be asked is asked again after this. */
const pauseMs = 15_000;
const longestMessages = 4000;
/** A file may ask for hundreds of prompts: they are looked up a few at a time. */
const mostAtOnce = 4;

function textOf(holder: unknown): string {
  if (!isMapping(holder)) return '';
  const { content } = holder;
  if (typeof content === 'string') return content;
  return listOf(content)
    .map((part) => (isMapping(part) && typeof part['text'] === 'string' ? part['text'] : ''))
    .filter((text) => text !== '')
    .join('\n');
}

function variablesIn(template: Template): readonly PromptVariable[] {
  const { prompt_template: prompt } = template;
  const holders = [...listOf(prompt['messages']), prompt];
  const isJinja = holders.some(
    (holder) => isMapping(holder) && holder['template_format'] === 'jinja2',
  );
  const found = promptVariables(template).map(({ name, form }): PromptVariable => {
    const takes = form === 'text' || form === 'media' ? form : 'list';
    return { name, takes, isOptional: isJinja || form !== 'text' };
  });
  const declared = new Set(found.map(({ name }) => name));
  // Some that are used may not be declared.
  const others = [...new Set(holders.flatMap(usedIn))].filter((name) => !declared.has(name));
  const asText = (name: string): PromptVariable => ({ name, takes: 'text', isOptional: true });
  return [...found, ...others.map(asText)];
}

function infoOf(template: Template, newest: Template, labels: PromptInfo['labels']): PromptInfo {
  const { prompt_template: prompt } = template;
  const messages = listOf(prompt['messages']);
  const texts = (messages.length > 0 ? messages : [prompt]).map((message) => {
    const role = isMapping(message) && typeof message['role'] === 'string' ? message['role'] : '';
    return { role, text: textOf(message).slice(0, longestMessages) };
  });
  return {
    name: template.prompt_name,
    version: template.version ?? undefined,
    latest: newest.version ?? undefined,
    model: modelOf(template),
    labels,
    variables: variablesIn(template),
    messages: texts.slice(0, 20),
  };
}

interface Kept<Value> {
  readonly value: Promise<Value>;
  at: number;
}

/**
 * What the workspace in use has, as far as code asks for it. Nothing is asked in a folder that is not
 * trusted, and what can't be asked is not known: never missing.
 */
export class Catalog implements vscode.Disposable {
  readonly #app: App;
  readonly #emitter = new vscode.EventEmitter<void>();
  readonly #subscriptions: readonly vscode.Disposable[];
  readonly #kept = new Map<string, Kept<unknown>>();
  readonly #waiting: (() => void)[] = [];
  #busy = 0;
  #timer: NodeJS.Timeout | undefined;
  readonly onDidChange = this.#emitter.event;

  constructor(app: App) {
    this.#app = app;
    this.#subscriptions = [
      app.connections.onDidChange(() => this.forget()),
      app.connections.onDidChangeTemplates(() => this.#forgetSoon()),
      vscode.workspace.onDidGrantWorkspaceTrust(() => this.forget()),
      // Somebody may have published elsewhere, and a service that was away may be back.
      vscode.window.onDidChangeWindowState(({ focused }) => {
        const isOld = [...this.#kept.values()].some(({ at }) => performance.now() >= at);
        if (focused && isOld) this.forget();
      }),
    ];
  }

  /** Undefined: none is in use, or nothing may be asked here. */
  get connectionId(): string | undefined {
    return vscode.workspace.isTrusted ? this.#app.connections.current?.id : undefined;
  }

  get workspaceName(): string {
    return this.#app.connections.current?.name ?? '';
  }

  /** The names of all prompts; undefined: not known. */
  prompts(): Promise<KnownNames | undefined> {
    return this.#names('prompts', (client, signal) =>
      firstOf(client.templates.list({ per_page: pageSize }, { signal }), mostNames + 1).then(
        (all) =>
          all.map((template) => ({
            name: template.prompt_name,
            version: template.version ?? undefined,
            model: modelOf(template),
          })),
      ),
    );
  }

  workflows(): Promise<KnownNames | undefined> {
    return this.#names('workflows', (client, signal) =>
      firstOf(client.workflows.list({ per_page: pageSize }, { signal }), mostNames + 1).then(
        (all) => all.map(({ name }) => ({ name, version: undefined, model: undefined })),
      ),
    );
  }

  prompt(name: string, choice: PromptChoice): Promise<FoundPrompt> {
    const { version, label } = versionOf(choice);
    const key = `prompt ${JSON.stringify([name, version, label])}`;
    return this.#once<FoundPrompt>(key, { kind: 'unknown' }, (client, signal) =>
      this.#inTurn(() => this.#find(client, name, choice, signal)),
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

  async #inTurn<Value>(work: () => Promise<Value>): Promise<Value> {
    if (this.#busy >= mostAtOnce) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else this.#busy += 1;
    try {
      return await work();
    } finally {
      // Whoever is next takes over this place.
      const next = this.#waiting.shift();
      if (next === undefined) this.#busy -= 1;
      else next();
    }
  }

  /** Runs and publications change much at once. */
  #forgetSoon(): void {
    this.#timer ??= setTimeout(() => this.forget(), 500);
  }

  async #find(
    client: Client,
    name: string,
    choice: PromptChoice,
    signal: AbortSignal,
  ): Promise<FoundPrompt> {
    const get = async (query: ReturnType<typeof versionOf>): Promise<Template | undefined> => {
      try {
        return await client.templates.getRaw(name, query, { signal });
      } catch (error) {
        if (hasErrorCode(error, 'not_found')) return undefined;
        throw error;
      }
    };
    const newest = await get({});
    if (newest === undefined) {
      // Something on the way may answer that for everything: the list must agree.
      const names = await this.prompts();
      const isAbsent = names?.isComplete === true && names.all.every((each) => each.name !== name);
      return isAbsent ? { kind: 'absent' } : { kind: 'unknown' };
    }
    // A name of digits may be the id of another prompt.
    if (newest.prompt_name !== name) return { kind: 'unknown' };
    const labels = (await labelsOf(client, newest.id, signal)).map(
      ({ release_label: label, prompt_version_number: version }) => ({ label, version }),
    );
    if (choice.kind === 'latest') return { kind: 'found', info: infoOf(newest, newest, labels) };
    const chosen = await get(versionOf(choice));
    const info = infoOf(chosen ?? newest, newest, labels);
    if (chosen !== undefined) return { kind: 'found', info };
    const isListed =
      choice.kind === 'label'
        ? labels.some(({ label }) => label === choice.label)
        : choice.version <= (newest.version ?? 0);
    return isListed ? { kind: 'unknown' } : { kind: 'choiceAbsent', info };
  }

  #names(
    what: string,
    list: (client: Client, signal: AbortSignal) => Promise<KnownNames['all']>,
  ): Promise<KnownNames | undefined> {
    return this.#once<KnownNames | undefined>(what, undefined, async (client, signal) => {
      const all = await list(client, signal);
      return { all: all.slice(0, mostNames), isComplete: all.length <= mostNames };
    });
  }

  /** Asked once for all who want to know, and again when that is out of date. */
  async #once<Value>(
    key: string,
    unknown: Value,
    ask: (client: Client, signal: AbortSignal) => Promise<Value>,
  ): Promise<Value> {
    const id = this.connectionId;
    if (id === undefined) return unknown;
    const place = `${id} ${key}`;
    const kept = this.#kept.get(place);
    if (kept !== undefined && performance.now() < kept.at) return kept.value as Promise<Value>;
    const { signal } = this.#app;
    const asking = async (): Promise<Value> => {
      try {
        return await ask(await this.#app.connections.client(id, { signal }), signal);
      } catch (error) {
        if (!signal.aborted) this.#app.errors.note(error, 'Looking up what code asks for');
        made.at = performance.now() + pauseMs;
        return unknown;
      }
    };
    const made: Kept<Value> = {
      at: performance.now() + keptMs,
      value: Promise.resolve().then(asking),
    };
    this.#kept.set(place, made);
    return made.value;
  }
}
