import { realpath } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { isGenerated } from '../../core/prompt-types/generated.ts';
import type { App } from '../shell/app.ts';
import { runCommand } from '../shell/commands.ts';
import { setStatusBarMessage, showWarningMessage } from '../shell/shown.ts';
import { formerText, readTypes, writeTypes } from './types.ts';
import { TypesOrigins } from './types-files.ts';
import type { WorkspaceCode } from './workspace-code.ts';

const { t } = vscode.l10n;

/** Versions and labels often change together. */
const pauseMs = 1000;

/** Links may lead out of the folder; what is written without being asked for stays in it. */
async function isInFolder(uri: vscode.Uri): Promise<boolean> {
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  if (folder === undefined) return false;
  if (uri.scheme !== 'file') return true;
  const [file, root] = await Promise.all([realpath(uri.fsPath), realpath(folder.uri.fsPath)]);
  const way = path.relative(root, file);
  return way !== '' && !way.startsWith('..') && !path.isAbsolute(way);
}

const pathOf = (uri: vscode.Uri): string => vscode.workspace.asRelativePath(uri);

/** Files of types follow the workspace that they were generated of. */
export class TypesRenewal implements vscode.Disposable {
  readonly #app: App;
  readonly #code: WorkspaceCode;
  readonly #origins: TypesOrigins;
  /** Whose origin is not known; each is told of once. */
  readonly #told = new Set<string>();
  readonly #waiting = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #working: Promise<void> = Promise.resolve();

  constructor(app: App, code: WorkspaceCode) {
    this.#app = app;
    this.#code = code;
    this.#origins = new TypesOrigins(app);
  }

  dispose(): void {
    clearTimeout(this.#timer);
  }

  /** Prompts of a workspace have changed. */
  renewSoon(connectionId: string): void {
    this.#waiting.add(connectionId);
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      // One after the other: the second reads what the first has written.
      this.#working = this.#working.then(() => this.#renewWaiting());
    }, pauseMs);
  }

  async #renewWaiting(): Promise<void> {
    const ids = [...this.#waiting];
    this.#waiting.clear();
    for (const id of ids) {
      try {
        await this.#renew(id);
      } catch (error) {
        if (!this.#app.signal.aborted) {
          this.#app.errors.show(error, { doing: 'Renewing prompt types' });
        }
      }
    }
  }

  async #renew(connectionId: string): Promise<void> {
    const files = await this.#code.typesFiles(this.#app.signal);
    const own: vscode.Uri[] = [];
    for (const { uri } of files) {
      const origin = this.#origins.of(uri);
      if (origin === undefined) this.#tell(uri);
      else if (origin === connectionId && (await isInFolder(uri))) own.push(uri);
    }
    if (own.length === 0) return;
    const types = await readTypes(this.#app, connectionId, 'window');
    const outcomes = new Map<string, string[]>();
    for (const uri of own) {
      // Somebody may have made something else of it meanwhile.
      if (!isGenerated(await formerText(uri))) continue;
      const outcome = await writeTypes(this.#app, uri, types, connectionId);
      outcomes.set(outcome, [...(outcomes.get(outcome) ?? []), pathOf(uri)]);
    }
    const written = outcomes.get('written') ?? [];
    if (written.length > 0) {
      setStatusBarMessage(t('Prompt types renewed: {0}', written.join(', ')), 5000);
    }
    for (const unsaved of outcomes.get('unsaved') ?? []) {
      void showWarningMessage(t('{0} has unsaved changes, so nothing was written to it.', unsaved));
    }
  }

  #tell(uri: vscode.Uri): void {
    if (this.#told.has(uri.toString())) return;
    this.#told.add(uri.toString());
    const generate = t('Generate Prompt Types');
    const text = t(
      "{0} isn't renewed, because its workspace isn't known: it was generated elsewhere. Generate it here once, and it follows the workspace in use.",
      pathOf(uri),
    );
    void showWarningMessage(text, generate).then((choice) => {
      if (choice !== generate) return;
      void runCommand('promptTables.generatePromptTypes', { typesFile: uri.toString() });
    });
  }
}
