import { isMapping } from '../mapping.ts';

/** What an answer under status 200 says went wrong; undefined when it is an answer. */
export function refusalIn(body: unknown): unknown {
  if (!isMapping(body)) return undefined;
  const { error, object } = body;
  return (error !== undefined && error !== null) || object === 'error' ? body : undefined;
}
