import { randomUUID } from 'node:crypto';
import type { SheetRequests } from '../../../protocol/grid.ts';
import type { RowRange } from '../../../protocol/grid-cells.ts';
import type { EditorHost } from '../editor-host.ts';
import type { Journal, JournalWork, WorkAdvance } from './journal.ts';
import { persistently } from './persistently.ts';
import { rowsIn, settleRanges } from '../rows/positions.ts';
import type { AddProgress, RowsToAdd } from './row-adds.ts';
import { addRowsOnce } from './row-adds.ts';
import type { SheetState } from '../rows/sheet-state.ts';
import type { SheetSource } from '../rows/source.ts';
import type { Tasks } from '../tasks.ts';

export interface RowContext {
  readonly state: SheetState;
  readonly source: SheetSource;
  readonly editorHost: EditorHost;
  readonly journal: Journal;
  readonly journalFault: (error: unknown) => void;
  readonly tasks: Tasks;
  /** The window closes: what is begun stays in the journal. */
  readonly closing: AbortSignal;
  /** `start`: rows were only added after the last one. */
  readonly renew: (keeps: 'nothing' | 'start') => Promise<void>;
}

const deletedAtOnce = 1000;

/** Appends rows and shows them. Answers their row indices. */
export async function appendRows(
  context: RowContext,
  rows: RowsToAdd,
  progress: AddProgress,
): Promise<readonly number[]> {
  const { state, editorHost, renew } = context;
  let hasAdded = rows.advance !== undefined;
  try {
    return await addRowsOnce(context, rows, {
      ...progress,
      added: (count) => {
        hasAdded = true;
        progress.added(count);
      },
    });
  } finally {
    // What was added is there, also when the rest failed.
    if (hasAdded && !context.closing.aborted) {
      await renew(state.order === 'asc' ? 'start' : 'nothing');
      editorHost.changed('rows');
    }
  }
}

/** In the journal until it is done; one that fails has told its reason and is not tried again. */
async function kept<Result>(
  { journal, journalFault, closing }: RowContext,
  work: JournalWork,
  carryOut: () => Promise<Result>,
): Promise<Result> {
  await journal.begin(work).catch(journalFault);
  try {
    return await carryOut();
  } finally {
    if (!closing.aborted) await journal.end(work.id).catch(journalFault);
  }
}

type AddWork = JournalWork & { readonly kind: 'addRows' };
type DeleteWork = JournalWork & { readonly kind: 'deleteRows' };

const begun = (): { readonly id: string; readonly since: string } => ({
  id: randomUUID(),
  since: new Date().toISOString(),
});

export async function addRows(
  context: RowContext,
  count: number,
): Promise<{ readonly rowCount: number }> {
  await carryOutAdding({ ...begun(), kind: 'addRows', rowsToAdd: count }, undefined, context);
  return { rowCount: context.state.rowCount ?? 0 };
}

export async function carryOutAdding(
  work: AddWork,
  advance: WorkAdvance | undefined,
  context: RowContext,
): Promise<void> {
  const { t } = context.editorHost;
  const { id, rowsToAdd } = work;
  await kept(context, work, () =>
    context.tasks.run(t('Adding rows'), (stop, progress) =>
      appendRows(
        context,
        { id, count: rowsToAdd, advance },
        {
          stop,
          added: (count) =>
            progress.report({
              message: t('{0} of {1} rows', count, rowsToAdd),
              percent: (count / rowsToAdd) * 100,
            }),
          waits: (reason) =>
            progress.report({ message: t('Waiting for the service: {0}', reason) }),
        },
      ),
    ),
  );
}

/** The user is asked first. */
export async function deleteRows(
  context: RowContext,
  rows: readonly RowRange[],
  signal: AbortSignal,
): Promise<SheetRequests['deleteRows']['result']> {
  const { state, editorHost } = context;
  const ranges = settleRanges(rows, state.shown.count);
  const count = rowsIn(ranges);
  // Which rows these are is settled before the question: they may move while it is open.
  const rowIndices = await state.shown.rowIndices(ranges, signal);
  if (count === 0 || !(await editorHost.confirmDelete(count))) return { deleted: 0 };
  return carryOutDeleting({ ...begun(), kind: 'deleteRows', rowIndices }, context);
}

export async function carryOutDeleting(
  work: DeleteWork,
  context: RowContext,
): Promise<SheetRequests['deleteRows']['result']> {
  const { source, editorHost, tasks, renew, closing } = context;
  const { t } = editorHost;
  const { rowIndices } = work;
  let deleted = 0;
  const remove = (): Promise<void> =>
    tasks.run(t('Deleting rows'), async (stop, progress) => {
      const waits = (reason: string): void =>
        progress.report({ message: t('Waiting for the service: {0}', reason) });
      try {
        while (deleted < rowIndices.length && !stop.aborted) {
          const part = rowIndices.slice(deleted, deleted + deletedAtOnce);
          await persistently(() => source.deleteRows(part, stop), stop, waits);
          deleted += part.length;
          progress.report({
            message: t('{0} of {1} rows', deleted, rowIndices.length),
            percent: (deleted / rowIndices.length) * 100,
          });
        }
      } finally {
        if (deleted > 0 && !closing.aborted) {
          await renew('nothing');
          editorHost.changed('rows');
        }
      }
    });
  await kept(context, work, remove);
  const left = rowIndices.length - deleted;
  return { deleted, ...(left > 0 && { left }) };
}
