import * as vscode from 'vscode';
import fs from 'node:fs';
import { CancelledError, ConfigurationError } from '../../core/errors.ts';
import type { App } from '../app.ts';
import { runCommand } from '../commands.ts';
import { DisposableStore } from '../dispose.ts';
import { currentConnection } from '../pick.ts';
import { pickPrompt } from '../pick-prompt.ts';
import type { PromptAddress } from '../prompt-address.ts';
import { isPromptAddress, versionOf } from '../prompt-address.ts';
import { draftUri, queryOf, versionUri, workspaceOf } from './address.ts';
import { draftScheme, mergeScheme, promptLanguage, versionScheme } from './schemes.ts';
import { Compare } from './compare.ts';
import { Drafts } from './drafts.ts';
import { DriftMarks } from './drift.ts';
import { PromptFiles } from './file-system.ts';
import { FolderActions } from './folder-actions.ts';
import { Labels } from './labels.ts';
import { registerLanguage } from './language.ts';
import { Merges } from './merges.ts';
import { mergeResultIn, Merging } from './merging.ts';
import type { PromptParent } from './nodes.ts';
import type { Publication } from './publish.ts';
import { isBusyElsewhere, Publisher } from './publish.ts';
import { PublishLocks } from './publish-locks.ts';
import type { DeskCommand } from './register.ts';
import { Remote } from './remote.ts';
import { Repository } from './repository.ts';
import type { Source } from './source.ts';
import { documentOf, isPromptDocument, replaceText, sourceOf, textWithVersion } from './source.ts';
import { readText } from './text/read.ts';
import { writeText } from './text/write.ts';
import { confirmed, showInputBox, showQuickPick } from '../questions.ts';
import { showInformationMessage } from '../shown.ts';

export interface DeskParts {
  readonly app: App;
  readonly changed: vscode.EventEmitter<vscode.FileChangeEvent[]>;
  /** Shows the list of prompts anew. */
  readonly refresh: () => Promise<void>;
}

/** The document that a lens or a menu names, else the one in front. */
function uriOf(given: unknown): vscode.Uri {
  if (given instanceof vscode.Uri) return given;
  const result = mergeResultIn(vscode.window.tabGroups.activeTabGroup.activeTab);
  const uri = result ?? vscode.window.activeTextEditor?.document.uri;
  if (uri !== undefined) return uri;
  throw new ConfigurationError(vscode.l10n.t("This isn't a prompt document."));
}

const firstText = { type: 'text', text: 'Write the prompt here; put {variables} in braces.' };

/** Everything that is done with documents of prompts. */
export class PromptDesk implements vscode.Disposable {
  readonly files: PromptFiles;
  readonly #parts: DeskParts;
  readonly #own = new DisposableStore();
  readonly #remote: Remote;
  readonly #drafts: Drafts;
  readonly #merges: Merges;
  readonly #merging: Merging;
  readonly #compare: Compare;
  readonly #publisher: Publisher;
  readonly #labels: Labels;
  readonly #folders: FolderActions;
  readonly #marks: DriftMarks;
  readonly #repository: Repository;
  /** Why a document is being saved; only a person's own save asks to publish. */
  readonly #byHand = new Set<string>();
  readonly #publishing = new Set<string>();
  readonly #lenses = this.#own.add(new vscode.EventEmitter<void>());

  constructor(parts: DeskParts) {
    const { app, changed } = parts;
    this.#parts = parts;
    this.#remote = new Remote(app);
    const storage = app.context.globalStorageUri.fsPath;
    this.#drafts = new Drafts(storage);
    this.#merges = new Merges(storage);
    const kept = { drafts: this.#drafts, merges: this.#merges };
    this.files = new PromptFiles({ app, changed, remote: this.#remote, ...kept });
    this.#compare = new Compare(app, this.#remote);
    this.#merging = new Merging(app, this.#remote, this.#merges);
    const shared = { remote: this.#remote, compare: this.#compare, merging: this.#merging };
    this.#publisher = new Publisher({
      app,
      ...shared,
      locks: new PublishLocks(storage, isBusyElsewhere),
    });
    this.#labels = new Labels(app, this.#remote, () => this.#changed());
    this.#folders = new FolderActions(app, () => this.#changed());
    this.#marks = this.#own.add(new DriftMarks(app, this.#remote));
    this.#repository = new Repository({
      ...{ app, ...shared, marks: this.#marks },
    });
    this.#own.add(
      registerLanguage({
        ...{ app, marks: this.#marks, merging: this.#merging },
        changed: this.#lenses.event,
      }),
    );
    this.#own.add(this.#followFolders());
    this.#own.add(vscode.window.registerFileDecorationProvider(this.#marks));
    this.#own.add(this.#marks.follow());
    this.#own.add(
      vscode.workspace.onWillSaveTextDocument(({ document, reason }) => {
        const key = document.uri.toString();
        if (reason === vscode.TextDocumentSaveReason.Manual) this.#byHand.add(key);
        else this.#byHand.delete(key);
      }),
    );
    this.#own.add(vscode.workspace.onDidSaveTextDocument((document) => this.#saved(document)));
    this.#own.add(app.connections.onDidChange(() => this.#remote.forget()));
  }

