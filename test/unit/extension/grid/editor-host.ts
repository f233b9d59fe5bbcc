import type { EditorHost, RunOrder } from '../../../../src/extension/grid/editor-host.ts';
import type { PasteForm } from '../../../../src/protocol/grid-work.ts';
import { readCopied } from '../../../../src/extension/grid/paste/copied.ts';
import type { CopiedStore } from '../../../../src/extension/grid/paste/note-copied.ts';
import { noteCopied } from '../../../../src/extension/grid/paste/note-copied.ts';
import { describeError } from '../../../../src/core/index.ts';
import type { RunOutcome } from '../../../../src/protocol/grid.ts';

export interface TestEditorHost extends EditorHost {
  readonly clipboard: string[];
  readonly orders: RunOrder[];
  readonly opened: { readonly cellId: string; readonly language: string }[];
  readonly changes: unknown[];
  readonly faults: unknown[];
  readonly asked: (readonly string[])[];
  readonly announced: string[];
  readonly left: { readonly what: string; readonly canGoOn: boolean }[];
  leftAnswer: 'go' | 'copy' | 'discard' | undefined;
  /** Ways to paste that were offered, and the one that is taken. */
  readonly offered: (readonly PasteForm[])[];
  form: PasteForm | undefined;
  readonly memory: CopiedStore;
  agrees: boolean;
  limitBytes: number;
}

/** A `vscode.Memento` without VS Code. */
export function memory(): CopiedStore {
  const values = new Map<string, unknown>();
  return {
    get: (key) => values.get(key),
    async update(key, value) {
      values.set(key, value);
    },
  };
}

/** `vscode.l10n.t` without translations. */
export const t = (message: string, ...args: readonly (string | number)[]): string =>
  message.replaceAll(/\{(\d+)\}/g, (_match, index: string) => String(args[Number(index)]));

/** An editor without an editor: remembers what it was told, answers questions with `agrees`. */
export function testEditorHost(
  start: (order: RunOrder, signal: AbortSignal) => Promise<RunOutcome> = async () => ({
    outcome: 'declined',
  }),
): TestEditorHost {
  const editorHost: TestEditorHost = {
    t,
    clipboard: [],
    orders: [],
    opened: [],
    changes: [],
    faults: [],
    asked: [],
    announced: [],
    left: [],
    leftAnswer: undefined,
    offered: [],
    form: undefined,
    memory: memory(),
    agrees: true,
    limitBytes: 10_000_000,
    async runCells(order, signal) {
      editorHost.orders.push(order);
      return editorHost.agrees ? start(order, signal) : { outcome: 'declined' };
    },
    confirmDelete: async () => editorHost.agrees,
    async confirmChange(notes) {
      editorHost.asked.push(notes);
      return editorHost.agrees;
    },
    confirmRowsAgain: async () => editorHost.agrees,
    confirmDiscard: async () => editorHost.agrees,
    askLeftBehind: async (what, canGoOn) => {
      editorHost.left.push({ what, canGoOn });
      return editorHost.leftAnswer;
    },
    announce: (text) => void editorHost.announced.push(text),
    async writeClipboard(text, copied) {
      editorHost.clipboard.push(text);
      await noteCopied(editorHost.memory, text, copied);
    },
    readClipboard: async () => editorHost.clipboard.at(-1) ?? '',
    copiedCells: (text) => readCopied(editorHost.memory, text),
    askPasteForm: async (forms) => {
      editorHost.offered.push(forms.map(({ form }) => form));
      return editorHost.form;
    },
    async openValue(value) {
      editorHost.opened.push(value);
    },
    withProgress: (_title, signal, work) => work(signal, { report: () => undefined }),
    remark: () => undefined,
    copySettings: () => ({ formulaGuard: true, limitBytes: editorHost.limitBytes }),
    changed: (what) => editorHost.changes.push(what),
    note: (error) => editorHost.faults.push(error),
    describe: (error) => ({ code: 'test', message: describeError(error) }),
  };
  return editorHost;
}
