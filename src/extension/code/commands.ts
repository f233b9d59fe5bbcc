import * as vscode from 'vscode';
import * as z from 'zod';
import type { CodeCall } from '../../core/code-index/call.ts';
import { askedBy } from '../../core/code-index/call-index.ts';
import { ConfigurationError } from '../../core/errors.ts';
import type { RunVariable } from '../../protocol/run.ts';
import { openRemembered } from '../ask/open-remembered.ts';
import { pickPrompt } from '../ask/pick-prompt.ts';
import type { App } from '../shell/app.ts';
import { runCommand } from '../shell/commands.ts';
import { withProgress } from '../shell/progress.ts';
import { isPromptAddress } from '../shell/prompt-address.ts';
import { showQuickPick } from '../shell/questions.ts';
import { showInformationMessage } from '../shell/shown.ts';
import type { Catalog } from './catalog.ts';
import type { CodeDocuments } from './documents.ts';
import { choiceOf } from './known.ts';
import type { PromptDocuments } from './places.ts';
import { locationOf } from './workspace-code.ts';
import type { WorkspaceCode } from './workspace-code.ts';

const { t } = vscode.l10n;

interface CommandParts {
  readonly app: App;
  readonly catalog: Catalog;
  readonly documents: CodeDocuments;
  readonly code: WorkspaceCode;
  readonly prompts: PromptDocuments;
}

const At = z.object({ uri: z.string(), offset: z.number() });

/** The call that a lens stands above, or that the cursor is in. */
async function callOf(
  { documents }: CommandParts,
  given: unknown,
): Promise<{
  readonly call: CodeCall;
  readonly document: vscode.TextDocument;
}> {
  const at = At.safeParse(given).data;
  const editor = vscode.window.activeTextEditor;
  const document =
    at === undefined
      ? editor?.document
      : await vscode.workspace.openTextDocument(vscode.Uri.parse(at.uri, true));
  const position = at === undefined ? editor?.selection.active : document?.positionAt(at.offset);
  if (document !== undefined && position !== undefined) {
    const here = await documents.callAt(document, position);
    if (here !== undefined) return { call: here.call, document };
  }
  throw new ConfigurationError(t('No prompt or workflow is run here.'), {
    hint: t('Place the cursor in a call that names a prompt, such as client.run.'),
  });
}

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value, null, 2);

/** What stands literally in the call is filled in; the rest is as it was typed before. */
function variablesOf(
  call: CodeCall,
  known: readonly RunVariable[],
  remember: (variables: readonly RunVariable[]) => readonly RunVariable[],
): readonly RunVariable[] {
  const entries = call.variables?.entries ?? [];
  const names = new Set([...known.map(({ name }) => name), ...entries.map(({ name }) => name)]);
  const blank = [...names].map(
    (name): RunVariable =>
      known.find((each) => each.name === name) ?? { name, kind: 'text', text: '' },
  );
  return remember(blank).map((variable) => {
    const value = entries.find(({ name }) => name === variable.name)?.value;
    if (value === undefined) return variable;
    const isLines = variable.as !== undefined && Array.isArray(value.value);
    const texts: readonly unknown[] = isLines ? (value.value as readonly unknown[]) : [];
    if (isLines && texts.every((each) => typeof each === 'string')) {
      return { ...variable, kind: 'text', text: texts.join('\n') };
    }
    const kind = typeof value.value === 'string' && variable.kind === 'text' ? 'text' : 'json';
    const text = kind === 'json' ? JSON.stringify(value.value, null, 2) : textOf(value.value);
    return { ...variable, kind, text };
  });
}

export async function runInCode(parts: CommandParts, given: unknown): Promise<void> {
  const { app, catalog } = parts;
  const { call } = await callOf(parts, given);
  const { connectionId } = catalog;
  if (connectionId === undefined) {
    throw new ConfigurationError(t('No workspace is in use here.'), {
      hint: t('Trust the folder, and select a workspace with Switch Workspace.'),
    });
  }
  const isWorkflow = call.kind === 'workflow';
  const name = call.name.value;
  const choice = choiceOf(call) ?? { kind: 'latest' };
  const found = await catalog.askedBy(call);
  // The page of a workflow knows what its variables take.
  const known =
    found.kind === 'found' && !isWorkflow
      ? found.info.variables.map((each): RunVariable => ({
          name: each.name,
          ...{ kind: each.takes === 'list' ? 'json' : 'text', text: '' },
          ...(each.takes === 'media' && { as: 'media' }),
        }))
      : [];
  const remembered = openRemembered(app.context, isWorkflow ? 'workflow' : 'prompt');
  await remembered.read({ connectionId, name });
  const variables = variablesOf(call, known, (all) => remembered.fill({ connectionId, name }, all));
  const from = variables.length > 0 && { from: { variables, record: null, isStarted: false } };
  await (isWorkflow
    ? runCommand('promptTables.runWorkflow', { connectionId, workflowName: name, choice, ...from })
    : runCommand('promptTables.runPrompt', { connectionId, promptName: name, choice, ...from }));
}

/** The places in code that ask for what a call asks for, as VS Code shows references. */
async function peekUses(parts: CommandParts, given: unknown): Promise<void> {
  const { app, code } = parts;
  const { call, document } = await callOf(parts, given);
  const { name } = call;
  const progress = { title: t('Looking for {0} in code', name.value), where: 'window' } as const;
  const { uses } = await withProgress(app, progress, (signal) =>
    code.uses(askedBy(call), name.value, signal),
  );
  await vscode.commands.executeCommand(
    'editor.action.showReferences',
    document.uri,
    document.positionAt(name.span.from),
    uses.map(locationOf),
  );
}

/** The places in code that ask for a prompt, to go to one of them. */
export async function findInCode(parts: CommandParts, given: unknown): Promise<void> {
  if (At.safeParse(given).success) return peekUses(parts, given);
  const { app, code, prompts } = parts;
  const title = t('Find prompt in code');
  const document =
    given instanceof vscode.Uri
      ? await vscode.workspace.openTextDocument(given)
      : vscode.window.activeTextEditor?.document;
  const isDocument = given === undefined || given instanceof vscode.Uri;
  const inEditor =
    isDocument && document?.languageId === prompts.language
      ? await prompts.nameOf(document)
      : undefined;
  const asked = async (): Promise<string> =>
    (isPromptAddress(given) ? given : await pickPrompt(app, title)).promptName;
  const name = inEditor ?? (await asked());
  const progress = { title: t('Looking for {0} in code', name), where: 'notification' } as const;
  const { uses, isPartial } = await withProgress(app, progress, (signal) =>
    code.uses('prompt', name, signal),
  );
  if (uses.length === 0) {
    void showInformationMessage(
      isPartial
        ? t('None of the first 20,000 code files refers to {0} by name.', name)
        : t('No code in this folder refers to {0} by name.', name),
    );
    return;
  }
  const items = uses.map(locationOf).map((location) => ({
    label: vscode.workspace.asRelativePath(location.uri),
    description: t('line {0}', location.range.start.line + 1),
    iconPath: new vscode.ThemeIcon('symbol-file'),
    location,
  }));
  const picked = await showQuickPick(items, { title, matchOnDescription: true });
  if (picked === undefined) return;
  const { uri, range } = picked.location;
  await vscode.window.showTextDocument(uri, { selection: range });
}
