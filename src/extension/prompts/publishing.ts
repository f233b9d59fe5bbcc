import * as vscode from 'vscode';
import { ConfigurationError } from '../../core/errors.ts';
import type { App } from '../shell/app.ts';
import { DisposableStore } from '../shell/dispose.ts';
import { queryOf, workspaceOf } from './address.ts';
import type { Drafts } from './drafts.ts';
import type { DriftMarks } from './drift.ts';
import type { PromptFiles } from './file-system.ts';
import type { Merging } from './merging.ts';
import type { Publication, Publisher } from './publish.ts';
import { draftScheme } from './schemes.ts';
import type { Source } from './source.ts';
import { isPromptDocument, replaceText, sourceOf, textWithVersion } from './source.ts';

export interface PublishingParts {
  readonly app: App;
  readonly publisher: Publisher;
  readonly drafts: Drafts;
  readonly files: PromptFiles;
  readonly merging: Merging;
  readonly marks: DriftMarks;
  /** Shows the list of prompts anew. */
  readonly refresh: () => Promise<void>;
}

/** Publishes documents: by command, when a person saves a draft, and after a merge. */
export class Publishing implements vscode.Disposable {
  readonly #parts: PublishingParts;
  readonly #own = new DisposableStore();
  /** Why a document is being saved; only a person's own save asks to publish. */
  readonly #byHand = new Set<string>();
  readonly #publishing = new Set<string>();

  constructor(parts: PublishingParts) {
    this.#parts = parts;
    this.#own.add(
      vscode.workspace.onWillSaveTextDocument(({ document, reason }) => {
        const key = document.uri.toString();
        if (reason === vscode.TextDocumentSaveReason.Manual) this.#byHand.add(key);
        else this.#byHand.delete(key);
      }),
    );
    this.#own.add(vscode.workspace.onDidSaveTextDocument((document) => this.#saved(document)));
  }

  dispose(): void {
    this.#own.dispose();
  }

  /** Answers the new version; nothing when it was not published. */
  async publish(document: vscode.TextDocument): Promise<number | undefined> {
    const key = document.uri.toString();
    if (this.#publishing.has(key)) return undefined;
    this.#publishing.add(key);
    try {
      if (document.isDirty && !(await document.save())) return undefined;
      if (!(await this.#parts.merging.settle(document))) return undefined;
      const source = await sourceOf(this.#parts.app, document);
      const text = document.getText();
      const published = await this.#parts.publisher.publish(source);
      if (published === undefined) return undefined;
      this.#parts.app.changes.tellPrompts(source);
      await this.#afterPublishing(source, text, published);
      await this.#parts.refresh();
      return published.version;
    } finally {
      this.#publishing.delete(key);
    }
  }

  /** A draft goes on to be published; a file is pushed when its author wants it. */
  async completeMerge(uri: vscode.Uri): Promise<void> {
    const document = await this.#parts.merging.accept(uri);
    if (document.uri.scheme === draftScheme) {
      await this.publish(document);
      return;
    }
    if (await this.#parts.merging.settle(document))
      await this.#parts.marks.checkQuietly(document.uri);
  }

  /** Only what a version is known to hold is let go; what was typed meanwhile is made from it. */
  async #afterPublishing(
    { document, connectionId, isFile }: Source,
    text: string,
    { version, isCompared }: Publication,
  ): Promise<void> {
    const { uri } = document;
    const address = queryOf(uri);
    const isSame = isCompared && document.getText() === text;
    if (isSame && address !== undefined && (await this.#parts.drafts.removeText(address, text))) {
      await this.#parts.merging.forget(uri.toString());
      this.#parts.files.tell(uri);
      return;
    }
    const workspace = workspaceOf(this.#parts.app.connections.get(connectionId));
    await replaceText(document, textWithVersion(document.getText(), version, workspace));
    if (!(await document.save())) {
      throw new ConfigurationError(
        vscode.l10n.t('Version {0} is published, but the document could not be updated.', version),
        { hint: vscode.l10n.t('Save it; publishing it again finds the version.') },
      );
    }
    if (isFile && isCompared) await this.#parts.merging.forget(uri.toString());
  }

  #saved(document: vscode.TextDocument): void {
    if (!isPromptDocument(document)) return;
    const { uri } = document;
    const isByHand = this.#byHand.delete(uri.toString());
    if (uri.scheme === draftScheme) {
      if (!isByHand || this.#publishing.has(uri.toString())) return;
      this.publish(document).catch((error: unknown) => {
        this.#parts.app.errors.show(error, { doing: 'Publishing a prompt' });
      });
    }
  }
}
