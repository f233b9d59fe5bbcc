import * as vscode from 'vscode';
import type { App } from '../shell/app.ts';
import type { CodeDocuments } from './documents.ts';
import { rangeIn } from './documents.ts';
import { highlightKinds, highlightsOf } from './highlights-of.ts';

const pauseMs = 200;

/** Colors that every theme has, by what is colored. */
const colors = {
  name: 'symbolIcon.functionForeground',
  label: 'symbolIcon.enumeratorMemberForeground',
  variable: 'symbolIcon.variableForeground',
} as const;

type Types = Readonly<Record<keyof typeof colors, vscode.TextEditorDecorationType>>;

function makeTypes(): Types {
  const typeOf = (kind: keyof typeof colors): vscode.TextEditorDecorationType =>
    vscode.window.createTextEditorDecorationType({ color: new vscode.ThemeColor(colors[kind]) });
  return { name: typeOf('name'), label: typeOf('label'), variable: typeOf('variable') };
}

/**
 * Colors what belongs to prompts in visible code. VS Code takes semantic tokens from one provider
 * only: ours would take away those of the language, so these are decorations.
 */
export class CodeHighlights implements vscode.Disposable {
  readonly #app: App;
  readonly #documents: CodeDocuments;
  readonly #own: vscode.Disposable;
  #types: Types | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(app: App, documents: CodeDocuments) {
    this.#app = app;
    this.#documents = documents;
    this.#own = vscode.Disposable.from(
      vscode.window.onDidChangeVisibleTextEditors(() => this.refresh()),
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        const isVisible = vscode.window.visibleTextEditors.some(
          (editor) => editor.document === document,
        );
        if (isVisible) this.refresh();
      }),
    );
    this.refresh();
  }

  refresh(): void {
    if (!this.#app.settings.get('code.highlight')) {
      this.#clear();
      return;
    }
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#show().catch((error: unknown) => {
        if (!this.#app.signal.aborted) this.#app.errors.note(error, 'Coloring code');
      });
    }, pauseMs);
  }

  dispose(): void {
    this.#clear();
    this.#own.dispose();
  }

  #clear(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const kind of highlightKinds) this.#types?.[kind].dispose();
    this.#types = undefined;
  }

  async #show(): Promise<void> {
    const types = (this.#types ??= makeTypes());
    for (const editor of vscode.window.visibleTextEditors) {
      const { document } = editor;
      const { version } = document;
      const read = await this.#documents.read(document);
      // Turned off, or typed in meanwhile: then it is looked at again.
      if (types !== this.#types) return;
      if (document.version !== version) continue;
      const found = highlightsOf(read?.calls ?? []);
      for (const kind of highlightKinds) {
        const ranges = found[kind].map((span) => rangeIn(document, span));
        editor.setDecorations(types[kind], ranges);
      }
    }
  }
}
