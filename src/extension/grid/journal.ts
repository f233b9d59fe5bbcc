import { randomUUID } from 'node:crypto';
import { mkdir, open, readFile, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { isRunningProcess } from './running-process.ts';

/** An edit that the service has not acknowledged. */
const Entry = z.object({
  columnId: z.string(),
  rowIndex: z.number(),
  /** Null: the value null. */
  text: z.string().nullable(),
  /** What the user saw when the edit began. */
  base: z.string().nullable(),
  cellId: z.string().optional(),
  /** ISO 8601. */
  since: z.string(),
});
export type JournalEntry = z.infer<typeof Entry>;
const Contents = z.object({ format: z.literal(1), entries: z.array(Entry) });

/** An owner that has not touched its file for this long is gone, even if its pid is in use again. */
const silenceMs = 60_000;
const heartbeatMs = 10_000;
const closedMark = 'closed';

export interface JournalOptions {
  /** A folder of this sheet (and connection) alone. */
  readonly folder: string;
  readonly onFault: (error: unknown) => void;
  readonly pid?: number;
  readonly isRunning?: (pid: number) => boolean;
}

/**
 * Unacknowledged edits of one sheet on disk: one file for each window, replaced as a whole. What a
 * window left behind (closed, crashed or killed) is taken over by the next one that opens the sheet.
 */
export class Journal {
  readonly #folder: string;
  readonly #onFault: (error: unknown) => void;
  readonly #isRunning: (pid: number) => boolean;
  readonly #file: string;
  #turn: Promise<unknown> = Promise.resolve();
  #heartbeat: NodeJS.Timeout | undefined;

  constructor({
    folder,
    onFault,
    pid = process.pid,
    isRunning = isRunningProcess,
  }: JournalOptions) {
    this.#folder = folder;
    this.#onFault = onFault;
    this.#isRunning = isRunning;
    this.#file = path.join(folder, `${pid}-${randomUUID()}.json`);
  }

  /** Edits left behind by windows that are gone; from now on they are this window's. */
  async adopt(): Promise<readonly JournalEntry[]> {
    return this.#inTurn(async () => {
      const entries = new Map<string, JournalEntry>();
      const taken: string[] = [];
      for (const name of await this.#names()) {
        const file = await this.#take(name);
        if (file === undefined) continue;
        const found = await this.#read(file);
        if (found === undefined) continue;
        taken.push(file);
        for (const entry of found) {
          const key = `${entry.columnId} ${entry.rowIndex}`;
          const other = entries.get(key);
          if (other === undefined || other.since < entry.since) entries.set(key, entry);
        }
      }
      const adopted = [...entries.values()];
      if (adopted.length > 0) await this.#replace(adopted);
      for (const file of taken) await rm(file, { force: true });
      return adopted;
    });
  }

  /** When the promise is settled the entries are on the disk. */
  async write(entries: readonly JournalEntry[]): Promise<void> {
    await this.#inTurn(() => this.#replace(entries));
  }

  /** What is still in it may be adopted at once, also by this process. */
  async close(): Promise<void> {
    await this.#inTurn(async () => {
      clearInterval(this.#heartbeat);
      try {
        await rename(this.#file, path.join(this.#folder, `${closedMark}-${randomUUID()}.json`));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      }
    });
  }

  async #names(): Promise<readonly string[]> {
    try {
      const names = await readdir(this.#folder);
      return names.filter((name) => name.endsWith('.json') && name !== path.basename(this.#file));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw error;
    }
  }

  /** Renames the file to a name of our own, which only one of several windows can do. */
  async #take(name: string): Promise<string | undefined> {
    const file = path.join(this.#folder, name);
    const mine = `${this.#file.slice(0, -'.json'.length)}-${randomUUID()}.json`;
    try {
      const [owner = ''] = name.split('-');
      const isOwned =
        owner !== closedMark &&
        this.#isRunning(Number(owner)) &&
        Date.now() - (await stat(file)).mtimeMs < silenceMs;
      if (isOwned) return undefined;
      await rename(file, mine);
      return mine;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  }

  /** A file that can't be read is put aside, never deleted: somebody's text may be in it. */
  async #read(file: string): Promise<readonly JournalEntry[] | undefined> {
    try {
      return Contents.parse(JSON.parse(await readFile(file, 'utf8'))).entries;
    } catch (error) {
      this.#onFault(error);
      await rename(file, `${file}.unreadable`);
      return undefined;
    }
  }

  async #replace(entries: readonly JournalEntry[]): Promise<void> {
    if (entries.length === 0) {
      await rm(this.#file, { force: true });
      clearInterval(this.#heartbeat);
      this.#heartbeat = undefined;
      return;
    }
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const draft = `${this.#file}.new`;
    const handle = await open(draft, 'w', 0o600);
    try {
      await handle.writeFile(JSON.stringify({ format: 1, entries }));
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, this.#file);
    await this.#syncFolder();
    this.#heartbeat ??= setInterval(() => void this.#touch(), heartbeatMs).unref();
  }

  /** Makes the rename itself durable. Windows can't open folders, and does not need it. */
  async #syncFolder(): Promise<void> {
    if (process.platform === 'win32') return;
    const handle = await open(this.#folder, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  }

  async #touch(): Promise<void> {
    const now = new Date();
    try {
      await utimes(this.#file, now, now);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') this.#onFault(error);
    }
  }

  async #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#turn.then(work);
    this.#turn = result.catch(() => undefined);
    return result;
  }
}
