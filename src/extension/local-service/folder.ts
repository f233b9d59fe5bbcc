import { randomBytes } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { isMissing } from '../shell/if-there.ts';
import { lazy } from '../shell/lazy.ts';

const Ready = lazy(() => z.object({ pid: z.int().positive(), socketPath: z.string().min(1) }));
/** What a running service says of itself, in its folder and when it is ready. */
export type Ready = z.output<ReturnType<typeof Ready>>;

/** The folder of the local workspace: database, socket, key, log. Only this user may enter. */
export class ServiceFolder {
  readonly path: string;

  constructor(folder: string) {
    this.path = folder;
  }

  get logFile(): string {
    return path.join(this.path, 'service.log');
  }

  /**
   * The key that guards the socket. It lies beside the database, readable by this user alone, and
   * not in the editor's secret storage: every window and every browser profile that opens this
   * folder needs the same key, and whoever can read it could read the database itself.
   */
  async key(): Promise<string> {
    await fs.mkdir(this.path, { recursive: true, mode: 0o700 });
    const file = path.join(this.path, 'key');
    try {
      await fs.writeFile(file, randomBytes(32).toString('base64url'), { flag: 'wx', mode: 0o600 });
    } catch (error) {
      // Written by an earlier start, or by another window just now.
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    }
    return (await fs.readFile(file, 'utf8')).trim();
  }

  /** Undefined when no service has announced itself, or the file is half written. */
  async announced(): Promise<Ready | undefined> {
    try {
      return readReady(await fs.readFile(path.join(this.path, 'service.json'), 'utf8'));
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }
}

export function readReady(text: string): Ready | undefined {
  try {
    return Ready().safeParse(JSON.parse(text)).data;
  } catch {
    // Not JSON: another program's line, or a file that is just being written.
    return undefined;
  }
}
