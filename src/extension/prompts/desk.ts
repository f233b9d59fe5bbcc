import * as vscode from 'vscode';
import { CancelledError } from '../../core/errors.ts';
import type { App } from '../app.ts';
import { runCommand } from '../commands.ts';
import { DisposableStore } from '../dispose.ts';
import { currentConnection } from '../pick.ts';
import { pickPrompt } from '../pick-prompt.ts';
import type { PromptAddress } from '../prompt-address.ts';
import { isPromptAddress, versionOf } from '../prompt-address.ts';
import { draftUri, queryOf, versionUri, workspaceOf } from './address.ts';
import { draftScheme, promptLanguage, versionScheme } from './schemes.ts';
import { Compare, isBeingMerged } from './compare.ts';
import { Drafts } from './drafts.ts';
import { DriftMarks } from './drift.ts';
import { PromptFiles } from './file-system.ts';
import { FolderActions } from './folder-actions.ts';
import { Labels } from './labels.ts';
import { registerLanguage } from './language.ts';
import type { PromptParent } from './nodes.ts';
import { Publisher } from './publish.ts';
import type { DeskCommand } from './register.ts';
import { Remote } from './remote.ts';
import { Repository } from './repository.ts';
import type { Source } from './source.ts';
import { documentOf, isPromptDocument, replaceText, sourceOf, withVersion } from './source.ts';
import { readText } from './text/read.ts';
import { writeText } from './text/write.ts';
import { confirmed, showInputBox } from '../questions.ts';
import { showInformationMessage } from '../shown.ts';

export interface DeskParts {
  readonly app: App;
  readonly changed: vscode.EventEmitter<vscode.FileChangeEvent[]>;
  /** Shows the list of prompts anew. */
  readonly refresh: () => Promise<void>;
}

const firstText = { type: 'text', text: 'Write the prompt here; {variables} stand in braces.' };

/** Everything that is done with documents of prompts. */
export class PromptDesk implements vscode.Disposable {
  readonly files: PromptFiles;
  readonly #parts: DeskParts;
  readonly #own = new DisposableStore();
  readonly #remote: Remote;
  readonly #drafts: Drafts;
  readonly #compare: Compare;
  readonly #publisher: Publisher;
  readonly #labels: Labels;
  readonly #folders: FolderActions;
  readonly #marks: DriftMarks;
  readonly #repository: Repository;
  /** Why a document is being saved; only a person's own save asks to publish. */
  readonly #byHand = new Set<string>();
  readonly #publishing = new Set<string>();

  constructor(parts: DeskParts) {
    const { app, changed } = parts;
    this.#parts = parts;
    this.#remote = new Remote(app);
    this.#drafts = new Drafts(app);
    this.files = new PromptFiles({ app, changed, remote: this.#remote, drafts: this.#drafts });
    this.#compare = new Compare(app, this.#remote, this.files);
    this.#publisher = new Publisher(app, this.#remote, this.#compare);
    this.#labels = new Labels(app, this.#remote, () => this.#changed());
    this.#folders = new FolderActions(app, () => this.#changed());
    this.#marks = this.#own.add(new DriftMarks(app, this.#remote));
    this.#repository = new Repository({
      ...{ app, remote: this.#remote, compare: this.#compare, marks: this.#marks },
    });
    this.#own.add(registerLanguage(app, this.#marks));
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
            'There is a draft of {0} that is not published. Replace it by version {1}?',
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
      if (!isByHand || this.#publishing.has(uri.toString()) || isBeingMerged(document)) return;
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
    const isChanged = document.uri.scheme !== versionScheme && (await this.#isUnpublished(source));
    if (isChanged) {
      const unpublished = { kind: 'document', uri: document.uri.toString() } as const;
      await runCommand('promptTables.runPrompt', { connectionId, promptName, unpublished });
      return;
    }
    const choice = version === undefined ? undefined : ({ kind: 'version', version } as const);
    await runCommand('promptTables.runPrompt', { connectionId, promptName, choice });
  }

  async #isUnpublished(source: Source): Promise<boolean> {
    try {
      return ['local', 'both', 'new'].includes(await this.#marks.driftOf(source));
    } catch (error) {
      // Without the service a copy that is in memory may still run.
      this.#parts.app.errors.note(error, 'Looking whether a prompt is published as it is');
      return false;
    }
  }

  /** Answers the new version; nothing when it was not published. */
  async #publish(document: vscode.TextDocument): Promise<number | undefined> {
    const key = document.uri.toString();
    if (this.#publishing.has(key)) return undefined;
    this.#publishing.add(key);
    try {
      if (document.isDirty && !(await document.save())) return undefined;
      const source = await sourceOf(this.#parts.app, document);
      const published = await this.#publisher.publish(source);
      if (published === undefined) return undefined;
      if (source.isFile) {
        const workspace = workspaceOf(this.#parts.app.connections.get(source.connectionId));
        await replaceText(document, withVersion(document, published.version_number, workspace));
        await document.save();
      } else {
        const address = queryOf(document.uri);
        if (address !== undefined) await this.#drafts.remove(address);
        this.files.tell(document.uri);
      }
      await this.#changed();
      return published.version_number;
    } finally {
      this.#publishing.delete(key);
    }
  }

  async #discard(document: vscode.TextDocument): Promise<void> {
    const address = queryOf(document.uri);
    if (address === undefined || document.uri.scheme !== draftScheme) return;
    await confirmed(
      vscode.l10n.t(
        'Discard the draft of {0}? What was changed since the last published version is lost.',
        address.promptName,
      ),
      vscode.l10n.t('Discard Draft'),
    );
    await this.#drafts.remove(address);
    if (document.isDirty) await vscode.commands.executeCommand('workbench.action.files.revert');
    this.files.tell(document.uri);
  }

  async #changed(): Promise<void> {
    await this.#parts.refresh();
  }
}
