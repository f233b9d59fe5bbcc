import { any, object, readerOf } from './reader.ts';

const read = readerOf(object({ error: any, object: any }));

/** What an answer under status 200 says went wrong; undefined when it is an answer. */
export function refusalIn(body: unknown): unknown {
  const { error, object: kind } = read(body) ?? {};
  return (error !== undefined && error !== null) || kind === 'error' ? body : undefined;
}
