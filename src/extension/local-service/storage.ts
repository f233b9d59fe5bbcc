import { randomUUID } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { shownDatabase } from '../../core/database-address.ts';
import { ConfigurationError } from '../../core/errors.ts';
import type { Translate } from '../shell/translate.ts';
import type { ServiceFolder } from './folder.ts';
import { ifThere } from '../shell/if-there.ts';
import { lazy } from '../shell/lazy.ts';

const NamedDatabase = lazy(() => z.object({ id: z.string().min(1), server: z.string() }));
/** A PostgreSQL database that the user has named: `server` is its address without the password. */
export type NamedDatabase = z.output<ReturnType<typeof NamedDatabase>>;

/** The editor's secret storage. */
export interface AddressSecrets {
  get(id: string): Promise<string | undefined>;
  set(id: string, address: string): Promise<void>;
  delete(id: string): Promise<void>;
}

/**
 * Where the local workspace keeps its data: in its folder, or in a database that the user has named.
 * A file in the folder says which, for every window and editor that opens it; the address, which
 * holds a password, lies in the secret storage. Where one of the two is missing nothing is guessed:
 * a workspace that silently shows other data would be worse than none.
 */
export class LocalStorage {
  readonly #folder: ServiceFolder;
  readonly #secrets: AddressSecrets;
  readonly #t: Translate;

  constructor(folder: ServiceFolder, secrets: AddressSecrets, t: Translate) {
    this.#folder = folder;
    this.#secrets = secrets;
    this.#t = t;
  }

  get #file(): string {
    return path.join(this.#folder.path, 'storage.json');
  }

  /** Undefined: the folder. */
  async database(): Promise<NamedDatabase | undefined> {
    const t = this.#t;
    const text = await ifThere(fs.readFile(this.#file, 'utf8'));
    if (text === undefined) return undefined;
    try {
      return NamedDatabase().parse(JSON.parse(text));
    } catch (cause) {
      throw new ConfigurationError(
        t("{0}, which says where the local workspace is kept, can't be read.", this.#file),
        { hint: this.#chooseAgain(), cause },
      );
    }
  }

  /** With its password. Undefined: the data is in the folder. */
  async address(): Promise<string | undefined> {
    const t = this.#t;
    const database = await this.database();
    if (database === undefined) return undefined;
    const address = await this.#secrets.get(database.id);
    if (address !== undefined) return address;
    throw new ConfigurationError(
      t(
        "The local workspace is kept in {0}, and its password isn't in the secret storage of this editor.",
        database.server,
      ),
      { hint: this.#chooseAgain() },
    );
  }

  async keepInDatabase(address: string): Promise<void> {
    const before = await this.#known();
    const database: NamedDatabase = { id: randomUUID(), server: shownDatabase(address) };
    await this.#secrets.set(database.id, address);
    // Whole or not at all: a half-written file would lock the workspace.
    const half = `${this.#file}.${database.id}`;
    await fs.writeFile(half, `${JSON.stringify(database)}\n`, { mode: 0o600 });
    await fs.rename(half, this.#file);
    if (before !== undefined) await this.#secrets.delete(before.id);
  }

  async keepInFolder(): Promise<void> {
    const before = await this.#known();
    await fs.rm(this.#file, { force: true });
    if (before !== undefined) await this.#secrets.delete(before.id);
  }

  /** What is being replaced may be unreadable. */
  async #known(): Promise<NamedDatabase | undefined> {
    try {
      return await this.database();
    } catch (error) {
      if (error instanceof ConfigurationError) return undefined;
      throw error;
    }
  }

  #chooseAgain(): string {
    const t = this.#t;
    return t('Run the command "Select Local Workspace Database…".');
  }
}
