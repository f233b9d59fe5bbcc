import { isMapping } from '../../mapping.ts';
import { streamError } from '../provider-error.ts';
import type { ModelCall, ProviderContext, ProviderRequest } from '../provider.ts';

/** What an answer under status 200 says went wrong; undefined when it is an answer. */
export function refusalIn(body: unknown): unknown {
  if (!isMapping(body)) return undefined;
  const { error, object } = body;
  return (error !== undefined && error !== null) || object === 'error' ? body : undefined;
}

/** Sends a request that is not streamed. Gateways report faults of others under status 200. */
export async function fetchChecked(
  request: ProviderRequest,
  { provider }: ModelCall,
  context: ProviderContext,
): Promise<unknown> {
  const response = await context.fetchJson(request);
  const refusal = refusalIn(response);
  if (refusal !== undefined) throw streamError(provider, refusal);
  return response;
}
