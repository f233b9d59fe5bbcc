import type { FilePlace } from './import-error.ts';

/** A file that is read from its start as often as needed, or in parts. */
export interface ByteFile {
  readonly name: string;
  readonly byteLength: number;
  pieces(): AsyncIterable<Uint8Array>;
  slice(start: number, end?: number): Promise<ArrayBuffer>;
}

/** A value as JSON text, so that every digit is kept; null: there is none. */
export type ValueText = string | null;

export interface TableRow extends FilePlace {
  readonly record: number;
  /** In the order of the fields of the table; what is missing at the end is null. */
  readonly values: readonly ValueText[];
}

/** What was read otherwise than somebody might think. */
export type RemarkKind =
  /** Records with fewer fields than columns. */
  | 'short'
  /** Fields beyond the columns in which nothing stands. */
  | 'extra'
  /** Records that seem to escape quotes with a backslash. */
  | 'backslashes'
  /** Values such as #N/A, kept as text. */
  | 'error-value'
  /** Numbers with more digits than the program that wrote them keeps. */
  | 'rounded'
  /** NaN and infinity, kept as text. */
  | 'not-a-number'
  /** Dates in the year in which Excel begins to count: it keeps durations like that, too. */
  | 'early-date'
  /** Formulas whose value the program that wrote the file has not kept. */
  | 'no-result'
  /** Bytes that are no text, kept as Base64. */
  | 'binary'
  /** Areas of merged cells. */
  | 'merged'
  /** Rows in which nothing stands, which are left out. */
  | 'blank';

export interface Remark extends FilePlace {
  readonly kind: RemarkKind;
  /** How often; where it is, is the first of them. */
  readonly count: number;
}

/** Remarks of one reading, each kind once. */
export class Remarks {
  readonly #kinds = new Map<RemarkKind, Remark>();

  note(kind: RemarkKind, { record, line, byte }: FilePlace = {}, count = 1): void {
    const known = this.#kinds.get(kind);
    this.#kinds.set(
      kind,
      known === undefined
        ? { kind, count, record, line, byte }
        : { ...known, count: known.count + count },
    );
  }

  get list(): readonly Remark[] {
    return [...this.#kinds.values()];
  }
}

/** What a file holds: columns, and rows that are read from its start with each call. */
export interface Table {
  /** As the file names them; null: not at all. */
  readonly fields: readonly (string | null)[];
  rows(remarks: Remarks): AsyncGenerator<readonly TableRow[], void, undefined>;
}
