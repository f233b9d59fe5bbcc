import * as vscode from 'vscode';
import { ConfigurationError } from '../../core/errors.ts';
import type { App } from '../shell/app.ts';
import { setContextKey } from '../shell/context-keys.ts';
import { choiceText, pickChoice, pickPrompt } from '../ask/pick-prompt.ts';
import type { PromptAddress } from '../shell/prompt-address.ts';
import { isPromptAddress } from '../shell/prompt-address.ts';
import { openDiff } from '../shell/shown.ts';
import { versionUri } from './address.ts';
import type { Remote } from './remote.ts';
import type { Source } from './source.ts';

const titleOf = ({ promptName, choice }: PromptAddress): string =>
  `${promptName} (${choiceText(choice)})`;

async function showDiff(left: PromptAddress, right: PromptAddress): Promise<void> {
  const title = `${titleOf(left)} ↔ ${titleOf(right)}`;
  await openDiff(versionUri(left), versionUri(right), title);
}

const given = (value: unknown): PromptAddress => {
  if (isPromptAddress(value)) return value;
  throw new ConfigurationError(vscode.l10n.t('Select a prompt in the Prompts view first.'));
};

/** Two versions or labels side by side, in the editor for differences. */
export class Compare {
  readonly #app: App;
  readonly #remote: Remote;
  #selected: PromptAddress | undefined;

  constructor(app: App, remote: Remote) {
    this.#app = app;
    this.#remote = remote;
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
}
