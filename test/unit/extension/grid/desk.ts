import type { Desk, RunOrder } from '../../../../src/extension/grid/desk.ts';
import type { PasteForm } from '../../../../src/protocol/grid-work.ts';
import { readCopied } from '../../../../src/extension/grid/paste/copied.ts';
import type { CopiedStore } from '../../../../src/extension/grid/paste/note-copied.ts';
import { noteCopied } from '../../../../src/extension/grid/paste/note-copied.ts';
import { describeError } from '../../../../src/core/index.ts';
import type { RunOutcome } from '../../../../src/protocol/grid.ts';

export interface TestDesk extends Desk {
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
export function testDesk(
  start: (order: RunOrder, signal: AbortSignal) => Promise<RunOutcome> = async () => ({
    outcome: 'declined',
  }),
): TestDesk {
  const desk: TestDesk = {
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
      desk.orders.push(order);
      return desk.agrees ? start(order, signal) : { outcome: 'declined' };
    },
    confirmDelete: async () => desk.agrees,
    async confirmChange(notes) {
      desk.asked.push(notes);
      return desk.agrees;
    },
    confirmRowsAgain: async () => desk.agrees,
    confirmDiscard: async () => desk.agrees,
    askLeftBehind: async (what, canGoOn) => {
      desk.left.push({ what, canGoOn });
      return desk.leftAnswer;
    },
    announce: (text) => void desk.announced.push(text),
    async writeClipboard(text, copied) {
      desk.clipboard.push(text);
      await noteCopied(desk.memory, text, copied);
    },
    readClipboard: async () => desk.clipboard.at(-1) ?? '',
    copiedCells: (text) => readCopied(desk.memory, text),
    askPasteForm: async (forms) => {
      desk.offered.push(forms.map(({ form }) => form));
      return desk.form;
    },
    async openValue(value) {
      desk.opened.push(value);
    },
    withProgress: (_title, signal, work) => work(signal, { report: () => undefined }),
    remark: () => undefined,
    copySettings: () => ({ formulaGuard: true, limitBytes: desk.limitBytes }),
    changed: (what) => desk.changes.push(what),
    note: (error) => desk.faults.push(error),
    describe: (error) => ({ code: 'test', message: describeError(error) }),
  };
  return desk;
}
