/** A file that can not be imported as it is; the text is for the user. */
export class ImportError extends Error {
  override readonly name = 'ImportError';
}
