import * as vscode from 'vscode';
import type { CodeCall } from '../../core/code-index/call.ts';
import { askedBy } from '../../core/code-index/call-index.ts';
import type { App } from '../shell/app.ts';
import { createCodeLens } from '../shell/shown.ts';
import type { Catalog } from './catalog.ts';
import type { CodeDocuments } from './documents.ts';
import { rangeIn } from './documents.ts';
import type { PromptInfo } from './known.ts';
import { choiceOf } from './known.ts';
import type { WorkspaceCode } from './workspace-code.ts';

const { t } = vscode.l10n;
const mostLabels = 3;
/** A service that is slow holds nobody up: what it says is shown when it comes. */
const longestWaitMs = 1500;

/** "v7 · prod v6 · gpt-5" */
export function summaryOf({ latest, labels, model }: PromptInfo): string {
  const shown = labels.slice(0, mostLabels).map(({ label, version }) => `${label} v${version}`);
  const more = labels.length - shown.length;
  return [
    ...(latest === undefined ? [] : [`v${latest}`]),
    ...shown,
    ...(more > 0 ? [`+${more}`] : []),
    ...(model === undefined ? [] : [model]),
  ].join(' · ');
}

type MakeLens = (title: string, command: string, given: unknown) => vscode.CodeLens;

interface LensParts {
  readonly app: App;
  readonly catalog: Catalog;
  readonly documents: CodeDocuments;
  readonly code: WorkspaceCode;
}

/** What a call asks for stands above it, with what can be done with it. */
export class CodeLenses implements vscode.CodeLensProvider, vscode.Disposable {
  readonly #parts: LensParts;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.#changed.event;

  constructor(parts: LensParts) {
    this.#parts = parts;
  }

  refresh(): void {
    this.#changed.fire();
  }

  async provideCodeLenses(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    const { app, documents } = this.#parts;
    if (!app.settings.get('code.lenses')) return [];
    const read = await documents.read(document);
    const asking = (read?.calls ?? [])
      .filter(({ name }) => name.value !== '')
      .map((call) => this.#lensesOf(document, call));
    return (await Promise.all(asking)).flat();
  }

  dispose(): void {
    this.#changed.dispose();
  }

  async #lensesOf(document: vscode.TextDocument, call: CodeCall): Promise<vscode.CodeLens[]> {
    const { connectionId } = this.#parts.catalog;
    const at = { uri: document.uri.toString(), offset: call.method.from };
    const range = rangeIn(document, call.method);
    const lens: MakeLens = (title, command, given) =>
      createCodeLens(range, { title, command: `promptTables.${command}`, arguments: [given] });
    const asking =
      connectionId === undefined ? [] : this.#serviceLenses(connectionId, call, at, lens);
    const [own, count] = await Promise.all([asking, this.#countOf(call)]);
    // One is the call itself.
    if (count === undefined || count < 2) return own;
    return [...own, lens(t('{0} uses', count), 'findPromptInCode', at)];
  }

  async #serviceLenses(
    connectionId: string,
    call: CodeCall,
    at: unknown,
    lens: MakeLens,
  ): Promise<vscode.CodeLens[]> {
    const { catalog } = this.#parts;
    const run = lens(t('$(play) Run'), 'runPromptInCode', at);
    const choice = choiceOf(call) ?? { kind: 'latest' };
    const name = call.name.value;
    const isWorkflow = call.kind === 'workflow';
    const open = isWorkflow ? 'openWorkflow' : 'openPrompt';
    const latest = { connectionId, [isWorkflow ? 'workflowName' : 'promptName']: name };
    const chosen = { ...latest, choice };
    const found = await this.#soon(catalog.askedBy(call));
    switch (found?.kind) {
      case 'absent':
        return [];
      case 'found':
      case 'choiceAbsent': {
        const summary = summaryOf(found.info);
        const isThere = found.kind === 'found';
        return [
          ...(summary === '' ? [] : [lens(summary, open, isThere ? chosen : latest)]),
          ...(isThere ? [run, lens(t('Open'), open, chosen)] : []),
        ];
      }
      case 'unknown':
      case undefined:
        return [run, lens(t('Open'), open, chosen)];
    }
  }

  /** How often code asks for the same; undefined: that is not known yet, or never will be. */
  async #countOf(call: CodeCall): Promise<number | undefined> {
    const { app, code } = this.#parts;
    const counting = code.uses(askedBy(call), call.name.value, app.signal).then(
      ({ uses, isPartial }) => (isPartial ? undefined : uses.length),
      (error: unknown) => {
        if (!app.signal.aborted) app.errors.note(error, 'Counting what asks for prompts');
        return undefined;
      },
    );
    return this.#soon(counting);
  }

  /** Undefined: not yet, and the lenses are made again once it is known. */
  async #soon<Value>(asked: Promise<Value>): Promise<Value | undefined> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<'late'>((resolve) => {
      timer = setTimeout(() => resolve('late'), longestWaitMs);
    });
    const first = await Promise.race([asked.then((value) => ({ value })), late]);
    clearTimeout(timer);
    if (first !== 'late') return first.value;
    void asked.then(() => this.refresh());
    return undefined;
  }
}
