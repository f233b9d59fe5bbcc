import { setImmediate as nextTurn } from 'node:timers/promises';
import { MalformedBody } from './malformed-body.ts';
import { Problem } from './problem.ts';

/** Deeper than anything that means something, and shallow enough for every function that recurses. */
const DEEPEST = 512;
/** Names of fields in a body. Making an object of them takes much longer than reading them. */
const MOST_NAMES = 100_000;
/** How much is looked at before others get a turn. */
const SLICE_BYTES = 128 * 1024;

const [quote, backslash, colon] = [0x22, 0x5c, 0x3a];
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Refuses JSON whose parsing would hold up everybody else, before it is parsed: a few megabytes of
 * brackets or of names cost seconds. Takes turns with others while it looks.
 */
export async function checkJsonShape(bytes: Uint8Array): Promise<void> {
  let depth = 0;
  let names = 0;
  let sliceEnd = SLICE_BYTES;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === quote) at = endOfText(bytes, at);
    else if (byte === colon) names += 1;
    else if (byte === openList || byte === openObject) depth += 1;
    else if (byte === closeList || byte === closeObject) depth -= 1;
    if (depth > DEEPEST) {
      throw new MalformedBody(
        `it is nested more than ${String(DEEPEST)} levels deep`,
        undefined,
        'flat enough',
      );
    }
    if (names > MOST_NAMES) {
      throw new Problem(
        413,
        'request_too_large',
        `The body names more than the ${String(MOST_NAMES)} fields that are accepted. Send it in smaller parts.`,
      );
    }
    if (at >= sliceEnd) {
      sliceEnd = at + SLICE_BYTES;
      await nextTurn();
    }
  }
}

/** Where the text ends that begins here; past the end when it does not. */
function endOfText(bytes: Uint8Array, start: number): number {
  for (let from = start + 1; ;) {
    const end = bytes.indexOf(quote, from);
    if (end < 0) return bytes.length;
    let escapes = 0;
    while (bytes[end - 1 - escapes] === backslash) escapes += 1;
    if (escapes % 2 === 0) return end;
    from = end + 1;
  }
}
