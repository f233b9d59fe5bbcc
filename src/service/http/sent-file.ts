import { randomUUID } from 'node:crypto';
import { open, rm, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Database } from '../store/database.ts';
import { StoreError } from '../store/store-error.ts';

const PIECE_BYTES = 1024 * 1024;

/** Bytes that are read from wherever they are, as often as they are wanted. */
export interface Content {
  readonly byteCount: number;
  /** In pieces of one mebibyte, the last one shorter. */
  pieces(): AsyncIterable<Uint8Array>;
}

/** Bytes that are few enough to be held. */
export const contentOf = (bytes: Uint8Array): Content => ({
  byteCount: bytes.byteLength,
  pieces: async function* pieces() {
    for (let at = 0; at < bytes.byteLength; at += PIECE_BYTES) {
      yield bytes.subarray(at, at + PIECE_BYTES);
    }
  },
});

/** Where files wait: with the data, or where the system wants such files when the data is elsewhere. */
export const folderOf = ({ address }: Pick<Database, 'address'>): string =>
  address.kind === 'sqlite' ? dirname(address.path) : tmpdir();

/** A file that is sent: on the disk, without a name, for as long as its request takes. */
export class SentFile implements Content {
  readonly #handle: FileHandle;
  readonly #path: string;
  byteCount = 0;

  private constructor(handle: FileHandle, path: string) {
    this.#handle = handle;
    this.#path = path;
  }

  static async create(folder: string): Promise<SentFile> {
    const path = join(folder, `.upload-${randomUUID()}`);
    const file = new SentFile(await onDisk(() => open(path, 'wx+', 0o600)), path);
    // Without a name nothing is left of it, whatever becomes of this process. Windows keeps the name.
    if (process.platform !== 'win32') await rm(path, { force: true });
    return file;
  }

  async append(bytes: Uint8Array): Promise<void> {
    if (bytes.byteLength === 0) return;
    await onDisk(() => this.#handle.write(bytes, 0, bytes.byteLength, this.byteCount));
    this.byteCount += bytes.byteLength;
  }

  /** As if nothing had been written. */
  clear(): void {
    this.byteCount = 0;
  }

  async *pieces(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < this.byteCount; at += PIECE_BYTES) {
      const piece = Buffer.allocUnsafe(Math.min(PIECE_BYTES, this.byteCount - at));
      await this.#handle.read(piece, 0, piece.byteLength, at);
      yield piece;
    }
  }

  async close(): Promise<void> {
    await this.#handle.close();
    if (process.platform === 'win32') await rm(this.#path, { force: true });
  }
}

/** The disk of the service is full: that is said as it is of the database. */
async function onDisk<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const isFull = error instanceof Error && 'code' in error && error.code === 'ENOSPC';
    throw isFull ? new StoreError('full', error) : error;
  }
}
