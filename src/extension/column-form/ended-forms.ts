import type * as vscode from 'vscode';
import * as z from 'zod';
import type { App } from '../shell/app.ts';
import { lazy } from '../shell/lazy.ts';

const memoryKey = 'promptTables.endedForms';
const mostKept = 50;
const Kept = lazy(() => z.array(z.string()));

function endedIn(memory: vscode.Memento): readonly string[] {
  const read = Kept().safeParse(memory.get(memoryKey));
  return read.success ? read.data : [];
}

/** The form was saved or cancelled: it is not to come back. */
export async function noteEnded(memory: vscode.Memento, formId: string): Promise<void> {
  await memory.update(memoryKey, [formId, ...endedIn(memory)].slice(0, mostKept));
}

const hasEnded = (memory: vscode.Memento, formId: string): boolean =>
  endedIn(memory).includes(formId);

/** Opens a form again that was open before a reload; false: its tab is to be closed. */
export async function formComesBack(
  app: App,
  formId: string,
  open: () => Promise<void>,
  doing: string,
): Promise<boolean> {
  // VS Code may bring back a form that was saved or cancelled a moment before.
  if (hasEnded(app.context.workspaceState, formId)) return false;
  try {
    await open();
    return true;
  } catch (error) {
    // A form without its sheet is of no use; why it is gone is said.
    app.errors.show(error, { doing });
    return false;
  }
}
