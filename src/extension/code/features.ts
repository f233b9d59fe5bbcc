import * as vscode from 'vscode';
import type { FoundPlaces } from '../../core/assistant/tool.ts';
import type { App } from '../shell/app.ts';
import type { CodeUses } from '../shell/code-uses.ts';
import { DisposableStore } from '../shell/dispose.ts';
import { Catalog } from './catalog.ts';
import { findInCode, runInCode } from './commands.ts';
import { CodeCompletions } from './completion.ts';
import { copyAsCode } from './copy-code.ts';
import { CodeDocuments, codeSelector } from './documents.ts';
import { CodeHighlights } from './highlights.ts';
import { CodeHints } from './hints.ts';
import { CodeHovers } from './hover.ts';
import { CodeLenses } from './lenses.ts';
import { CodeLinks } from './links.ts';
import type { PromptDocuments } from './places.ts';
import { CodePlaces } from './places.ts';
import { CodeProblems } from './problems.ts';
import type { CodeCommand } from './register.ts';
import { CodeSymbols } from './symbols.ts';
import { PromptRename } from './prompt-rename.ts';
import { CodeRename } from './rename.ts';
import { generateTypes } from './types.ts';
import { KnownTypes } from './types-files.ts';
import { TypesRenewal } from './types-renewal.ts';
import { WorkspaceCode } from './workspace-code.ts';

/** Settings that change what is seen. */
const refreshing = [
  ...(['code.enabled', 'code.lenses', 'code.problems', 'code.callees'] as const),
  'code.highlight',
] as const;

/** Everything that the names of prompts do in code. */
export class CodeFeatures implements vscode.Disposable {
  readonly #own = new DisposableStore();
  readonly #parts;
  readonly #renewal: TypesRenewal;

  constructor(app: App, prompts: PromptDocuments) {
    const own = this.#own;
    const catalog = own.add(new Catalog(app));
    const documents = own.add(new CodeDocuments(app));
    const code = own.add(new WorkspaceCode(app, documents));
    const types = own.add(new KnownTypes(app, code));
    this.#parts = { ...{ app, catalog, documents, code, prompts, types } };
    this.#renewal = own.add(new TypesRenewal(app, code));
    const places = new CodePlaces(this.#parts);
    const lenses = own.add(new CodeLenses(this.#parts));
    const hints = own.add(new CodeHints(this.#parts));
    const problems = own.add(new CodeProblems(this.#parts));
    const highlights = own.add(new CodeHighlights(app, documents));
    const refresh = (): void => {
      lenses.refresh();
      hints.refresh();
      highlights.refresh();
      problems.refresh();
    };
    own.add(catalog.onDidChange(refresh));
    own.add(documents.onDidChange(refresh));
    own.add(types.onDidChange(() => problems.refresh()));
    own.add(
      code.onDidChange(() => {
        lenses.refresh();
        types.look();
      }),
    );
    own.add(
      app.settings.onDidChange((isAffected) => {
        if (refreshing.some(isAffected)) refresh();
      }),
    );
    const inPrompts = { language: prompts.language };
    const everywhere = [...codeSelector, inPrompts];
    const { languages } = vscode;
    own.add(languages.registerCodeLensProvider(codeSelector, lenses));
    own.add(languages.registerHoverProvider(codeSelector, new CodeHovers(catalog, documents)));
    own.add(languages.registerInlayHintsProvider(codeSelector, hints));
    own.add(languages.registerDocumentLinkProvider(codeSelector, new CodeLinks(this.#parts)));
    own.add(languages.registerWorkspaceSymbolProvider(new CodeSymbols(this.#parts)));
    own.add(languages.registerDefinitionProvider(codeSelector, places));
    own.add(languages.registerRenameProvider(codeSelector, new CodeRename(this.#parts)));
    own.add(languages.registerRenameProvider(inPrompts, new PromptRename(this.#parts)));
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
        return generateTypes(this.#parts.app, this.#parts.code, given);
      case 'copyPromptAsCode':
        return copyAsCode(this.#parts.app, given);
    }
  }

  /** Types that were generated of a workspace whose prompts have changed. */
  renewTypes(connectionId: string): void {
    this.#renewal.renewSoon(connectionId);
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

  /** All that code of the folder asks for. */
  async places(signal: AbortSignal): Promise<FoundPlaces> {
    const { uses, isPartial } = await this.#parts.code.all(signal);
    const places = uses.map(({ uri, range, kind, name, label }) => ({
      ...{ file: vscode.workspace.asRelativePath(uri), line: range.start.line + 1 },
      ...{ kind, name, label },
    }));
    return { places, isPartial };
  }

  dispose(): void {
    this.#own.dispose();
  }
}
