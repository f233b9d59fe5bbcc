import type { Provider, ProviderEvent } from '../provider.ts';
import { bedrockRequest } from './aws-request.ts';
import { ConverseAccumulator } from './converse-accumulator.ts';
import { replyOfConverse } from './converse-reply.ts';
import { awsEvents } from './event-stream.ts';
import { readNamed } from './schema.ts';

/** Each event is padded, so that its length tells nothing to those who listen on the line. */
function withoutPadding({ name, data }: ProviderEvent): ProviderEvent {
  const entries = Object.entries(readNamed(data) ?? {}).map(([type, value]) => {
    const { p: _padding, ...fields } = readNamed(value) ?? {};
    return [type, fields] as const;
  });
  return { name, data: Object.fromEntries(entries) };
}

/** Any model of Amazon Bedrock (Converse, ConverseStream). */
export const converse: Provider = {
  functionName: 'boto3.bedrock-runtime.converse',
  prepare: async (call, context) => {
    const { model, modelId, ...body } = call.kwargs;
    const id = [modelId, model].find((name) => typeof name === 'string' && name !== '');
    const name = typeof id === 'string' ? id : call.model;
    return bedrockRequest(call.stream ? 'converse-stream' : 'converse', name, call, context, body);
  },
  streaming: {
    decoder: () => awsEvents(withoutPadding),
    accumulator: ({ provider }) => new ConverseAccumulator(provider),
  },
  replyOf: replyOfConverse,
};
