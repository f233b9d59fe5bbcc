import * as vscode from 'vscode';
import type { CodeCall } from '../../core/code-index/call.ts';
import type { Asked, Use, UseInFile } from '../../core/code-index/call-index.ts';
import { askedBy, CallIndex, labelIn } from '../../core/code-index/call-index.ts';
import { readCalls } from '../../core/code-index/imported.ts';
import type { CodeLanguage } from '../../core/code-index/languages.ts';
import {
  ignoredFolders,
  languageOfFile,
  longestCode,
  mostCodeFiles,
} from '../../core/code-index/languages.ts';
import type { NotebookCode } from '../../core/code-index/notebooks.ts';
import { codeOfNotebook, isNotebook } from '../../core/code-index/notebooks.ts';
import { GeneratedModule, isGenerated } from '../../core/prompt-types/generated.ts';
import type { PlaceRange } from '../../core/code-index/lines.ts';
import { Slices } from '../../core/code-index/scan.ts';
import type { App } from '../shell/app.ts';
import { abortable } from '../shell/cancellation.ts';
import type { CodeDocuments } from './documents.ts';
import { filesBeside } from './imported.ts';
import { codeFiles, nextTurn, rangeIn } from './documents.ts';

const excluded = `**/{${ignoredFolders.join(',')}}/**`;
const filesAtOnce = 4;

/** A file that is written is often followed by others. */
const pauseMs = 1000;

export interface FoundUses {
  readonly uses: readonly CodeUse[];
  /** There are more files than are looked through. */
  readonly isPartial: boolean;
}

/** A module of types that was generated of the prompts of a workspace. */
export interface TypesFile {
  readonly uri: vscode.Uri;
  readonly language: CodeLanguage;
  readonly module: GeneratedModule;
}

export interface CodeUse extends Use {
  readonly uri: vscode.Uri;
}

const rangeOf = ({ start, end }: PlaceRange): vscode.Range =>
  new vscode.Range(start.line, start.character, end.line, end.character);

export const locationOf = ({ uri, range }: CodeUse): vscode.Location =>
  new vscode.Location(uri, rangeOf(range));

function usesIn(document: vscode.TextDocument, calls: readonly CodeCall[]): readonly CodeUse[] {
  return calls.map((call) => ({
    ...{ uri: document.uri, kind: call.kind, name: call.name.value, label: labelIn(call) },
    range: rangeIn(document, call.name.span),
  }));
}

const placedIn = (cells: NotebookCode, call: CodeCall): CodeCall => ({
  ...call,
  name: { ...call.name, span: cells.placeOf(call.name.span) },
});

/**
 * The files of the folder that ask for prompts. They are read when somebody first wants to know, and
 * from then on those that have changed.
 */
export class WorkspaceCode implements vscode.Disposable {
  readonly #app: App;
  readonly #documents: CodeDocuments;
  #index = new CallIndex();
  readonly #typesFiles = new Map<string, TypesFile>();
  readonly #slices = new Slices(nextTurn);
  readonly #changed = new Map<string, vscode.Uri>();
  #watching: vscode.Disposable | undefined;
  readonly #emitter = new vscode.EventEmitter<void>();
  /** By files that names are taken from; one that was taken away from costs no more than a reading. */
  readonly #usersOf = new Map<string, Set<string>>();
  readonly #namesIn = new WeakMap<vscode.TextDocument, string>();
  readonly #typed = new Set<vscode.TextDocument>();
  #lookTimer: NodeJS.Timeout | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isPartial = false;
  #reading: Promise<void> = Promise.resolve();
  /** A file or an editor asks for something else; nothing is said before somebody has asked. */
  readonly onDidChange = this.#emitter.event;

  constructor(app: App, documents: CodeDocuments) {
    this.#app = app;
    this.#documents = documents;
  }

