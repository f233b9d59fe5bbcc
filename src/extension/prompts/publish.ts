import * as vscode from 'vscode';
import type { PublishedTemplate } from '../../api/template.ts';
import {
  CancelledError,
  ConfigurationError,
  ConflictError,
  hasErrorCode,
  isPromptTablesError,
  NetworkError,
} from '../../core/errors.ts';
import type { TemplateLabel } from '../../core/index.ts';
import type { App } from '../shell/app.ts';
import { withProgress } from '../shell/progress.ts';
import type { Compare } from './compare.ts';
import { labelDetail, movedText } from './labels.ts';
import type { Merging } from './merging.ts';
import type { PublishLocks } from './publish-locks.ts';
import type { Remote } from './remote.ts';
import type { Source } from './source.ts';
import { workspaceOf } from './address.ts';
import { draftOf, isSameContent } from './text/draft.ts';
import { confirmed, createQuickPick, showInputBox } from '../shell/questions.ts';
import { setStatusBarMessage, showWarningMessage } from '../shell/shown.ts';

const longestMessage = 72;

async function askMessage(title: string): Promise<string> {
  const entered = await showInputBox({
    title,
    prompt: vscode.l10n.t('Describe the change (optional, up to {0} characters).', longestMessage),
    validateInput: (text) =>
      text.length > longestMessage
        ? vscode.l10n.t('{0} of {1} characters.', text.length, longestMessage)
        : undefined,
  });
  if (entered === undefined) throw new CancelledError('The input was dismissed.');
  return entered.trim();
}

/** Any of the labels that there are, and a new one by typing it. */
async function askLabels(
  title: string,
  labels: readonly TemplateLabel[],
): Promise<readonly string[]> {
  const known = labels.map(({ release_label: label, prompt_version_number: version }) => ({
    label,
    description: vscode.l10n.t('moves here from version {0}', version),
  }));
  const picker = createQuickPick();
  picker.title = title;
  picker.canSelectMany = true;
  picker.placeholder = vscode.l10n.t(
    'Labels for the new version (optional): select labels, or type a new one',
  );
  picker.items = known;
  try {
    return await new Promise((resolve, reject) => {
      // What is typed is chosen as it is typed, several with commas between.
      let typed: readonly string[] = [];
      picker.onDidChangeValue((value) => {
        const chosen = picker.selectedItems
          .map(({ label }) => label)
          .filter((label) => !typed.includes(label));
        const names = value.split(',').map((name) => name.trim());
        typed = [...new Set(names.filter((name) => name !== '' && name.length <= 255))];
        const made = typed
          .filter((name) => known.every(({ label }) => label !== name))
          .map((label) => ({ label, description: vscode.l10n.t('new label'), alwaysShow: true }));
        picker.items = [...made, ...known];
        const wanted = new Set([...chosen, ...typed]);
        picker.selectedItems = picker.items.filter(({ label }) => wanted.has(label));
      });
      picker.onDidAccept(() => resolve(picker.selectedItems.map(({ label }) => label)));
      picker.onDidHide(() => reject(new CancelledError('The choice was dismissed.')));
      picker.show();
    });
  } finally {
    picker.dispose();
  }
}

export const isBusyElsewhere = (promptName: string): Error =>
  new ConflictError(vscode.l10n.t('Another window is publishing {0}.', promptName), {
    hint: vscode.l10n.t('Try again when it is done. Your text is kept.'),
  });

export interface Publication {
  readonly version: number;
  /** The version was read again, and says what was published. */
  readonly isCompared: boolean;
}

/** Versions that are looked through for a text that may have been published already. */
const mostLookedThrough = 20;

/** Publishes a document as the next version, and never over one that its author has not seen. */
export class Publisher {
  readonly #app: App;
  readonly #remote: Remote;
  readonly #compare: Compare;
  readonly #merging: Merging;
  readonly #locks: PublishLocks;

  constructor(parts: {
    readonly app: App;
    readonly remote: Remote;
    readonly compare: Compare;
    readonly merging: Merging;
    readonly locks: PublishLocks;
  }) {
    this.#app = parts.app;
    this.#remote = parts.remote;
    this.#compare = parts.compare;
    this.#merging = parts.merging;
    this.#locks = parts.locks;
  }

