import * as vscode from 'vscode';
import { CancelledError, ConfigurationError, ValidationError } from '../../core/errors.ts';
import type { App } from '../shell/app.ts';
import type { Blueprint, ModelChange } from '../shell/choice-schema.ts';
import { queryOf, workspaceOf } from './address.ts';
import { draftScheme, mergeScheme, promptLanguage, versionScheme } from './schemes.ts';
import { textWithMessages } from './text/append-messages.ts';
import { textWithModel } from './text/change-model.ts';
import type { PromptDraft } from './text/draft.ts';
import type { Reading } from './text/read.ts';
import { readText } from './text/read.ts';
import { showQuickPick } from '../shell/questions.ts';

/** The prompt that a text is of, as its front matter names it. */
export const promptNameIn = (text: string): string | undefined =>
  readText(text, vscode.l10n.t).front?.prompt;

/** A document of a prompt, read, and the connection that it belongs to. */
export interface Source {
  readonly document: vscode.TextDocument;
  readonly connectionId: string;
  readonly draft: PromptDraft;
  /** In the repository, not a draft of ours. */
  readonly isFile: boolean;
}

export const isPromptDocument = ({ languageId }: vscode.TextDocument): boolean =>
  languageId === promptLanguage;

export const readDocument = (document: vscode.TextDocument): Reading =>
  readText(document.getText(), vscode.l10n.t);

/** Connections to the workspace that a file names, the one in use first. */
function connectionsFor(app: App, workspace: string | undefined): readonly string[] {
  const { all, current } = app.connections;
  const fitting = all.filter(
    (connection) => workspace === undefined || workspaceOf(connection) === workspace,
  );
  const ids = fitting.map(({ id }) => id);
  return current !== undefined && ids.includes(current.id)
    ? [current.id, ...ids.filter((id) => id !== current.id)]
    : ids;
}

/** Without asking: for what is shown while a person types. */
export function likelyConnection(app: App, document: vscode.TextDocument): string | undefined {
  const query = queryOf(document.uri);
  if (query !== undefined) return query.connectionId;
  return connectionsFor(app, readDocument(document).front?.workspace)[0];
}

const isClear = (app: App, [first, second]: readonly string[]): boolean =>
  first !== undefined && (second === undefined || first === app.connections.current?.id);

/** Whether nobody has to be asked which workspace a document belongs to. */
export const hasClearConnection = (app: App, document: vscode.TextDocument): boolean =>
  isClear(app, connectionsFor(app, readDocument(document).front?.workspace));

/**
 * Whether a connection is still the one that a file belongs to. `oneOfMany`: others fit as well, and
 * none of them is in use.
 */
export function fitOf(
  app: App,
  { connectionId, workspace }: { readonly connectionId: string; readonly workspace?: string },
): 'only' | 'oneOfMany' | 'none' {
  const ids = connectionsFor(app, workspace);
  if (isClear(app, ids)) return ids[0] === connectionId ? 'only' : 'none';
  return ids.includes(connectionId) ? 'oneOfMany' : 'none';
}

async function connectionOf(app: App, draft: PromptDraft): Promise<string> {
  const ids = connectionsFor(app, draft.workspace);
  const [first] = ids;
  if (first === undefined) {
    throw new ConfigurationError(
      vscode.l10n.t("{0} isn't one of your workspaces.", draft.workspace ?? ''),
      { hint: vscode.l10n.t('Connect to it, or correct "workspace" in the front matter.') },
    );
  }
  if (isClear(app, ids)) return first;
  const items = ids.map((id) => ({ label: app.connections.get(id)?.name ?? id, id }));
  const title = vscode.l10n.t('Workspace of {0}', draft.promptName);
  const picked = await showQuickPick(items, { title });
  if (picked === undefined) throw new CancelledError('The choice was dismissed.');
  return picked.id;
}

/** The document that a command is meant for: given by a lens or a menu, else the one in front. */
export async function documentOf(given: unknown): Promise<vscode.TextDocument> {
  const active = vscode.window.activeTextEditor?.document;
  const document =
    given instanceof vscode.Uri ? await vscode.workspace.openTextDocument(given) : active;
  if (document !== undefined && isPromptDocument(document)) return document;
  throw new ConfigurationError(vscode.l10n.t("This isn't a prompt document."), {
    hint: vscode.l10n.t('Open a prompt with Edit Prompt, or a file whose name ends in .prompt.'),
  });
}

