import * as vscode from 'vscode';
import type { CodeCall } from '../../core/code-index/call.ts';
import type { App } from '../shell/app.ts';
import { createCodeLens } from '../shell/shown.ts';
import type { Catalog } from './catalog.ts';
import type { CodeDocuments } from './documents.ts';
import { rangeIn } from './documents.ts';
import type { FoundPrompt, PromptInfo } from './known.ts';
import { choiceOf } from './known.ts';

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

interface LensParts {
  readonly app: App;
  readonly catalog: Catalog;
  readonly documents: CodeDocuments;
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
    const { catalog } = this.#parts;
    const { connectionId } = catalog;
    const range = rangeIn(document, call.method);
    const lens = (title: string, command: string, given: unknown): vscode.CodeLens =>
      createCodeLens(range, { title, command: `promptTables.${command}`, arguments: [given] });
    const at = { uri: document.uri.toString(), offset: call.method.from };
    const run = lens(t('$(play) Run'), 'runPromptInCode', at);
    const choice = choiceOf(call) ?? { kind: 'latest' };
    const name = call.name.value;
    if (call.kind === 'workflow') {
      const workflow = { connectionId, workflowName: name, choice };
      return connectionId === undefined ? [] : [run, lens(t('Open'), 'openWorkflow', workflow)];
    }
    if (connectionId === undefined) return [];
    const found = await this.#soon(catalog.prompt(name, choice));
    const prompt = { connectionId, promptName: name, choice };
    switch (found?.kind) {
      case 'absent':
        return [];
      case 'found':
      case 'choiceAbsent': {
        const summary = summaryOf(found.info);
        const latest = { connectionId, promptName: name };
        const isThere = found.kind === 'found';
        return [
          ...(summary === '' ? [] : [lens(summary, 'openPrompt', isThere ? prompt : latest)]),
          ...(isThere ? [run, lens(t('Open'), 'openPrompt', prompt)] : []),
        ];
      }
      case 'unknown':
      case undefined:
        return [run, lens(t('Open'), 'openPrompt', prompt)];
    }
  }

  /** Undefined: not yet, and the lenses are made again once it is known. */
  async #soon(asked: Promise<FoundPrompt>): Promise<FoundPrompt | undefined> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => resolve(undefined), longestWaitMs);
    });
    const found = await Promise.race([asked, late]);
    clearTimeout(timer);
    if (found === undefined) void asked.then(() => this.refresh());
    return found;
  }
}
