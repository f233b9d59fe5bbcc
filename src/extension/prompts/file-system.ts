import * as vscode from 'vscode';
import { hasErrorCode } from '../../core/errors.ts';
import type { App } from '../app.ts';
import type { PromptQuery } from './address.ts';
import { queryOf } from './address.ts';
import { draftScheme } from './schemes.ts';
import type { Drafts } from './drafts.ts';
import type { Remote } from './remote.ts';
import { writeText } from './text/write.ts';

interface Content {
  readonly bytes: Uint8Array;
  readonly mtime: number;
}

export interface PromptFileParts {
  readonly app: App;
  readonly remote: Remote;
  readonly drafts: Drafts;
  readonly changed: vscode.EventEmitter<vscode.FileChangeEvent[]>;
}

/** Prompts as files of two kinds: versions to read, and drafts to edit. */
export class PromptFiles {
  readonly #parts: PromptFileParts;
  readonly #snapshots = new Map<string, string>();

  constructor(parts: PromptFileParts) {
    this.#parts = parts;
  }

  /** Sets a text aside, so that it can be compared with what its document becomes. */
  keepSnapshot(id: string, text: string): void {
    this.#snapshots.set(id, text);
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const { bytes, mtime } = await this.#content(uri);
    return { type: vscode.FileType.File, ctime: 0, mtime, size: bytes.byteLength };
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    return (await this.#content(uri)).bytes;
  }

  async writeFile(uri: vscode.Uri, bytes: Uint8Array): Promise<void> {
    const query = queryOf(uri);
    if (query === undefined || uri.scheme !== draftScheme) {
      throw vscode.FileSystemError.NoPermissions(uri);
    }
    await this.#parts.drafts.write(query, new TextDecoder().decode(bytes));
    this.tell(uri);
  }

  /** Editors that show it read it again. */
  tell(uri: vscode.Uri): void {
    this.#parts.changed.fire([{ type: vscode.FileChangeType.Changed, uri }]);
  }

  async #content(uri: vscode.Uri): Promise<Content> {
    const query = queryOf(uri);
    if (query === undefined) throw vscode.FileSystemError.FileNotFound(uri);
    if (query.snapshot !== undefined) return this.#snapshot(uri, query.snapshot);
    if (uri.scheme === draftScheme) {
      const draft = await this.#parts.drafts.read(query);
      if (draft !== undefined) return contentOf(draft.text, draft.savedAt);
    }
    return this.#published(uri, query);
  }

  #snapshot(uri: vscode.Uri, id: string): Content {
    const text = this.#snapshots.get(id);
    if (text === undefined) throw vscode.FileSystemError.FileNotFound(uri);
    return contentOf(text, 1);
  }

  async #published(uri: vscode.Uri, query: PromptQuery): Promise<Content> {
    try {
      const draft = await this.#parts.remote.draft(query);
      return contentOf(writeText(draft), draft.version ?? 1);
    } catch (error) {
      if (hasErrorCode(error, 'not_found')) throw vscode.FileSystemError.FileNotFound(uri);
      const { message, hint } = this.#parts.app.errors.describe(error);
      throw vscode.FileSystemError.Unavailable(hint === undefined ? message : `${message} ${hint}`);
    }
  }
}

const contentOf = (text: string, mtime: number): Content => ({
  bytes: new TextEncoder().encode(text),
  mtime,
});
