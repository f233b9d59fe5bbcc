import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import * as z from 'zod';
import type { AnswerStore, Client, LookUp } from '../../core/index.ts';
import { AuthenticationError, ConfigurationError } from '../../core/errors.ts';
import { abortable } from '../shell/cancellation.ts';
import { setContextKey } from '../shell/context-keys.ts';
import type { LocalAccess } from '../shell/local-access.ts';
import type { Log } from '../shell/log.ts';
import type { Secrets } from '../shell/secrets.ts';
import type { Settings } from '../shell/settings.ts';
import { AllowedAddresses } from './allowed-addresses.ts';
import type { Access, Connection, Connections, ConnectionsChange } from './connections.ts';
import { vscodeModels } from '../language-models/host.ts';
import type { Overrides } from './open-client.ts';
import { openClient } from './open-client.ts';
import { lazy } from '../shell/lazy.ts';

type Hosted = Extract<Connection, { kind: 'hosted' }>;

const listKey = 'promptTables.connections';
const currentKey = 'promptTables.current';
const Stored = lazy(() =>
  z.array(z.object({ id: z.string(), name: z.string(), baseURL: z.string() })),
);

export interface ConnectionStoreParts {
  readonly context: vscode.ExtensionContext;
  readonly log: Log;
  readonly settings: Settings;
  readonly secrets: Secrets;
  /** Starts the local service when it is not running, and says how to reach it. */
  readonly startLocal: () => Promise<LocalAccess>;
  readonly providerEnvironment: LookUp;
  readonly answers: AnswerStore;
}

/** Names and addresses live in the editor's state, keys in its secret storage, clients here. */
export class ConnectionStore implements Connections, vscode.Disposable {
  readonly #parts: ConnectionStoreParts;
  /** Where requests may go that a workspace has chosen. */
  readonly addresses: AllowedAddresses;
  readonly #clients = new Map<string, Promise<Client>>();
  readonly #open = new Map<string, Client>();
  /** Those that only bring to their end what is under way in them. */
  readonly #retired = new Map<string, Set<Client>>();
  readonly #emitter = new vscode.EventEmitter<ConnectionsChange>();
  readonly #templatesEmitter = new vscode.EventEmitter<void>();
  #local: LocalAccess | undefined;
  readonly #subscriptions: readonly vscode.Disposable[];

  readonly onDidChange = this.#emitter.event;
  readonly onDidChangeTemplates = this.#templatesEmitter.event;

  constructor(parts: ConnectionStoreParts) {
    this.#parts = parts;
    this.addresses = new AllowedAddresses(parts.context.globalState);
    this.#subscriptions = [
      parts.secrets.onDidChange((id) => void this.#keyChanged(id)),
      parts.settings.onDidChangeNetwork(() => {
        for (const { id } of this.all) this.renew(id);
      }),
      parts.settings.onDidChange((isAffected) => {
        const isForClients =
          isAffected('requestTimeoutSeconds') ||
          isAffected('run.providerTimeoutSeconds') ||
          isAffected('prompts.cacheSeconds');
        if (isForClients) for (const { id } of this.all) this.renew(id);
      }),
    ];
    this.#publish();
  }

