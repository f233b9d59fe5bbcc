import { parseJson, parseJsonAsWritten, plainNumbers } from '../../core/http/json.ts';
import type { Mapping } from '../../core/mapping.ts';
import { isMapping } from '../../core/mapping.ts';
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
export async function readBody(request: Request): Promise<unknown> {
  const text = await textOf(await readBytes(request, BODY_LIMIT_BYTES, tooLarge('request')));
  if (!mayBeWrittenAnew.test(text)) return parse(text, parseJson);
  return withWrittenValues(await parse(text, parseJsonAsWritten));
}

/** Whether a number, or what looks like one, may be written in another way than it is. */
const mayBeWrittenAnew = /\d(?:\.\d*0(?!\d)|[eE])|-0/;
/** Fields that hold whatever somebody gives: there 10.0 stays 10.0, as a template prints it. */
const given = ['input_variables', 'prompt_input_variables', 'values', 'value'];

/** Everywhere else a number is a number, however it is written. */
function withWrittenValues(body: unknown): unknown {
  if (!isMapping(body)) return plainNumbers(body);
  const cell = (item: unknown): unknown => (isMapping(item) ? settled(item, ['value']) : item);
  const { cells } = body;
  return {
    ...settled(body, Array.isArray(cells) ? [...given, 'cells'] : given),
    ...(Array.isArray(cells) && { cells: cells.map(cell) }),
  };
}

const settled = (body: Mapping, kept: readonly string[]): Mapping =>
  Object.fromEntries(
    Object.entries(body).map(([name, value]) => [
      name,
      kept.includes(name) ? value : plainNumbers(value),
    ]),
  );

/** Undefined for no text at all. */
export const parseBodyText = async (bytes: Uint8Array): Promise<unknown> =>
  parse(await textOf(bytes), parseJson);

async function textOf(bytes: Uint8Array): Promise<string> {
  await checkJsonShape(bytes);
  const slice = new TimeSlice();
  const text = decode(bytes);
  await slice.rest();
  return text;
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

async function parse(text: string, read: (text: string) => unknown): Promise<unknown> {
  if (text === '') return undefined;
  const slice = new TimeSlice();
  try {
    const value = await parseJsonInTurns(text, read);
    await slice.rest();
    return value;
  } catch (cause) {
    if (cause instanceof SyntaxError) throw new MalformedBody(cause.message.slice(0, 200), cause);
    throw cause;
  }
}
