import type * as vscode from 'vscode';
import * as z from 'zod';

const memoryKey = 'promptTables.endedForms';
const mostKept = 50;
const Kept = z.array(z.string());

function endedIn(memory: vscode.Memento): readonly string[] {
  const read = Kept.safeParse(memory.get(memoryKey));
  return read.success ? read.data : [];
}

/** The form was saved or cancelled: it is not to come back. */
export async function noteEnded(memory: vscode.Memento, formId: string): Promise<void> {
  await memory.update(memoryKey, [formId, ...endedIn(memory)].slice(0, mostKept));
}

export const hasEnded = (memory: vscode.Memento, formId: string): boolean =>
  endedIn(memory).includes(formId);
