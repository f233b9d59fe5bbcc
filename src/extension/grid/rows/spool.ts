import type { FileHandle } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { isRunningProcess } from '../../shell/running-process.ts';
import { ifThere } from '../../shell/if-there.ts';

interface Entry {
  readonly page: number;
  readonly offset: number;
  readonly length: number;
}

export interface SpoolOptions {
  readonly file: string;
  /** The file never grows beyond this; the oldest pages make room. */
  readonly limitBytes?: number;
  /** Called once when the disk refuses: the spool then stays empty, nothing else changes. */
  readonly onFault: (error: unknown) => void;
}

/**
 * Pages on disk, so that rows once walked past come back without asking the service again.
 * A ring in one file: page -> offset and length are kept in memory. Bytes are stored as given.
 */
export class Spool {
  readonly #file: string;
  readonly #limitBytes: number;
  readonly #onFault: (error: unknown) => void;
  #handle: Promise<FileHandle> | undefined;
  /** In the order written: the first is the oldest. */
  readonly #entries = new Map<number, Entry>();
  #nextOffset = 0;
  /** Rises with each `clear`: what was about to be written before it is dropped. */
  #epoch = 0;
  #isBroken = false;
  #isClosed = false;
  /** Reads and writes take turns, so that a ring slot is never read while it is overwritten. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor({ file, limitBytes = 64 * 1024 * 1024, onFault }: SpoolOptions) {
    this.#file = file;
    this.#limitBytes = limitBytes;
    this.#onFault = onFault;
  }

  get pageCount(): number {
    return this.#entries.size;
  }

  get pages(): readonly number[] {
    return [...this.#entries.keys()];
  }

  has(page: number): boolean {
    return this.#entries.has(page);
  }

  async put(page: number, bytes: Uint8Array): Promise<void> {
    const epoch = this.#epoch;
    await this.#inTurn(async () => {
      if (bytes.length > this.#limitBytes) return;
      const handle = await this.#open();
      if (epoch !== this.#epoch) return;
      const offset = this.#nextOffset + bytes.length > this.#limitBytes ? 0 : this.#nextOffset;
      const end = offset + bytes.length;
      this.#entries.delete(page);
      for (const entry of this.#entries.values()) {
        if (entry.offset < end && entry.offset + entry.length > offset) {
          this.#entries.delete(entry.page);
        }
      }
      await handle.write(bytes, 0, bytes.length, offset);
      if (epoch !== this.#epoch) return;
      this.#entries.set(page, { page, offset, length: bytes.length });
      this.#nextOffset = end;
    }, undefined);
  }

  async get(page: number): Promise<Uint8Array | undefined> {
    if (!this.#entries.has(page)) return undefined;
    return this.#inTurn(async () => {
      const entry = this.#entries.get(page);
      if (entry === undefined) return undefined;
      const handle = await this.#open();
      const bytes = new Uint8Array(entry.length);
      const { bytesRead } = await handle.read(bytes, 0, entry.length, entry.offset);
      if (bytesRead === entry.length) return bytes;
      this.#entries.delete(page);
      return undefined;
    }, undefined);
  }

  /** Forgets every page; the file is used again from its start. */
  clear(): void {
    this.#epoch += 1;
    this.#entries.clear();
    this.#nextOffset = 0;
  }

  /** Removes the file. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.clear();
    await this.#turn;
    const handle = this.#handle;
    this.#handle = undefined;
    if (handle === undefined) return;
    try {
      await (await handle).close();
      await rm(this.#file, { force: true });
    } catch (error) {
      this.#onFault(error);
    }
  }

  async #open(): Promise<FileHandle> {
    this.#handle ??= this.#create();
    return this.#handle;
  }

  /** Without a name from the start, where the system allows: nothing stays after a crash. */
  async #create(): Promise<FileHandle> {
    await mkdir(path.dirname(this.#file), { recursive: true });
    const handle = await open(this.#file, 'w+', 0o600);
    if (process.platform !== 'win32') await rm(this.#file, { force: true });
    return handle;
  }

  async #inTurn<Result>(work: () => Promise<Result>, otherwise: Result): Promise<Result> {
    const run = async (): Promise<Result> => {
      if (this.#isBroken || this.#isClosed) return otherwise;
      try {
        return await work();
      } catch (error) {
        this.#isBroken = true;
        this.clear();
        this.#onFault(error);
        return otherwise;
      }
    };
    const result = this.#turn.then(run);
    this.#turn = result;
    return result;
  }
}

/** Below the extension's global storage. */
export const spoolFolder = 'pages';

/** A name that says whose file it is. */
export const spoolName = (): string => `${process.pid}-${randomUUID()}`;

/** Removes what windows that were killed left behind. */
export async function removeLeftSpools(folder: string): Promise<void> {
  for (const name of (await ifThere(readdir(folder))) ?? []) {
    const pid = Number.parseInt(name, 10);
    if (!isRunningProcess(pid)) await rm(path.join(folder, name), { force: true });
  }
}
