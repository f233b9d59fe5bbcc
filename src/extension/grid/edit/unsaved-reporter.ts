import type { CellAddress } from '../../../protocol/grid-cells.ts';
import type { UnsavedChange, UnsavedCounts, UnsavedEdit } from '../../../protocol/grid-edits.ts';
import { CellMap } from '../rows/cell-map.ts';
import type { EditState, Pending } from './pending.ts';

/** As many are told one by one; of more there is a count. Conflicts and refusals may be as many again. */
const mostReported = 2000;
/** Of those that are being sent in blocks: what is on the screen of whoever has pasted them. */
const mostSending = 500;
/** Between two messages. */
const pauseMs = 120;

const needsUser = (state: EditState): boolean => state === 'conflict' || state === 'refused';

export const unsavedOf = ({ entry, state, message, current }: Pending): UnsavedEdit => ({
  columnId: entry.columnId,
  rowIndex: entry.rowIndex,
  text: entry.text,
  state,
  ...(message !== undefined && { message }),
  ...(current !== undefined && { current }),
});

/** Tells what has changed among the unsaved edits: never the whole list. */
export class UnsavedReporter {
  readonly #pending: CellMap<Pending>;
  readonly #emit: (change: Omit<UnsavedChange, 'canUndo' | 'canRedo'>) => void;
  /** Edits that wait behind those: counted only. */
  readonly #behind: () => number;
  readonly #reported = new CellMap<true>();
  readonly #changed = new CellMap<true>();
  readonly #counts: Record<EditState, number> = { sending: 0, waiting: 0, conflict: 0, refused: 0 };
  #timer: NodeJS.Timeout | undefined;

  constructor(
    pending: CellMap<Pending>,
    emit: (change: Omit<UnsavedChange, 'canUndo' | 'canRedo'>) => void,
    behind: () => number,
  ) {
    this.#behind = behind;
    this.#pending = pending;
    this.#emit = emit;
  }

  get counts(): UnsavedCounts {
    const { sending, waiting } = this.#counts;
    const behind = this.#behind();
    // While the service is away, they wait for it like the others.
    const more = waiting > 0 ? { waiting: waiting + behind } : { sending: sending + behind };
    return { ...this.#counts, ...more };
  }

  /** Those that are told one by one. */
  get reported(): readonly UnsavedEdit[] {
    this.#settle();
    return [...this.#reported.cells()].flatMap((cell) => {
      const pending = this.#pending.get(cell);
      return pending === undefined ? [] : [unsavedOf(pending)];
    });
  }

  /** A state was left (`before`) or entered (`after`). */
  note(cell: CellAddress, before: EditState | undefined, after: EditState | undefined): void {
    if (before !== undefined) this.#counts[before] -= 1;
    if (after !== undefined) this.#counts[after] += 1;
    this.#changed.set(cell, true);
    this.soon();
  }

  soon(): void {
    this.#timer ??= setTimeout(() => this.flush(), pauseMs).unref();
  }

  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#emit({ ...this.#settle(), counts: this.counts });
  }

  dispose(): void {
    clearTimeout(this.#timer);
  }

  #settle(): Pick<UnsavedChange, 'changed' | 'gone'> {
    const changed: UnsavedEdit[] = [];
    const gone: CellAddress[] = [];
    const tell = ({ columnId, rowIndex }: CellAddress): void => {
      const cell = { columnId, rowIndex };
      const pending = this.#pending.get(cell);
      if (pending !== undefined && this.#isReported(pending, this.#reported.has(cell))) {
        this.#reported.set(cell, true);
        changed.push(unsavedOf(pending));
      } else if (this.#reported.delete(cell)) gone.push(cell);
    };
    for (const cell of this.#changed.cells()) tell(cell);
    this.#changed.clear();
    // Room for those that were only counted: looked for when half of it is free, so seldom.
    const { waiting, conflict, refused } = this.#counts;
    const isRoom = this.#reported.size <= mostReported / 2;
    if (gone.length > 0 && isRoom && waiting + conflict + refused > mostReported / 2) {
      for (const { entry, state } of this.#pending.values()) {
        if (this.#reported.size >= mostReported) break;
        if (!this.#reported.has(entry) && state !== 'sending') tell(entry);
      }
    }
    return { changed, gone };
  }

  #isReported({ state, batch }: Pending, isKnown: boolean): boolean {
    const isBlock = state === 'sending' && batch !== undefined;
    const most = isBlock ? mostSending : needsUser(state) ? 2 * mostReported : mostReported;
    return isKnown || this.#reported.size < most;
  }
}
