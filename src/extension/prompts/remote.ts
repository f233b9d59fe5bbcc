import * as vscode from 'vscode';
import type { Template } from '../../api/template.ts';
import { hasErrorCode } from '../../core/errors.ts';
import type { TemplateLabel } from '../../core/index.ts';
import type { App } from '../shell/app.ts';
import { labelsOf } from '../ask/pick-prompt.ts';
import type { PromptAddress } from '../shell/prompt-address.ts';
import { versionOf } from '../shell/prompt-address.ts';
import { workspaceOf } from './address.ts';
import type { PromptDraft } from './text/draft.ts';
import { draftOf } from './text/draft.ts';

const mostKept = 200;

/** Versions of prompts as the services have them. A numbered version never changes: asked for once. */
export class Remote {
  readonly #app: App;
  readonly #kept = new Map<string, Promise<Template>>();

  constructor(app: App) {
    this.#app = app;
  }

  nameOf(connectionId: string): string {
    const { connections } = this.#app;
    return connections.get(connectionId)?.name ?? vscode.l10n.t('a workspace that was removed');
  }

  async #fetch({ connectionId, promptName, choice }: PromptAddress): Promise<Template> {
    const { signal } = this.#app;
    const client = await this.#app.connections.client(connectionId, { signal });
    const options = { ...versionOf(choice), resolveSnippets: false };
    return client.templates.getRaw(promptName, options, { signal });
  }

  template(address: PromptAddress): Promise<Template> {
    const { connectionId, promptName, choice } = address;
    if (choice?.kind !== 'version') return this.#fetch(address);
    const key = JSON.stringify([connectionId, promptName, choice.version]);
    const known = this.#kept.get(key);
    if (known !== undefined) return known;
    const fetching = this.#fetch(address);
    this.#kept.set(key, fetching);
    fetching.catch(() => this.#kept.delete(key));
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= mostKept) break;
      this.#kept.delete(oldest);
    }
    return fetching;
  }

  async draft(address: PromptAddress): Promise<PromptDraft> {
    const connection = this.#app.connections.get(address.connectionId);
    return draftOf(await this.template(address), workspaceOf(connection));
  }

  /** Its newest version; undefined when the workspace has no such prompt. */
  async newest(address: PromptAddress): Promise<Template | undefined> {
    try {
      return await this.template({ ...address, choice: { kind: 'latest' } });
    } catch (error) {
      if (hasErrorCode(error, 'not_found')) return undefined;
      throw error;
    }
  }

  async labels(connectionId: string, templateId: number): Promise<readonly TemplateLabel[]> {
    const { signal } = this.#app;
    const client = await this.#app.connections.client(connectionId, { signal });
    return labelsOf(client, templateId, signal);
  }

  /** Another window or person may have put another prompt where one was deleted. */
  forget(): void {
    this.#kept.clear();
  }
}
