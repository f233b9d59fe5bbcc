import * as vscode from 'vscode';
import type { CodeCall } from '../../core/code-index/call.ts';
import type { CodeLanguage } from '../../core/code-index/languages.ts';
import { codeLanguageIds, languageOfId } from '../../core/code-index/languages.ts';
import { callsInSlices, Slices } from '../../core/code-index/scan.ts';
import type { Span } from '../../core/code-index/tokens.ts';
import type { App } from '../shell/app.ts';

export const codeSelector: readonly vscode.DocumentFilter[] = codeLanguageIds.map((language) => ({
  language,
}));

/** Longer ones are made by programs. */
export const longestCode = 1_000_000;

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
  readonly calls: Promise<readonly CodeCall[]>;
}

/** The calls of open documents, each text read once. */
export class CodeDocuments {
  readonly #app: App;
  readonly #read = new WeakMap<vscode.TextDocument, Read>();
  readonly #slices = new Slices(nextTurn);

  constructor(app: App) {
    this.#app = app;
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
      return { language, calls: await before.calls };
    }
    const text = document.getText();
    if (text.length > longestCode) return undefined;
    const { signal } = this.#app;
    const calls = callsInSlices(text, language, { slices: this.#slices, signal, callees });
    this.#read.set(document, { version, callees: key, calls });
    return { language, calls: await calls };
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
