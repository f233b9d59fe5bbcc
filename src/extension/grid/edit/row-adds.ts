import { setTimeout as pause } from 'node:timers/promises';
import type { Row } from '../../../api/row.ts';
import { shownText } from '../cells/cell-presentation.ts';
import type { EditorHost } from '../editor-host.ts';
import type { Journal, RowRun, RowsAsked, WorkAdvance } from './journal.ts';
import { isPassing, persistently } from './persistently.ts';
import type { SheetSource } from '../rows/source.ts';

/** Rows that one request adds. */
const addedAtOnce = 100;
/** Rows that are looked at to find out whether a request has arrived. */
const mostLooked = 1000;

/** A request whose answer was lost has had its effect by then. */
const settleMs = 2000;

/** Values of TEXT columns by column id. */
export type RowValues = Readonly<Record<string, string>>;

export interface RowsToAdd {
  /** Of the work in the journal. */
  readonly id: string;
  readonly count: number;
  readonly values?: readonly RowValues[];
  /** How far an earlier window has come. */
  readonly advance?: WorkAdvance | undefined;
}

export interface AddContext {
  readonly source: SheetSource;
  readonly editorHost: EditorHost;
  readonly journal: Journal;
}

export interface AddProgress {
  readonly stop: AbortSignal;
  readonly added: (count: number) => void;
  readonly waits: (reason: string) => void;
}

const indicesOf = (runs: readonly RowRun[]): number[] =>
  runs.flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, at) => from + at));

/** Runs of neighbouring indices: very many rows are a few numbers. */
function withIndices(runs: readonly RowRun[], indices: readonly number[]): readonly RowRun[] {
  const all = [...runs];
  for (const index of indices) {
    const last = all.at(-1);
    if (last !== undefined && last[1] + 1 === index) all[all.length - 1] = [last[0], index];
    else all.push([index, index]);
  }
  return all;
}

const countOf = (runs: readonly RowRun[]): number =>
  runs.reduce((sum, [from, to]) => sum + to - from + 1, 0);

/**
 * Adds rows after the last one, each of them once: what was asked for is written down before, and
 * when no answer came, the end of the sheet is looked at before it is asked for again. Answers the
 * row indices.
 */
export async function addRowsOnce(
  context: AddContext,
  { id, count, values, advance }: RowsToAdd,
  progress: AddProgress,
): Promise<readonly number[]> {
  const { journal, source } = context;
  const { stop } = progress;
  let runs: readonly RowRun[] = advance?.runs ?? [];
  let asked: RowsAsked | null = advance?.asked ?? null;
  let isAnswered = asked === null;
  for (let left = count - countOf(runs); left > 0; left = count - countOf(runs)) {
    stop.throwIfAborted();
    const done = count - left;
    let indices: readonly number[] | undefined;
    if (asked === null) {
      const after =
        runs.at(-1)?.[1] ??
        (await persistently(() => lastIndex(source, stop), stop, progress.waits));
      asked = { after, count: Math.min(left, addedAtOnce) };
      await journal.advance(id, { runs, asked });
    } else if (!isAnswered) {
      const expected = values?.slice(done, done + asked.count);
      const known: RowsAsked = asked;
      indices = await persistently(
        () => findAdded(context, known, expected, stop),
        stop,
        progress.waits,
      );
    }
    if (indices === undefined) {
      const part = values?.slice(done, done + asked.count);
      try {
        const answer = await source.addRows(asked.count, stop, part);
        indices = answer.row_indices ?? (await indicesAfter(source, asked, stop));
      } catch (error) {
        stop.throwIfAborted();
        if (!isPassing(error)) throw error;
        // It may be on its way still: whether it arrives is found out before it is sent again.
        isAnswered = false;
        progress.waits(error instanceof Error ? error.message : String(error));
        await pause(settleMs, undefined, { signal: stop, ref: false });
        continue;
      }
    }
    runs = withIndices(runs, indices);
    asked = null;
    isAnswered = true;
    await journal.advance(id, { runs, asked });
    progress.added(countOf(runs));
  }
  return indicesOf(runs);
}

/** Row index of the last row; -1 in a sheet without rows. */
async function lastIndex(source: SheetSource, signal: AbortSignal): Promise<number> {
  return (await lastRows(source, 1, signal))[0]?.row_index ?? -1;
}

/** The last rows, the very last one first. */
async function lastRows(
  source: SheetSource,
  most: number,
  signal: AbortSignal,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  const query = { order: 'desc', columns: false, systemColumns: false, aggregates: false } as const;
  let cursor: string | undefined;
  do {
    const limit = Math.min(addedAtOnce, most - rows.length);
    const page = await source.rows({ ...query, limit, cursor }, signal);
    rows.push(...page.items);
    cursor = page.items.length === 0 ? undefined : page.nextCursor;
  } while (cursor !== undefined && rows.length < most);
  return rows;
}

async function rowsAfter(
  source: SheetSource,
  after: number,
  signal: AbortSignal,
): Promise<readonly Row[]> {
  const rows = await lastRows(source, mostLooked, signal);
  return rows.filter(({ row_index }) => row_index > after).reverse();
}

async function indicesAfter(
  source: SheetSource,
  { after, count }: RowsAsked,
  signal: AbortSignal,
): Promise<readonly number[]> {
  const rows = await rowsAfter(source, after, signal);
  return rows.slice(0, count).map(({ row_index }) => row_index);
}

/** Typed-in cells as they were asked for, and nothing in the others. */
const isAsAsked = ({ cells }: Row, values: RowValues = {}): boolean =>
  Object.entries(cells).every(([columnId, cell]) => {
    const isTyped = cell.status === 'completed';
    return !isTyped || (shownText(cell) ?? '') === (values[columnId] ?? '');
  });

/** Row indices of a request that was not answered; undefined: it has not arrived. */
async function findAdded(
  { source, editorHost }: AddContext,
  { after, count }: RowsAsked,
  values: readonly RowValues[] | undefined,
  signal: AbortSignal,
): Promise<readonly number[] | undefined> {
  const rows = await rowsAfter(source, after, signal);
  if (rows.length === 0) return undefined;
  const indices = rows.slice(0, count).map(({ row_index }) => row_index);
  if (rows.length === count && rows.every((row, at) => isAsAsked(row, values?.[at])))
    return indices;
  // Somebody else has added rows, too: which are whose can't be told from here.
  return (await editorHost.confirmRowsAgain(rows.length, count)) ? undefined : indices;
}
