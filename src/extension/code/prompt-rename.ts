import * as vscode from 'vscode';
import type { CodeCall } from '../../core/code-index/call.ts';
import type { App } from '../shell/app.ts';
import { withSignal } from '../shell/cancellation.ts';
import type { CodeDocuments } from './documents.ts';
import { rangeIn } from './documents.ts';
import { editsInCode } from './edits-in-code.ts';
import { choiceOf } from './known.ts';
import type { PromptDocuments } from './places.ts';
import type { WorkspaceCode } from './workspace-code.ts';

const { t } = vscode.l10n;

interface PromptRenameParts {
  readonly app: App;
  readonly documents: CodeDocuments;
  readonly code: WorkspaceCode;
  readonly prompts: PromptDocuments;
}

/** It gets what is published next. A label stands where it stands until it is moved. */
const asksForLatest = (call: CodeCall): boolean =>
  choiceOf(call)?.kind === 'latest' && !call.isOpen && !call.hasBlueprint;

/**
 * Variables in documents of prompts, with the code that will give them once the document is
 * published: those edits are offered, and made only if they are confirmed.
 */
export class PromptRename implements vscode.RenameProvider {
  readonly #parts: PromptRenameParts;

  constructor(parts: PromptRenameParts) {
    this.#parts = parts;
  }

  async prepareRename(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): Promise<{ readonly range: vscode.Range; readonly placeholder: string }> {
    const { prompts } = this.#parts;
    const found = await prompts.variableIn(document.getText(), document.offsetAt(position));
    if (found === undefined) throw new Error(t('Place the cursor on a variable to rename it.'));
    return { range: rangeIn(document, found), placeholder: found.name };
  }

  async provideRenameEdits(
    document: vscode.TextDocument,
    position: vscode.Position,
    after: string,
    token: vscode.CancellationToken,
  ): Promise<vscode.WorkspaceEdit | undefined> {
    const { app, prompts } = this.#parts;
    const text = document.getText();
    const before = (await prompts.variableIn(text, document.offsetAt(position)))?.name;
    if (before === undefined || before === after) return undefined;
    const edits = await prompts.renameIn(text, { before, after });
    const owner = await prompts.nameOf(document);
    const edit =
      owner === undefined || !app.settings.get('code.enabled')
        ? new vscode.WorkspaceEdit()
        : await withSignal(
            token,
            (signal) => this.#inCode({ owner, before, after }, signal),
            app.signal,
          );
    for (const each of edits) edit.replace(document.uri, rangeIn(document, each), each.text);
    return edit;
  }

  #inCode(
    {
      owner,
      before,
      after,
    }: { readonly owner: string; readonly before: string; readonly after: string },
    signal: AbortSignal,
  ): Promise<vscode.WorkspaceEdit> {
    const renamed = { kind: 'variable', what: 'prompt', owner, before } as const;
    const fits = (call: CodeCall): Promise<boolean> => Promise.resolve(asksForLatest(call));
    const note = t('Runs the latest version: select it, and publish the prompt.');
    return editsInCode(this.#parts, { ...renamed, newName: after, fits, note }, signal);
  }
}
