import * as vscode from 'vscode';
import type { Catalog } from './catalog.ts';
import type { CodeDocuments } from './documents.ts';
import { rangeIn } from './documents.ts';
import { choiceOf, hintOf } from './known.ts';

interface HintParts {
  readonly catalog: Catalog;
  readonly documents: CodeDocuments;
}

/** The versions that labels stand on, behind them. */
export class CodeHints implements vscode.InlayHintsProvider, vscode.Disposable {
  readonly #parts: HintParts;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChangeInlayHints = this.#changed.event;

  constructor(parts: HintParts) {
    this.#parts = parts;
  }

  refresh(): void {
    this.#changed.fire();
  }

  dispose(): void {
    this.#changed.dispose();
  }

  async provideInlayHints(
    document: vscode.TextDocument,
    range: vscode.Range,
    token: vscode.CancellationToken,
  ): Promise<vscode.InlayHint[]> {
    const { catalog, documents } = this.#parts;
    const read = catalog.connectionId === undefined ? undefined : await documents.read(document);
    const calls = (read?.calls ?? []).filter(
      (call) => range.intersection(rangeIn(document, call.span)) !== undefined,
    );
    const asking = calls.map(async (call) => {
      if (choiceOf(call) === undefined || call.name.value === '') return [];
      const hint = hintOf(call, await catalog.askedBy(call));
      if (hint === undefined) return [];
      const shown = new vscode.InlayHint(document.positionAt(hint.at), `→ v${hint.version}`);
      shown.paddingLeft = true;
      return [shown];
    });
    const hints = (await Promise.all(asking)).flat();
    return token.isCancellationRequested ? [] : hints;
  }
}
