import * as vscode from 'vscode';
import type { App } from '../shell/app.ts';
import type { CodeUses } from '../shell/code-uses.ts';
import { DisposableStore } from '../shell/dispose.ts';
import { Catalog } from './catalog.ts';
import { findInCode, runInCode } from './commands.ts';
import { CodeCompletions } from './completion.ts';
import { copyAsCode } from './copy-code.ts';
import { CodeDocuments, codeSelector } from './documents.ts';
import { CodeHints } from './hints.ts';
import { CodeHovers } from './hover.ts';
import { CodeLenses } from './lenses.ts';
import { CodeLinks } from './links.ts';
import type { PromptDocuments } from './places.ts';
import { CodePlaces } from './places.ts';
import { CodeProblems } from './problems.ts';
import type { CodeCommand } from './register.ts';
import { CodeSymbols } from './symbols.ts';
import { CodeRename } from './rename.ts';
import { generateTypes } from './types.ts';
import { WorkspaceCode } from './workspace-code.ts';

/** Everything that the names of prompts do in code. */
export class CodeFeatures implements vscode.Disposable {
  readonly #own = new DisposableStore();
  readonly #parts;

  constructor(app: App, prompts: PromptDocuments) {
    const own = this.#own;
    const catalog = own.add(new Catalog(app));
    const documents = own.add(new CodeDocuments(app));
    const code = own.add(new WorkspaceCode(app, documents));
    this.#parts = { ...{ app, catalog, documents, code, prompts } };
    const places = new CodePlaces(this.#parts);
    const lenses = own.add(new CodeLenses(this.#parts));
    const hints = own.add(new CodeHints(this.#parts));
    const problems = own.add(new CodeProblems(this.#parts));
    const refresh = (): void => {
      lenses.refresh();
      hints.refresh();
      problems.refresh();
    };
    own.add(catalog.onDidChange(refresh));
    own.add(documents.onDidChange(refresh));
    own.add(code.onDidChange(() => lenses.refresh()));
    own.add(
      app.settings.onDidChange((isAffected) => {
        const names = ['code.enabled', 'code.lenses', 'code.problems', 'code.callees'] as const;
        if (names.some(isAffected)) refresh();
      }),
    );
    const everywhere = [...codeSelector, { language: prompts.language }];
    const { languages } = vscode;
    own.add(languages.registerCodeLensProvider(codeSelector, lenses));
    own.add(languages.registerHoverProvider(codeSelector, new CodeHovers(catalog, documents)));
    own.add(languages.registerInlayHintsProvider(codeSelector, hints));
    own.add(languages.registerDocumentLinkProvider(codeSelector, new CodeLinks(this.#parts)));
    own.add(languages.registerWorkspaceSymbolProvider(new CodeSymbols(this.#parts)));
    own.add(languages.registerDefinitionProvider(codeSelector, places));
    own.add(languages.registerRenameProvider(codeSelector, new CodeRename(this.#parts)));
    own.add(languages.registerReferenceProvider(everywhere, places));
    own.add(
      languages.registerCompletionItemProvider(
        codeSelector,
        new CodeCompletions(catalog, documents),
        ...["'", '"', '`', '{', ' ', '/'],
      ),
    );
  }

  run(command: CodeCommand, given: unknown): Promise<void> {
    switch (command) {
      case 'runPromptInCode':
        return runInCode(this.#parts, given);
      case 'findPromptInCode':
        return findInCode(this.#parts, given);
      case 'generatePromptTypes':
        return generateTypes(this.#parts.app);
      case 'copyPromptAsCode':
        return copyAsCode(this.#parts.app, given);
    }
  }

  /** Of what only writes a log nothing depends. */
  async usesOfLabel(
    { promptName, label }: { readonly promptName: string; readonly label: string },
    signal: AbortSignal,
  ): Promise<CodeUses> {
    const { uses, isPartial } = await this.#parts.code.uses('prompt', promptName, signal);
    const asking = uses.filter((use) => use.label === label && use.kind !== 'log');
    const lines = asking.map(
      ({ uri, range }) => `${vscode.workspace.asRelativePath(uri)}:${range.start.line + 1}`,
    );
    return { lines: [...new Set(lines)], isPartial };
  }

  dispose(): void {
    this.#own.dispose();
  }
}
