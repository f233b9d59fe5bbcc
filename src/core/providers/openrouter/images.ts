import type { Address } from '../openai/address.ts';
import { argumentsFor } from '../openai/arguments.ts';
import { fetchChecked } from '../openai/checked.ts';
import { replyOfImages } from '../openai/images.ts';
import { snakeArguments } from '../openai/snake-case.ts';
import type { Provider } from '../provider.ts';

/** Images in one piece: only few of the models behind it would stream. */
export function openRouterImages(address: Address): Provider {
  const prepare: Provider['prepare'] = (call, context) =>
    address('images', snakeArguments(argumentsFor(call)), { ...call, stream: false }, context);
  return {
    functionName: 'openrouter.images.generate',
    prepare,
    streaming: undefined,
    complete: async (call, context) => fetchChecked(await prepare(call, context), call, context),
    replyOf: replyOfImages,
  };
}
