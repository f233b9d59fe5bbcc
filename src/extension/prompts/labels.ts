import * as vscode from 'vscode';
import { CancelledError, ConfigurationError } from '../../core/errors.ts';
import type { TemplateLabel } from '../../core/index.ts';
import type { App } from '../shell/app.ts';
import { pickChoice, pickPrompt } from '../ask/pick-prompt.ts';
import { usesText } from '../shell/code-uses.ts';
import type { PromptAddress } from '../shell/prompt-address.ts';
import { isPromptAddress } from '../shell/prompt-address.ts';
import type { Remote } from './remote.ts';
import { withProgress } from '../shell/progress.ts';
import { confirmed, showInputBox, showQuickPick } from '../shell/questions.ts';

/** For a question that is asked again since somebody has moved the label. */
export const movedText = (before: number | undefined, now: number): string | undefined =>
  before === undefined
    ? undefined
    : vscode.l10n.t('It was moved from version {0} to version {1} in the meantime.', before, now);

/** A folder is looked through once; who is asked a question waits for it no longer than this. */
const longestLookMs = 5000;

/** Undefined: no code of the folder that is known asks for it. */
async function usedText(
  app: App,
  asked: { readonly promptName: string; readonly label: string },
): Promise<string | undefined> {
  const progress = {
    title: vscode.l10n.t('Looking for {0} in code', asked.label),
    where: 'window',
  } as const;
  try {
    const found = await withProgress(app, progress, (signal) =>
      app.usesInCode.ofLabel(asked, AbortSignal.any([signal, AbortSignal.timeout(longestLookMs)])),
    );
    return found && usesText(found, vscode.l10n.t);
  } catch (error) {
    app.signal.throwIfAborted();
    app.errors.note(error, 'Looking for a label in code');
    return vscode.l10n.t('Whether code asks for this label could not be found out.');
  }
}

/** What there is to know before a label is moved or removed. */
export async function labelDetail(
  app: App,
  asked: { readonly promptName: string; readonly label: string },
  moved: string | undefined,
): Promise<string | undefined> {
  const texts = [moved, await usedText(app, asked)].filter((text) => text !== undefined);
  return texts.length === 0 ? undefined : texts.join('\n\n');
}

interface Labelled extends PromptAddress {
  readonly label: TemplateLabel;
  readonly templateId: number;
}

/** Release labels: each stands on one version of its prompt. */
export class Labels {
  readonly #app: App;
  readonly #remote: Remote;
  readonly #refresh: () => Promise<void>;

  constructor(app: App, remote: Remote, refresh: () => Promise<void>) {
    this.#app = app;
    this.#remote = remote;
    this.#refresh = refresh;
  }

