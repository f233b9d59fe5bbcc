import * as z from 'zod';
import type { CellsChange } from '../../protocol/grid-work.ts';
import { CellMap } from './cell-map.ts';
import { requestSchemas } from './messages.ts';

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

/** What a journal holds. */
export class Contents {
  head: JournalHead | undefined;
  readonly entries = new CellMap<JournalEntry>();
  readonly works = new Map<string, JournalWork>();
  readonly advances = new Map<string, WorkAdvance>();
  draft: JournalDraft | null = null;

  get isEmpty(): boolean {
    return this.entries.size === 0 && this.works.size === 0 && this.draft === null;
  }

  apply(line: z.infer<typeof Line>): void {
    switch (line[0]) {
      case 'head':
        this.head = line[1];
        break;
      case 'put': {
        const [, ...entries] = line;
        for (const entry of entries) this.entries.set(entry, entry);
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

/**
 * Reads a journal. `faults`: lines that are no records. The last line counts only with its end: what
 * a crash has cut was never confirmed to anybody.
 */
export function readJournal(text: string): { contents: Contents; faults: readonly unknown[] } {
  const contents = new Contents();
  const faults: unknown[] = [];
  if (text.startsWith('{')) {
    try {
      for (const entry of Whole.parse(JSON.parse(text)).entries) {
        contents.entries.set(entry, entry);
      }
    } catch (error) {
      faults.push(error);
    }
    return { contents, faults };
  }
  for (let start = 0; ;) {
    const end = text.indexOf('\n', start);
    if (end < 0) break;
    try {
      contents.apply(Line.parse(JSON.parse(text.slice(start, end))));
    } catch (error) {
      faults.push(error);
    }
    start = end + 1;
  }
  return { contents, faults };
}
