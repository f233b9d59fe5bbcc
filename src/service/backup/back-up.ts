import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { open, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { loadSqlite } from '../store/load-sqlite.ts';
import { serviceVersion } from '../version.ts';
import { manifestLine, type Manifest } from './manifest.ts';
import { BackupError } from './usage.ts';

const GZIP_LEVEL = 3;
const WAIT_MS = 30_000;

/**
 * Writes what the folder holds at one moment into a file, whether its service runs or not. The file
 * is there when it is complete, or not at all. Needs as much space beside it as the data takes.
 */
export async function backUp(folder: string, file: string): Promise<Manifest> {
  const source = join(folder, 'tables.db');
  if (!existsSync(source)) {
    throw new BackupError(`${folder} holds no data. Give --data the folder of a local service.`);
  }
  if (existsSync(file)) {
    throw new BackupError(`${file} exists. Select another name: a backup is never overwritten.`);
  }
  const copy = `${file}.${String(process.pid)}.db`;
  const unfinished = `${file}.${String(process.pid)}.part`;
  try {
    // SQLite fills a file that is empty: this one is for its owner alone from the start.
    await writeFile(copy, '', { mode: 0o600, flag: 'wx' });
    const schema = copyDatabase(source, copy);
    const { sha256, byteCount } = await digestOf(copy);
    const facts = {
      schema,
      service_version: serviceVersion,
      created_at: new Date().toISOString(),
      byte_count: byteCount,
      sha256,
    };
    const head = Readable.from([manifestLine(facts)]);
    await pipeline(head, createWriteStream(unfinished, { mode: 0o600 }));
    await pipeline(
      createReadStream(copy),
      createGzip({ level: GZIP_LEVEL }),
      createWriteStream(unfinished, { flags: 'a', flush: true }),
    );
    await rename(unfinished, file);
    await syncFolder(dirname(file));
    return { format: 'prompt-tables-backup', format_version: 1, ...facts };
  } finally {
    for (const rest of [copy, `${copy}-journal`, unfinished]) await rm(rest, { force: true });
  }
}

/** One read transaction of SQLite: writers go on beside it. Answers the number of its schema. */
function copyDatabase(source: string, copy: string): number {
  const { DatabaseSync } = loadSqlite();
  const database = new DatabaseSync(source, { timeout: WAIT_MS });
  try {
    database.prepare('vacuum into ?').run(copy);
  } finally {
    database.close();
  }
  return examine(copy);
}

/** Answers the number of the schema of a database that is sound; throws for another. */
export function examine(file: string): number {
  const { DatabaseSync } = loadSqlite();
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const check = database.prepare('pragma quick_check(1)').get();
    if (check?.['quick_check'] !== 'ok') {
      throw new BackupError(
        `The data is damaged: ${String(check?.['quick_check'])}. Restore an earlier backup.`,
      );
    }
    const row = database.prepare('select max(number) as number from migrations').get();
    return Number(row?.['number'] ?? 0);
  } finally {
    database.close();
  }
}

async function digestOf(file: string): Promise<{ sha256: string; byteCount: number }> {
  const hash = createHash('sha256');
  let byteCount = 0;
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    hash.update(chunk);
    byteCount += chunk.length;
  }
  return { sha256: hash.digest('hex'), byteCount };
}

/** A new name survives a power cut only when its folder is on the disk too. */
export async function syncFolder(folder: string): Promise<void> {
  // Windows can not do it, and does not need it.
  if (process.platform === 'win32') return;
  await using handle = await open(folder, 'r');
  await handle.sync();
}
