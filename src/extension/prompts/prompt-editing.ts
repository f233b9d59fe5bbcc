import * as vscode from 'vscode';
import { ConfigurationError } from '../../core/errors.ts';
import type { App } from '../shell/app.ts';
import { runCommand } from '../shell/commands.ts';
import type { ModelChange } from '../shell/choice-schema.ts';
import { DisposableStore } from '../shell/dispose.ts';
import { pickPrompt } from '../ask/pick-prompt.ts';
import type { PromptAddress } from '../shell/prompt-address.ts';
import { isPromptAddress, modelChangeIn } from '../shell/prompt-address.ts';
import { versionUri } from './address.ts';
import { draftScheme, mergeScheme, versionScheme } from './schemes.ts';
import { Compare } from './compare.ts';
import { DraftActions } from './draft-actions.ts';
import { Drafts } from './drafts.ts';
import { DriftMarks } from './drift.ts';
import { PromptFiles } from './file-system.ts';
import { FolderActions } from './folder-actions.ts';
import { followFolders } from './follow-folders.ts';
import { Labels } from './labels.ts';
import { registerLanguage } from './language.ts';
import { Merges } from './merges.ts';
import { mergeResultIn, Merging } from './merging.ts';
import type { PromptParent } from './nodes.ts';
import { isBusyElsewhere, Publisher } from './publish.ts';
import { PublishLocks } from './publish-locks.ts';
import { Publishing } from './publishing.ts';
import type { PromptEditingCommand } from './register.ts';
import { Remote } from './remote.ts';
import { Repository } from './repository.ts';
import { documentOf, showPrompt, sourceOf } from './source.ts';

export interface PromptEditingParts {
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

/** Everything that is done with documents of prompts. */
export class PromptEditing implements vscode.Disposable {
  readonly files: PromptFiles;
  readonly #app: App;
  readonly #own = new DisposableStore();
  readonly #drafts: DraftActions;
  readonly #publishing: Publishing;
  readonly #merging: Merging;
  readonly #compare: Compare;
  readonly #labels: Labels;
  readonly #folders: FolderActions;
  readonly #marks: DriftMarks;
  readonly #repository: Repository;

  constructor({ app, changed, refresh }: PromptEditingParts) {
    this.#app = app;
    const remote = new Remote(app);
    const storage = app.context.globalStorageUri.fsPath;
    const drafts = new Drafts(storage);
    const merges = new Merges(storage);
    const files = new PromptFiles({ app, changed, remote, drafts, merges });
    this.files = files;
    const compare = new Compare(app, remote);
    this.#compare = compare;
    const merging = new Merging(app, remote, merges);
    this.#merging = merging;
    const marks = this.#own.add(new DriftMarks(app, remote));
    this.#marks = marks;
    const locks = new PublishLocks(storage, isBusyElsewhere);
    const publisher = new Publisher({ app, remote, compare, merging, locks });
    this.#drafts = new DraftActions({ app, remote, drafts, files, merging, compare });
    this.#labels = new Labels(app, remote, refresh);
    this.#folders = new FolderActions(app, refresh);
    this.#repository = new Repository({ app, remote, compare, merging, marks });
    const lenses = this.#own.add(new vscode.EventEmitter<void>());
    this.#own.add(registerLanguage({ app, marks, merging, changed: lenses.event }));
    this.#own.add(
      followFolders(app, [drafts.folder, merges.folder], () => {
        for (const { uri } of vscode.workspace.textDocuments) {
          if (uri.scheme === draftScheme || uri.scheme === mergeScheme) files.tell(uri);
        }
        lenses.fire();
      }),
    );
    this.#own.add(vscode.window.registerFileDecorationProvider(marks));
    this.#own.add(marks.follow());
    this.#publishing = this.#own.add(
      new Publishing({ app, publisher, drafts, files, merging, marks, refresh }),
    );
    this.#own.add(app.connections.onDidChange(() => remote.forget()));
  }

  dispose(): void {
    this.#own.dispose();
  }

  /** Of `editPrompt` with a change, the answer is the new version if one was published. */
  async run(command: PromptEditingCommand, given: unknown): Promise<unknown> {
    const app = this.#app;
    const source = async () => sourceOf(app, await documentOf(given));
    switch (command) {
      case 'newPrompt':
        return this.#drafts.create();
      case 'editPrompt': {
        const change = modelChangeIn(given);
        if (change !== undefined && isPromptAddress(given)) return this.#change(given, change);
        return this.#drafts.edit(
          isPromptAddress(given) ? given : await pickPrompt(app, vscode.l10n.t('Edit prompt')),
        );
      }
      case 'editPromptDocument':
        return this.#drafts.edit(await this.#addressOf(given));
      case 'runPromptDocument':
        return this.#runDocument(await documentOf(given));
      case 'publishPrompt':
      case 'pushPromptFile':
        await this.#publishing.publish(await documentOf(given));
        return;
      case 'openPromptDraft':
        return this.#drafts.open();
      case 'completePromptMerge':
        return this.#publishing.completeMerge(uriOf(given));
      case 'continuePromptMerge':
        return this.#merging.continue(uriOf(given));
      case 'cancelPromptMerge':
        return this.#merging.cancel(uriOf(given));
      case 'comparePromptWithMine':
        return this.#merging.compareWithMine(uriOf(given));
      case 'discardPromptDraft':
        return this.#drafts.discard(await documentOf(given));
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
    await showPrompt(versionUri(address), true);
  }

  /** Another model, or other parameters of it, as the next version. */
  async #change(address: PromptAddress, change: ModelChange): Promise<number | undefined> {
    const document = await this.#drafts.change(address, change);
    let version: number | undefined;
    try {
      if (document.isNew) version = await this.#publishing.publish(document.draft);
      return version;
    } finally {
      // What is not published yet has to be seen.
      if (version === undefined) await showPrompt(document.draft.uri, false);
    }
  }

  async #addressOf(given: unknown): Promise<PromptAddress> {
    const { connectionId, draft } = await sourceOf(this.#app, await documentOf(given));
    const { promptName, version } = draft;
    const choice = version === undefined ? undefined : ({ kind: 'version', version } as const);
    return { connectionId, promptName, choice };
  }

  /** What the document says runs: as its version, or as it stands when that is not published. */
  async #runDocument(document: vscode.TextDocument): Promise<void> {
    const source = await sourceOf(this.#app, document);
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
}
