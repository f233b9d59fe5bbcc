import { createReadStream } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { ValidationError } from '../../core/errors.ts';
import { parseJsonAsWritten, stringifyJson } from '../../core/http/json.ts';
import { ifThere } from '../shell/if-there.ts';
import { noteWrite } from '../shell/last-writes.ts';
import type { Translate } from '../shell/translate.ts';
import { Line } from './records.ts';

/** Of one matrix; what would make it longer is refused before it is paid for. */
const largestFile = 256 * 1024 * 1024;
/** So long a matrix that nobody comes back to is kept. */
const keptMs = 30 * 24 * 3_600_000;
const newline = 10;

/** Where a line stands in the file. */
export interface Place {
  readonly start: number;
  readonly length: number;
}

interface JournalOptions {
  readonly folder: string;
  readonly id: string;
  readonly t: Translate;
  readonly largest?: number;
}

const fileOf = (folder: string, id: string): string => {
  if (!/^[\w-]{1,64}$/.test(id)) throw new Error("This isn't an id of a matrix.");
  return path.join(folder, `${id}.jsonl`);
};

/** Removes what nobody has come back to. */
export async function pruneJournals(folder: string, now = Date.now()): Promise<void> {
  for (const name of (await ifThere(readdir(folder))) ?? []) {
    if (!/^[\w-]{1,64}\.jsonl$/.test(name)) continue;
    const file = path.join(folder, name);
    const found = await ifThere(stat(file));
    const age = found === undefined ? 0 : now - found.mtimeMs;
    if (age > keptMs) await rm(file, { force: true });
  }
}

export interface KeptMatrix {
  readonly id: string;
  readonly title: string;
  /** When something was last added: milliseconds since the epoch. */
  readonly changedAt: number;
}

/** The plan is among the first lines. */
async function titleIn(file: string): Promise<string | undefined> {
  const lines = createInterface({ input: createReadStream(file), crlfDelay: Infinity });
  let left = 5;
  try {
    for await (const text of lines) {
      const line = Line.safeParse(parseJsonAsWritten(text));
      if (line.data?.kind === 'plan') return line.data.plan.title;
      left -= 1;
      if (left === 0) return undefined;
    }
    return undefined;
  } finally {
    lines.close();
  }
}

/** All that are kept, the latest first. One that can't be read is left out and reported. */
export async function keptMatrices(
  folder: string,
  onFault: (error: unknown) => void,
): Promise<readonly KeptMatrix[]> {
  const found: KeptMatrix[] = [];
  for (const name of (await ifThere(readdir(folder))) ?? []) {
    const [, id] = /^([\w-]{1,64})\.jsonl$/.exec(name) ?? [];
    if (id === undefined) continue;
    const file = path.join(folder, name);
    try {
      const title = await titleIn(file);
      const { mtimeMs: changedAt } = await stat(file);
      if (title !== undefined) found.push({ id, title, changedAt });
    } catch (error) {
      onFault(error);
    }
  }
  return found.toSorted((a, b) => b.changedAt - a.changedAt);
}

/**
 * What one matrix asked and was answered, in a file that only this user may read, to which lines are
 * added. An answer is on the disk before anybody is told of it; a line that a crash has cut is left out.
 */
export class MatrixJournal {
  readonly #file: string;
  readonly #folder: string;
  readonly #t: Translate;
  readonly #largest: number;
  #handle: FileHandle | undefined;
  #size = 0;
  #turn: Promise<unknown> = Promise.resolve();
  #syncing: Promise<void> = Promise.resolve();
  #nextSync: Promise<void> | undefined;

  constructor({ folder, id, t, largest = largestFile }: JournalOptions) {
    this.#folder = folder;
    this.#file = fileOf(folder, id);
    this.#t = t;
    this.#largest = largest;
  }

  /** Every line that is whole, from the first on; then the file is ready to be added to. */
  async open(take: (line: Line, place: Place) => void): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const handle = await open(this.#file, 'a+', 0o600);
    this.#handle = handle;
    try {
      const end = await this.#read(take);
      // What was cut would make the next line unreadable as well.
      if ((await handle.stat()).size > end) await handle.truncate(end);
      this.#size = end;
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  get isFull(): boolean {
    return this.#size >= this.#largest;
  }

  /**
   * Settled when it is in the file, and what was paid for on the disk. Lines keep their order. Errors:
   * those of the disk.
   */
  async add(line: Line): Promise<Place> {
    const writing = this.#turn.then(() => this.#add(line));
    this.#turn = writing.catch(() => undefined);
    noteWrite(writing);
    const place = await writing;
    if (line.kind === 'answer' || line.kind === 'judged') await this.#sync();
    return place;
  }

  async line(place: Place): Promise<Line> {
    const bytes = Buffer.alloc(place.length);
    const { bytesRead } = await this.#opened.read(bytes, 0, place.length, place.start);
    return Line.parse(parseJsonAsWritten(bytes.subarray(0, bytesRead).toString('utf8')));
  }

  async close(): Promise<void> {
    await this.#turn;
    await this.#nextSync?.catch(() => undefined);
    await this.#syncing.catch(() => undefined);
    const handle = this.#handle;
    this.#handle = undefined;
    await handle?.close();
  }

  async remove(): Promise<void> {
    await this.close();
    await rm(this.#file, { force: true });
  }

  get #opened(): FileHandle {
    if (this.#handle === undefined) throw new Error('The journal is closed.');
    return this.#handle;
  }

  /** Those who come together wait for the disk once. */
  #sync(): Promise<void> {
    this.#nextSync ??= this.#syncing
      .catch(() => undefined)
      .then(() => {
        this.#nextSync = undefined;
        this.#syncing = this.#opened.datasync();
        return this.#syncing;
      });
    return this.#nextSync;
  }

  async #add(line: Line): Promise<Place> {
    const bytes = Buffer.from(`${stringifyJson(line)}\n`, 'utf8');
    const start = this.#size;
    if (line.kind === 'cases' && start + bytes.length > this.#largest) {
      const t = this.#t;
      throw new ValidationError(t('The cases are too large to be kept.'), {
        hint: t('Compare fewer or smaller cases at a time.'),
      });
    }
    const handle = this.#opened;
    if ((await handle.stat()).size !== start) {
      const t = this.#t;
      throw new ValidationError(t('This comparison was changed in another window.'), {
        hint: t('Close this tab, and open the comparison again.'),
      });
    }
    try {
      await handle.appendFile(bytes);
    } catch (error) {
      // Half a line must not stay before the next one.
      await handle.truncate(start);
      throw error;
    }
    this.#size = start + bytes.length;
    return { start, length: bytes.length - 1 };
  }

  async #read(take: (line: Line, place: Place) => void): Promise<number> {
    let start = 0;
    let rest: Buffer[] = [];
    for await (const chunk of createReadStream(this.#file) as AsyncIterable<Buffer>) {
      let from = 0;
      for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, from)) {
        const bytes = Buffer.concat([...rest, chunk.subarray(from, at)]);
        rest = [];
        from = at + 1;
        take(Line.parse(parseJsonAsWritten(bytes.toString('utf8'))), {
          start,
          length: bytes.length,
        });
        start += bytes.length + 1;
      }
      if (from < chunk.length) rest.push(chunk.subarray(from));
    }
    return start;
  }
}
