/** The parts of a grid page's state that can change by themselves. */
export type Slice =
  /** What the extension says of the sheet as a whole: names, counts, sums, the filter in force. */
  | 'sheet'
  /** Columns, their places and widths, the number of rows. */
  | 'layout'
  /** The rows are others than before: what is known of their places is of no use any more. */
  | 'generation'
  /** A page came, failed, was asked for or given up. */
  | 'rows'
  /** Any of the values on screen. */
  | 'values'
  /** Single values, while cells are computed. */
  | 'cells'
  /** The cell under the cursor, by what is computed. */
  | 'subject'
  /** The rows on screen. */
  | 'window'
  /** The area in which rows are drawn is of another size. */
  | 'size'
  /** The first rows have been painted: what could wait until then. */
  | 'painted'
  | 'selection'
  /** Cells that hold what is looked for. */
  | 'hits'
  /** Texts that the service does not have yet, and what can be undone. */
  | 'edits'
  /** The cell that is being edited, and what is typed into it. */
  | 'editing'
  | 'operations'
  | 'saving'
  | 'details'
  | 'problem';

interface Part {
  readonly slices: ReadonlySet<Slice>;
  readonly draw: (changed: ReadonlySet<Slice>) => void;
  due: Set<Slice>;
}

/** How often what is drawn may change what is drawn after it, within one frame. */
const mostRounds = 4;

/**
 * Tells the parts of the page what has changed: once a frame, in the order in which they
 * registered, each one once for everything that changed until then.
 */
export class Changes {
  readonly #parts: Part[] = [];
  readonly #atOnce = new Map<Slice, (() => void)[]>();
  readonly #frames: (draw: () => void) => void;
  #isAsked = false;

  /** `frames`: has a function called before the next frame. */
  constructor(frames: (draw: () => void) => void = (draw) => void requestAnimationFrame(draw)) {
    this.#frames = frames;
  }

  /** Drawing: before the next frame. */
  eachFrame(slices: readonly Slice[], draw: (changed: ReadonlySet<Slice>) => void): void {
    this.#parts.push({ slices: new Set(slices), draw, due: new Set() });
  }

  /** For what must not wait for a frame: what is asked for, where the focus is, what is said. */
  atOnce(slices: readonly Slice[], react: () => void): void {
    for (const slice of slices) {
      this.#atOnce.set(slice, [...(this.#atOnce.get(slice) ?? []), react]);
    }
  }

  mark(...slices: readonly Slice[]): void {
    for (const part of this.#parts) {
      for (const slice of slices) if (part.slices.has(slice)) part.due.add(slice);
    }
    this.#ask();
    const reactions = new Set(slices.flatMap((slice) => this.#atOnce.get(slice) ?? []));
    for (const react of reactions) react();
  }

  /** Draws what has changed without waiting for the frame. */
  drawNow(): void {
    for (let round = 0; round < mostRounds; round++) {
      let isDone = true;
      for (const part of this.#parts) {
        if (part.due.size === 0) continue;
        isDone = false;
        const { due } = part;
        part.due = new Set();
        try {
          part.draw(due);
        } catch (error) {
          // One part that fails must not keep the others from being drawn.
          reportError(error);
        }
      }
      if (isDone) return;
    }
    if (this.#parts.some(({ due }) => due.size > 0)) this.#ask();
  }

  #ask(): void {
    if (this.#isAsked || this.#parts.every(({ due }) => due.size === 0)) return;
    this.#isAsked = true;
    this.#frames(() => {
      this.#isAsked = false;
      this.drawNow();
    });
  }
}
