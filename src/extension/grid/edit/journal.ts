import { randomUUID } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { mkdir, open, rename, rm, utimes } from 'node:fs/promises';
import path from 'node:path';
import type { CellAddress } from '../../../protocol/grid-cells.ts';
import type {
  JournalDraft,
  JournalEntry,
  JournalHead,
  JournalWork,
  WorkAdvance,
} from './journal-records.ts';
import {
  closedMark,
  isJournal,
  isOwned,
  namesIn,
  readFrom,
  toleratedWaste,
} from './journal-files.ts';
import { Contents } from './journal-records.ts';
import { isRunningProcess } from '../../shell/running-process.ts';
import { ifThere, isMissing } from '../../shell/if-there.ts';

export type {
  JournalDraft,
  JournalEntry,
  JournalHead,
  JournalWork,
  RowRun,
  RowsAsked,
  WorkAdvance,
} from './journal-records.ts';

const heartbeatMs = 10_000;
const entriesPerLine = 1000;

export interface JournalOptions {
  /** A folder of this sheet (and connection) alone. */
  readonly folder: string;
  /** So that what is left behind can be finished before anybody opens the sheet. */
  readonly head?: JournalHead;
  readonly onFault: (error: unknown) => void;
  readonly pid?: number;
  readonly isRunning?: (pid: number) => boolean;
}

/** What a window that is gone has left. */
export interface LeftBehind {
  readonly entries: readonly JournalEntry[];
  readonly works: readonly (readonly [JournalWork, WorkAdvance | undefined])[];
  readonly draft: JournalDraft | null;
}

/**
 * What a person has typed, pasted or confirmed in one sheet and the service has not acknowledged, on
 * disk: one file for each window, to which lines are added; it is written anew when most of it is
 * out of date. What a window left behind (closed, crashed or killed) is taken over by the next one.
 */
export class Journal {
  readonly #folder: string;
  readonly #head: JournalHead | undefined;
  readonly #onFault: (error: unknown) => void;
  readonly #isRunning: (pid: number) => boolean;
  readonly #file: string;
  readonly #kept = new Contents();
  /** Letters of the records that still count. */
  #liveBytes = 0;
  #fileBytes = 0;
  #lines: string[] = [];
  #isDurable = false;
  #handle: FileHandle | undefined;
  /** The file is not what it should be: it is written anew next time. */
  #isBroken = false;
  #turn: Promise<unknown> = Promise.resolve();
  #next: Promise<void> | undefined;
  #heartbeat: NodeJS.Timeout | undefined;

  constructor({
    folder,
    head,
    onFault,
    pid = process.pid,
    isRunning = isRunningProcess,
  }: JournalOptions) {
    this.#folder = folder;
    this.#head = head;
    this.#onFault = onFault;
    this.#isRunning = isRunning;
    this.#file = path.join(folder, `${pid}-${randomUUID()}.log`);
  }

  get draft(): JournalDraft | null {
    return this.#kept.draft;
  }

  /** What counts for a cell. */
  entry(cell: CellAddress): JournalEntry | undefined {
    return this.#kept.entries.get(cell);
  }

  /** Whether this very edit counts: it is neither settled nor replaced. */
  holds(entry: JournalEntry): boolean {
    return this.#kept.entries.get(entry) === entry;
  }

  /** Bytes on disk. */
  get size(): number {
    return this.#fileBytes;
  }

  /** When the promise is settled the entries are on the disk. */
  async put(entries: readonly JournalEntry[]): Promise<void> {
    for (let start = 0; start < entries.length; start += entriesPerLine) {
      const part = entries.slice(start, start + entriesPerLine);
      this.#keep(part);
      const text = `["put",${part.map((entry) => JSON.stringify(entry)).join(',')}]\n`;
      this.#liveBytes += text.length;
      this.#lines.push(text);
      try {
        await this.#flushSoon(start + entriesPerLine >= entries.length);
      } catch (error) {
        // The file is written anew when there is room again, with all of them.
        this.#keep(entries.slice(start + entriesPerLine));
        throw error;
      }
    }
  }

