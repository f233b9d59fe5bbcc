import { createHash, timingSafeEqual } from 'node:crypto';
import type { Database } from './store/database.ts';

const hashOf = (key: string): string => createHash('sha256').update(key).digest('hex');

/**
 * The API keys of this service. The n-th key given at the start opens workspace n, so a new key
 * for the same folder finds the same data. No key is stored.
 */
export class Keys {
  readonly #known: readonly { readonly hash: Buffer; readonly workspaceId: number }[];

  constructor(keys: readonly string[]) {
    this.#known = keys.map((key, index) => ({
      hash: Buffer.from(hashOf(key), 'hex'),
      workspaceId: index + 1,
    }));
  }

  /** Compares hashes, each in constant time and all of them, so timing tells nothing of a key. */
  workspaceOf(key: string): number | undefined {
    const hash = Buffer.from(hashOf(key), 'hex');
    let found: number | undefined;
    for (const known of this.#known) {
      if (timingSafeEqual(known.hash, hash)) found = known.workspaceId;
    }
    return found;
  }

  /** Stands for these keys without giving them away: signs what another server must recognise. */
  get secret(): string {
    const all = this.#known.map(({ hash }) => hash.toString('hex')).join('.');
    return hashOf(`confirmation.${all}`);
  }

  /** Makes sure that each key's workspace exists. */
  async save(database: Database): Promise<void> {
    const now = Date.now();
    await database.transaction(async (session) => {
      for (const { workspaceId } of this.#known) {
        await session.run(
          'insert into workspaces (id, created_at) values (?, ?) on conflict (id) do nothing',
          [workspaceId, now],
        );
      }
    });
  }
}