  /** Where code asks for it, as the code stands in files and in editors now. */
  async uses(what: Asked, name: string, signal: AbortSignal): Promise<FoundUses> {
    await this.#upToDate(signal);
    const isAsked = (use: CodeUse): boolean => use.name === name && askedBy(use) === what;
    return this.#found(this.#index.uses(what, name), isAsked);
  }

  /** Of all prompts and workflows. */
  async all(signal: AbortSignal): Promise<FoundUses> {
    await this.#upToDate(signal);
    return this.#found(this.#index, () => true);
  }

  /** Generated types of prompts, as they stand in files. */
  async typesFiles(signal: AbortSignal): Promise<readonly TypesFile[]> {
    await this.#upToDate(signal);
    return [...this.#typesFiles.values()];
  }

  dispose(): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#lookTimer);
    this.#watching?.dispose();
    this.#emitter.dispose();
  }

  async #found(
    inFiles: Iterable<UseInFile>,
    isAsked: (use: CodeUse) => boolean,
  ): Promise<FoundUses> {
    const open = vscode.workspace.textDocuments.filter(({ isClosed }) => !isClosed);
    // Cells of a notebook are documents of their own.
    const isOpen = new Set(vscode.workspace.notebookDocuments.map(({ uri }) => uri.toString()));
    const found: CodeUse[] = [];
    for (const document of open) {
      const read = await this.#documents.read(document);
      if (read === undefined) continue;
      isOpen.add(document.uri.toString());
      found.push(...usesIn(document, read.calls).filter(isAsked));
    }
    for (const use of inFiles) {
      if (!isOpen.has(use.file)) found.push({ ...use, uri: vscode.Uri.parse(use.file, true) });
    }
    const placeOf = ({ uri, range: { start } }: CodeUse): string =>
      `${uri.toString()} ${String(start.line).padStart(8, '0')}`;
    const placed = found.map((use) => ({ use, place: placeOf(use) }));
    placed.sort((one, other) => (one.place < other.place ? -1 : one.place > other.place ? 1 : 0));
    return { uses: placed.map(({ use }) => use), isPartial: this.#isPartial };
  }

  #changedSoon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#emitter.fire();
    }, pauseMs);
  }

  /** Not at each key: a long document takes a while to be read. */
  #lookSoon(document: vscode.TextDocument): void {
    this.#typed.add(document);
    this.#lookTimer ??= setTimeout(() => {
      this.#lookTimer = undefined;
      const typed = [...this.#typed];
      this.#typed.clear();
      Promise.all(typed.map((each) => this.#lookAt(each))).catch((error: unknown) => {
        if (!this.#app.signal.aborted) this.#app.errors.note(error, 'Reading code');
      });
    }, pauseMs);
  }

  /** What is asked for in an editor counts before it is saved. */
  async #lookAt(document: vscode.TextDocument): Promise<void> {
    const read = await this.#documents.read(document);
    if (read === undefined) return;
    const names = JSON.stringify(read.calls.map((call) => [askedBy(call), call.name.value]));
    const before = this.#namesIn.get(document);
    this.#namesIn.set(document, names);
    if ((before ?? '[]') !== names) this.#changedSoon();
  }

  /** One after the other: the second finds what the first has read. */
  async #upToDate(signal: AbortSignal): Promise<void> {
    const before = this.#reading;
    const reading = before.then(() => this.#readChanged(signal));
    // Whoever waits for it says what went wrong; without anybody it is tried again.
    this.#reading = reading.catch(() => undefined);
    await abortable(reading, signal);
  }

  async #readChanged(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#watching === undefined) await this.#begin();
    const waiting = [...this.#changed];
    const readNext = async (): Promise<void> => {
      for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
        const [file, uri] = next;
        this.#changed.delete(file);
        try {
          await this.#readFile(file, uri, signal);
        } catch (error) {
          this.#changed.set(file, uri);
          throw error;
        }
      }
    };
    await Promise.all(Array.from({ length: filesAtOnce }, readNext));
  }

  async #begin(): Promise<void> {
    const note = (uri: vscode.Uri): void => {
      this.#changed.set(uri.toString(), uri);
      this.#changeUsers(uri);
      this.#changedSoon();
    };
    const look = (document: vscode.TextDocument): void => this.#lookSoon(document);
    const watcher = vscode.workspace.createFileSystemWatcher(codeFiles);
    const rest = vscode.Disposable.from(
      watcher,
      watcher.onDidChange(note),
      watcher.onDidCreate((uri) => {
        if (!uri.path.split('/').some((name) => ignoredFolders.includes(name))) note(uri);
      }),
      watcher.onDidDelete((uri) => {
        this.#changed.delete(uri.toString());
        this.#remove(uri.toString());
        this.#changeUsers(uri);
        this.#changedSoon();
      }),
      vscode.workspace.onDidChangeTextDocument(({ document }) => look(document)),
      vscode.workspace.onDidChangeWorkspaceFolders(() => this.#startAgain()),
      this.#app.settings.onDidChange((isAffected) => {
        if (isAffected('code.callees')) this.#startAgain();
      }),
    );
    this.#watching = rest;
    vscode.workspace.textDocuments.forEach(look);
    const files = await this.#files();
    this.#isPartial = files.length > mostCodeFiles;
    for (const uri of files.slice(0, mostCodeFiles)) this.#changed.set(uri.toString(), uri);
  }

  /** Whoever takes names from a file that changes is read again. */
  #changeUsers(source: vscode.Uri): void {
    for (const file of this.#usersOf.get(source.toString()) ?? []) {
      this.#changed.set(file, vscode.Uri.parse(file, true));
    }
  }

  async #files(): Promise<readonly vscode.Uri[]> {
    try {
      return await vscode.workspace.findFiles(codeFiles, excluded, mostCodeFiles + 1);
    } catch (error) {
      // Without them nothing is known: whoever asks next begins anew.
      this.#startAgain();
      throw error;
    }
  }

  #startAgain(): void {
    this.#watching?.dispose();
    this.#watching = undefined;
    this.#index = new CallIndex();
    this.#typesFiles.clear();
    this.#changed.clear();
    this.#changedSoon();
  }

  #remove(file: string): void {
    this.#index.remove(file);
    this.#typesFiles.delete(file);
  }

  async #text(uri: vscode.Uri): Promise<string | undefined> {
    try {
      const bytes = await vscode.workspace.fs.readFile(uri);
      return bytes.byteLength > longestCode ? undefined : new TextDecoder().decode(bytes);
    } catch (error) {
      // Deleted meanwhile, or not to be read: there is nothing in it to show.
      this.#app.errors.note(error, `Reading ${uri.fsPath}`);
      return undefined;
    }
  }

  async #readFile(file: string, uri: vscode.Uri, signal: AbortSignal): Promise<void> {
    const isCells = isNotebook(uri.path);
    const isKnown = isCells || languageOfFile(uri.path) !== undefined;
    const whole = isKnown ? await this.#text(uri) : undefined;
    const cells = isCells && whole !== undefined ? codeOfNotebook(whole) : undefined;
    const language = isCells ? cells?.language : languageOfFile(uri.path);
    const text = isCells ? cells?.text : whole;
    this.#typesFiles.delete(file);
    if (language === undefined || text === undefined) {
      this.#remove(file);
      return;
    }
    if (isGenerated(text)) {
      this.#typesFiles.set(file, { uri, language, module: new GeneratedModule(text) });
    }
    const { callees } = this.#documents;
    const files = filesBeside(uri);
    const reading = { text, language, slices: this.#slices, signal, callees, files };
    const { calls, sources } = await readCalls(reading);
    for (const source of sources) {
      const users = this.#usersOf.get(source);
      if (users === undefined) this.#usersOf.set(source, new Set([file]));
      else users.add(file);
    }
    const placed = cells === undefined ? calls : calls.map((call) => placedIn(cells, call));
    this.#index.put(file, placed, whole ?? text);
  }
}
