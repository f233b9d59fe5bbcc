import { isMapping } from '../mapping.ts';

/** What an answer under status 200 says went wrong; undefined when it is an answer. */
export function refusalIn(body: unknown): unknown {
  if (Array.isArray(body)) return refusalIn(body[0]);
  if (!isMapping(body)) return undefined;
  const { error, object } = body;
  // Some answers have an empty field for it.
  const isError = error !== undefined && error !== null && error !== '' && error !== false;
  return isError || object === 'error' ? body : undefined;
}
