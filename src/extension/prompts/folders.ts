import * as vscode from 'vscode';
import type { FolderEntity } from '../../api/folder.ts';
import { describeError, hasErrorCode } from '../../core/errors.ts';
import type { Client } from '../../core/index.ts';
import type { App } from '../shell/app.ts';
import { setContextKey } from '../shell/context-keys.ts';
import type { PromptFilter } from './filter.ts';
import { ListedPrompts } from './listed-prompts.ts';
import type { PromptParent } from './nodes.ts';
import { entityNode, folderNode } from './nodes.ts';
import { setStatusBarMessage } from '../shell/shown.ts';

const memoryKey = 'promptTables.promptsInFolders';
/** How a service says that it has no folders for this key; when it is not reached, it says nothing. */
const refusals = ['not_found', 'authentication', 'validation', 'response_format'] as const;
const promptTypes = ['PROMPT', 'SNIPPET'];

const byName = (left: FolderEntity, right: FolderEntity): number =>
  left.name.localeCompare(right.name, vscode.env.language);

/** The folders that prompts stand in, as the service has them. */
export class PromptFolders {
  readonly #app: App;
  readonly #listed = new Map<string, ListedPrompts>();
  /** Connections whose refusal was reported. */
  readonly #refused = new Set<string>();

  constructor(app: App) {
    this.#app = app;
    setContextKey(memoryKey, this.areShown);
  }

  get areShown(): boolean {
    return this.#app.context.globalState.get<boolean>(memoryKey) ?? true;
  }

  async show(areShown: boolean): Promise<void> {
    await this.#app.context.globalState.update(memoryKey, areShown);
    setContextKey(memoryKey, areShown);
  }

  /** What was read of the prompts of a workspace is old: it is read again when it is needed. */
  forget(connectionId: string): void {
    this.#listed.delete(connectionId);
  }

  /** Folders and prompts at the top; undefined: there are no folders, and a list says it all. */
  async top(
    client: Client,
    connectionId: string,
    signal: AbortSignal,
  ): Promise<readonly PromptParent[] | undefined> {
    const found = await this.#entities(client, connectionId, {}, signal);
    if (!found?.some(({ type }) => type === 'FOLDER')) return undefined;
    return this.#nodes(client, connectionId, found, signal);
  }

  async inside(
    client: Client,
    connectionId: string,
    folderId: number,
    signal: AbortSignal,
  ): Promise<readonly PromptParent[]> {
    const found = await this.#entities(client, connectionId, { folderId }, signal);
    return this.#nodes(client, connectionId, found ?? [], signal);
  }

  /** Where the prompts that fit stand, by their ids: names of folders, outermost first. */
  async places(
    client: Client,
    connectionId: string,
    { name, tags }: PromptFilter,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<number, readonly string[]>> {
    const query = {
      ...{ flatten: true, filterType: promptTypes },
      ...(name !== undefined && { searchQuery: name }),
      ...(tags !== undefined && { tags }),
    };
    const found = await this.#entities(client, connectionId, query, signal);
    return new Map(found?.map(({ id, path }) => [id, path ?? []]));
  }

  async #entities(
    client: Client,
    connectionId: string,
    query: object,
    signal: AbortSignal,
  ): Promise<readonly FolderEntity[] | undefined> {
    try {
      const workspaceId = await client.folders.workspaceId({ signal });
      if (workspaceId === undefined) return undefined;
      const filterType = ['FOLDER', ...promptTypes];
      const asked = { workspaceId, filterType, includeMetadata: true, ...query };
      return await client.folders.entities(asked, { signal });
    } catch (error) {
      if (!refusals.some((code) => hasErrorCode(error, code))) throw error;
      if (!this.#refused.has(connectionId)) {
        this.#refused.add(connectionId);
        this.#app.log.info(`Prompts are shown without folders. ${describeError(error)}`);
        const text = vscode.l10n.t(
          "This service doesn't return folders, so prompts are shown as a list.",
        );
        setStatusBarMessage(text, 10_000);
      }
      return undefined;
    }
  }

  async #nodes(
    client: Client,
    connectionId: string,
    found: readonly FolderEntity[],
    signal: AbortSignal,
  ): Promise<readonly PromptParent[]> {
    const folders = found.filter(({ type }) => type === 'FOLDER').sort(byName);
    const prompts = found.filter(({ type }) => promptTypes.includes(type)).sort(byName);
    const ids = prompts.map(({ id }) => id);
    const listed = this.#listed.get(connectionId) ?? new ListedPrompts(client);
    this.#listed.set(connectionId, listed);
    const known = await listed.find(ids, signal);
    return [
      ...folders.map((folder) => folderNode(connectionId, folder)),
      ...prompts.map((prompt) => entityNode(connectionId, prompt, known.get(prompt.id))),
    ];
  }
}
