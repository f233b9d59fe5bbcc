/** A comparison on the real disk, with an asker that a test writes. */
import { randomUUID } from 'node:crypto';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Budget } from '../../../../src/extension/matrix/budget.ts';
import { MatrixCells } from '../../../../src/extension/matrix/cells.ts';
import type { EngineParts, Asking } from '../../../../src/extension/matrix/engine.ts';
import { MatrixEngine } from '../../../../src/extension/matrix/engine.ts';
import { MatrixJournal } from '../../../../src/extension/matrix/journal.ts';
import type { Column, Plan, Scorer } from '../../../../src/extension/matrix/plan.ts';
import { columnIdOf } from '../../../../src/extension/matrix/plan.ts';

export const words = (message: string, ...args: readonly (string | number)[]): string =>
  message.replaceAll(/\{(\d+)\}/g, (_, at: string) => String(args[Number(at)]));

/** Opened by one, for all who wait. */
export class Gate {
  readonly #waiting: (() => void)[] = [];
  #isOpen = false;

  open(): void {
    this.#isOpen = true;
    for (const go of this.#waiting.splice(0)) go();
  }

  async passed(): Promise<void> {
    if (!this.#isOpen) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }
}

export const makeFolder = (): Promise<string> =>
  fs.mkdtemp(path.join(os.tmpdir(), 'prompt-tables-matrix-'));

/** A prompt that nobody has published, which asks about one word. */
export function columnOf(text: string, provider: string, modelName: string): Column {
  const unnamed = {
    source: {
      kind: 'unpublished' as const,
      promptName: 'greeting',
      blueprint: {
        prompt_template: {
          type: 'chat',
          messages: [
            {
              ...{ role: 'user', input_variables: ['word'], template_format: 'f-string' },
              content: [{ type: 'text', text: `${text} {word}` }],
            },
          ],
          input_variables: ['word'],
        },
        metadata: { model: { provider: 'openai', name: 'own', parameters: {} } },
      },
    },
    model: { provider, name: modelName },
    ...{ provider, modelName },
    variables: [{ name: 'word', kind: 'text' as const, text: '' }],
  };
  return { id: columnIdOf(unnamed), ...unnamed };
}

/** `prompts` times as many columns as there are models. */
export const columnsOf = (
  prompts: number,
  models: readonly (readonly [provider: string, name: string])[],
): readonly Column[] =>
  Array.from({ length: prompts }, (_, at) =>
    models.map(([provider, name]) => columnOf(`Say ${at}:`, provider, name)),
  ).flat();

export const done = (text: string, requestId?: number): Asking => ({
  answer: {
    ...{ state: 'done', text, elapsedMs: 5, inputTokens: 3, outputTokens: 2 },
    ...(requestId !== undefined && { requestId }),
  },
});
export const failed = (message: string, isOfColumn = false): Asking => ({
  answer: { state: 'failed', text: '', elapsedMs: 5, problem: { message } },
  isOfColumn,
});

export interface Matrix {
  readonly folder: string;
  readonly id: string;
  readonly cells: MatrixCells;
  readonly engine: MatrixEngine;
  readonly plan: Plan;
  run(budget?: Budget): ReturnType<MatrixEngine['run']>;
  /** `columnId/caseId` of the cells in a state. */
  in(state: string): readonly string[];
}

export interface Given {
  readonly folder: string;
  readonly columns: readonly Column[];
  /** Of a matrix that is new. */
  readonly cases?: number;
  readonly scorers?: readonly Scorer[];
  readonly ask: EngineParts['ask'];
  readonly parts?: Partial<EngineParts>;
  /** Of one that is there. */
  readonly id?: string;
  /** Whoever had it is gone. */
  readonly isRunning?: () => boolean;
  readonly pid?: number;
}

export async function openMatrix(given: Given): Promise<Matrix> {
  const { folder, columns, cases = 0, scorers = [], ask, id = randomUUID() } = given;
  const { isRunning = () => true, pid = process.pid } = given;
  const journal = new MatrixJournal({ folder, id, t: words });
  const cells = new MatrixCells(journal, words);
  await cells.open({ isRunning, pid });
  const plan: Plan = { connectionId: 'local', title: 'greeting', columns, scorers };
  if (cells.plan === undefined) {
    await cells.setPlan(plan);
    await cells.addCases(
      Array.from({ length: cases }, (_, at) => ({
        title: `Case ${at}`,
        values: { word: `w${at}` },
      })),
    );
  }
  const engine = new MatrixEngine({
    ...{ cells, ask, placesOf: () => 4, providerOf: () => undefined },
    judge: ({ scorer }) => Promise.resolve({ scorerId: scorer.id, pass: true }),
    price: (requestId) => engine.priced(requestId, null),
    ...{ changed: () => undefined, note: () => undefined },
    notAsked: (message) => `Not sent. ${message}`,
    ...given.parts,
  });
  return {
    ...{ folder, id, cells, engine, plan },
    run: async (budget = new Budget(undefined)) => {
      await cells.own(pid);
      return engine.run({ columns, scorers, budget });
    },
    in: (state) =>
      columns.flatMap((column) =>
        cells
          .ofColumn(column)
          .filter((cell) => cell.state === state)
          .map(({ columnId, caseId }) => `${columnId}/${caseId}`),
      ),
  };
}
