/** Where in a file something is. All count from 1. */
export interface FilePlace {
  /** Of the records, the header among them; item of a JSON array, line of JSON Lines, row of a sheet. */
  readonly record?: number | undefined;
  readonly line?: number | undefined;
  readonly byte?: number | undefined;
}

/** What a file is that can't be read as a text. */
export type ForeignKind = 'utf-32' | 'xls' | 'packed' | 'page' | 'other';

/** What is wrong, for whoever says it in another language than the message. */
export type FileFault = FilePlace &
  (
    | { readonly kind: 'bytes'; readonly encoding: string }
    | { readonly kind: 'wide'; readonly fields: number; readonly columns: number }
    | { readonly kind: 'open-quote' }
    | { readonly kind: 'long-record' }
    | { readonly kind: 'json'; readonly reason: string }
    /** More would be sent than a service takes. */
    | { readonly kind: 'too-large'; readonly megabytes: number }
    /** It became shorter while it was read. */
    | { readonly kind: 'cut-short' }
    | { readonly kind: 'memory'; readonly megabytes: number }
    | { readonly kind: 'foreign'; readonly what: ForeignKind }
    | { readonly kind: 'empty' }
    /** What else the reader of separated values refuses, in its words. */
    | { readonly kind: 'csv'; readonly reason: string }
    | {
        readonly kind: 'two-delimiters';
        readonly one: string;
        readonly other: string;
        readonly columns: number;
      }
    | { readonly kind: 'long-item'; readonly megabytes: number }
    | { readonly kind: 'no-array' }
    | { readonly kind: 'no-keys' }
    | { readonly kind: 'no-sheets' }
    | { readonly kind: 'empty-sheet'; readonly sheet: string }
    | { readonly kind: 'repeated-key'; readonly key: string }
    | { readonly kind: 'locked-parquet' }
    | { readonly kind: 'parquet'; readonly reason: string }
    | { readonly kind: 'large-group'; readonly megabytes: number }
    | { readonly kind: 'missing-rows'; readonly promised: number; readonly found: number }
    | { readonly kind: 'large-part'; readonly megabytes: number }
    | { readonly kind: 'large-book'; readonly megabytes: number }
    | { readonly kind: 'encrypted' }
    | { readonly kind: 'no-workbook'; readonly reason: string }
    | {
        readonly kind: 'broken-cell';
        readonly sheet: string;
        readonly cell: string;
        readonly reason: string;
      }
    /** Refused by a service, whose words are all that is known. */
    | { readonly kind: 'other' }
  );

/** A file that can not be imported as it is: a text, and why, for those who say it in other words. */
export class ImportError extends Error {
  override readonly name = 'ImportError';
  readonly fault: FileFault;

  constructor(
    message: string,
    { fault = { kind: 'other' }, cause }: { fault?: FileFault; cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.fault = fault;
  }
}

export const cutShort = (): ImportError =>
  new ImportError('The file became shorter while it was being read.', {
    fault: { kind: 'cut-short' },
  });

export const tooMuch = (mostBytes: number): ImportError => {
  const megabytes = mostBytes / 2 ** 20;
  return new ImportError(
    `What would be sent is larger than ${String(megabytes)} MB. Take fewer columns, or split the file.`,
    { fault: { kind: 'too-large', megabytes } },
  );
};
