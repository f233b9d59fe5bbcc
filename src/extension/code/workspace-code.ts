import * as vscode from 'vscode';
import { CallIndex } from '../../core/code-index/call-index.ts';
import { codeEndings, languageOfFile } from '../../core/code-index/languages.ts';
import { callsInSlices, Slices } from '../../core/code-index/scan.ts';
import type { Span } from '../../core/code-index/tokens.ts';
import type { App } from '../shell/app.ts';
import type { CodeDocuments } from './documents.ts';
import { longestCode, nextTurn, rangeIn } from './documents.ts';

const pattern = `**/*.{${codeEndings.join(',')}}`;
const excluded = '**/{node_modules,.git,.venv,venv,__pycache__,site-packages,dist,build,out}/**';
const mostFiles = 20_000;
const filesAtOnce = 4;

export type Asked = 'prompt' | 'workflow';

export interface FoundUses {
  readonly locations: readonly vscode.Location[];
  /** There are more files than are looked through. */
  readonly isPartial: boolean;
}

/** Places in a text that is open nowhere. */
class Lines {
  readonly #starts: readonly number[];

  constructor(text: string) {
    this.#starts = [
      0,
      ...[...text.matchAll(/\r\n|\r|\n/g)].map((end) => end.index + end[0].length),
    ];
  }

  range({ from, to }: Span): vscode.Range {
    return new vscode.Range(this.#position(from), this.#position(to));
  }

  #position(offset: number): vscode.Position {
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.#starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return new vscode.Position(low, offset - (this.#starts[low] ?? 0));
  }
}

/**
 * The files of the folder that ask for prompts. They are read when somebody first wants to know, and
 * from then on those that have changed.
 */
export class WorkspaceCode implements vscode.Disposable {
  readonly #app: App;
  readonly #documents: CodeDocuments;
  readonly #index = new CallIndex();
  readonly #slices = new Slices(nextTurn);
  readonly #changed = new Map<string, vscode.Uri>();
  #watching: vscode.Disposable | undefined;
  #isPartial = false;
  #reading: Promise<void> = Promise.resolve();

  constructor(app: App, documents: CodeDocuments) {
    this.#app = app;
    this.#documents = documents;
  }

  /** Where code asks for it, as the code stands in files and in editors now. */
  async uses(what: Asked, name: string, signal: AbortSignal): Promise<FoundUses> {
    await this.#upToDate(signal);
    const open = vscode.workspace.textDocuments.filter(({ isClosed }) => !isClosed);
    const isOpen = new Set(open.map(({ uri }) => uri.toString()));
    const locations: vscode.Location[] = [];
    for (const document of open) {
      const read = await this.#documents.read(document);
      for (const call of read?.calls ?? []) {
        const isWorkflow = call.kind === 'workflow';
        if (call.name.value !== name || isWorkflow !== (what === 'workflow')) continue;
        locations.push(new vscode.Location(document.uri, rangeIn(document, call.name.span)));
      }
    }
    const inFiles = this.#index.uses(what, name).filter(({ file }) => !isOpen.has(file));
    let last: { readonly file: string; readonly lines: Lines } | undefined;
    for (const { file, span } of inFiles) {
      signal.throwIfAborted();
      const uri = vscode.Uri.parse(file, true);
      last = last?.file === file ? last : { file, lines: new Lines((await this.#text(uri)) ?? '') };
      locations.push(new vscode.Location(uri, last.lines.range(span)));
    }
    const placeOf = ({ uri, range }: vscode.Location): string =>
      `${uri.toString()} ${String(range.start.line).padStart(8, '0')}`;
    locations.sort((one, other) => (placeOf(one) < placeOf(other) ? -1 : 1));
    return { locations, isPartial: this.#isPartial };
  }

  dispose(): void {
    this.#watching?.dispose();
  }

  /** One after the other: the second finds what the first has read. */
  async #upToDate(signal: AbortSignal): Promise<void> {
    const before = this.#reading;
    const reading = before.catch(() => undefined).then(() => this.#readChanged(signal));
    this.#reading = reading;
    await reading;
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
    const note = (uri: vscode.Uri): void => void this.#changed.set(uri.toString(), uri);
    const watcher = vscode.workspace.createFileSystemWatcher(pattern);
    const rest = vscode.Disposable.from(
      watcher,
      watcher.onDidChange(note),
      watcher.onDidCreate((uri) => {
        if (!/\/(?:node_modules|\.git|\.venv|venv|site-packages|dist|build|out)\//.test(uri.path))
          note(uri);
      }),
      watcher.onDidDelete((uri) => {
        this.#changed.delete(uri.toString());
        this.#index.remove(uri.toString());
      }),
      vscode.workspace.onDidChangeWorkspaceFolders(() => this.#startAgain()),
      this.#app.settings.onDidChange((isAffected) => {
        if (isAffected('code.callees')) this.#startAgain();
      }),
    );
    this.#watching = rest;
    const files = await vscode.workspace.findFiles(pattern, excluded, mostFiles + 1);
    this.#isPartial = files.length > mostFiles;
    for (const uri of files.slice(0, mostFiles)) note(uri);
  }

  #startAgain(): void {
    this.#watching?.dispose();
    this.#watching = undefined;
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
    const language = languageOfFile(uri.path);
    const text = language === undefined ? undefined : await this.#text(uri);
    if (language === undefined || text === undefined) {
      this.#index.remove(file);
      return;
    }
    const { callees } = this.#documents;
    const options = { slices: this.#slices, signal, callees };
    this.#index.put(file, await callsInSlices(text, language, options));
  }
}