  /** Undefined when a newer version has to be looked at first. */
  async publish(source: Source): Promise<Publication | undefined> {
    const { connectionId, draft } = source;
    const { promptName } = draft;
    const address = { connectionId, promptName };
    const where = this.#remote.nameOf(connectionId);
    const newest = await withProgress(
      this.#app,
      { title: vscode.l10n.t('Checking for newer versions of {0}', promptName), where: 'window' },
      () => this.#remote.newest(address),
    );
    if (newest === undefined) {
      await confirmed(
        vscode.l10n.t('{0} has no prompt {1}. Publish it as a new prompt?', where, promptName),
        vscode.l10n.t('Publish New Prompt'),
      );
    } else {
      const version = newest.version ?? 1;
      if (version !== draft.version) return this.#whenNewer(source, version);
      const workspace = workspaceOf(this.#app.connections.get(connectionId));
      if (isSameContent(draftOf(newest, workspace), draft)) {
        throw new ConfigurationError(
          vscode.l10n.t(
            'Nothing differs from version {0}, so there is nothing to publish.',
            version,
          ),
        );
      }
    }
    const next = (newest?.version ?? 0) + 1;
    const title = vscode.l10n.t('Publish version {0} of {1} in {2}', next, promptName, where);
    const commitMessage = await askMessage(title);
    const known = newest === undefined ? [] : await this.#remote.labels(connectionId, newest.id);
    const labels = await askLabels(title, known);
    if (newest !== undefined) await this.#confirmMoves(source, newest.id, labels, next);
    return this.#locks.with(address, () => this.#sendOnce(source, next, commitMessage, labels));
  }

  /** Somebody was faster: another person, or this one in another window or before a crash. */
  async #whenNewer(source: Source, newest: number): Promise<Publication | undefined> {
    const { promptName } = source.draft;
    const version = await this.#versionWith(source, newest);
    if (version === undefined) {
      await this.#conflict(source, newest);
      return undefined;
    }
    setStatusBarMessage(
      vscode.l10n.t(
        'Version {0} of {1} already holds this text; nothing was published again.',
        version,
        promptName,
      ),
      8000,
    );
    return { version, isCompared: true };
  }

