import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { ConfigurationError } from '../../core/errors.ts';
import type { App } from '../app.ts';
import { setContextKey } from '../context-keys.ts';
import { choiceText, pickChoice, pickPrompt } from '../pick-prompt.ts';
import type { PromptAddress } from '../prompt-address.ts';
import { isPromptAddress } from '../prompt-address.ts';
import { openDiff } from '../shown.ts';
import { snapshotUri, versionUri } from './address.ts';
import type { PromptFiles } from './file-system.ts';
import type { Remote } from './remote.ts';
import type { Source } from './source.ts';
import { replaceText } from './source.ts';

const titleOf = ({ promptName, choice }: PromptAddress): string =>
  `${promptName} (${choiceText(choice)})`;

async function showDiff(left: PromptAddress, right: PromptAddress): Promise<void> {
  const title = `${titleOf(left)} ↔ ${titleOf(right)}`;
  await openDiff(versionUri(left), versionUri(right), title);
}

const given = (value: unknown): PromptAddress => {
  if (isPromptAddress(value)) return value;
  throw new ConfigurationError(vscode.l10n.t('Choose a prompt in the Prompts view first.'));
};

const mergeMark = '<<<<<<< mine\n';

/** Holds both sides still: the editor for merging saves it so as it opens. */
export const isBeingMerged = (document: vscode.TextDocument): boolean =>
  document.getText().startsWith(mergeMark);

/** Two versions or labels side by side, in the editor for differences. */
export class Compare {
  readonly #app: App;
  readonly #remote: Remote;
  readonly #files: PromptFiles;
  #selected: PromptAddress | undefined;

  constructor(app: App, remote: Remote, files: PromptFiles) {
    this.#app = app;
    this.#remote = remote;
    this.#files = files;
  }

  select(node: unknown): void {
    this.#selected = given(node);
    setContextKey('promptTables.promptSelected', true);
  }

  async withSelected(node: unknown): Promise<void> {
    await showDiff(given(this.#selected), given(node));
  }

  async withPrevious(node: unknown): Promise<void> {
    const address = given(node);
    const { version } = await this.#remote.template(address);
    if (typeof version !== 'number' || version < 2) {
      throw new ConfigurationError(
        vscode.l10n.t('{0} has no version before this one.', address.promptName),
      );
    }
    const at = (number: number): PromptAddress => ({
      ...address,
      choice: { kind: 'version', version: number },
    });
    await showDiff(at(version - 1), at(version));
  }

  /** From the palette: any two. */
  async pick(): Promise<void> {
    const title = vscode.l10n.t('Compare prompt versions');
    const prompt = await pickPrompt(this.#app, title);
    const left = await pickChoice(this.#app, vscode.l10n.t('{0}: left side', title), prompt);
    const right = await pickChoice(this.#app, vscode.l10n.t('{0}: right side', title), prompt);
    await showDiff({ ...prompt, choice: left }, { ...prompt, choice: right });
  }

  /** What the service has newest, against the document. */
  async withService({ document, connectionId, draft }: Source): Promise<void> {
    const address: PromptAddress = { connectionId, promptName: draft.promptName };
    const newest = await this.#remote.newest(address);
    if (newest === undefined) {
      throw new ConfigurationError(
        vscode.l10n.t(
          '{0} has no prompt {1} yet.',
          this.#remote.nameOf(connectionId),
          draft.promptName,
        ),
      );
    }
    const version = newest.version ?? 1;
    const theirs = { ...address, choice: { kind: 'version', version } as const };
    const title = `${titleOf(theirs)} ↔ ${vscode.l10n.t('mine')}`;
    await openDiff(versionUri(theirs), document.uri, title);
  }

  /**
   * Base, theirs and mine in the merge editor; what comes out of it is the document. The document is
   * marked as git would, so that the merge begins from both sides; Undo brings mine back.
   */
  async merge(
    { document, connectionId, draft }: Source,
    base: number,
    newest: number,
  ): Promise<void> {
    const { promptName } = draft;
    const at = (version: number): vscode.Uri =>
      versionUri({ connectionId, promptName, choice: { kind: 'version', version } });
    const mine = document.getText();
    const id = randomUUID();
    this.#files.keepSnapshot(id, mine);
    const theirs = await vscode.workspace.openTextDocument(at(newest));
    const marked = `${mergeMark}${mine}=======\n${theirs.getText()}>>>>>>> theirs\n`;
    await replaceText(document, marked);
    await vscode.commands.executeCommand('_open.mergeEditor', {
      base: at(base),
      input1: {
        uri: at(newest),
        title: vscode.l10n.t('Theirs'),
        description: vscode.l10n.t('version {0}', newest),
      },
      input2: {
        uri: snapshotUri({ connectionId, promptName }, id),
        title: vscode.l10n.t('Mine'),
        description: vscode.l10n.t('from version {0}', base),
      },
      output: document.uri,
    });
  }
}
