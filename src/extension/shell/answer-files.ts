import fs from 'node:fs/promises';
import path from 'node:path';
import type { AnswerStore } from '../../core/index.ts';
import { ifThere } from './if-there.ts';
import { Records } from './records.ts';

const usualBounds = {
  entries: 1000,
  bytes: 64 * 1024 * 1024,
  /** Characters of one answer; a larger one is not kept. */
  largest: 2 * 1024 * 1024,
};
/** Looking through the folder costs more than writing one file. */
const writesBetween = 16;
/** What a window that crashed has left half written. */
const abandonedMs = 3_600_000;

/** Answers of models in files that only this user may read, of all windows; the least used ones go. */
export class AnswerFiles implements AnswerStore {
  readonly #folder: string;
  readonly #bounds: typeof usualBounds;
  readonly #records: Records<unknown>;
  #writes = 0;

  constructor(folder: string, bounds = usualBounds) {
    this.#folder = folder;
    this.#bounds = bounds;
    this.#records = new Records<unknown>(folder, {
      read: (value) => value,
      lighter: () => null,
      largest: bounds.largest,
    });
  }

  async read(key: string): Promise<unknown> {
    const value = await this.#records.read(key);
    const now = new Date();
    // Used now: the others go first. That it can't be said is no reason not to use it.
    if (value !== undefined) await fs.utimes(this.#file(key), now, now).catch(() => undefined);
    return value;
  }

  async write(key: string, value: Readonly<Record<string, unknown>>): Promise<void> {
    await this.#records.write(key, value);
    if (this.#writes % writesBetween === 0) await this.prune();
    this.#writes += 1;
  }

  /** Answers how many there were. */
  async clear(): Promise<number> {
    const names = await this.#names();
    for (const name of names) await fs.rm(path.join(this.#folder, name), { force: true });
    return names.filter((name) => name.endsWith('.json')).length;
  }

  /** Keeps within the bounds. */
  async prune(now = Date.now()): Promise<void> {
    const found: { readonly file: string; readonly at: number; readonly size: number }[] = [];
    for (const name of await this.#names()) {
      const file = path.join(this.#folder, name);
      // Another window may be at it as well.
      const stat = await ifThere(fs.stat(file));
      if (stat === undefined) continue;
      if (name.endsWith('.json')) found.push({ file, at: stat.mtimeMs, size: stat.size });
      else if (now - stat.mtimeMs > abandonedMs) await fs.rm(file, { force: true });
    }
    const { entries, bytes } = this.#bounds;
    let [count, size] = [0, 0];
    for (const one of found.toSorted((a, b) => b.at - a.at)) {
      count += 1;
      size += one.size;
      if (count > entries || size > bytes) await fs.rm(one.file, { force: true });
    }
  }

  #file(key: string): string {
    return path.join(this.#folder, `${key}.json`);
  }

  /** Of files that are ours, also of those half written. */
  async #names(): Promise<readonly string[]> {
    const names = (await ifThere(fs.readdir(this.#folder))) ?? [];
    return names.filter((name) => /^[0-9a-f]{64}\.json(?:\.[\w-]+\.new)?$/.test(name));
  }
}
