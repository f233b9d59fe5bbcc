import { readsCompletions, readsMessages, splitBetas } from '../anthropic/anthropic.ts';
import { textOfBase64 } from '../base64.ts';
import type { ModelCall, Provider, ProviderEvent } from '../provider.ts';
import { parseEventData } from '../sse.ts';
import { bedrockRequest } from './aws-request.ts';
import { readEvent as readAnthropicEvent } from '../anthropic/schema.ts';
import { awsEvents } from './event-stream.ts';
import { readEvent } from './schema.ts';

const apiVersion = 'bedrock-2023-05-31';

/** A message of the AWS stream -> the event that Anthropic itself would have sent. */
function anthropicEvent({ name, data }: ProviderEvent): ProviderEvent | undefined {
  const event = readEvent(data);
  if (name !== 'event') {
    const error = { ...event?.fields.raw, type: event?.type ?? '' };
    return { name: 'error', data: { type: 'error', error } };
  }
  const bytes = event?.fields.bytes;
  if (event?.type !== 'chunk' || bytes === undefined) return undefined;
  const own = parseEventData(textOfBase64(bytes));
  return { name: readAnthropicEvent(own)?.type, data: own };
}

/** Claude on Bedrock, spoken to in Anthropic's own words (InvokeModel). */
export function anthropicBedrock({ templateType }: ModelCall): Provider {
  const reads = templateType === 'chat' ? readsMessages : readsCompletions;
  return {
    functionName: reads.functionName,
    prepare: async (call, context) => {
      const { args, betas } = splitBetas(call);
      const { model: _model, ...rest } = args;
      const body = {
        ...(templateType === 'chat' && { anthropic_version: apiVersion }),
        ...(betas.length > 0 && { anthropic_beta: betas }),
        ...rest,
      };
      const action = call.stream ? 'invoke-with-response-stream' : 'invoke';
      return bedrockRequest(action, call.model, call, context, body);
    },
    streaming: { decoder: () => awsEvents(anthropicEvent), accumulator: reads.accumulator },
    replyOf: reads.replyOf,
  };
}
