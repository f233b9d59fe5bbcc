import * as vscode from 'vscode';
import type { PublishedTemplate } from '../../api/template.ts';
import { CancelledError, ConfigurationError } from '../../core/errors.ts';
import type { TemplateLabel } from '../../core/index.ts';
import type { App } from '../app.ts';
import { withProgress } from '../progress.ts';
import type { Compare } from './compare.ts';
import { movedText } from './labels.ts';
import type { Remote } from './remote.ts';
import type { Source } from './source.ts';
import { workspaceOf } from './address.ts';
import { draftOf, isSameContent } from './text/draft.ts';
import { confirmed, createQuickPick, showInputBox } from '../questions.ts';
import { setStatusBarMessage, showWarningMessage } from '../shown.ts';

const longestMessage = 72;

async function askMessage(title: string): Promise<string> {
  const entered = await showInputBox({
    title,
    prompt: vscode.l10n.t('What has changed? Up to {0} characters; may be empty.', longestMessage),
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
  picker.placeholder = vscode.l10n.t('Labels for the new version: choose, type a new one, or none');
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

/** Publishes a document as the next version, and never over one that its author has not seen. */
export class Publisher {
  readonly #app: App;
  readonly #remote: Remote;
  readonly #compare: Compare;

  constructor(app: App, remote: Remote, compare: Compare) {
    this.#app = app;
    this.#remote = remote;
    this.#compare = compare;
  }

  /** Undefined when a newer version has to be looked at first. */
  async publish(source: Source): Promise<PublishedTemplate | undefined> {
    const { connectionId, draft } = source;
    const { promptName } = draft;
    const address = { connectionId, promptName };
    const where = this.#remote.nameOf(connectionId);
    const newest = await withProgress(
      this.#app,
      { title: vscode.l10n.t('Looking for newer versions of {0}', promptName), where: 'window' },
      () => this.#remote.newest(address),
    );
    if (newest === undefined) {
      await confirmed(
        vscode.l10n.t('{0} has no prompt {1}. Publish it as a new prompt?', where, promptName),
        vscode.l10n.t('Publish New Prompt'),
      );
    } else {
      const version = newest.version ?? 1;
      if (version !== draft.version) {
        await this.#conflict(source, version);
        return undefined;
      }
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
    const published = await this.#send(source, commitMessage, labels);
    if (published.version_number === next) {
      setStatusBarMessage(
        vscode.l10n.t('Version {0} of {1} is published in {2}.', next, promptName, where),
        8000,
      );
    } else void this.#tellOvertaken(source, published.version_number);
    return published;
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
        movedText(asked.get(label), version),
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
          { signal },
        );
      },
    );
  }

  /** Between the look and the publishing, somebody else was faster. Theirs is a version as well. */
  async #tellOvertaken({ connectionId, draft }: Source, version: number): Promise<void> {
    const show = vscode.l10n.t('Compare with Previous Version');
    const choice = await showWarningMessage(
      vscode.l10n.t(
        'Somebody published {0} at the same time: yours is version {1}, and theirs is before it.',
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
          '{0} has a version {1}, and yours does not say that it was made from it.',
          draft.promptName,
          newest,
        );
    const options = {
      modal: true,
      detail: vscode.l10n.t('Nothing was published. Bring the two together, then publish again.'),
    };
    const choice = await showWarningMessage(message, options, ...(isOlder ? [merge] : []), compare);
    if (choice === merge && isOlder) await this.#compare.merge(source, base, newest);
    else if (choice === compare) await this.#compare.withService(source);
  }
}
