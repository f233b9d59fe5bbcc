/** A row that is being computed. */
export interface RowPlace {
  readonly sheetKey: number;
  readonly operationKey: number;
  readonly rowIndex: number;
}

/**
 * Which row a worker is at, in memory that it shares with whoever watches over it: when it hangs,
 * the watcher knows in which row. Nothing is at work between two turns of the event loop.
 */
export class Place {
  static readonly bytes = 4 * Float64Array.BYTES_PER_ELEMENT;
  readonly #cells: Float64Array;

  constructor(buffer: ArrayBufferLike = new ArrayBuffer(Place.bytes)) {
    this.#cells = new Float64Array(buffer);
  }

  /** Runs what may hang, and forgets the row when it has come back. */
  in<Result>({ sheetKey, operationKey, rowIndex }: RowPlace, work: () => Result): Result {
    this.#cells.set([1, sheetKey, operationKey, rowIndex]);
    try {
      return work();
    } finally {
      this.#cells[0] = 0;
    }
  }

  /** Undefined when no row is being computed just now. */
  get row(): RowPlace | undefined {
    const [isSet = 0, sheetKey = 0, operationKey = 0, rowIndex = 0] = this.#cells;
    return isSet === 0 ? undefined : { sheetKey, operationKey, rowIndex };
  }
}