  get all(): readonly Connection[] {
    const name = vscode.l10n.t('Local workspace');
    return [{ kind: 'local', id: 'local', name }, ...this.#hosted()];
  }

  /** This window's choice, else the last one made anywhere. */
  get current(): Connection | undefined {
    const { workspaceState, globalState } = this.#parts.context;
    const id = workspaceState.get<string>(currentKey) ?? globalState.get<string>(currentKey);
    return id === undefined ? undefined : this.get(id);
  }

  get(id: string): Connection | undefined {
    return this.all.find((connection) => connection.id === id);
  }

  openClient(id: string): Client | undefined {
    return this.#open.get(id);
  }

  async use(id: string): Promise<void> {
    const { workspaceState, globalState } = this.#parts.context;
    if (this.current?.id === id) return;
    await Promise.all([workspaceState.update(currentKey, id), globalState.update(currentKey, id)]);
    this.#publish();
    this.#emitter.fire({ what: 'current' });
  }

  async add(
    details: { readonly name: string; readonly baseURL: string },
    key: string,
  ): Promise<Hosted> {
    const added: Hosted = { kind: 'hosted', id: randomUUID(), ...details };
    // The key first: a connection that is listed has one.
    await this.#parts.secrets.set(added.id, key);
    await this.#save([...this.#hosted(), added]);
    return added;
  }

  async edit(
    id: string,
    details: { readonly name: string; readonly baseURL: string },
  ): Promise<void> {
    const before = this.#hosted();
    await this.#save(before.map((item) => (item.id === id ? { ...item, ...details } : item)));
    if (before.find((item) => item.id === id)?.baseURL !== details.baseURL) this.renew(id);
  }

  /** Also forgets the key. The window falls back to having no workspace in use. */
  async remove(id: string): Promise<void> {
    await this.#parts.secrets.delete(id);
    await this.addresses.forget(({ connectionId }) => connectionId === id);
    const wasCurrent = this.current?.id === id;
    await this.#save(this.#hosted().filter((item) => item.id !== id));
    if (!wasCurrent) return;
    const { workspaceState, globalState } = this.#parts.context;
    await workspaceState.update(currentKey, undefined);
    if (globalState.get(currentKey) === id) await globalState.update(currentKey, undefined);
    this.#publish();
    this.#emitter.fire({ what: 'current' });
  }

  async client(id: string, { signal }: { readonly signal?: AbortSignal } = {}): Promise<Client> {
    const known = this.#clients.get(id);
    if (known !== undefined) return abortable(known, signal);
    const opening = this.#connect(id);
    this.#clients.set(id, opening);
    opening.then(
      (client) => {
        if (this.#clients.get(id) === opening) this.#open.set(id, client);
      },
      () => {
        if (this.#clients.get(id) === opening) this.#clients.delete(id);
      },
    );
    return abortable(opening, signal);
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
    for (const id of this.#clients.keys()) this.#close(id, 'now');
    for (const id of this.#retired.keys()) this.#endRetired(id);
    this.#emitter.dispose();
    this.#templatesEmitter.dispose();
  }

  async access(id: string): Promise<Access> {
    const connection = this.get(id);
    if (connection === undefined) {
      throw new ConfigurationError(vscode.l10n.t('This workspace was removed from the list.'), {
        hint: vscode.l10n.t('Select another one, or connect to it again.'),
      });
    }
    if (connection.kind === 'local') return this.#parts.startLocal();
    const apiKey = await this.#parts.secrets.get(id);
    if (apiKey === undefined) {
      throw new AuthenticationError(
        vscode.l10n.t('There is no API key for {0}.', connection.name),
        {
          hint: vscode.l10n.t('Set the key of this workspace.'),
        },
      );
    }
    return { baseURL: connection.baseURL, apiKey };
  }

  async #connect(id: string): Promise<Client> {
    const access = await this.access(id);
    if (!('baseURL' in access)) this.#local = access;
    return openClient(this.#parts, access, this.#forPrompts(id));
  }

  #forPrompts(id: string): Overrides {
    const { settings, providerEnvironment, answers } = this.#parts;
    return {
      cacheTtlSeconds: settings.get('prompts.cacheSeconds'),
      onCacheChange: () => this.#templatesEmitter.fire(),
      providerEnvironment,
      hostProviders: vscodeModels,
      answerStore: answers,
      allowAddress: async (address) => {
        const connection = this.get(id);
        return connection !== undefined && this.addresses.allows(connection, address);
      },
    };
  }

  #hosted(): readonly Hosted[] {
    const read = Stored().safeParse(this.#parts.context.globalState.get(listKey) ?? []);
    if (!read.success) {
      this.#parts.log.warn("The stored list of connections isn't valid and is not used.");
      return [];
    }
    return read.data.map((item) => ({ kind: 'hosted', ...item }));
  }

  async #save(list: readonly Hosted[]): Promise<void> {
    const stored = list.map(({ id, name, baseURL }) => ({ id, name, baseURL }));
    await this.#parts.context.globalState.update(listKey, stored);
    this.#publish();
    this.#emitter.fire({ what: 'list' });
  }

  /** The local service was replaced. At the same place its client goes on and tries again. */
  localReplaced({ socketPath, apiKey, database }: LocalAccess): void {
    const isSame =
      this.#local?.socketPath === socketPath &&
      this.#local.apiKey === apiKey &&
      this.#local.database === database;
    if (isSame) this.#emitter.fire({ what: 'access', id: 'local' });
    else this.renew('local', 'now');
  }

  /** The next `client` makes a new one; views load again. Runs under way go on, unless `now`. */
  renew(id: string, when: 'idle' | 'now' = 'idle'): void {
    this.#close(id, when);
    this.#emitter.fire({ what: 'access', id });
  }

  async #keyChanged(id: string): Promise<void> {
    const opening = this.#clients.get(id);
    this.renew(id);
    const [key] = await Promise.all([
      this.#parts.secrets.get(id),
      // The caller has reported it.
      opening?.catch(() => undefined),
    ]);
    // Nothing goes on with a key that was wiped.
    if (key === undefined) this.#endRetired(id);
  }

  #close(id: string, when: 'idle' | 'now'): void {
    const opening = this.#clients.get(id);
    this.#clients.delete(id);
    if (this.#open.delete(id)) this.#templatesEmitter.fire();
    opening?.then(
      (client) => (when === 'now' ? client.close() : this.#retire(id, client)),
      // The caller has reported it.
      () => undefined,
    );
  }

  /** A run that is paid for is not lost to a setting that has changed. */
  async #retire(id: string, client: Client): Promise<void> {
    const retired = this.#retired.get(id) ?? new Set();
    this.#retired.set(id, retired.add(client));
    await client.closeWhenIdle();
    retired.delete(client);
    if (retired.size === 0 && this.#retired.get(id) === retired) this.#retired.delete(id);
  }

  #endRetired(id: string): void {
    for (const client of this.#retired.get(id) ?? []) void client.close();
  }

  #publish(): void {
    setContextKey('promptTables.connection', this.current?.kind ?? 'none');
  }
}
