import { checkJsonShape } from './json-shape.ts';
import { parseJsonInTurns } from './json-turns.ts';
import { MalformedBody } from './malformed-body.ts';
import { TimeSlice } from '../turn.ts';
import { Problem } from './problem.ts';

const MEBIBYTE = 1024 * 1024;
export const FILE_LIMIT_BYTES = 100 * MEBIBYTE;
const BODY_LIMIT_BYTES = 10 * MEBIBYTE;
/** For a body that does not say how long it is. */
const FIRST_BYTES = 16 * 1024;

export function tooLarge(
  what: 'file' | 'request',
  limitBytes: number = what === 'file' ? FILE_LIMIT_BYTES : BODY_LIMIT_BYTES,
): Problem {
  const megabytes = String(limitBytes / MEBIBYTE);
  return new Problem(
    413,
    'request_too_large',
    `The ${what} is larger than the ${megabytes} MB that are accepted. Send it in smaller parts.`,
  );
}

/** Reads the body up to its limit; undefined when there is none. */
export const readBody = async (request: Request): Promise<unknown> =>
  parseBodyText(await readBytes(request, BODY_LIMIT_BYTES, tooLarge('request')));

/** Undefined for no text at all. */
export async function parseBodyText(bytes: Uint8Array): Promise<unknown> {
  await checkJsonShape(bytes);
  const slice = new TimeSlice();
  const text = decode(bytes);
  await slice.rest();
  const value = await parse(text);
  await slice.rest();
  return value;
}

/** One buffer of the announced size, so that a large body is not held twice. */
export async function readBytes(
  { headers, body }: Request,
  limit: number,
  excess: Problem,
): Promise<Buffer> {
  const announced = Number(headers.get('content-length') ?? 0);
  if (announced > limit) throw excess;
  if (body === null) return Buffer.alloc(0);
  let bytes = Buffer.allocUnsafe(announced > 0 ? announced : FIRST_BYTES);
  let size = 0;
  for await (const piece of body) {
    const end = size + piece.byteLength;
    if (end > limit) throw excess;
    if (end > bytes.byteLength) {
      bytes = Buffer.concat([bytes.subarray(0, size)], Math.min(limit, end * 2));
    }
    bytes.set(piece, size);
    size = end;
  }
  return bytes.subarray(0, size);
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new MalformedBody('it is not UTF-8 text', cause);
  }
}

async function parse(text: string): Promise<unknown> {
  if (text === '') return undefined;
  try {
    return await parseJsonInTurns(text);
  } catch (cause) {
    if (cause instanceof SyntaxError) throw new MalformedBody(cause.message.slice(0, 200), cause);
    throw cause;
  }
}
