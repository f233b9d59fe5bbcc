import * as vscode from 'vscode';
import { CancelledError } from '../../core/errors.ts';
import { spellDate } from '../shell/amounts.ts';
import type { App } from '../shell/app.ts';
import type { ModelChange } from '../shell/choice-schema.ts';
import { currentConnection } from '../ask/pick.ts';
import type { PromptAddress } from '../shell/prompt-address.ts';
import { versionOf } from '../shell/prompt-address.ts';
import { confirmed, showInputBox, showQuickPick } from '../shell/questions.ts';
import { showInformationMessage } from '../shell/shown.ts';
import { draftUri, queryOf, workspaceOf } from './address.ts';
import type { Compare } from './compare.ts';
import type { Drafts } from './drafts.ts';
import type { PromptFiles } from './file-system.ts';
import type { Merging } from './merging.ts';
import type { Remote } from './remote.ts';
import { draftScheme } from './schemes.ts';
import { replaceText, showPrompt, sourceOf } from './source.ts';
import { textWithModel } from './text/change-model.ts';
import { readText } from './text/read.ts';
import { writeText } from './text/write.ts';

export interface DraftActionsParts {
  readonly app: App;
  readonly remote: Remote;
  readonly drafts: Drafts;
  readonly files: PromptFiles;
  readonly merging: Merging;
  readonly compare: Compare;
}

const firstText = { type: 'text', text: 'Write the prompt here; put {variables} in braces.' };

/** Begins drafts of prompts, opens them and throws them away. */
export class DraftActions {
  readonly #parts: DraftActionsParts;

  constructor(parts: DraftActionsParts) {
    this.#parts = parts;
  }

  async create(): Promise<void> {
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
    const known = await this.#parts.remote.newest(address);
    if (known !== undefined) return this.edit(address);
    if ((await this.#parts.drafts.read(address)) === undefined) {
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
      await this.#parts.drafts.write(address, text.replace('input_variables: []\n', ''));
    }
    await showPrompt(draftUri(address), false);
  }

  async edit(address: PromptAddress): Promise<void> {
    const uri = draftUri(address);
    const { version } = versionOf(address.choice);
    const newest = version === undefined ? undefined : await this.#parts.remote.newest(address);
    const isOlder =
      version !== undefined && typeof newest?.version === 'number' && version < newest.version;
    if (isOlder) {
      const draft = await this.#parts.drafts.read(address);
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
      const old = await this.#parts.remote.draft(address);
      // Its author wants this content to be the next version.
      await this.#parts.drafts.write(
        address,
        writeText({ ...old, version: newest.version ?? version }),
      );
      this.#parts.files.tell(uri);
    }
    await showPrompt(uri, false);
    this.#tellOfNewer(address).catch((error: unknown) => {
      this.#parts.app.errors.note(error, 'Looking whether a draft is behind its prompt');
    });
  }

  /**
   * A draft of the version with these changes; `isNew`: it holds nothing else, and may be published.
   * One that is there already gets them. Errors: CancelledError, when somebody doesn't want that.
   */
  async change(
    address: PromptAddress,
    wanted: ModelChange,
  ): Promise<{ readonly draft: vscode.TextDocument; readonly isNew: boolean }> {
    const { connectionId, promptName } = address;
    const uri = draftUri(address);
    const isTyped = vscode.workspace.textDocuments.some(
      (document) => document.uri.toString() === uri.toString() && document.isDirty,
    );
    if (isTyped || (await this.#parts.drafts.read(address)) !== undefined) {
      await confirmed(
        vscode.l10n.t('{0} has an unpublished draft. Make these changes in it?', promptName),
        vscode.l10n.t('Change Draft'),
        wanted.summary,
      );
      const draft = await vscode.workspace.openTextDocument(uri);
      await replaceText(draft, textWithModel(draft.getText(), wanted, vscode.l10n.t));
      return { draft, isNew: false };
    }
    const newest = await this.#parts.remote.newest({ connectionId, promptName });
    const base = await this.#parts.remote.draft(address);
    const version = newest?.version ?? base.version;
    await confirmed(
      base.version === undefined || base.version === version
        ? vscode.l10n.t('Publish a new version of {0} with these changes?', promptName)
        : vscode.l10n.t(
            'Publish version {0} of {1} as a new version, with these changes?',
            base.version,
            promptName,
          ),
      vscode.l10n.t('Publish…'),
      wanted.summary,
    );
    const text = textWithModel(writeText({ ...base, version }), wanted, vscode.l10n.t);
    await this.#parts.drafts.write(address, text);
    this.#parts.files.tell(uri);
    const draft = await vscode.workspace.openTextDocument(uri);
    // An editor that shows the prompt hears of it later.
    if (draft.getText() !== text) await replaceText(draft, text);
    return { draft, isNew: true };
  }

  /** A draft may be older than what is published: better known now than when it is published. */
  async #tellOfNewer(address: PromptAddress): Promise<void> {
    const draft = await this.#parts.drafts.read(address);
    const base = draft && readText(draft.text, vscode.l10n.t).front?.version;
    if (base === undefined) return;
    const { connectionId, promptName } = address;
    const newest = await this.#parts.remote.newest({ connectionId, promptName });
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
    await this.#parts.compare.withService(await sourceOf(this.#parts.app, document));
  }

  /** Also drafts of prompts that were renamed or deleted, and of workspaces that are not connected. */
  async open(): Promise<void> {
    const { app } = this.#parts;
    const drafts = await this.#parts.drafts.list((error) =>
      app.errors.note(error, 'Reading a draft'),
    );
    if (drafts.length === 0) {
      void showInformationMessage(vscode.l10n.t('No prompt has a draft.'));
      return;
    }
    const items = drafts.map(({ connectionId, promptName, savedAt }) => ({
      label: promptName,
      description: `${this.#parts.remote.nameOf(connectionId)} · ${spellDate(savedAt)}`,
      address: { connectionId, promptName },
    }));
    const picked = await showQuickPick(items, {
      title: vscode.l10n.t('Open prompt draft'),
      matchOnDescription: true,
    });
    if (picked !== undefined) await showPrompt(draftUri(picked.address), false);
  }

  async discard(document: vscode.TextDocument): Promise<void> {
    const address = queryOf(document.uri);
    if (address === undefined || document.uri.scheme !== draftScheme) return;
    await confirmed(
      vscode.l10n.t(
        'Discard the draft of {0}? Changes since the latest published version will be lost.',
        address.promptName,
      ),
      vscode.l10n.t('Discard Draft'),
    );
    await this.#parts.drafts.remove(address);
    await this.#parts.merging.forget(document.uri.toString());
    if (document.isDirty) await vscode.commands.executeCommand('workbench.action.files.revert');
    this.#parts.files.tell(document.uri);
  }
}
