import * as vscode from 'vscode';
import { CancelledError, ConfigurationError } from '../../core/errors.ts';
import type { App } from '../shell/app.ts';
import { pickChoice, pickPrompt } from '../ask/pick-prompt.ts';
import type { PromptAddress } from '../shell/prompt-address.ts';
import { isPromptAddress } from '../shell/prompt-address.ts';
import { fileNameOf } from './address.ts';
import type { Compare } from './compare.ts';
import type { DriftMarks } from './drift.ts';
import type { Merging } from './merging.ts';
import type { Remote } from './remote.ts';
import type { Source } from './source.ts';
import { replaceText } from './source.ts';
import { writeText } from './text/write.ts';
import { showInformationMessage, showSaveDialog } from '../shell/shown.ts';

interface RepositoryParts {
  readonly app: App;
  readonly remote: Remote;
  readonly compare: Compare;
  readonly merging: Merging;
  readonly marks: DriftMarks;
}

/** Prompt files of the folder, which live under version control like code. */
export class Repository {
  readonly #parts: RepositoryParts;

  constructor(parts: RepositoryParts) {
    this.#parts = parts;
  }

  async pull(given: unknown): Promise<void> {
    const { app, remote, marks } = this.#parts;
    const title = vscode.l10n.t('Pull prompt to file');
    const prompt = isPromptAddress(given) ? given : await pickPrompt(app, title);
    const choice =
      prompt.choice ?? (isPromptAddress(given) ? undefined : await pickChoice(app, title, prompt));
    const draft = await remote.draft({ ...prompt, ...(choice !== undefined && { choice }) });
    const target = await this.#target(prompt, title);
    await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(writeText(draft)));
    app.changes.tellPrompts(prompt);
    await vscode.window.showTextDocument(target, { preview: false });
    await marks.checkQuietly(target);
  }

  async #target({ promptName }: PromptAddress, title: string): Promise<vscode.Uri> {
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    if (folder === undefined) {
      throw new ConfigurationError(
        vscode.l10n.t('No workspace folder is open to save the file in.'),
        {
          hint: vscode.l10n.t('Open a workspace folder first.'),
        },
      );
    }
    const name = `${fileNameOf(promptName)}.prompt`;
    const chosen = await showSaveDialog({
      title,
      defaultUri: vscode.Uri.joinPath(folder.uri, name),
      filters: { [vscode.l10n.t('Prompts')]: ['prompt'] },
    });
    if (chosen === undefined) throw new CancelledError('The choice was dismissed.');
    return chosen;
  }

  /** Brings a file up to the newest version; what was changed in it is merged by hand. */
  async update(source: Source): Promise<void> {
    const { app, remote, compare, merging, marks } = this.#parts;
    const { document, connectionId, draft } = source;
    const { promptName } = draft;
    if (!(await merging.settle(document))) return;
    const state = await marks.check(document.uri);
    const newest = await remote.newest({ connectionId, promptName });
    if (state === 'same' || state === 'local' || newest === undefined) {
      void showInformationMessage(
        vscode.l10n.t('No newer version of {0} was published.', promptName),
      );
      return;
    }
    const version = newest.version ?? 1;
    if (state === 'both') {
      if (draft.version === undefined) await compare.withService(source);
      else await merging.start(source, draft.version, version);
      return;
    }
    await replaceText(document, writeText(await remote.draft({ connectionId, promptName })));
    await document.save();
    app.changes.tellPrompts({ connectionId });
    await marks.checkQuietly(document.uri);
  }
}
