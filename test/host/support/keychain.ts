/** A secret storage that all windows share, as VS Code has it, and that may be out of order. */
import * as vscode from 'vscode';

/** `forgets`: it takes keys without a word, and has none. */
export type KeychainFault = 'throws' | 'forgets';

export class Keychain implements vscode.SecretStorage {
  readonly #kept = new Map<string, string>();
  readonly #changed = new vscode.EventEmitter<vscode.SecretStorageChangeEvent>();
  readonly onDidChange = this.#changed.event;
  fault: KeychainFault | undefined;
  /** What a reading waits for, which then gives what there was when it began. */
  slow: Promise<void> | undefined;

  async keys(): Promise<string[]> {
    this.#mayThrow();
    return [...this.#kept.keys()];
  }

  async get(key: string): Promise<string | undefined> {
    this.#mayThrow();
    const kept = this.#kept.get(key);
    await this.slow;
    return kept;
  }

  async store(key: string, value: string): Promise<void> {
    this.#mayThrow();
    if (this.fault === undefined) this.#kept.set(key, value);
    this.#changed.fire({ key });
  }

  async delete(key: string): Promise<void> {
    this.#mayThrow();
    this.#kept.delete(key);
    this.#changed.fire({ key });
  }

  #mayThrow(): void {
    if (this.fault === 'throws') throw new Error('org.freedesktop.secrets was not provided');
  }
}
