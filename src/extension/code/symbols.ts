import * as vscode from 'vscode';
import { askedBy } from '../../core/code-index/call-index.ts';
import { mayBeMeant } from '../../core/code-index/nearest.ts';
import type { App } from '../shell/app.ts';
import { withSignal } from '../shell/cancellation.ts';
import { plainLine } from '../shell/plain-text.ts';
import type { CodeDocuments } from './documents.ts';
import type { WorkspaceCode } from './workspace-code.ts';
import { locationOf } from './workspace-code.ts';

const mostSymbols = 500;

interface SymbolParts {
  readonly app: App;
  readonly documents: CodeDocuments;
  readonly code: WorkspaceCode;
}

/** Prompts and workflows that code asks for, among the symbols of the folder. */
export class CodeSymbols implements vscode.WorkspaceSymbolProvider {
  readonly #parts: SymbolParts;

  constructor(parts: SymbolParts) {
    this.#parts = parts;
  }

  async provideWorkspaceSymbols(
    query: string,
    token: vscode.CancellationToken,
  ): Promise<vscode.SymbolInformation[]> {
    const { app, code, documents } = this.#parts;
    if (!documents.isOn) return [];
    const { uses } = await withSignal(token, (signal) => code.all(signal), app.signal);
    return uses
      .filter(({ name }) => name !== '' && mayBeMeant(query, name))
      .slice(0, mostSymbols)
      .map((use) => {
        const isPrompt = askedBy(use) === 'prompt';
        const kind = isPrompt ? vscode.SymbolKind.String : vscode.SymbolKind.Function;
        const what = isPrompt ? vscode.l10n.t('Prompt') : vscode.l10n.t('Workflow');
        const place = locationOf(use);
        return new vscode.SymbolInformation(plainLine(use.name), kind, what, place);
      });
  }
}
