import { open } from 'node:fs/promises';
import * as z from 'zod';
import { BackupError } from './usage.ts';

const FORMAT = 'prompt-tables-backup';
/** The manifest is the first line; no longer one is looked for. */
const LONGEST_LINE = 4096;

/** The first line of a back-up, as JSON. What follows is the SQLite database, compressed by gzip. */
export const Manifest = z.looseObject({
  format: z.literal(FORMAT),
  /** Of this file, not of the data. */
  format_version: z.literal(1),
  /** Number of the newest migration that the data has. */
  schema: z.number(),
  service_version: z.string(),
  /** ISO 8601, UTC. */
  created_at: z.string(),
  /** Bytes of the database before it is compressed. */
  byte_count: z.number(),
  /** Of the same bytes, hexadecimal. */
  sha256: z.string(),
});
export type Manifest = z.infer<typeof Manifest>;

export const manifestLine = (facts: Omit<Manifest, 'format' | 'format_version'>): string =>
  `${JSON.stringify({ format: FORMAT, format_version: 1, ...facts })}\n`;

export interface ReadManifest {
  readonly manifest: Manifest;
  /** Where the compressed database begins. */
  readonly offset: number;
}

export async function readManifest(file: string): Promise<ReadManifest> {
  const head = await readHead(file);
  const end = head.indexOf(0x0a);
  const parsed = end < 0 ? undefined : Manifest.safeParse(jsonOf(head.toString('utf8', 0, end)));
  if (parsed?.success !== true) {
    throw new BackupError(`${file} is not a backup that this version can read. Select another.`);
  }
  return { manifest: parsed.data, offset: end + 1 };
}

async function readHead(file: string): Promise<Buffer> {
  try {
    await using handle = await open(file, 'r');
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(LONGEST_LINE), 0, LONGEST_LINE, 0);
    return buffer.subarray(0, bytesRead);
  } catch (cause) {
    throw new BackupError(`${file} can't be read. Check the path and its permissions.`, {
      cause,
    });
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not a manifest: the schema refuses it.
    return undefined;
  }
}
