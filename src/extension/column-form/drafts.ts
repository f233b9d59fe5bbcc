import type * as vscode from 'vscode';
import * as z from 'zod';
import type { ColumnFormTarget, EnteredColumn } from '../../protocol/column-form.ts';

const memoryKey = 'promptTables.columnDrafts';
const mostKept = 20;

const name = z.string().max(1000);
const value = z.union([
  z.string().max(5_000_000),
  z.boolean(),
  z.array(name).max(1000),
  z.array(z.object({ name, column: name })).max(1000),
]);
/** What fields are filled in with. */
export const EnteredValues = z.record(name, value);
/** What somebody has filled a form in with. */
export const Entered = z.object({ title: name, type: name, values: EnteredValues });

const Kept = z.array(z.object({ of: z.string(), entered: Entered }));
type Kept = z.output<typeof Kept>;

/** The same for every form of a column, or of a new one of a sheet. */
const keyOf = ({ connectionId, tableId, sheetId, columnId }: ColumnFormTarget): string =>
  JSON.stringify([connectionId, tableId, sheetId, columnId]);

function keptIn(memory: vscode.Memento): Kept {
  const read = Kept.safeParse(memory.get(memoryKey));
  return read.success ? read.data : [];
}

/** What was typed into a form that was closed before it was saved. */
export const draftOf = (
  memory: vscode.Memento,
  target: ColumnFormTarget,
): EnteredColumn | undefined => keptIn(memory).find(({ of }) => of === keyOf(target))?.entered;

/** Null: it is of no use any more. */
export async function keepDraft(
  memory: vscode.Memento,
  target: ColumnFormTarget,
  entered: EnteredColumn | null,
): Promise<void> {
  const key = keyOf(target);
  const others = keptIn(memory).filter(({ of }) => of !== key);
  const kept = entered === null ? others : [{ of: key, entered }, ...others];
  await memory.update(memoryKey, kept.slice(0, mostKept));
}
