import * as z from 'zod';
import type { CellsChange } from '../../../protocol/grid-work.ts';
import { CellMap } from '../rows/cell-map.ts';
import { requestSchemas } from '../messages.ts';

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

/** A text that is being typed, and not confirmed yet. */
const Draft = z.object({
  columnId: z.string(),
  rowIndex: z.number(),
  position: z.number(),
  text: z.string(),
  base: z.string().nullable(),
  since: z.string(),
});
export type JournalDraft = z.infer<typeof Draft>;

const changeSchema: z.ZodType<CellsChange> = requestSchemas.change;

/** Rows that were asked for and of which no answer came: they are there, or they are not. */
const Adding = z.object({ after: z.number(), count: z.number() });
export type RowsAsked = z.infer<typeof Adding>;

const common = { id: z.string(), since: z.string() };
/** What a person has confirmed and what is not settled into edits of single cells yet. */
const Work = z.discriminatedUnion('kind', [
  z.object({
    ...common,
    kind: z.literal('change'),
    change: changeSchema,
    /** Row index at the first place of the change; absent when it was not at hand. */
    anchor: z.object({ position: z.number(), rowIndex: z.number() }).optional(),
    /** All rows were shown, in the order of the sheet. */
    isPlain: z.boolean(),
    rowsToAdd: z.number(),
  }),
  z.object({ ...common, kind: z.literal('addRows'), rowsToAdd: z.number() }),
  z.object({
    ...common,
    kind: z.literal('deleteRows'),
    rowIndices: z.array(z.number()).readonly(),
  }),
]);
export type JournalWork = z.infer<typeof Work>;

/** First and last of row indices without a gap. */
const Run = z.tuple([z.number(), z.number()]).readonly();
export type RowRun = z.infer<typeof Run>;
/** How far a work that adds rows has come. */
const Advance = z.object({ runs: z.array(Run).readonly(), asked: Adding.nullable() });
export type WorkAdvance = z.infer<typeof Advance>;

/** Which sheet the journal is of. */
const Head = z.object({
  version: z.literal(2),
  connectionId: z.string(),
  tableId: z.string(),
  sheetId: z.string(),
});
export type JournalHead = Omit<z.infer<typeof Head>, 'version'>;

/** One line of the file. */
const Line = z.union([
  z.tuple([z.literal('head'), Head]),
  z.tuple([z.literal('put')]).rest(Entry),
  z.tuple([z.literal('drop')]).rest(z.tuple([z.string(), z.number()])),
  z.tuple([z.literal('draft'), Draft.nullable()]),
  z.tuple([z.literal('work'), Work]),
  z.tuple([z.literal('advance'), z.string(), Advance]),
  z.tuple([z.literal('end'), z.string()]),
]);

const Whole = z.object({ format: z.literal(1), entries: z.array(Entry) });

const mostTexts = 1000;

/** What a journal holds. */
export class Contents {
  head: JournalHead | undefined;
  readonly entries = new CellMap<JournalEntry>();
  readonly works = new Map<string, JournalWork>();
  readonly advances = new Map<string, WorkAdvance>();
  draft: JournalDraft | null = null;
  readonly #texts = new Map<string, string>();

  get isEmpty(): boolean {
    return this.entries.size === 0 && this.works.size === 0 && this.draft === null;
  }

  /** Very many entries have the same column and time: each text is held once. */
  put(entry: JournalEntry): void {
    entry.columnId = this.#once(entry.columnId);
    entry.since = this.#once(entry.since);
    this.entries.set(entry, entry);
  }

  apply(line: z.infer<typeof Line>): void {
    switch (line[0]) {
      case 'head':
        this.head = line[1];
        break;
      case 'put': {
        const [, ...entries] = line;
        for (const entry of entries) this.put(entry);
        break;
      }
      case 'drop': {
        const [, ...places] = line;
        for (const [columnId, rowIndex] of places) this.entries.delete({ columnId, rowIndex });
        break;
      }
      case 'draft':
        this.draft = line[1];
        break;
      case 'work':
        this.works.set(line[1].id, line[1]);
        break;
      case 'advance':
        this.advances.set(line[1], line[2]);
        break;
      case 'end':
        this.works.delete(line[1]);
        this.advances.delete(line[1]);
    }
  }

  #once(text: string): string {
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    if (this.#texts.size >= mostTexts) this.#texts.clear();
    this.#texts.set(text, text);
    return text;
  }

  /** Of two edits of one cell, and of two drafts, the later one counts. */
  merge(other: Contents): void {
    this.head ??= other.head;
    for (const entry of other.entries.values()) {
      const mine = this.entries.get(entry);
      if (mine === undefined || mine.since < entry.since) this.entries.set(entry, entry);
    }
    for (const [id, work] of other.works) this.works.set(id, work);
    for (const [id, advance] of other.advances) this.advances.set(id, advance);
    if (other.draft !== null && (this.draft === null || this.draft.since < other.draft.since)) {
      this.draft = other.draft;
    }
  }
}

const lineEnd = 10;
const openObject = 123;

/** Lines with their end; what comes after the last one is the rest, answered when all are read. */
async function* linesOf(pieces: Pieces): AsyncGenerator<string, string> {
  let kept: Uint8Array[] = [];
  for await (const piece of pieces) {
    let start = 0;
    for (let end = piece.indexOf(lineEnd); end >= 0; end = piece.indexOf(lineEnd, start)) {
      yield textOf([...kept, piece.subarray(start, end)]);
      kept = [];
      start = end + 1;
    }
    if (start < piece.length) kept.push(piece.subarray(start));
  }
  return textOf(kept);
}

const textOf = (parts: readonly Uint8Array[]): string =>
  (parts.length === 1 && parts[0] !== undefined
    ? Buffer.from(parts[0].buffer, parts[0].byteOffset, parts[0].byteLength)
    : Buffer.concat(parts)
  ).toString('utf8');

export type Pieces = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/**
 * Reads a journal, never more than a line of it at once: it may be long. `faults`: lines that are no
 * records. The last line counts only with its end: what a crash has cut was never confirmed to
 * anybody. `isEnough`: what follows is of no interest.
 */
export async function readJournal(
  pieces: Pieces,
  isEnough: (contents: Contents) => boolean = () => false,
): Promise<{ contents: Contents; faults: readonly unknown[] }> {
  const contents = new Contents();
  const faults: unknown[] = [];
  const lines = linesOf(pieces);
  for (;;) {
    const { value: line, done = false } = await lines.next();
    const isWhole = line.charCodeAt(0) === openObject;
    if (done && !isWhole) return { contents, faults };
    try {
      if (isWhole) for (const entry of Whole.parse(JSON.parse(line)).entries) contents.put(entry);
      else contents.apply(Line.parse(JSON.parse(line)));
    } catch (error) {
      faults.push(error);
    }
    if (done || isEnough(contents)) break;
  }
  await lines.return('');
  return { contents, faults };
}