  #keep(entries: readonly JournalEntry[]): void {
    for (const entry of entries) {
      this.#count(this.#kept.entries.get(entry), undefined);
      this.#kept.entries.set(entry, entry);
    }
  }

  /** They are settled. To send one again after a crash would do no harm: nothing waits for the disk. */
  async drop(places: readonly { columnId: string; rowIndex: number }[]): Promise<void> {
    const gone = places.filter((place) => {
      this.#count(this.#kept.entries.get(place), undefined);
      return this.#kept.entries.delete(place);
    });
    if (gone.length === 0) return;
    const texts = gone.map(({ columnId, rowIndex }) => JSON.stringify([columnId, rowIndex]));
    this.#lines.push(`["drop",${texts.join(',')}]\n`);
    await this.#flushSoon(false);
  }

  /** The text that is being typed; null: there is none any more. */
  async keepDraft(draft: JournalDraft | null): Promise<void> {
    if (draft === null && this.#kept.draft === null) return;
    this.#count(this.#kept.draft, draft);
    this.#kept.draft = draft;
    this.#lines.push(`${JSON.stringify(['draft', draft])}\n`);
    await this.#flushSoon(false);
  }

  async begin(work: JournalWork): Promise<void> {
    this.#count(this.#kept.works.get(work.id), work);
    this.#kept.works.set(work.id, work);
    this.#lines.push(`${JSON.stringify(['work', work])}\n`);
    await this.#flushSoon(true);
  }

  async advance(id: string, advance: WorkAdvance): Promise<void> {
    if (!this.#kept.works.has(id)) return;
    this.#count(this.#kept.advances.get(id), advance);
    this.#kept.advances.set(id, advance);
    this.#lines.push(`${JSON.stringify(['advance', id, advance])}\n`);
    await this.#flushSoon(true);
  }

  async end(id: string): Promise<void> {
    this.#count(this.#kept.works.get(id), undefined);
    this.#count(this.#kept.advances.get(id), undefined);
    this.#kept.advances.delete(id);
    if (!this.#kept.works.delete(id)) return;
    this.#lines.push(`${JSON.stringify(['end', id])}\n`);
    await this.#flushSoon(true);
  }

  /** What windows that are gone have left; from now on it is this window's. */
  async adopt(): Promise<LeftBehind> {
    return this.#inTurn(async () => {
      const taken: string[] = [];
      const left = new Contents();
      for (const name of await this.#names()) {
        const file = await this.#take(name);
        if (file === undefined) continue;
        taken.push(file);
        left.merge(await this.#read(file));
      }
      const kept = this.#kept;
      // What this window has of the same cell is newer.
      const entries = [...left.entries.values()].filter((one) => !kept.entries.has(one));
      const draft = kept.draft === null ? left.draft : null;
      for (const entry of entries) kept.entries.set(entry, entry);
      for (const [id, work] of left.works) kept.works.set(id, work);
      for (const [id, one] of left.advances) kept.advances.set(id, one);
      kept.draft ??= draft;
      if (taken.length > 0) await this.#rewrite();
      await this.#removeHalves();
      for (const file of taken) await rm(file, { force: true });
      const works = [...left.works].map(([id, work]) => [work, left.advances.get(id)] as const);
      return { entries, works, draft };
    });
  }

  /** What is still in it may be adopted at once, also by this process. */
  async close(): Promise<void> {
    await this.#next?.catch(() => undefined);
    await this.#inTurn(async () => {
      await this.#release();
      try {
        await rename(this.#file, path.join(this.#folder, `${closedMark}-${randomUUID()}.log`));
      } catch (error) {
        if (!isMissing(error)) throw error;
      }
    });
  }

  /** A record does not count any more; another one does. */
  #count(before: unknown, after: unknown): void {
    const size = (value: unknown): number =>
      value === undefined || value === null ? 0 : JSON.stringify(value).length;
    this.#liveBytes += size(after) - size(before);
  }

  async #names(): Promise<readonly string[]> {
    const mine = path.basename(this.#file);
    return (await namesIn(this.#folder)).filter((name) => isJournal(name) && name !== mine);
  }

  /** Renames the file to a name of our own, which only one of several windows can do. */
  async #take(name: string): Promise<string | undefined> {
    const file = path.join(this.#folder, name);
    const extension = path.extname(name);
    const mine = `${this.#file.slice(0, -'.log'.length)}-${randomUUID()}${extension}`;
    const isFree = (await ifThere(isOwned(this.#folder, name, this.#isRunning))) === false;
    const isMine = isFree && (await ifThere(rename(file, mine).then(() => true)));
    if (isMine !== true) return undefined;
    // Renaming keeps the old time, by which others would take it for left behind.
    await utimes(mine, new Date(), new Date());
    return mine;
  }

  /** Files that were being written anew when their window was killed: what they replace is there. */
  async #removeHalves(): Promise<void> {
    for (const name of await namesIn(this.#folder)) {
      const isHalf = name.endsWith('.log.new');
      if (isHalf && (await ifThere(isOwned(this.#folder, name, this.#isRunning))) === false) {
        await rm(path.join(this.#folder, name), { force: true });
      }
    }
  }

  /** A file with parts that can't be read is put aside too, never lost: somebody's text may be in it. */
  async #read(file: string): Promise<Contents> {
    const { contents, faults } = await readFrom(file);
    if (faults.length > 0) {
      this.#onFault(faults[0]);
      await rename(file, `${file}.unreadable`);
    }
    return contents;
  }

  /** Those who ask while one is being written share the next one. */
  async #flushSoon(isDurable: boolean): Promise<void> {
    this.#isDurable ||= isDurable;
    this.#next ??= this.#inTurn(async () => {
      this.#next = undefined;
      await this.#flush();
    });
    return this.#next;
  }

  async #flush(): Promise<void> {
    const lines = this.#lines;
    const isDurable = this.#isDurable;
    this.#lines = [];
    this.#isDurable = false;
    try {
      if (this.#kept.isEmpty) {
        await this.#remove();
        return;
      }
      const waste = this.#fileBytes - this.#liveBytes;
      const isDue = waste > toleratedWaste && waste > this.#liveBytes;
      if (this.#handle === undefined || this.#isBroken || isDue) {
        await this.#rewrite();
        return;
      }
      for (const line of lines) await this.#write(this.#handle, line);
      if (isDurable) await this.#handle.datasync();
    } catch (error) {
      this.#isBroken = true;
      throw error;
    }
  }

  async #write(handle: FileHandle, text: string): Promise<void> {
    await handle.appendFile(text);
    this.#fileBytes += text.length;
  }

  async #remove(): Promise<void> {
    await this.#release();
    await rm(this.#file, { force: true });
    this.#isBroken = false;
  }

  async #release(): Promise<void> {
    clearInterval(this.#heartbeat);
    this.#heartbeat = undefined;
    const handle = this.#handle;
    this.#handle = undefined;
    this.#fileBytes = 0;
    await handle?.close();
  }

  /** Only what counts; the file that was there stays until the new one is on the disk. */
  async #rewrite(): Promise<void> {
    // All that was said is in what is kept.
    this.#lines = [];
    if (this.#kept.isEmpty) return this.#remove();
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const draft = `${this.#file}.new`;
    await this.#release();
    const handle = await open(draft, 'w', 0o600);
    try {
      for (const line of this.#everything()) await this.#write(handle, line);
      await handle.sync();
    } finally {
      // Windows renames no file that is open.
      await handle.close();
    }
    await rename(draft, this.#file);
    await this.#syncFolder();
    this.#handle = await open(this.#file, 'a', 0o600);
    // All of it counts now.
    this.#liveBytes = this.#fileBytes;
    this.#isBroken = false;
    this.#heartbeat ??= setInterval(() => void this.#touch(), heartbeatMs).unref();
  }

  *#everything(): Generator<string> {
    const { entries, works, advances, draft } = this.#kept;
    if (this.#head !== undefined)
      yield `${JSON.stringify(['head', { version: 2, ...this.#head }])}\n`;
    for (const work of works.values()) yield `${JSON.stringify(['work', work])}\n`;
    for (const [id, one] of advances) yield `${JSON.stringify(['advance', id, one])}\n`;
    if (draft !== null) yield `${JSON.stringify(['draft', draft])}\n`;
    let part: string[] = [];
    for (const entry of entries.values()) {
      part.push(JSON.stringify(entry));
      if (part.length < entriesPerLine) continue;
      yield `["put",${part.join(',')}]\n`;
      part = [];
    }
    if (part.length > 0) yield `["put",${part.join(',')}]\n`;
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
      if (!isMissing(error)) this.#onFault(error);
    }
  }

  async #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#turn.then(work);
    this.#turn = result.catch(() => undefined);
    return result;
  }
}
