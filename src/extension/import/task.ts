import type { FileFault } from '../../core/imports/import-error.ts';
import type { ReadChoices, ReadForm } from '../../core/imports/open-file.ts';
import type { Remark, TableRow } from '../../core/imports/table.ts';
import type { TakenColumn, UploadFormat } from '../../core/imports/upload.ts';

/** What the thread that reads files is given. */
export interface ImportTask {
  readonly path: string;
  readonly name: string;
  readonly choices: ReadChoices;
  /** How many of its first rows are told; `shownRows` when absent. */
  readonly mostRows?: number;
  /** Absent: the file is looked at, to its end. */
  readonly write?: {
    readonly path: string;
    readonly format: UploadFormat;
    readonly columns: readonly TakenColumn[];
    /** More is an error. */
    readonly mostBytes: number;
  };
}

export interface SentFault {
  readonly message: string;
  readonly fault: FileFault;
}

/** How a file begins. */
export interface FirstRows {
  readonly form: ReadForm;
  readonly fields: readonly (string | null)[];
  readonly rows: readonly TableRow[];
  readonly lines: readonly string[];
  readonly fault: SentFault | null;
}

/** What it says: first rows and counts of what it looks at, counts and bytes of what it writes. */
export type ImportNote =
  | ({ readonly kind: 'first' } & FirstRows)
  | { readonly kind: 'count'; readonly rows: number }
  | {
      readonly kind: 'end';
      readonly rows: number;
      readonly remarks: readonly Remark[];
      readonly fault: SentFault | null;
    };

export const shownRows = 50;
