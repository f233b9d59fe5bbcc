import * as vscode from 'vscode';

/** What this window changed on a service, so that its other views can follow at once. */
export type Change = {
  readonly connectionId: string;
  readonly tableId?: string | undefined;
  readonly sheetId?: string | undefined;
} & (
  | { readonly what: 'tables' | 'sheets' | 'sheet' | 'columns' | 'rows' | 'versions' | 'score' }
  | { readonly what: 'operation'; readonly operationId: string }
);

/** A prompt of a workspace has a new version or other labels, or a file was pulled from it. */
interface PromptChange {
  readonly connectionId: string;
}

/** One stream of changes for tree, grids and status bar; features need not know each other. */
export class Changes implements vscode.Disposable {
  readonly #emitter = new vscode.EventEmitter<Change>();
  readonly #promptsEmitter = new vscode.EventEmitter<PromptChange>();
  readonly onDidChange = this.#emitter.event;
  readonly onDidChangePrompts = this.#promptsEmitter.event;

  tell(change: Change): void {
    this.#emitter.fire(change);
  }

  tellPrompts(change: PromptChange): void {
    this.#promptsEmitter.fire(change);
  }

  dispose(): void {
    this.#emitter.dispose();
    this.#promptsEmitter.dispose();
  }
}
