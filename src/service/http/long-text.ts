import { stringifyJson } from '../../core/http/json.ts';
import type { TimeSlice } from '../turn.ts';

/** Characters that are read, written or compared at once. */
const PIECE = 256 * 1024;
/** Items of a list that are written at once. */
const ITEMS = 1000;
/** More than JSON takes for a character: \\u0000. */
const LONGEST_SIGN = 6;

const isHighHalf = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;

/** Pieces of a text, in its order. No character is cut in two. */
export function* piecesOf(text: string, length = PIECE): Generator<string> {
  for (let at = 0; at < text.length;) {
    let end = Math.min(text.length, at + length);
    if (end < text.length && end > at + 1 && isHighHalf(text.charCodeAt(end - 1))) end -= 1;
    yield text.slice(at, end);
    at = end;
  }
}

/** `stringifyJson`, in turns with others where the value is one long text or list. */
export async function stringifyInTurns(
  value: unknown,
  slice: TimeSlice,
  length = PIECE,
): Promise<string> {
  if (Array.isArray(value)) return listInTurns(value, slice, Math.min(length, ITEMS));
  if (typeof value !== 'string' || value.length <= length) return stringifyJson(value);
  const parts = ['"'];
  for (const piece of piecesOf(value, length)) {
    await slice.rest();
    parts.push(JSON.stringify(piece).slice(1, -1));
  }
  parts.push('"');
  await slice.rest();
  return parts.join('');
}

async function listInTurns(
  list: readonly unknown[],
  slice: TimeSlice,
  count: number,
): Promise<string> {
  if (list.length <= count) return stringifyJson(list);
  const parts: string[] = [];
  for (let at = 0; at < list.length; at += count) {
    await slice.rest();
    parts.push(stringifyJson(list.slice(at, at + count)).slice(1, -1));
  }
  return `[${parts.join(',')}]`;
}

/** Where a piece of JSON text in quotes ends, which no escape goes beyond. */
function endOfPiece(json: string, start: number, length: number): number {
  const last = json.length - 1;
  const end = start + length;
  if (end >= last) return last;
  for (let at = end - 1; at >= Math.max(start, end - LONGEST_SIGN); at -= 1) {
    if (json[at] !== '\\') continue;
    let before = at;
    while (before > start && json[before - 1] === '\\') before -= 1;
    // The second of two backslashes begins nothing.
    const begin = (at - before) % 2 === 0 ? at : at - 1;
    const after = begin + (json[begin + 1] === 'u' ? LONGEST_SIGN : 2);
    return after > end ? Math.min(after, last) : end;
  }
  return end;
}

/** What pieces of JSON text in quotes stand for. Throws SyntaxErrors as `JSON.parse` does. */
function* readPieces(json: string, length: number): Generator<string> {
  for (let at = 1; at < json.length - 1;) {
    const end = endOfPiece(json, at, length);
    yield JSON.parse(`"${json.slice(at, end)}"`) as string;
    at = end;
  }
}

/** What JSON text in quotes stands for, in turns with others. */
export async function parseTextInTurns(
  json: string,
  slice: TimeSlice,
  length = PIECE,
): Promise<string> {
  const parts: string[] = [];
  for (const piece of readPieces(json, length)) {
    parts.push(piece);
    await slice.rest();
  }
  return parts.join('');
}

/** Whether JSON of a text, which is valid, stands for this one. In turns with others. */
export async function isJsonOf(
  json: string,
  text: string,
  slice: TimeSlice,
  length = PIECE,
): Promise<boolean> {
  if (!json.endsWith('"') || json.length < 2) return JSON.parse(json) === text;
  const written = json.length - 2;
  if (written < text.length || written > LONGEST_SIGN * text.length) return false;
  let compared = 0;
  for (const piece of readPieces(json, length)) {
    if (!text.startsWith(piece, compared)) return false;
    compared += piece.length;
    await slice.rest();
  }
  return compared === text.length;
}
