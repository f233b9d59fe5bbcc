import * as vscode from 'vscode';
import * as z from 'zod';
import type { CodeLanguage } from '../../core/code-index/languages.ts';
import type { App } from '../shell/app.ts';
import type { TypesOfOthers } from './check.ts';
import type { PromptInfo } from './known.ts';
import type { TypesFile, WorkspaceCode } from './workspace-code.ts';

const memoryKey = 'promptTables.typesFiles';
const Kept = z.record(z.string(), z.string());

/** Which workspace generated types are of, as far as they were generated on this machine. */
export class TypesOrigins {
  readonly #memory: vscode.Memento;

  constructor({ context }: App) {
    this.#memory = context.workspaceState;
  }

  /** The id of the connection; undefined: not known. */
  of(uri: vscode.Uri): string | undefined {
    return this.#read()[uri.toString()];
  }

  async remember(uri: vscode.Uri, connectionId: string): Promise<void> {
    await this.#memory.update(memoryKey, { ...this.#read(), [uri.toString()]: connectionId });
  }

  #read(): Readonly<Record<string, string>> {
    return Kept.safeParse(this.#memory.get(memoryKey) ?? {}).data ?? {};
  }
}

/** The generated types of the folder beside what the workspace has. */
export class KnownTypes implements vscode.Disposable {
  readonly #app: App;
  readonly #code: WorkspaceCode;
  readonly #origins: TypesOrigins;
  readonly #changed = new vscode.EventEmitter<void>();
  #known: readonly TypesFile[] = [];
  /** Others are known than before. */
  readonly onDidChange = this.#changed.event;

  constructor(app: App, code: WorkspaceCode) {
    this.#app = app;
    this.#code = code;
    this.#origins = new TypesOrigins(app);
  }

  dispose(): void {
    this.#changed.dispose();
  }

  /** Looks for them again. Nobody waits for it: reading a folder takes a while. */
  look(): void {
    const { signal } = this.#app;
    this.#code.typesFiles(signal).then(
      (found) => {
        const isSame =
          found.length === this.#known.length &&
          found.every(({ module }, at) => module === this.#known[at]?.module);
        this.#known = found;
        if (!isSame && !signal.aborted) this.#changed.fire();
      },
      (error: unknown) => {
        if (!signal.aborted) this.#app.errors.note(error, 'Looking for generated types');
      },
    );
  }

  /** What says something else of a prompt; undefined where there is none, or another one is right. */
  outdated(
    { type }: PromptInfo,
    language: CodeLanguage,
    connectionId: string,
  ): TypesOfOthers | undefined {
    if (type === undefined) return undefined;
    const isPython = language === 'python';
    const files = this.#known.filter(
      ({ uri, language: own }) =>
        (own === 'python') === isPython && (this.#origins.of(uri) ?? connectionId) === connectionId,
    );
    const [first] = files;
    if (first === undefined || files.some(({ module }) => module.fits(type))) return undefined;
    const { uri } = first;
    return { uri: uri.toString(), path: vscode.workspace.asRelativePath(uri) };
  }
}
