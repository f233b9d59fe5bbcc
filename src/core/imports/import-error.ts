/** Where in a file something is. All count from 1. */
export interface FilePlace {
  /** Of the records, the header among them; item of a JSON array, line of JSON Lines, row of a sheet. */
  readonly record?: number | undefined;
  readonly line?: number | undefined;
  readonly byte?: number | undefined;
}

/** What is wrong, for whoever says it in another language than the message. */
export type FileFault = FilePlace &
  (
    | { readonly kind: 'bytes'; readonly encoding: string }
    | { readonly kind: 'wide'; readonly fields: number; readonly columns: number }
    | { readonly kind: 'open-quote' }
    | { readonly kind: 'long-record' }
    | { readonly kind: 'json'; readonly reason: string }
    | { readonly kind: 'other' }
  );

/** A file that can not be imported as it is; the text is for the user. */
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
