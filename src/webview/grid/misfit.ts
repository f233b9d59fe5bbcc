/** What the extension sent does not have its shape. */
export class MisfitError extends Error {
  override readonly name = 'MisfitError';
}
