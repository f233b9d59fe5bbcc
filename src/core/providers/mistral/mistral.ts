import type { OpenAiHost } from '../openai/address.ts';
import { bearerAddress } from '../openai/address.ts';
import { argumentsFor } from '../openai/arguments.ts';
import { chatCompletions } from '../openai/chat.ts';
import { snakeArguments } from '../openai/snake-case.ts';
import type { Provider } from '../provider.ts';

const host: OpenAiHost = {
  baseURL: 'https://api.mistral.ai/v1',
  baseVariables: ['MISTRAL_BASE_URL'],
  keyVariables: ['MISTRAL_API_KEY'],
  basePath: 'v1',
};

/** Mistral's chat. It tells the tokens of a stream unasked, and refuses to be asked. */
export function mistralChat(): Provider {
  return chatCompletions(bearerAddress(host), {
    functionName: 'mistral.client.chat',
    bodyOf: (call) => ({ ...snakeArguments(argumentsFor(call)), stream: call.stream }),
    habits: { keepsToolIndex: true },
  });
}
