import { unprocessable } from '../http/problem.ts';

/** Texts are searched without regard to case, in every script: SQL's own lower() knows ASCII only. */
export const folded = (text: string): string => text.toLocaleLowerCase('und');

/** SQLite refuses a pattern of 50,000 bytes. */
const LONGEST_PATTERN = 40_000;

function escaped(text: string): string {
  const pattern = text.replace(/[\\%_]/g, String.raw`\$&`);
  if (Buffer.byteLength(pattern) <= LONGEST_PATTERN) return pattern;
  throw unprocessable(
    ['body'],
    'A text to search for is too long: it can have about 10,000 characters.',
    'too_long',
  );
}

/** Operand of `like ? escape '\'` that finds a part of a folded text. */
export const like = (part: string): string => `%${escaped(folded(part))}%`;

/** The same for texts that begin or end so. */
export const likeStart = (start: string): string => `${escaped(folded(start))}%`;
export const likeEnd = (end: string): string => `%${escaped(folded(end))}`;
