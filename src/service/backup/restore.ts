import { createHash } from 'node:crypto';
import {
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  readdirSync,
  rmdirSync,
} from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { Transform, type TransformCallback } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { lockDataFolder, type DataLock } from '../process/data-lock.ts';
import { loadSqlite } from '../store/load-sqlite.ts';
import { NewerSchemaError, newestSchema } from '../store/migrate.ts';
import { examine, syncFolder } from './back-up.ts';
import { readManifest, type Manifest, type ReadManifest } from './manifest.ts';
import { BackupError } from './usage.ts';

/**
 * Puts a back-up into a folder. Nothing of the folder changes before the whole back-up is there and
 * its checksum is right; then the data is exchanged at once, so it is the old one or the new one.
 */
export async function restore(
  file: string,
  folder: string,
  { replace }: { readonly replace: boolean },
): Promise<Manifest> {
  const read = await readManifest(file);
  if (read.manifest.schema > newestSchema) {
    throw new NewerSchemaError(read.manifest.schema, newestSchema);
  }
  const before = existsSync(folder) ? readdirSync(folder) : [];
  if (!replace && before.some((name) => !lockFiles.includes(name))) {
    throw new BackupError(
      `${folder} is not empty. Select another folder, or give --replace to lose what it holds.`,
    );
  }
  const firstMade = mkdirSync(folder, { recursive: true, mode: 0o700 });
  const unfinished = join(folder, 'tables.db.restored');
  let lock: DataLock | undefined;
  let isDone = false;
  try {
    lock = lockDataFolder(folder);
    await unpack(file, read, unfinished);
    examine(unfinished);
    const place = join(folder, 'tables.db');
    if (existsSync(place)) emptyLog(place);
    await rename(unfinished, place);
    await syncFolder(folder);
    isDone = true;
    return read.manifest;
  } finally {
    if (lock !== undefined) await rm(unfinished, { force: true });
    lock?.release();
    if (!isDone) await removeMade(folder, before, firstMade);
  }
}

/** What a folder in use holds beside its data. */
const lockFiles = ['lock.db', 'lock.json'];

/** The folder is as it was before: without our lock, and gone if it was not there. */
async function removeMade(
  folder: string,
  before: readonly string[],
  firstMade: string | undefined,
): Promise<void> {
  for (const name of lockFiles) {
    if (!before.includes(name)) await rm(join(folder, name), { force: true });
  }
  if (firstMade === undefined) return;
  for (let at = resolve(folder); at.length >= firstMade.length; at = dirname(at)) rmdirSync(at);
}

async function unpack(file: string, { manifest, offset }: ReadManifest, to: string): Promise<void> {
  const hash = createHash('sha256');
  let byteCount = 0;
  const meter = new Transform({
    transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
      byteCount += chunk.length;
      // A file that was tampered with must not fill the disk.
      if (byteCount > manifest.byte_count) {
        done(damaged(file, 'it holds more than it says'));
        return;
      }
      hash.update(chunk);
      done(null, chunk);
    },
  });
  const target = createWriteStream(to, { mode: 0o600, flush: true });
  try {
    await pipeline(createReadStream(file, { start: offset }), createGunzip(), meter, target);
  } catch (error) {
    if (isOfZlib(error)) throw damaged(file, "it can't be unpacked", error);
    throw error;
  }
  if (hash.digest('hex') !== manifest.sha256) throw damaged(file, 'its checksum is another');
}

const damaged = (file: string, reason: string, cause?: unknown): BackupError =>
  new BackupError(`${file} is damaged: ${reason}. The folder is as it was; use another backup.`, {
    cause,
  });

const isOfZlib = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  typeof error.code === 'string' &&
  error.code.startsWith('Z_');

/**
 * Brings what SQLite has written beside the database into it: a log of the old database next to the
 * new one would be taken for its own.
 */
function emptyLog(place: string): void {
  const { DatabaseSync } = loadSqlite();
  const old = new DatabaseSync(place);
  try {
    old.exec('pragma journal_mode = delete');
  } finally {
    old.close();
  }
}
