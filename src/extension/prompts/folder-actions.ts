import * as vscode from 'vscode';
import type { FolderEntity } from '../../api/folder.ts';
import { CancelledError, ConfigurationError, ValidationError } from '../../core/errors.ts';
import type { Client } from '../../core/index.ts';
import type { App } from '../shell/app.ts';
import { currentConnection } from '../ask/pick.ts';
import { pickPrompt } from '../ask/pick-prompt.ts';
import type { PromptAddress } from '../shell/prompt-address.ts';
import { isPromptAddress } from '../shell/prompt-address.ts';
import { confirmed, showInputBox, showQuickPick } from '../shell/questions.ts';
import type { FolderItem, PromptParent } from './nodes.ts';

const isFolder = (given: unknown): given is FolderItem =>
  typeof given === 'object' && given !== null && 'folderId' in given && 'connectionId' in given;

type Dragged = FolderItem | PromptAddress;

const nameOf = (what: Dragged): string => (isFolder(what) ? what.name : what.promptName);

/** Whether `id` is the folder `own`, or stands somewhere in it. */
function isWithin(
  own: number,
  id: number | null | undefined,
  folders: readonly FolderEntity[],
): boolean {
  if (id === undefined || id === null) return false;
  return id === own || isWithin(own, folders.find((one) => one.id === id)?.folder_id, folders);
}

const pathOf = ({ path, name }: FolderEntity): string => [...(path ?? []), name].join(' / ');

/** Making folders, naming them and moving things into them: what the service does in one step. */
export class FolderActions {
  readonly #app: App;
  readonly #changed: () => Promise<void>;

  constructor(app: App, changed: () => Promise<void>) {
    this.#app = app;
    this.#changed = changed;
  }

