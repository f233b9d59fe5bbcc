import * as vscode from 'vscode';
import { ConfigurationError } from '../../core/errors.ts';
import type { Log } from './log.ts';
import { showWarningMessage } from './shown.ts';

/** Where secrets of one kind stand in the secret storage. */
export const secretPrefixes = {
  connection: 'promptTables.key.',
  provider: 'promptTables.provider.',
  database: 'promptTables.database.',
} as const;

type Kind = keyof typeof secretPrefixes;
type Failure = 'notRead' | 'notKept';

interface SessionKey {
  readonly key: string;
  /** What the secret storage had in its place. Anything else was stored after it. */
  readonly instead: string | undefined;
}

/**
 * Keys of one kind by id of their connection, or by name of their variable: the only user of the
 * editor's secret storage.
 */
export class Secrets implements vscode.Disposable {
  readonly #storage: vscode.SecretStorage;
  readonly #log: Log;
  readonly #kind: Kind;
  readonly #prefix: string;
  /** Keys that the secret storage did not keep: good until this window closes. */
  readonly #session = new Map<string, SessionKey>();
  readonly #emitter = new vscode.EventEmitter<string>();
  readonly #subscription: vscode.Disposable;
  readonly #warned = new Set<Failure>();

  /** The key with this id changed, here or in another window. */
  readonly onDidChange = this.#emitter.event;

  constructor(storage: vscode.SecretStorage, log: Log, kind: Kind) {
    const prefix = secretPrefixes[kind];
    this.#kind = kind;
    this.#prefix = prefix;
    this.#storage = storage;
    this.#log = log;
    this.#subscription = storage.onDidChange(({ key }) => {
      if (key.startsWith(prefix)) this.#emitter.fire(key.slice(prefix.length));
    });
  }

  async get(id: string): Promise<string | undefined> {
    const own = this.#session.get(id);
    const stored = await this.#read(id);
    // Another window had more luck with a newer one.
    const isNewer = own !== undefined && stored !== undefined && stored !== own.instead;
    if (isNewer) this.#session.delete(id);
    const key = own === undefined || isNewer ? stored : own.key;
    if (key !== undefined) this.#log.hide(key);
    return key;
  }

  /** Stores and reads back, because a missing keychain may fail silently. */
  async set(id: string, key: string): Promise<void> {
    this.#log.hide(key);
    let instead: string | undefined;
    try {
      await this.#storage.store(this.#prefix + id, key);
      instead = await this.#storage.get(this.#prefix + id);
      if (instead === key) {
        this.#session.delete(id);
        return;
      }
      this.#log.warn('The secret storage did not give back the key that was stored.');
    } catch (error) {
      this.#log.warn('The secret storage of the editor failed.', error);
    }
    this.#session.set(id, { key, instead });
    this.#emitter.fire(id);
    this.#warnOnce('notKept', id);
  }

  async delete(id: string): Promise<void> {
    const wasHere = this.#session.delete(id);
    try {
      await this.#storage.delete(this.#prefix + id);
    } catch (error) {
      throw new ConfigurationError(
        vscode.l10n.t('The keychain of this computer did not delete the key.'),
        {
          hint: vscode.l10n.t('Try again when it works, or delete the key there.'),
          cause: error,
        },
      );
    } finally {
      if (wasHere) this.#emitter.fire(id);
    }
  }

  /** Ids of all that is kept. */
  async ids(): Promise<readonly string[]> {
    const ids = await this.#storedIds();
    return [...new Set([...ids, ...this.#session.keys()])].sort();
  }

  async #storedIds(): Promise<readonly string[]> {
    try {
      const stored = await this.#storage.keys();
      const own = stored.filter((key) => key.startsWith(this.#prefix));
      return own.map((key) => key.slice(this.#prefix.length));
    } catch (error) {
      this.#log.warn('The secret storage of the editor could not be listed.', error);
      return [];
    }
  }

  async #read(id: string): Promise<string | undefined> {
    try {
      return await this.#storage.get(this.#prefix + id);
    } catch (error) {
      this.#log.warn('The secret storage of the editor could not be read.', error);
      // A message said what is used instead when it was set.
      if (!this.#session.has(id)) this.#warnOnce('notRead', id);
      return undefined;
    }
  }

  #warnOnce(failure: Failure, id: string): void {
    if (this.#warned.has(failure)) return;
    this.#warned.add(failure);
    const help = vscode.l10n.t('How to fix it');
    void showWarningMessage(this.#words(failure, id), help).then((choice) => {
      if (choice !== help) return undefined;
      const page =
        'https://code.visualstudio.com/docs/configure/settings-sync#_troubleshooting-keychain-issues';
      return vscode.env.openExternal(vscode.Uri.parse(page));
    });
  }

  /** What is wrong, and how to go on without the keychain. */
  #words(failure: Failure, id: string): string {
    if (this.#kind === 'provider') {
      return failure === 'notKept'
        ? vscode.l10n.t(
            'The keychain of this computer did not keep {0}. It is used until this window closes; set as a variable of the environment, it needs no keychain.',
            id,
          )
        : vscode.l10n.t(
            'The keychain of this computer could not be read. Set {0} as a variable of the environment, which needs no keychain.',
            id,
          );
    }
    if (this.#kind === 'database') {
      return failure === 'notKept'
        ? vscode.l10n.t(
            'The keychain of this computer did not keep the address of the database. It is used until this window closes.',
          )
        : vscode.l10n.t(
            'The keychain of this computer, which has the address of the database, could not be read.',
          );
    }
    const variable = 'PROMPTLAYER_API_KEY';
    return failure === 'notKept'
      ? vscode.l10n.t(
          'The keychain of this computer did not keep the API key. It is used until this window closes; Set API Key takes it from the environment variable {0} the next time.',
          variable,
        )
      : vscode.l10n.t(
          'The keychain of this computer could not be read. Set the API key again to use it until this window closes; it can come from the environment variable {0}.',
          variable,
        );
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#emitter.dispose();
  }
}
