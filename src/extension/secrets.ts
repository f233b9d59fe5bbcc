import * as vscode from 'vscode';
import type { Log } from './log.ts';

/** Where secrets of one kind stand in the secret storage. */
export const secretPrefixes = {
  connection: 'promptTables.key.',
  provider: 'promptTables.provider.',
} as const;

/**
 * Keys of one kind by id of their connection, or by name of their variable: the only user of the
 * editor's secret storage.
 */
export class Secrets implements vscode.Disposable {
  readonly #storage: vscode.SecretStorage;
  readonly #log: Log;
  readonly #prefix: string;
  /** Keys that the secret storage did not keep: good until this window closes. */
  readonly #session = new Map<string, string>();
  readonly #emitter = new vscode.EventEmitter<string>();
  readonly #subscription: vscode.Disposable;
  #hasWarned = false;

  /** The key with this id changed, here or in another window. */
  readonly onDidChange = this.#emitter.event;

  constructor(storage: vscode.SecretStorage, log: Log, kind: keyof typeof secretPrefixes) {
    const prefix = secretPrefixes[kind];
    this.#prefix = prefix;
    this.#storage = storage;
    this.#log = log;
    this.#subscription = storage.onDidChange(({ key }) => {
      if (key.startsWith(prefix)) this.#emitter.fire(key.slice(prefix.length));
    });
  }

  async get(id: string): Promise<string | undefined> {
    const key = this.#session.get(id) ?? (await this.#read(id));
    if (key !== undefined) this.#log.hide(key);
    return key;
  }

  /** Stores and reads back, because a missing keychain may fail silently. */
  async set(id: string, key: string): Promise<void> {
    this.#log.hide(key);
    try {
      await this.#storage.store(this.#prefix + id, key);
      if ((await this.#storage.get(this.#prefix + id)) === key) {
        this.#session.delete(id);
        return;
      }
      this.#log.warn('The secret storage did not give back the key that was stored.');
    } catch (error) {
      this.#log.warn('The secret storage of the editor failed.', error);
    }
    this.#session.set(id, key);
    this.#emitter.fire(id);
    this.#warnOnce();
  }

  async delete(id: string): Promise<void> {
    this.#session.delete(id);
    await this.#storage.delete(this.#prefix + id);
  }

  /** Ids of all that is kept. */
  async ids(): Promise<readonly string[]> {
    const stored = await this.#storage.keys();
    const own = stored.filter((key) => key.startsWith(this.#prefix));
    const ids = own.map((key) => key.slice(this.#prefix.length));
    return [...new Set([...ids, ...this.#session.keys()])].sort();
  }

  async #read(id: string): Promise<string | undefined> {
    try {
      return await this.#storage.get(this.#prefix + id);
    } catch (error) {
      this.#log.warn('The secret storage of the editor could not be read.', error);
      this.#warnOnce();
      return undefined;
    }
  }

  #warnOnce(): void {
    if (this.#hasWarned) return;
    this.#hasWarned = true;
    const help = vscode.l10n.t('How to fix it');
    const text = vscode.l10n.t(
      'The keychain of this computer did not keep the API key. It is used until this window closes.',
    );
    void vscode.window.showWarningMessage(text, help).then((choice) => {
      if (choice !== help) return undefined;
      const page =
        'https://code.visualstudio.com/docs/configure/settings-sync#_troubleshooting-keychain-issues';
      return vscode.env.openExternal(vscode.Uri.parse(page));
    });
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#emitter.dispose();
  }
}