  async create(given: unknown): Promise<void> {
    const parent = isFolder(given) ? given : undefined;
    const connectionId = parent?.connectionId ?? currentConnection(this.#app).id;
    const title =
      parent === undefined
        ? vscode.l10n.t('New folder')
        : vscode.l10n.t('New folder in {0}', parent.name);
    const name = await this.#askName(title);
    await this.#make(await this.#client(connectionId), name, parent?.folderId ?? null);
    await this.#changed();
  }

  async rename(given: unknown): Promise<void> {
    const title = vscode.l10n.t('Rename folder');
    const folder = isFolder(given) ? given : await this.#pickFolder(title);
    const client = await this.#client(folder.connectionId);
    const name = await this.#askName(vscode.l10n.t('Rename folder {0}', folder.name), folder.name);
    if (name === folder.name) return;
    await client.folders.rename(folder.folderId, name, { signal: this.#app.signal });
    await this.#changed();
  }

  /** Moves a prompt or a folder to where the user says. */
  async move(given: unknown): Promise<void> {
    const { signal } = this.#app;
    const asked = isFolder(given) || isPromptAddress(given);
    const what = asked
      ? given
      : await pickPrompt(this.#app, vscode.l10n.t('Move prompt to folder'));
    const client = await this.#client(what.connectionId);
    const workspaceId = await this.#workspaceId(client);
    const folders = await this.#folders(client, workspaceId);
    const moved = await this.#entity(client, workspaceId, what, folders);
    const folderId = await this.#askPlace(client, moved, folders);
    const entities = [{ id: moved.id, type: moved.type }];
    await client.folders.move({ entities, folderId, workspaceId }, { signal });
    await this.#changed();
  }

  /** Moves what was dragged: into a folder, to where a prompt stands, or to the top. */
  async drop(dragged: readonly Dragged[], target: PromptParent | undefined): Promise<void> {
    const { signal } = this.#app;
    const [first] = dragged;
    const connectionId = target?.connectionId ?? first?.connectionId;
    if (connectionId === undefined || dragged.some((one) => one.connectionId !== connectionId)) {
      throw new ConfigurationError(
        vscode.l10n.t('Nothing can be moved from one workspace to another.'),
      );
    }
    const client = await this.#client(connectionId);
    const workspaceId = await this.#workspaceId(client);
    const folders = await this.#folders(client, workspaceId);
    const find = (what: Dragged) => this.#entity(client, workspaceId, what, folders);
    const folderId =
      target === undefined
        ? null
        : isFolder(target)
          ? target.folderId
          : ((await find(target)).folder_id ?? null);
    const found = await Promise.all(dragged.map(find));
    const moved = found.filter((one) => (one.folder_id ?? null) !== folderId);
    for (const { type, id, name } of moved) {
      if (type !== 'FOLDER' || !isWithin(id, folderId, folders)) continue;
      throw new ValidationError(vscode.l10n.t("The folder {0} can't be moved into itself.", name));
    }
    if (moved.length === 0) return;
    const entities = moved.map(({ id, type }) => ({ id, type }));
    await client.folders.move({ entities, folderId, workspaceId }, { signal });
    await this.#changed();
  }

  /** Deletes a folder that is empty. What stands in one is never deleted along with it. */
  async delete(given: unknown): Promise<void> {
    const { signal } = this.#app;
    const folder = isFolder(given)
      ? given
      : await this.#pickFolder(vscode.l10n.t('Delete empty folder'));
    const { connectionId, folderId, name } = folder;
    const client = await this.#client(connectionId);
    const workspaceId = await this.#workspaceId(client);
    const [inside, tables] = await Promise.all([
      client.folders.entities({ workspaceId, folderId }, { signal }),
      client.tables.page({ folderId, limit: 1 }, { signal }),
    ]);
    if (inside.length > 0 || tables.items.length > 0) {
      throw new ValidationError(vscode.l10n.t('The folder {0} is not empty.', name), {
        hint: vscode.l10n.t('Move its contents first.'),
      });
    }
    await confirmed(
      vscode.l10n.t(
        'Delete the empty folder {0} of {1}?',
        name,
        this.#app.connections.get(connectionId)?.name ?? '',
      ),
      vscode.l10n.t('Delete'),
    );
    const entities = [{ id: folderId, type: 'FOLDER' }];
    await client.folders.deleteEntities({ entities, cascade: false, workspaceId }, { signal });
    await this.#changed();
  }

  #client(connectionId: string): Promise<Client> {
    return this.#app.connections.client(connectionId, { signal: this.#app.signal });
  }

  async #workspaceId(client: Client): Promise<number> {
    const id = await client.folders.workspaceId({ signal: this.#app.signal });
    if (id !== undefined) return id;
    throw new ConfigurationError(vscode.l10n.t('Nothing in this workspace is in a folder.'));
  }

  #folders(client: Client, workspaceId: number): Promise<readonly FolderEntity[]> {
    const query = { workspaceId, flatten: true, filterType: ['FOLDER'] };
    return client.folders.entities(query, { signal: this.#app.signal });
  }

  /** What the service has of a folder or prompt that is shown. */
  async #entity(
    client: Client,
    workspaceId: number,
    what: Dragged,
    folders: readonly FolderEntity[],
  ): Promise<FolderEntity> {
    const entity = isFolder(what)
      ? folders.find(({ id }) => id === what.folderId)
      : await this.#promptEntity(client, workspaceId, what.promptName);
    if (entity !== undefined) return entity;
    throw new ConfigurationError(vscode.l10n.t('{0} no longer exists.', nameOf(what)), {
      hint: vscode.l10n.t('Refresh the list of prompts.'),
    });
  }

  async #promptEntity(
    client: Client,
    workspaceId: number,
    name: string,
  ): Promise<FolderEntity | undefined> {
    const filterType = ['PROMPT', 'SNIPPET'];
    const query = { workspaceId, flatten: true, filterType, searchQuery: name };
    const found = await client.folders.entities(query, { signal: this.#app.signal });
    return found.find((entity) => entity.name === name);
  }

  async #pickFolder(title: string): Promise<FolderItem> {
    const { id: connectionId } = currentConnection(this.#app);
    const client = await this.#client(connectionId);
    const folders = await this.#folders(client, await this.#workspaceId(client));
    const items = folders.map((folder) => ({ label: pathOf(folder), folder }));
    const picked = await showQuickPick(items, { title });
    if (picked === undefined) throw new CancelledError('The choice was dismissed.');
    const { id, name } = picked.folder;
    return { kind: 'promptFolder', id: '', connectionId, folderId: id, name };
  }

  /** The id of a folder, null for the top. Neither where it stands already nor inside of itself. */
  async #askPlace(
    client: Client,
    moved: FolderEntity,
    folders: readonly FolderEntity[],
  ): Promise<number | null> {
    const own = moved.type === 'FOLDER' ? moved.id : undefined;
    const isInside = (id: number): boolean => own !== undefined && isWithin(own, id, folders);
    const here = moved.folder_id ?? undefined;
    type Place = vscode.QuickPickItem & { readonly place: number | null | 'new' };
    const icon = (name: string) => ({ iconPath: new vscode.ThemeIcon(name) });
    const items: Place[] = [
      ...(here === undefined
        ? []
        : [{ label: vscode.l10n.t('No folder'), ...icon('home'), place: null }]),
      ...folders
        .filter(({ id }) => id !== here && !isInside(id))
        .map((folder) => ({ label: pathOf(folder), ...icon('folder'), place: folder.id }))
        .sort((left, right) => left.label.localeCompare(right.label, vscode.env.language)),
      { label: vscode.l10n.t('New folder…'), ...icon('new-folder'), place: 'new' },
    ];
    const picked = await showQuickPick(items, { title: vscode.l10n.t('Move {0} to', moved.name) });
    if (picked === undefined) throw new CancelledError('The choice was dismissed.');
    if (picked.place !== 'new') return picked.place;
    return this.#make(client, await this.#askName(vscode.l10n.t('New folder')), null);
  }

  async #make(client: Client, name: string, parentId: number | null): Promise<number> {
    const { id } = await client.folders.create({ name, parentId }, { signal: this.#app.signal });
    return id;
  }

  async #askName(title: string, value = ''): Promise<string> {
    const entered = await showInputBox({
      ...{ title, value },
      prompt: vscode.l10n.t('Name of the folder'),
      validateInput: (text) =>
        text.trim() === '' || text.trim().length > 255
          ? vscode.l10n.t('A name has 1 to 255 characters.')
          : undefined,
    });
    if (entered === undefined) throw new CancelledError('The input was dismissed.');
    return entered.trim();
  }
}
