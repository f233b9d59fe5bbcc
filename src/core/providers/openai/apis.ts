import { ConfigurationError } from '../../errors.ts';
import type { ModelCall, Provider } from '../provider.ts';
import type { Address } from './address.ts';

/** `openai`, or `openai.AzureOpenAI`: how the log of requests names the client. */
type ClientName = string;

const isTextCompletion = ({ templateType, kwargs }: ModelCall): boolean =>
  templateType === 'completion' && kwargs['messages'] === undefined;

/** The API of OpenAI's that a template is for, at whatever address speaks it. */
export async function openAiApi(
  call: ModelCall,
  address: Address,
  client: ClientName = 'openai',
): Promise<Provider> {
  switch (call.apiType) {
    case undefined:
    case 'chat':
    case 'chat-completions': {
      if (isTextCompletion(call)) {
        const { textCompletions } = await import('./completions.ts');
        return textCompletions(address, { functionName: `${client}.completions.create` });
      }
      const { chatCompletions } = await import('./chat.ts');
      return chatCompletions(address, { functionName: `${client}.chat.completions.create` });
    }
    case 'completions': {
      const { textCompletions } = await import('./completions.ts');
      return textCompletions(address, { functionName: `${client}.completions.create` });
    }
    case 'responses': {
      const { responses } = await import('./responses.ts');
      return responses(address, { functionName: `${client}.responses.create` });
    }
    case 'images': {
      const { images } = await import('./images.ts');
      return images(call, address, { functionName: `${client}.images.generate` });
    }
    default:
      throw new ConfigurationError(
        { kind: 'no-such-api', provider: call.provider, api: call.apiType },
        {
          hint: {
            kind: 'use-known-api',
            known: ['chat-completions', 'completions', 'responses', 'images'],
          },
        },
      );
  }
}
