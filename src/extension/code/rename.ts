import * as vscode from 'vscode';
import type { CodeCall } from '../../core/code-index/call.ts';
import { ConfigurationError } from '../../core/errors.ts';
import type { App } from '../shell/app.ts';
import { withSignal } from '../shell/cancellation.ts';
import type { Catalog } from './catalog.ts';
import { absentText } from './check.ts';
import type { CodeDocuments } from './documents.ts';
import { rangeIn } from './documents.ts';
import { editsInCode } from './edits-in-code.ts';
import type { FoundPrompt } from './known.ts';
import { choiceOf } from './known.ts';
import type { RenameTarget } from './rename-of.ts';
import { renameTargetAt } from './rename-of.ts';
import type { WorkspaceCode } from './workspace-code.ts';

const { t } = vscode.l10n;

interface RenameParts {
  readonly app: App;
  readonly catalog: Catalog;
  readonly documents: CodeDocuments;
  readonly code: WorkspaceCode;
}

/**
 * Follows in code what is called something else in the workspace, where that comes first: a name that
 * the workspace doesn't have is refused, and nothing is edited. Every edit is to be confirmed.
 */
export class CodeRename implements vscode.RenameProvider {
  readonly #parts: RenameParts;

  constructor(parts: RenameParts) {
    this.#parts = parts;
  }

  /** Undefined leaves it to those who know the language. */
  async prepareRename(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): Promise<{ readonly range: vscode.Range; readonly placeholder: string } | undefined> {
    const target = await this.#targetAt(document, position);
    return target && { range: rangeIn(document, target.span), placeholder: target.before };
  }

  async provideRenameEdits(
    document: vscode.TextDocument,
    position: vscode.Position,
    newName: string,
    token: vscode.CancellationToken,
  ): Promise<vscode.WorkspaceEdit | undefined> {
    const target = await this.#targetAt(document, position);
    if (target === undefined) return undefined;
    await this.#check(target, newName);
    const { app } = this.#parts;
    return withSignal(token, (signal) => this.#edits(target, newName, signal), app.signal);
  }

  async #targetAt(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): Promise<RenameTarget | undefined> {
    const { catalog, documents } = this.#parts;
    if (catalog.connectionId === undefined) return undefined;
    const read = await documents.read(document);
    return read && renameTargetAt(read.calls, document.offsetAt(position));
  }

  /** Only what the workspace is known not to have is refused. */
  async #check(target: RenameTarget, newName: string): Promise<void> {
    const { catalog } = this.#parts;
    const { workspaceName } = catalog;
    const absent = await this.#absentText(target, newName, workspaceName);
    if (absent === undefined) return;
    throw new ConfigurationError(
      t('{0} Code is changed after the workspace: create it there first.', absent),
    );
  }

  async #absentText(
    { kind, what, owner, call }: RenameTarget,
    newName: string,
    workspace: string,
  ): Promise<string | undefined> {
    const { catalog } = this.#parts;
    if (kind === 'name') {
      const { kind: state } = await catalog.find(what, newName, { kind: 'latest' });
      return state === 'absent' ? absentText(what, newName, workspace, t) : undefined;
    }
    if (kind === 'label') {
      const { kind: state } = await catalog.find(what, owner, { kind: 'label', label: newName });
      return state === 'choiceAbsent' ? t('"{0}" has no label "{1}".', owner, newName) : undefined;
    }
    const found = await this.#promptOf(call);
    if (found.kind !== 'found') {
      throw new ConfigurationError(
        t("The version of {0} that this call gets isn't known now, so nothing was changed.", owner),
      );
    }
    return hasVariable(found, newName)
      ? undefined
      : t('"{0}" has no variable "{1}".', owner, newName);
  }

  /** What a call certainly asks for. */
  async #promptOf(call: CodeCall): Promise<FoundPrompt> {
    const isVague = call.isOpen || (call.hasVariants && call.label !== undefined);
    if (choiceOf(call) === undefined || isVague) return { kind: 'unknown' };
    const found = await this.#parts.catalog.askedBy(call);
    return found.kind === 'found' && !found.info.hasAllVariables ? { kind: 'unknown' } : found;
  }

  #edits(
    target: RenameTarget,
    newName: string,
    signal: AbortSignal,
  ): Promise<vscode.WorkspaceEdit> {
    const fits = async (call: CodeCall): Promise<boolean> =>
      hasVariable(await this.#promptOf(call), newName);
    return editsInCode(this.#parts, { ...target, newName, fits }, signal);
  }
}

const hasVariable = (found: FoundPrompt, name: string): boolean =>
  found.kind === 'found' && found.info.variables.some((each) => each.name === name);
