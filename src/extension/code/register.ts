import * as vscode from 'vscode';
import { languageOfId, mayAskForPrompts } from '../../core/code-index/languages.ts';
import type { CodeFeatures } from '../code-parts.ts';
import type { App } from '../shell/app.ts';
import { registerCommand } from '../shell/commands.ts';
import { DisposableStore } from '../shell/dispose.ts';

const codeCommands = [
  'runPromptInCode',
  'findPromptInCode',
  'generatePromptTypes',
  'copyPromptAsCode',
] as const;
export type CodeCommand = (typeof codeCommands)[number];

/** Of longer documents nothing is said. */
const mostLooked = 1_000_000;

/** Prompts in code. Nothing is loaded until code that may ask for one is open, or a prompt. */
export function registerCode(app: App, promptLanguage: string): vscode.Disposable {
  const own = new DisposableStore();
  let loading: Promise<CodeFeatures> | undefined;
  const load = async (): Promise<CodeFeatures> => {
    const { makeCodeFeatures } = await import('../code-parts.ts');
    return own.add(makeCodeFeatures(app));
  };
  const features = (): Promise<CodeFeatures> => (loading ??= load());
  const look = (document: vscode.TextDocument, text: () => string): void => {
    const { languageId } = document;
    const isPrompt = languageId === promptLanguage;
    if (loading !== undefined || (!isPrompt && languageOfId(languageId) === undefined)) return;
    const { settings } = app;
    if (!settings.get('code.enabled')) return;
    if (!isPrompt && !mayAskForPrompts(text(), settings.get('code.callees'))) return;
    features().catch((error: unknown) =>
      app.errors.show(error, { doing: 'Loading what knows prompts in code' }),
    );
  };
  const lookAtAll = (document: vscode.TextDocument): void =>
    look(document, () => document.getText().slice(0, mostLooked));
  own.add(vscode.workspace.onDidOpenTextDocument(lookAtAll));
  own.add(
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      look(document, () =>
        contentChanges
          .map(({ range, text }) => {
            // Other changes of the same moment may have taken lines away before it.
            const line = Math.min(range.start.line, document.lineCount - 1);
            return `${document.lineAt(line).text}\n${text}`;
          })
          .join('\n')
          .slice(0, mostLooked),
      );
    }),
  );
  vscode.workspace.textDocuments.forEach(lookAtAll);
  app.usesInCode.use(async () =>
    app.settings.get('code.enabled') && (vscode.workspace.workspaceFolders?.length ?? 0) > 0
      ? features()
      : undefined,
  );
  own.add(
    app.changes.onDidChangePrompts(({ connectionId }) => {
      const { settings } = app;
      const isWanted = settings.get('code.enabled') && settings.get('code.renewTypes');
      if (!isWanted || !vscode.workspace.isTrusted) return;
      features().then(
        (found) => found.renewTypes(connectionId),
        (error: unknown) => app.errors.show(error, { doing: 'Renewing prompt types' }),
      );
    }),
  );
  for (const command of codeCommands) {
    own.add(
      registerCommand(app, `promptTables.${command}`, async (given) =>
        (await features()).run(command, given),
      ),
    );
  }
  return { dispose: () => own.dispose() };
}