  /** The version after the one that the draft was made from that holds its text. */
  async #versionWith({ connectionId, draft }: Source, newest: number): Promise<number | undefined> {
    const { promptName } = draft;
    const first = Math.max((draft.version ?? 0) + 1, newest - mostLookedThrough + 1);
    for (let version = newest; version >= first; version -= 1) {
      const choice = { kind: 'version', version } as const;
      try {
        const published = await this.#remote.draft({ connectionId, promptName, choice });
        if (isSameContent(published, draft)) return version;
      } catch (error) {
        // A version that was deleted is none to look at.
        if (!hasErrorCode(error, 'not_found')) throw error;
      }
    }
    return undefined;
  }

  /** Looks once more whether it still is the next one: answering the questions takes its time. */
  async #sendOnce(
    source: Source,
    next: number,
    commitMessage: string,
    labels: readonly string[],
  ): Promise<Publication | undefined> {
    const { connectionId, draft } = source;
    const { promptName } = draft;
    const newest = await this.#remote.newest({ connectionId, promptName });
    if (newest !== undefined && (newest.version ?? 1) >= next) {
      return this.#whenNewer(source, newest.version ?? 1);
    }
    let version: number;
    try {
      ({ version_number: version } = await this.#send(source, commitMessage, labels));
    } catch (error) {
      version = await this.#afterFailure(source, next, labels, error);
    }
    const isCompared = await this.#isHeld(source, version);
    if (version === next) {
      setStatusBarMessage(
        vscode.l10n.t(
          'Version {0} of {1} is published in {2}.',
          ...[next, promptName, this.#remote.nameOf(connectionId)],
        ),
        8000,
      );
    } else void this.#tellOvertaken(source, version);
    return { version, isCompared };
  }

  /**
   * The answer did not come: the version may be there all the same, and must not be made twice.
   * Throws when it is not there, or nobody knows.
   */
  async #afterFailure(
    source: Source,
    next: number,
    labels: readonly string[],
    error: unknown,
  ): Promise<number> {
    const { connectionId, draft } = source;
    const { promptName } = draft;
    const isRefused =
      isPromptTablesError(error) &&
      error.status !== undefined &&
      error.status >= 400 &&
      error.status < 500;
    if (isRefused || this.#app.signal.aborted) throw error;
    this.#app.errors.note(error, 'Publishing a prompt');
    let version: number | undefined;
    let missing: readonly string[] = [];
    try {
      const newest = await this.#remote.newest({ connectionId, promptName });
      const last = newest?.version ?? 0;
      version = last < next ? undefined : await this.#versionWith(source, last);
      if (newest !== undefined && version !== undefined && labels.length > 0) {
        const known = await this.#remote.labels(connectionId, newest.id);
        missing = labels.filter((label) =>
          known.every(
            ({ release_label: name, prompt_version_number: at }) =>
              name !== label || at !== version,
          ),
        );
      }
    } catch (cause) {
      this.#app.errors.note(cause, 'Looking whether a prompt was published');
      throw new NetworkError(
        vscode.l10n.t(
          'The connection was lost while {0} was being published. Version {1} might exist.',
          promptName,
          next,
        ),
        {
          hint: vscode.l10n.t(
            "Your text is kept. Publish again when the service can be reached: a version that already holds this text is found, and isn't made twice.",
          ),
          cause: error,
        },
      );
    }
    if (version === undefined) throw error;
    if (missing.length > 0) {
      void showWarningMessage(
        vscode.l10n.t(
          'Version {0} of {1} was published, but without the labels {2}. Add them in the Prompts view.',
          ...[version, promptName, missing.join(', ')],
        ),
      );
    }
    return version;
  }

  /** Whether the service has what was sent; false also when that could not be read. */
  async #isHeld({ connectionId, draft }: Source, version: number): Promise<boolean> {
    const { promptName } = draft;
    const choice = { kind: 'version', version } as const;
    try {
      const published = await this.#remote.draft({ connectionId, promptName, choice });
      if (isSameContent(published, draft)) return true;
      void showWarningMessage(
        vscode.l10n.t(
          'The service stores version {0} of {1} differently from your text. Your text is kept as a draft; compare the two.',
          version,
          promptName,
        ),
      );
    } catch (error) {
      this.#app.errors.show(error, { doing: 'Reading what was published' });
    }
    return false;
  }

  /** Until each label stands where it was asked about: somebody may move one meanwhile. */
  async #confirmMoves(
    { connectionId, draft }: Source,
    templateId: number,
    labels: readonly string[],
    next: number,
  ): Promise<void> {
    const asked = new Map<string, number>();
    for (;;) {
      const known = labels.length === 0 ? [] : await this.#remote.labels(connectionId, templateId);
      const moved = known.find(
        ({ release_label: label, prompt_version_number: version }) =>
          labels.includes(label) && asked.get(label) !== version,
      );
      if (moved === undefined) return;
      const { release_label: label, prompt_version_number: version } = moved;
      await confirmed(
        vscode.l10n.t(
          'Move the label {0} of {1} from version {2} to version {3} in {4}?',
          ...[label, draft.promptName, version, next],
          this.#remote.nameOf(connectionId),
        ),
        vscode.l10n.t('Publish and Move Label'),
        await labelDetail(
          this.#app,
          { promptName: draft.promptName, label },
          movedText(asked.get(label), version),
        ),
      );
      asked.set(label, version);
    }
  }

  async #send(
    { connectionId, draft }: Source,
    commitMessage: string,
    labels: readonly string[],
  ): Promise<PublishedTemplate> {
    const { promptName, template, tags, metadata } = draft;
    return withProgress(
      this.#app,
      { title: vscode.l10n.t('Publishing {0}', promptName), where: 'notification' },
      async (signal) => {
        const client = await this.#app.connections.client(connectionId, { signal });
        return client.templates.publish(
          {
            promptName,
            promptTemplate: template,
            tags,
            ...(Object.keys(metadata).length > 0 && { metadata }),
            ...(commitMessage !== '' && { commitMessage }),
            ...(labels.length > 0 && { releaseLabels: labels }),
          },
          // An answer that is lost may be that of a version that was made.
          { signal, retries: false },
        );
      },
    );
  }

  /** Between the look and the publishing, somebody else was faster. Theirs is a version as well. */
  async #tellOvertaken({ connectionId, draft }: Source, version: number): Promise<void> {
    const show = vscode.l10n.t('Compare with Previous Version');
    const choice = await showWarningMessage(
      vscode.l10n.t(
        'Someone else published {0} at the same time: yours is version {1}, and theirs comes before it.',
        draft.promptName,
        version,
      ),
      show,
    );
    if (choice === show) {
      await vscode.commands.executeCommand('promptTables.comparePromptWithPrevious', {
        connectionId,
        promptName: draft.promptName,
        choice: { kind: 'version', version },
      });
    }
  }

  /** Offers to look at what was published meanwhile. Nothing is written anywhere until then. */
  async #conflict(source: Source, newest: number): Promise<void> {
    const { draft } = source;
    const merge = vscode.l10n.t('Merge…');
    const compare = vscode.l10n.t('Compare');
    const base = draft.version;
    const isOlder = base !== undefined && base < newest;
    const message = isOlder
      ? vscode.l10n.t(
          'Version {0} of {1} was published after version {2}, which yours was made from.',
          newest,
          draft.promptName,
          base,
        )
      : vscode.l10n.t(
          "{0} already has version {1}, and your text isn't based on it.",
          draft.promptName,
          newest,
        );
    const options = {
      modal: true,
      detail: vscode.l10n.t('Nothing was published. Merge the two, then publish again.'),
    };
    const choice = await showWarningMessage(message, options, ...(isOlder ? [merge] : []), compare);
    if (choice === merge && isOlder) await this.#merging.start(source, base, newest);
    else if (choice === compare) await this.#compare.withService(source);
  }
}
