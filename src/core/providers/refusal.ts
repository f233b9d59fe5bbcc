import { anything, object, readerOf } from './reader.ts';

const read = readerOf(object({ error: anything, object: anything }));

/** What an answer under status 200 says went wrong; undefined when it is an answer. */
export function refusalIn(body: unknown): unknown {
  if (Array.isArray(body)) return refusalIn(body[0]);
  const { error, object: kind } = read(body) ?? {};
  // Some answers have an empty field for it.
  const isError = error !== undefined && error !== null && error !== '' && error !== false;
  return isError || kind === 'error' ? body : undefined;
}
