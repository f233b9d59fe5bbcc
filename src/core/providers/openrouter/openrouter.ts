import { ConfigurationError } from '../../errors.ts';
import { isMapping } from '../../mapping.ts';
import type { OpenAiHost } from '../openai/address.ts';
import { bearerAddress } from '../openai/address.ts';
import { argumentsFor } from '../openai/arguments.ts';
import { chatCompletions } from '../openai/chat.ts';
import { snakeArguments } from '../openai/snake-case.ts';
import type { ModelCall, Provider } from '../provider.ts';

const host: OpenAiHost = {
  baseURL: 'https://openrouter.ai/api/v1',
  baseVariables: ['OPENROUTER_BASE_URL'],
  keyVariables: ['OPENROUTER_API_KEY'],
  basePath: 'api/v1',
};

const address = bearerAddress(host);

/** Asked to tell what it cost. */
function chatBody(call: ModelCall) {
  const { usage, ...kwargs } = snakeArguments(argumentsFor(call));
  const { stream } = call;
  const options = isMapping(kwargs['stream_options']) ? kwargs['stream_options'] : {};
  delete kwargs['stream_options'];
  return {
    ...kwargs,
    usage: { ...(isMapping(usage) && usage), include: true },
    stream,
    ...(stream && { stream_options: { ...options, include_usage: true } }),
  };
}

/** OpenRouter's chat, images, videos and speech. */
export async function openRouter(call: ModelCall): Promise<Provider> {
  switch (call.apiType) {
    case undefined:
    case 'chat':
    case 'chat-completions':
      return chatCompletions(address, { functionName: 'openrouter.chat.send', bodyOf: chatBody });
    case 'images': {
      const { openRouterImages } = await import('./images.ts');
      return openRouterImages(address);
    }
    case 'video': {
      const { openRouterVideo } = await import('./video.ts');
      return openRouterVideo(address);
    }
    case 'speech': {
      const { openRouterSpeech } = await import('./speech.ts');
      return openRouterSpeech(address);
    }
    default:
      throw new ConfigurationError(
        { kind: 'no-such-api', provider: 'OpenRouter', api: call.apiType },
        { hint: { kind: 'use-known-api', known: ['chat', 'images', 'video', 'speech'] } },
      );
  }
}
