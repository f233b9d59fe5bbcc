import type { Desk, RunOrder } from '../../../../src/extension/grid/desk.ts';
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
  agrees: boolean;
  limitBytes: number;
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
    async writeClipboard(text) {
      desk.clipboard.push(text);
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
