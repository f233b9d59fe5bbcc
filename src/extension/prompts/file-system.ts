import * as vscode from 'vscode';
import { hasErrorCode } from '../../core/errors.ts';
import type { App } from '../shell/app.ts';
import type { PromptQuery } from './address.ts';
import { queryOf } from './address.ts';
import { draftScheme, mergeScheme } from './schemes.ts';
import type { Drafts } from './drafts.ts';
import type { Merges } from './merges.ts';
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
  readonly merges: Merges;
  readonly changed: vscode.EventEmitter<vscode.FileChangeEvent[]>;
}

/** Prompts as files of two kinds: versions to read, and drafts to edit. */
export class PromptFiles {
  readonly #parts: PromptFileParts;

  constructor(parts: PromptFileParts) {
    this.#parts = parts;
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
    const text = new TextDecoder().decode(bytes);
    if (uri.scheme === mergeScheme && query?.merge?.side === 'result') {
      const { id } = query.merge;
      const merge = await this.#parts.merges.read(id);
      if (merge === undefined) throw vscode.FileSystemError.FileNotFound(uri);
      if (merge.state !== 'open') {
        throw vscode.FileSystemError.NoPermissions(vscode.l10n.t('The merge is complete.'));
      }
      await this.#parts.merges.change(id, { result: text });
    } else if (uri.scheme === draftScheme && query !== undefined) {
      await this.#parts.drafts.write(query, text);
    } else throw vscode.FileSystemError.NoPermissions(uri);
    this.tell(uri);
  }

  /** Editors that show it read it again. */
  tell(uri: vscode.Uri): void {
    this.#parts.changed.fire([{ type: vscode.FileChangeType.Changed, uri }]);
  }

  async #content(uri: vscode.Uri): Promise<Content> {
    const query = queryOf(uri);
    if (query === undefined) throw vscode.FileSystemError.FileNotFound(uri);
    if (query.merge !== undefined) return this.#merge(uri, query.merge);
    if (uri.scheme === draftScheme) {
      const draft = await this.#parts.drafts.read(query);
      if (draft !== undefined) return contentOf(draft.text, draft.savedAt);
      // What others publish is no change of this file: an editor would refuse to save what was typed
      // meanwhile. Publishing finds the newer version, and offers to merge.
      return { ...(await this.#published(uri, query)), mtime: 1 };
    }
    return this.#published(uri, query);
  }

  async #merge(uri: vscode.Uri, { id, side }: NonNullable<PromptQuery['merge']>): Promise<Content> {
    const merge = await this.#parts.merges.read(id);
    if (merge === undefined) throw vscode.FileSystemError.FileNotFound(uri);
    return contentOf(merge[side], side === 'result' ? merge.savedAt : merge.startedAt);
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
