import * as vscode from 'vscode';
import type { CodeCall } from '../../core/code-index/call.ts';
import { ConfigurationError } from '../../core/errors.ts';
import { plainLine } from '../shell/plain-text.ts';
import { showWarningMessage } from '../shell/shown.ts';
import type { CodeDocuments } from './documents.ts';
import { rangeIn } from './documents.ts';
import type { Renamed } from './rename-of.ts';
import { isImported, renameEdits } from './rename-of.ts';
import type { WorkspaceCode } from './workspace-code.ts';

const { t } = vscode.l10n;
const mostFiles = 500;

interface CodeParts {
  readonly documents: CodeDocuments;
  readonly code: WorkspaceCode;
}

interface RenameInCode extends Renamed {
  readonly newName: string;
  /** Of a variable: whether the version that a call gets knows the new name. */
  readonly fits: (call: CodeCall) => Promise<boolean>;
  /** Stands beside each edit in the preview. */
  readonly note?: string;
}

/** Edits of all code of the folder that asks for it, each to be confirmed. */
export async function editsInCode(
  { code, documents }: CodeParts,
  renamed: RenameInCode,
  signal: AbortSignal,
): Promise<vscode.WorkspaceEdit> {
  const { kind, what, owner, before, newName, fits, note } = renamed;
  const { uses, isPartial } = await code.uses(what, owner, signal);
  const files = new Map(uses.map(({ uri }) => [uri.toString(), uri]));
  if (files.size > mostFiles) {
    throw new ConfigurationError(
      t('{0} files refer to it: too many to change at once.', files.size),
    );
  }
  const metadata: vscode.WorkspaceEditEntryMetadata = {
    needsConfirmation: true,
    label: plainLine(t('Rename {0} to {1} in code', before, newName)),
    ...(note !== undefined && { description: note }),
  };
  const edit = new vscode.WorkspaceEdit();
  for (const uri of files.values()) {
    signal.throwIfAborted();
    const document = await vscode.workspace.openTextDocument(uri);
    const read = await documents.read(document);
    if (read === undefined) continue;
    if (read.calls.some((call) => isImported(renamed, call))) {
      throw new ConfigurationError(
        t(
          '{0} takes the name from another file, so nothing was changed. Change it there.',
          vscode.workspace.asRelativePath(uri),
        ),
      );
    }
    const fitting = new Set<CodeCall>();
    if (kind === 'variable') {
      for (const call of read.calls) {
        const isOfIt = call.name.value === owner && call.kind !== 'log';
        if (isOfIt && (await fits(call))) fitting.add(call);
      }
    }
    const file = { text: document.getText(), language: read.language };
    const changes = renameEdits(read.calls, file, renamed, newName, (call) => fitting.has(call));
    for (const { span, text } of changes) {
      edit.replace(uri, rangeIn(document, span), text, metadata);
    }
  }
  if (isPartial) {
    void showWarningMessage(t('Only the first 20,000 code files were searched.'));
  }
  return edit;
}