  dispose(): void {
    this.#own.dispose();
  }

  async run(command: DeskCommand, given: unknown): Promise<void> {
    const { app } = this.#parts;
    const source = async () => sourceOf(app, await documentOf(given));
    switch (command) {
      case 'newPrompt':
        return this.#create();
      case 'editPrompt':
        return this.#edit(
          isPromptAddress(given) ? given : await pickPrompt(app, vscode.l10n.t('Edit prompt')),
        );
      case 'editPromptDocument':
        return this.#edit(await this.#addressOf(given));
      case 'runPromptDocument':
        return this.#runDocument(await documentOf(given));
      case 'publishPrompt':
      case 'pushPromptFile':
        await this.#publish(await documentOf(given));
        return;
      case 'openPromptDraft':
        return this.#openDraft();
      case 'completePromptMerge':
        return this.#completeMerge(uriOf(given));
      case 'continuePromptMerge':
        return this.#merging.continue(uriOf(given));
      case 'cancelPromptMerge':
        return this.#merging.cancel(uriOf(given));
      case 'comparePromptWithMine':
        return this.#merging.compareWithMine(uriOf(given));
      case 'discardPromptDraft':
        return this.#discard(await documentOf(given));
      case 'selectPromptForCompare':
        this.#compare.select(given);
        return;
      case 'comparePromptWithSelected':
        return this.#compare.withSelected(given);
      case 'comparePromptWithPrevious':
        return this.#compare.withPrevious(given);
      case 'comparePromptVersions':
        return this.#compare.pick();
      case 'comparePromptWithService':
        return this.#compare.withService(await source());
      case 'pullPrompt':
        return this.#repository.pull(given);
      case 'pullPromptFile':
        return this.#repository.update(await source());
      case 'checkPromptFiles':
        return this.#marks.checkAll();
      case 'movePromptLabel':
        return this.#labels.move(given);
      case 'addPromptLabel':
        return this.#labels.add(given);
      case 'removePromptLabel':
        return this.#labels.remove(given);
      case 'newPromptFolder':
        return this.#folders.create(given);
      case 'renamePromptFolder':
        return this.#folders.rename(given);
      case 'deletePromptFolder':
        return this.#folders.delete(given);
      case 'movePrompt':
      case 'movePromptFolder':
        return this.#folders.move(given);
    }
  }

  moveDragged(dragged: readonly PromptParent[], target: PromptParent | undefined): Promise<void> {
    return this.#folders.drop(dragged, target);
  }

  async open(address: PromptAddress): Promise<void> {
    await this.#show(versionUri(address), true);
  }

  async #show(uri: vscode.Uri, preview: boolean): Promise<void> {
    const document = await vscode.workspace.openTextDocument(uri);
    // Another extension may have taken the ending .prompt.
    if (!isPromptDocument(document)) {
      await vscode.languages.setTextDocumentLanguage(document, promptLanguage);
    }
    await vscode.window.showTextDocument(document, { preview });
  }

  async #addressOf(given: unknown): Promise<PromptAddress> {
    const { connectionId, draft } = await sourceOf(this.#parts.app, await documentOf(given));
    const { promptName, version } = draft;
    const choice = version === undefined ? undefined : ({ kind: 'version', version } as const);
    return { connectionId, promptName, choice };
  }

  async #create(): Promise<void> {
    const { id: connectionId, name: where } = currentConnection(this.#parts.app);
    const entered = await showInputBox({
      title: vscode.l10n.t('New prompt in {0}', where),
      prompt: vscode.l10n.t('Name of the prompt, such as support/answer'),
      validateInput: (text) =>
        text.trim() === '' || text.trim().length > 512
          ? vscode.l10n.t('A name has 1 to 512 characters.')
          : undefined,
    });
    if (entered === undefined) throw new CancelledError('The input was dismissed.');
    const address = { connectionId, promptName: entered.trim() };
    const known = await this.#remote.newest(address);
    if (known !== undefined) return this.#edit(address);
    if ((await this.#drafts.read(address)) === undefined) {
      const workspace = workspaceOf(this.#parts.app.connections.get(connectionId));
      const text = writeText({
        ...{ promptName: address.promptName, workspace, version: undefined, tags: [] },
        metadata: { model: { provider: 'openai', name: 'gpt-5', parameters: {} } },
        template: {
          type: 'chat',
          messages: [{ role: 'user', template_format: 'f-string', content: [firstText] }],
        },
      });
      // Without the list, which is filled in by what the messages use.
      await this.#drafts.write(address, text.replace('input_variables: []\n', ''));
    }
    await this.#show(draftUri(address), false);
  }

  async #edit(address: PromptAddress): Promise<void> {
    const uri = draftUri(address);
    const { version } = versionOf(address.choice);
    const newest = version === undefined ? undefined : await this.#remote.newest(address);
    const isOlder =
      version !== undefined && typeof newest?.version === 'number' && version < newest.version;
    if (isOlder) {
      const draft = await this.#drafts.read(address);
      if (draft !== undefined) {
        await confirmed(
          vscode.l10n.t(
            'Replace the unpublished draft of {0} with version {1}?',
            address.promptName,
            version,
          ),
          vscode.l10n.t('Replace Draft'),
        );
      }
      const old = await this.#remote.draft(address);
      // Its author wants this content to be the next version.
      await this.#drafts.write(address, writeText({ ...old, version: newest.version ?? version }));
      this.files.tell(uri);
    }
    await this.#show(uri, false);
    this.#tellOfNewer(address).catch((error: unknown) => {
      this.#parts.app.errors.note(error, 'Looking whether a draft is behind its prompt');
    });
  }

  /** A draft may be older than what is published: better known now than when it is published. */
  async #tellOfNewer(address: PromptAddress): Promise<void> {
    const draft = await this.#drafts.read(address);
    const base = draft && readText(draft.text, vscode.l10n.t).front?.version;
    if (base === undefined) return;
    const { connectionId, promptName } = address;
    const newest = await this.#remote.newest({ connectionId, promptName });
    if (typeof newest?.version !== 'number' || newest.version <= base) return;
    const compare = vscode.l10n.t('Compare');
    const chosen = await showInformationMessage(
      vscode.l10n.t(
        'Version {0} of {1} was published since this draft was begun with version {2}. Publishing merges them.',
        newest.version,
        promptName,
        base,
      ),
      compare,
    );
    if (chosen !== compare) return;
    const document = await vscode.workspace.openTextDocument(draftUri(address));
    await this.#compare.withService(await sourceOf(this.#parts.app, document));
  }

  #saved(document: vscode.TextDocument): void {
    if (!isPromptDocument(document)) return;
    const { uri } = document;
    const isByHand = this.#byHand.delete(uri.toString());
    if (uri.scheme === draftScheme) {
      if (!isByHand || this.#publishing.has(uri.toString())) return;
      this.#publish(document).catch((error: unknown) => {
        this.#parts.app.errors.show(error, { doing: 'Publishing a prompt' });
      });
    }
  }

  /** What the document says runs: as its version, or as it stands when that is not published. */
  async #runDocument(document: vscode.TextDocument): Promise<void> {
    const source = await sourceOf(this.#parts.app, document);
    const { connectionId, draft } = source;
    const { promptName, version } = draft;
    const isChanged =
      document.uri.scheme !== versionScheme && !(await this.#marks.isPublished(source));
    if (isChanged) {
      const unpublished = { kind: 'document', uri: document.uri.toString() } as const;
      await runCommand('promptTables.runPrompt', { connectionId, promptName, unpublished });
      return;
    }
    const choice = version === undefined ? undefined : ({ kind: 'version', version } as const);
    await runCommand('promptTables.runPrompt', { connectionId, promptName, choice });
  }

  /** Answers the new version; nothing when it was not published. */
  async #publish(document: vscode.TextDocument): Promise<number | undefined> {
    const key = document.uri.toString();
    if (this.#publishing.has(key)) return undefined;
    this.#publishing.add(key);
    try {
      if (document.isDirty && !(await document.save())) return undefined;
      if (!(await this.#merging.settle(document))) return undefined;
      const source = await sourceOf(this.#parts.app, document);
      const text = document.getText();
      const published = await this.#publisher.publish(source);
      if (published === undefined) return undefined;
      await this.#afterPublishing(source, text, published);
      await this.#changed();
      return published.version;
    } finally {
      this.#publishing.delete(key);
    }
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
    if (isSame && address !== undefined && (await this.#drafts.removeText(address, text))) {
      await this.#merging.forget(uri.toString());
      this.files.tell(uri);
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
    if (isFile && isCompared) await this.#merging.forget(uri.toString());
  }

  /** A draft goes on to be published; a file is pushed when its author wants it. */
  async #completeMerge(uri: vscode.Uri): Promise<void> {
    const document = await this.#merging.accept(uri);
    if (document.uri.scheme === draftScheme) {
      await this.#publish(document);
      return;
    }
    if (await this.#merging.settle(document)) await this.#marks.checkQuietly(document.uri);
  }

  /** Also drafts of prompts that were renamed or deleted, and of workspaces that are not connected. */
  async #openDraft(): Promise<void> {
    const { app } = this.#parts;
    const drafts = await this.#drafts.list((error) => app.errors.note(error, 'Reading a draft'));
    if (drafts.length === 0) {
      void showInformationMessage(vscode.l10n.t('No prompt has a draft.'));
      return;
    }
    const date = new Intl.DateTimeFormat(vscode.env.language, {
      ...{ dateStyle: 'medium', timeStyle: 'short' },
    });
    const items = drafts.map(({ connectionId, promptName, savedAt }) => ({
      label: promptName,
      description: `${this.#remote.nameOf(connectionId)} · ${date.format(savedAt)}`,
      address: { connectionId, promptName },
    }));
    const picked = await showQuickPick(items, {
      title: vscode.l10n.t('Open prompt draft'),
      matchOnDescription: true,
    });
    if (picked !== undefined) await this.#show(draftUri(picked.address), false);
  }

  /** Another window may save a draft or a merge: editors that show it read it again. */
  #followFolders(): vscode.Disposable {
    const own = new DisposableStore();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const tell = (): void => {
      timer = undefined;
      for (const { uri } of vscode.workspace.textDocuments) {
        if (uri.scheme === draftScheme || uri.scheme === mergeScheme) this.files.tell(uri);
      }
      this.#lenses.fire();
    };
    const soon = (): void => {
      timer ??= setTimeout(tell, 100);
    };
    for (const folder of [this.#drafts.folder, this.#merges.folder]) {
      try {
        fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
        const watcher = fs.watch(folder, { persistent: false }, soon);
        watcher.on('error', (error) => {
          this.#parts.app.errors.note(error, 'Following drafts of other windows');
        });
        own.defer(() => watcher.close());
      } catch (error) {
        // They are read again when the window gets the focus, all the same.
        this.#parts.app.errors.note(error, 'Following drafts of other windows');
      }
    }
    own.add(
      vscode.window.onDidChangeWindowState(({ focused }) => {
        if (focused) soon();
      }),
    );
    own.defer(() => clearTimeout(timer));
    return own;
  }

  async #discard(document: vscode.TextDocument): Promise<void> {
    const address = queryOf(document.uri);
    if (address === undefined || document.uri.scheme !== draftScheme) return;
    await confirmed(
      vscode.l10n.t(
        'Discard the draft of {0}? Changes since the latest published version will be lost.',
        address.promptName,
      ),
      vscode.l10n.t('Discard Draft'),
    );
    await this.#drafts.remove(address);
    await this.#merging.forget(document.uri.toString());
    if (document.isDirty) await vscode.commands.executeCommand('workbench.action.files.revert');
    this.files.tell(document.uri);
  }

  async #changed(): Promise<void> {
    await this.#parts.refresh();
  }
}
