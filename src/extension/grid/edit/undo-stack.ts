import type { CellAddress } from '../../../protocol/grid-cells.ts';

/** An edit as the journal has it, too: of very many cells both hold the same object. */
export interface EditStep extends CellAddress {
  /** What was there before. Null: the value null. */
  readonly base: string | null;
  readonly text: string | null;
}
/** Edits that were made at once. */
type Steps = readonly EditStep[];

/** Edits of this window, to be taken back and made again. The oldest are forgotten. */
export class UndoStack {
  readonly #limit: number;
  /** Steps in all; one edit of many cells may exceed it alone. */
  readonly #stepLimit: number;
  #done: Steps[] = [];
  #undone: Steps[] = [];
  #steps = 0;

  constructor(limit = 200, stepLimit = 300_000) {
    this.#limit = limit;
    this.#stepLimit = stepLimit;
  }

  get canUndo(): boolean {
    return this.#done.length > 0;
  }

  get canRedo(): boolean {
    return this.#undone.length > 0;
  }

  /** Cells that the next undo or redo changes. */
  next(direction: 'undo' | 'redo'): number {
    return (direction === 'undo' ? this.#done : this.#undone).at(-1)?.length ?? 0;
  }

  push(steps: Steps): void {
    const real = steps.filter(({ base, text }) => base !== text);
    if (real.length === 0) return;
    this.#done.push(real);
    this.#steps += real.length;
    for (const { length } of this.#undone) this.#steps -= length;
    this.#undone = [];
    while (
      this.#done.length > this.#limit ||
      (this.#steps > this.#stepLimit && this.#done.length > 1)
    ) {
      this.#steps -= this.#done.shift()?.length ?? 0;
    }
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

  /** Steps of the latest undo (or redo) that were not carried out: they stand as before. */
  giveBack(direction: 'undo' | 'redo', isLeft: (step: EditStep) => boolean): void {
    const [from, to] =
      direction === 'undo' ? [this.#undone, this.#done] : [this.#done, this.#undone];
    const steps = from.pop() ?? [];
    const left = steps.filter(isLeft);
    const gone = left.length === 0 ? steps : steps.filter((step) => !isLeft(step));
    if (gone.length > 0) from.push(gone);
    if (left.length > 0) to.push(left);
  }

  /** The cell now holds what somebody else wrote: its steps lead nowhere. */
  forget({ columnId, rowIndex }: CellAddress): void {
    this.forgetAll((step) => step.columnId === columnId && step.rowIndex === rowIndex);
  }

  forgetAll(isGone: (step: EditStep) => boolean): void {
    const without = (all: readonly Steps[]): Steps[] =>
      all.map((steps) => steps.filter((step) => !isGone(step))).filter(({ length }) => length > 0);
    this.#done = without(this.#done);
    this.#undone = without(this.#undone);
    this.#steps = [...this.#done, ...this.#undone].reduce((sum, { length }) => sum + length, 0);
  }
}