  async #changed(connectionId: string): Promise<void> {
    this.#app.changes.tellPrompts({ connectionId });
    await this.#refresh();
  }

  /** The label that was clicked on, or one that is chosen. */
  async #labelled(given: unknown, title: string): Promise<Labelled> {
    const address = isPromptAddress(given) ? given : await pickPrompt(this.#app, title);
    const { connectionId, promptName } = address;
    const { id } = await this.#remote.template({ connectionId, promptName });
    const labels = await this.#remote.labels(connectionId, id);
    if (labels.length === 0) {
      throw new ConfigurationError(vscode.l10n.t('{0} has no labels.', promptName), {
        hint: vscode.l10n.t('Add a label to a version first.'),
      });
    }
    const name = address.choice?.kind === 'label' ? address.choice.label : undefined;
    const clicked = labels.find(({ release_label: label }) => label === name);
    if (clicked !== undefined) return { ...address, label: clicked, templateId: id };
    const items = labels.map((label) => ({
      label: label.release_label,
      description: vscode.l10n.t('version {0}', label.prompt_version_number),
      value: label,
    }));
    const picked = await showQuickPick(items, { title });
    if (picked === undefined) throw new CancelledError('The choice was dismissed.');
    return { ...address, label: picked.value, templateId: id };
  }

  async #version(address: PromptAddress, title: string): Promise<number> {
    const choice = await pickChoice(this.#app, title, address);
    const { version } = await this.#remote.template({ ...address, choice });
    return version ?? 1;
  }

  /** Asks until the label stands where it was asked about: somebody may move it meanwhile. */
  async #move(
    { connectionId, promptName, label, templateId }: Labelled,
    version: number,
  ): Promise<void> {
    const { release_label: name, release_label_id: labelId } = label;
    const { signal } = this.#app;
    let asked: number | undefined;
    for (let stands = label.prompt_version_number; stands !== version;) {
      await confirmed(
        vscode.l10n.t(
          'Move the label {0} of {1} from version {2} to version {3} in {4}?',
          ...[name, promptName, stands, version],
          this.#remote.nameOf(connectionId),
        ),
        vscode.l10n.t('Move Label'),
        await labelDetail(this.#app, { promptName, label: name }, movedText(asked, stands)),
      );
      asked = stands;
      stands = await this.#standsOn({ connectionId, promptName, label, templateId });
      if (stands !== asked) continue;
      const client = await this.#app.connections.client(connectionId, { signal });
      await client.templates.labels.move(labelId, version, { signal });
      break;
    }
    await this.#changed(connectionId);
  }

  /** The version on which a label stands now: somebody may have moved it while it was asked about. */
  async #standsOn({ connectionId, promptName, label, templateId }: Labelled): Promise<number> {
    const { release_label: name, release_label_id: labelId } = label;
    const labels = await this.#remote.labels(connectionId, templateId);
    const now = labels.find(({ release_label_id: id }) => id === labelId);
    if (now !== undefined) return now.prompt_version_number;
    throw new ConfigurationError(
      vscode.l10n.t('The label {0} of {1} was removed in the meantime.', name, promptName),
      { hint: vscode.l10n.t('Add it again if you still want it.') },
    );
  }

  async move(given: unknown): Promise<void> {
    const title = vscode.l10n.t('Move label');
    const labelled = await this.#labelled(given, title);
    const to = vscode.l10n.t('Move label {0} to', labelled.label.release_label);
    const { connectionId, promptName } = labelled;
    await this.#move(labelled, await this.#version({ connectionId, promptName }, to));
  }

  async add(given: unknown): Promise<void> {
    const title = vscode.l10n.t('Add label');
    const prompt = isPromptAddress(given) ? given : await pickPrompt(this.#app, title);
    const version =
      prompt.choice === undefined
        ? await this.#version(prompt, title)
        : ((await this.#remote.template(prompt)).version ?? 1);
    const { connectionId, promptName } = prompt;
    const entered = await showInputBox({
      title: vscode.l10n.t('Add label to version {0} of {1}', version, promptName),
      prompt: vscode.l10n.t('Name of the label, such as prod'),
      validateInput: (text) =>
        text.trim() === '' || text.trim().length > 255
          ? vscode.l10n.t('A label has 1 to 255 characters.')
          : undefined,
    });
    if (entered === undefined) throw new CancelledError('The input was dismissed.');
    const name = entered.trim();
    const { id: templateId } = await this.#remote.template({ connectionId, promptName });
    const labels = await this.#remote.labels(connectionId, templateId);
    const label = labels.find(({ release_label: known }) => known === name);
    if (label !== undefined) {
      await this.#move({ connectionId, promptName, label, templateId }, version);
      return;
    }
    const { signal } = this.#app;
    const client = await this.#app.connections.client(connectionId, { signal });
    await client.templates.labels.create(templateId, { name, versionNumber: version }, { signal });
    await this.#changed(connectionId);
  }

  async remove(given: unknown): Promise<void> {
    const labelled = await this.#labelled(given, vscode.l10n.t('Remove label'));
    const { connectionId, promptName, label, templateId } = labelled;
    let asked: number | undefined;
    for (let stands = label.prompt_version_number; asked !== stands;) {
      await confirmed(
        vscode.l10n.t(
          "Remove the label {0} from version {1} of {2} in {3}? Code that uses this label won't find a version.",
          ...[label.release_label, stands, promptName],
          this.#remote.nameOf(connectionId),
        ),
        vscode.l10n.t('Remove Label'),
        await labelDetail(
          this.#app,
          { promptName, label: label.release_label },
          movedText(asked, stands),
        ),
      );
      asked = stands;
      stands = await this.#standsOn({ connectionId, promptName, label, templateId });
    }
    const { signal } = this.#app;
    const client = await this.#app.connections.client(connectionId, { signal });
    await client.templates.labels.delete(label.release_label_id, { signal });
    await this.#changed(connectionId);
  }
}
