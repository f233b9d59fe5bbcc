import type { Database } from '../store/database.ts';
import type { Dialect } from '../store/dialect.ts';
import type { ImportRecord } from '../store/records.ts';
import { commitBatch, type Batch } from './import-store.ts';
import type { RowValues } from './records.ts';

interface BatchSize {
  readonly rows: number;
  readonly cells: number;
  readonly characters: number;
}

/** Of one transaction: about 10 ms of this thread, so that requests in between hardly wait. */
const sizes: Readonly<Record<Dialect['name'], BatchSize>> = {
  sqlite: { rows: 1000, cells: 4000, characters: 512 * 1024 },
  // The server is a process of its own, and each transaction costs it the same besides.
  postgres: { rows: 4000, cells: 10_000, characters: 1024 * 1024 },
};

/**
 * Collects the rows of an import and stores them in batches, one after the other; one is stored while
 * the next one is read.
 */
export class BatchWriter {
  readonly #database: Database;
  readonly #work: ImportRecord;
  readonly #columnKeys: readonly number[];
  readonly #mostRows: number;
  readonly #mostCharacters: number;
  #rows: RowValues[] = [];
  #characters = 0;
  #storing = Promise.resolve(true);

  constructor(database: Database, work: ImportRecord, columnKeys: readonly number[]) {
    this.#database = database;
    this.#work = work;
    this.#columnKeys = columnKeys;
    const { rows, cells, characters } = sizes[database.dialect.name];
    this.#mostRows = Math.max(1, Math.min(rows, Math.floor(cells / columnKeys.length)));
    this.#mostCharacters = characters;
  }

  /** Answers whether that is enough for a batch. */
  add(row: RowValues): boolean {
    this.#rows.push(row);
    for (const value of row) this.#characters += value?.length ?? 0;
    return this.#rows.length >= this.#mostRows || this.#characters >= this.#mostCharacters;
  }

  /** Begins to store what there is. Answers how many rows, none when the import is not ours any more. */
  async store(progressOf: (rows: number) => number): Promise<number> {
    if (!(await this.#storing)) return 0;
    const rows = this.#rows;
    if (rows.length === 0) return 0;
    this.#rows = [];
    this.#characters = 0;
    const batch: Batch = {
      rows,
      columnKeys: this.#columnKeys,
      progress: progressOf(rows.length),
    };
    this.#storing = commitBatch(this.#database, this.#work, batch);
    // Whoever waits for it next gets its error.
    this.#storing.catch(() => undefined);
    return rows.length;
  }

  /** When nothing is being stored any more. */
  async settled(): Promise<void> {
    await this.#storing;
  }
}
