import { streamError } from '../provider-error.ts';
import type { Provider } from '../provider.ts';
import { jsonEvents } from '../sse.ts';
import type { Address } from './address.ts';
import { argumentsFor } from './arguments.ts';
import { fetchChecked } from './checked.ts';
import { ResponseAccumulator, replyOfResponse } from './response-accumulator.ts';
import { readResponse } from './response-schema.ts';

/** The Responses API at an address that speaks it. */
export function responses(
  address: Address,
  { functionName = 'openai.responses.create' }: { readonly functionName?: string } = {},
): Provider {
  const prepare: Provider['prepare'] = (call, context) =>
    address('responses', { ...argumentsFor(call), stream: call.stream }, call, context);
  return {
    functionName,
    prepare,
    streaming: {
      decoder: jsonEvents,
      accumulator: ({ provider }) => new ResponseAccumulator(provider),
    },
    complete: async (call, context) => {
      const response = await fetchChecked(await prepare(call, context), call, context);
      // A model that fails does so under status 200.
      if (readResponse(response)?.status === 'failed') {
        throw streamError(call.provider, response);
      }
      return response;
    },
    replyOf: replyOfResponse,
  };
}
