import { streamError } from '../provider-error.ts';
import { refusalIn } from '../refusal.ts';
import type { ModelCall, ProviderContext, ProviderRequest } from '../provider.ts';

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
