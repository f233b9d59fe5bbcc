import type { CellAddress } from '../../protocol/grid.ts';

export interface EditStep extends CellAddress {
  /** Null: the value null. */
  readonly before: string | null;
  readonly after: string | null;
}
/** Edits that were made at once. */
type Steps = readonly EditStep[];

/** Edits of this window, to be taken back and made again. The oldest are forgotten. */
export class UndoStack {
  readonly #limit: number;
  #done: Steps[] = [];
  #undone: Steps[] = [];

  constructor(limit = 200) {
    this.#limit = limit;
  }

  get canUndo(): boolean {
    return this.#done.length > 0;
  }

  get canRedo(): boolean {
    return this.#undone.length > 0;
  }

  push(steps: Steps): void {
    const real = steps.filter(({ before, after }) => before !== after);
    if (real.length === 0) return;
    this.#done.push(real);
    if (this.#done.length > this.#limit) this.#done.shift();
    this.#undone = [];
  }

  undo(): Steps | undefined {
    const steps = this.#done.pop();
    if (steps !== undefined) this.#undone.push(steps);
    return steps;
  }

  redo(): Steps | undefined {
    const steps = this.#undone.pop();
    if (steps !== undefined) this.#done.push(steps);
    return steps;
  }

  /** The cell now holds what somebody else wrote: its steps lead nowhere. */
  forget({ columnId, rowIndex }: CellAddress): void {
    const isOther = (step: EditStep): boolean =>
      step.columnId !== columnId || step.rowIndex !== rowIndex;
    const without = (all: readonly Steps[]): Steps[] =>
      all.map((steps) => steps.filter(isOther)).filter(({ length }) => length > 0);
    this.#done = without(this.#done);
    this.#undone = without(this.#undone);
  }
}