/** What a document says; throws a ValidationError that names the line which can't be read. */
function draftIn(document: vscode.TextDocument): PromptDraft {
  const reading = readDocument(document);
  const fault = reading.problems.find(({ severity }) => severity === 'error');
  const { draft } = reading;
  if (fault !== undefined || draft === undefined) {
    const line = document.positionAt(fault?.from ?? 0).line + 1;
    throw new ValidationError(
      vscode.l10n.t("The prompt can't be read: line {0}: {1}", line, fault?.message ?? ''),
      { hint: vscode.l10n.t('Correct it; the Problems view lists all errors.') },
    );
  }
  return draft;
}

/** The prompt of a document as it stands, whoever has published what. */
export async function blueprintIn(uri: string): Promise<Blueprint> {
  const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(uri, true));
  const { template, metadata } = draftIn(document);
  return { prompt_template: template, metadata };
}

/** Changes the model of a document's prompt, as an edit that can be undone. */
export async function changeModelIn(uri: string, change: ModelChange): Promise<void> {
  const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(uri, true));
  await replaceText(document, textWithModel(document.getText(), change, vscode.l10n.t));
}

/**
 * Adds messages to a document's prompt, as an edit that can be undone, and shows it. Without an
 * address, to the document in front, if it is of that prompt.
 */
export async function appendMessagesIn(
  uri: string | undefined,
  promptName: string,
  messages: readonly unknown[],
): Promise<void> {
  const document = await documentOf(uri === undefined ? undefined : vscode.Uri.parse(uri, true));
  if (uri === undefined && promptNameIn(document.getText()) !== promptName) {
    throw new ConfigurationError(vscode.l10n.t('The draft of {0} is not open.', promptName));
  }
  await replaceText(document, textWithMessages(document.getText(), messages, vscode.l10n.t));
  await showPrompt(document.uri, false);
}

export async function sourceOf(app: App, document: vscode.TextDocument): Promise<Source> {
  const draft = draftIn(document);
  const query = queryOf(document.uri);
  // A draft outlives the connection that it was begun with: its text names the workspace.
  const isKnown = query !== undefined && app.connections.get(query.connectionId) !== undefined;
  const connectionId = isKnown ? query.connectionId : await connectionOf(app, draft);
  const isFile = ![draftScheme, versionScheme, mergeScheme].includes(document.uri.scheme);
  return { document, connectionId, draft, isFile };
}

/** The same text as made from another version. */
export function textWithVersion(text: string, version: number, workspace: string): string {
  const reading = readText(text, vscode.l10n.t);
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  const lines = text.split(/\r?\n/);
  const lineOf = (offset: number): number => text.slice(0, offset).split('\n').length - 1;
  const put = (key: string, value: string, after: string): void => {
    const at = reading.keys.get(key);
    const line = `${key}: ${value}`;
    if (at !== undefined) lines[lineOf(at.from)] = line;
    else lines.splice(lines.findIndex((each) => each.startsWith(`${after}:`)) + 1, 0, line);
  };
  put('version', String(version), 'prompt');
  if (reading.front?.workspace === undefined) put('workspace', workspace, 'prompt');
  return lines.join(end);
}

/** Replaces what the document holds, as an edit that can be undone. */
export async function replaceText(document: vscode.TextDocument, text: string): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  const whole = new vscode.Range(0, 0, document.lineCount, 0);
  edit.replace(document.uri, document.validateRange(whole), text);
  if (!(await vscode.workspace.applyEdit(edit))) {
    throw new ConfigurationError(vscode.l10n.t("The editor didn't accept the new text."));
  }
}

export async function showPrompt(uri: vscode.Uri, preview: boolean): Promise<void> {
  const document = await vscode.workspace.openTextDocument(uri);
  // Another extension may have taken the ending .prompt.
  if (!isPromptDocument(document)) {
    await vscode.languages.setTextDocumentLanguage(document, promptLanguage);
  }
  await vscode.window.showTextDocument(document, { preview });
}
