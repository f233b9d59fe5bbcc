import * as vscode from 'vscode';
import { askedBy } from '../../core/code-index/call-index.ts';
import { plainLines } from '../shell/plain-text.ts';
import { createCodeAction } from '../shell/shown.ts';
import type { App } from '../shell/app.ts';
import type { Catalog } from './catalog.ts';
import type { CodeFix, CodeProblem, TypesOfOthers } from './check.ts';
import { problemsOfCall } from './check.ts';
import type { CodeDocuments } from './documents.ts';
import { codeSelector, rangeIn } from './documents.ts';
import { choiceOf } from './known.ts';
import type { KnownTypes } from './types-files.ts';

const pauseMs = 200;

class CodeDiagnostic extends vscode.Diagnostic {
  readonly fixes: readonly CodeFix[];
  readonly types: TypesOfOthers | undefined;

  constructor(document: vscode.TextDocument, problem: CodeProblem) {
    const { span, message, severity, fixes, types } = problem;
    const level =
      severity === 'warning'
        ? vscode.DiagnosticSeverity.Warning
        : vscode.DiagnosticSeverity.Information;
    super(rangeIn(document, span), plainLines(message), level);
    this.source = 'Prompt Tables';
    this.fixes = fixes;
    this.types = types;
  }
}

interface ProblemParts {
  readonly app: App;
  readonly catalog: Catalog;
  readonly documents: CodeDocuments;
  readonly types: KnownTypes;
}

/** Squiggles under what is certainly wrong, a moment after the last key. */
export class CodeProblems implements vscode.Disposable {
  readonly #parts: ProblemParts;
  readonly #collection = vscode.languages.createDiagnosticCollection('promptTablesCode');
  readonly #timers = new Map<string, NodeJS.Timeout>();
  readonly #own: vscode.Disposable;
  #shownFor: string | undefined;

  constructor(parts: ProblemParts) {
    this.#parts = parts;
    this.#own = vscode.Disposable.from(
      this.#collection,
      vscode.workspace.onDidOpenTextDocument((document) => this.#soon(document)),
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.#soon(document)),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#collection.delete(uri)),
      vscode.languages.registerCodeActionsProvider(
        codeSelector,
        {
          provideCodeActions: (document, _range, { diagnostics }) =>
            actionsOf(document, diagnostics),
        },
        { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] },
      ),
    );
    this.refresh();
  }

  refresh(): void {
    const { connectionId } = this.#parts.catalog;
    // What one workspace lacks says nothing about another.
    if (connectionId !== this.#shownFor) this.#collection.clear();
    this.#shownFor = connectionId;
    for (const document of vscode.workspace.textDocuments) this.#soon(document);
  }

  dispose(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#own.dispose();
  }

  #soon(document: vscode.TextDocument): void {
    if (vscode.languages.match(codeSelector, document) === 0) return;
    const key = document.uri.toString();
    clearTimeout(this.#timers.get(key));
    const look = (): void => {
      this.#timers.delete(key);
      this.#look(document).catch((error: unknown) => {
        if (!this.#parts.app.signal.aborted) this.#parts.app.errors.note(error, 'Checking code');
      });
    };
    this.#timers.set(key, setTimeout(look, pauseMs));
  }

  async #look(document: vscode.TextDocument): Promise<void> {
    const { app, catalog, documents, types } = this.#parts;
    if (document.isClosed) return;
    const { version } = document;
    const { connectionId } = catalog;
    const isOn = app.settings.get('code.problems') && connectionId !== undefined;
    const read = isOn ? await documents.read(document) : undefined;
    if (read !== undefined && read.calls.length > 0) types.look();
    const found: CodeProblem[] = [];
    for (const call of read?.calls ?? []) {
      if (read === undefined || connectionId === undefined) continue;
      const prompt = await catalog.askedBy(call);
      // Which version it is, is only known when the program runs.
      const isVague = choiceOf(call) === undefined && prompt.kind === 'found';
      const names = prompt.kind === 'absent' ? await catalog.names(askedBy(call)) : undefined;
      const facts = {
        found: isVague ? ({ kind: 'unknown' } as const) : prompt,
        ...{ names, workspace: catalog.workspaceName },
        outdated:
          prompt.kind === 'found'
            ? types.outdated(prompt.info, read.language, connectionId)
            : undefined,
      };
      found.push(...problemsOfCall(call, read.language, facts, vscode.l10n.t));
    }
    // Changed or closed meanwhile: it is looked at again, or no more.
    const isOpen = vscode.workspace.textDocuments.includes(document);
    const isSame = document.version === version && catalog.connectionId === connectionId;
    if (!isOpen || !isSame) return;
    this.#collection.set(
      document.uri,
      found.map((problem) => new CodeDiagnostic(document, problem)),
    );
  }
}

function actionsOf(
  document: vscode.TextDocument,
  diagnostics: readonly vscode.Diagnostic[],
): vscode.CodeAction[] {
  return diagnostics.flatMap((diagnostic) => {
    if (!(diagnostic instanceof CodeDiagnostic)) return [];
    const actions = diagnostic.fixes.map(({ title, span, text }) => {
      const action = createCodeAction(title, vscode.CodeActionKind.QuickFix);
      action.edit = new vscode.WorkspaceEdit();
      action.edit.replace(document.uri, rangeIn(document, span), text);
      return action;
    });
    if (diagnostic.types !== undefined) {
      const title = vscode.l10n.t('Generate Prompt Types');
      const action = createCodeAction(title, vscode.CodeActionKind.QuickFix);
      const target = { typesFile: diagnostic.types.uri };
      action.command = { title, command: 'promptTables.generatePromptTypes', arguments: [target] };
      actions.push(action);
    }
    for (const [at, action] of actions.entries()) {
      action.diagnostics = [diagnostic];
      action.isPreferred = at === 0;
    }
    return actions;
  });
}
