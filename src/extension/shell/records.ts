import { randomUUID } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import { parseJsonAsWritten, stringifyJson } from '../../core/http/json.ts';
import { isMissing } from './if-there.ts';
import { noteWrite } from './last-writes.ts';

const usualLargest = 32 * 1024 * 1024;
const keptMs = 30 * 24 * 3_600_000;

export interface RecordKind<Value> {
  /** Throws when it is no such record. */
  readonly read: (value: unknown) => Value;
  /** The same with less in it, for one that is too large. */
  readonly lighter: (value: Value) => Value;
  /** Characters; 32 MB when absent. */
  readonly largest?: number;
}

/** Records by an id, each in a file which only this user may read. */
export class Records<Value> {
  readonly #folder: string;
  readonly #kind: RecordKind<Value>;
  #writing: Promise<void> = Promise.resolve();

  constructor(folder: string, kind: RecordKind<Value>) {
    this.#folder = folder;
    this.#kind = kind;
  }

  #file(id: string): string {
    if (!/^[\w-]{1,64}$/.test(id)) throw new Error("This isn't an id of a record.");
    return path.join(this.#folder, `${id}.json`);
  }

  async read(id: string): Promise<Value | undefined> {
    try {
      return this.#kind.read(parseJsonAsWritten(await fs.readFile(this.#file(id), 'utf8')));
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  /** All that can be read, with their ids; the others are reported to `onFault`. */
  async list(onFault: (error: unknown) => void): Promise<readonly (readonly [string, Value])[]> {
    const names = await fs.readdir(this.#folder).catch((error: unknown) => {
      if (isMissing(error)) return [];
      throw error;
    });
    const found: (readonly [string, Value])[] = [];
    for (const name of names) {
      const [, id] = /^([\w-]{1,64})\.json$/.exec(name) ?? [];
      if (id === undefined) continue;
      try {
        const value = await this.read(id);
        if (value !== undefined) found.push([id, value]);
      } catch (error) {
        onFault(error);
      }
    }
    return found;
  }

  /** One after the other, each whole or not at all. */
  write(id: string, record: Value): Promise<void> {
    const writing = this.#writing.then(() => this.#write(id, record));
    this.#writing = writing.catch(() => undefined);
    noteWrite(writing);
    return writing;
  }

  async remove(id: string): Promise<void> {
    await this.#writing;
    await fs.rm(this.#file(id), { force: true });
  }

  /** Removes what no window has come back for. */
  async prune(now = Date.now()): Promise<void> {
    const names = await fs.readdir(this.#folder).catch((error: unknown) => {
      if (isMissing(error)) return [];
      throw error;
    });
    for (const name of names) {
      const file = path.join(this.#folder, name);
      const { mtimeMs } = await fs.stat(file);
      if (now - mtimeMs > keptMs) await fs.rm(file, { force: true });
    }
  }

  async #write(id: string, record: Value): Promise<void> {
    const file = this.#file(id);
    let text = stringifyJson(record);
    const { largest = usualLargest } = this.#kind;
    if (text.length > largest) text = stringifyJson(this.#kind.lighter(record));
    await fs.mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const draft = `${file}.${randomUUID()}.new`;
    await fs.writeFile(draft, text, { mode: 0o600 });
    await fs.rename(draft, file);
  }
}
