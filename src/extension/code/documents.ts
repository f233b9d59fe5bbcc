import * as vscode from 'vscode';
import type { CodeCall } from '../../core/code-index/call.ts';
import type { CodeLanguage } from '../../core/code-index/languages.ts';
import type { ReadCalls } from '../../core/code-index/imported.ts';
import { readCalls } from '../../core/code-index/imported.ts';
import {
  codeEndings,
  codeLanguageIds,
  languageOfId,
  longestCode,
} from '../../core/code-index/languages.ts';
import { Slices } from '../../core/code-index/scan.ts';
import type { Span } from '../../core/code-index/tokens.ts';
import type { App } from '../shell/app.ts';
import { filesBeside } from './imported.ts';

export const codeSelector: readonly vscode.DocumentFilter[] = codeLanguageIds.map((language) => ({
  language,
}));

export const codeFiles = `**/*.{${[...codeEndings, 'ipynb'].join(',')}}`;

const pauseMs = 300;

export const rangeIn = (document: vscode.TextDocument, { from, to }: Span): vscode.Range =>
  new vscode.Range(document.positionAt(from), document.positionAt(to));

export const holds = ({ from, to }: Span, offset: number): boolean =>
  offset >= from && offset <= to;

/** A turn for everything else that the extension host has to do. */
export const nextTurn = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

export interface CodeDocument {
  readonly language: CodeLanguage;
  readonly calls: readonly CodeCall[];
}

interface Read {
  readonly version: number;
  readonly callees: string;
  readonly calls: Promise<ReadCalls>;
}

/** The calls of open documents, each text read once. */
export class CodeDocuments implements vscode.Disposable {
  readonly #app: App;
  #read = new WeakMap<vscode.TextDocument, Read>();
  /** Files that names were taken from. */
  readonly #sources = new Set<string>();
  readonly #emitter = new vscode.EventEmitter<void>();
  readonly #subscriptions: vscode.Disposable[];
  #watcher: vscode.Disposable | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** A file has changed that others take names from. */
  readonly onDidChange = this.#emitter.event;
  readonly #slices = new Slices(nextTurn);

  constructor(app: App) {
    this.#app = app;
    this.#subscriptions = [
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.#sourceChanged(document.uri)),
    ];
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#watcher?.dispose();
    for (const subscription of this.#subscriptions) subscription.dispose();
    this.#emitter.dispose();
  }

  get isOn(): boolean {
    return this.#app.settings.get('code.enabled');
  }

  get callees(): readonly string[] {
    return this.#app.settings.get('code.callees');
  }

  /** Undefined: it is no code, too long, or nobody wants to know. */
  async read(document: vscode.TextDocument): Promise<CodeDocument | undefined> {
    const language = languageOfId(document.languageId);
    // The other side of a diff is an earlier text, which nobody can change.
    const isEarlier = vscode.workspace.fs.isWritableFileSystem(document.uri.scheme) === false;
    if (language === undefined || isEarlier || !this.isOn) return undefined;
    const callees = this.callees;
    const key = callees.join(' ');
    const { version } = document;
    const before = this.#read.get(document);
    if (before?.version === version && before.callees === key) {
      return { language, calls: (await before.calls).calls };
    }
    const text = document.getText();
    if (text.length > longestCode) return undefined;
    const { signal } = this.#app;
    const files = filesBeside(document.uri);
    const calls = readCalls({ text, language, slices: this.#slices, signal, callees, files });
    this.#read.set(document, { version, callees: key, calls });
    const { sources, calls: found } = await calls;
    this.#follow(sources);
    return { language, calls: found };
  }

  #follow(sources: readonly string[]): void {
    for (const source of sources) this.#sources.add(source);
    if (sources.length === 0 || this.#watcher !== undefined) return;
    const watcher = vscode.workspace.createFileSystemWatcher(codeFiles);
    const changed = (uri: vscode.Uri): void => this.#sourceChanged(uri);
    this.#watcher = vscode.Disposable.from(
      ...[watcher, watcher.onDidChange(changed), watcher.onDidCreate(changed)],
      watcher.onDidDelete(changed),
    );
  }

  #sourceChanged(uri: vscode.Uri): void {
    if (!this.#sources.has(uri.toString())) return;
    // Few documents are open, and names seldom change: all are read again.
    this.#read = new WeakMap();
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#emitter.fire();
    }, pauseMs);
  }

  /** The call that an offset is in, and its document's language. */
  async callAt(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): Promise<{ readonly call: CodeCall; readonly language: CodeLanguage } | undefined> {
    const read = await this.read(document);
    const offset = document.offsetAt(position);
    // Of calls within calls the innermost, which begins last.
    const call = read?.calls.findLast(({ span }) => holds(span, offset));
    return read === undefined || call === undefined ? undefined : { call, language: read.language };
  }
}
