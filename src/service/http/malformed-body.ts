/** A body that can not be read; `wanted` is what it should have been. */
export class MalformedBody extends Error {
  constructor(reason: string, cause?: unknown, wanted = 'valid JSON') {
    super(`The body is not ${wanted} (${reason}).`, { cause });
    this.name = 'MalformedBody';
  }
}
