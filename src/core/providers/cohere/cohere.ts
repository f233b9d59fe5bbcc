import type { OpenAiHost } from '../openai/address.ts';
import { bearerAddress } from '../openai/address.ts';
import { argumentsFor } from '../openai/arguments.ts';
import { fetchChecked } from '../openai/checked.ts';
import { snakeArguments } from '../openai/snake-case.ts';
import type { Provider } from '../provider.ts';
import { jsonEvents } from '../sse.ts';
import { CohereAccumulator } from './cohere-accumulator.ts';
import { CohereReply } from './cohere-reply.ts';
import { readResponse } from './schema.ts';

const host: OpenAiHost = {
  baseURL: 'https://api.cohere.com/v2',
  baseVariables: ['CO_API_URL', 'COHERE_BASE_URL'],
  keyVariables: ['CO_API_KEY', 'COHERE_API_KEY'],
  basePath: 'v2',
};

/** Cohere's chat, second version. */
export function cohereChat(): Provider {
  const address = bearerAddress(host);
  const prepare: Provider['prepare'] = (call, context) =>
    address('chat', { ...snakeArguments(argumentsFor(call)), stream: call.stream }, call, context);
  return {
    functionName: 'cohere.chat',
    prepare,
    streaming: {
      decoder: jsonEvents,
      accumulator: ({ provider }) => new CohereAccumulator(provider),
    },
    complete: async (call, context) => fetchChecked(await prepare(call, context), call, context),
    replyOf: (response) => {
      const reply = new CohereReply();
      const message = readResponse(response)?.message;
      if (message !== undefined) reply.message(message);
      return reply.reply();
    },
  };
}
