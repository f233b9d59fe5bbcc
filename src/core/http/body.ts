import { messageOf } from '../errors/reason.ts';

type BodyFault =
  | { readonly kind: 'too-large'; readonly bytes: number }
  | { readonly kind: 'cut-encoding'; readonly encoding: string }
  | { readonly kind: 'unknown-encoding'; readonly encoding: string }
  | { readonly kind: 'broken-encoding'; readonly encoding: string }
  | { readonly kind: 'not-utf8' };

/** The body is not what its headers say, or more than was allowed. */
export class BodyError extends Error {
  override readonly name = 'BodyError';
  readonly fault: BodyFault;
  constructor(fault: BodyFault, cause?: unknown) {
    super(messageOf({ ...fault, what: 'a request' }), { cause });
    this.fault = fault;
  }
}

export const tooLarge = (maxBytes: number): BodyError =>
  new BodyError({ kind: 'too-large', bytes: maxBytes });

/** Collects a body, giving up at the first byte over the limit. */
export async function collect(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > maxBytes) throw tooLarge(maxBytes);
    parts.push(chunk);
  }
  if (parts.length === 1 && parts[0] !== undefined) return parts[0];
  const whole = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
