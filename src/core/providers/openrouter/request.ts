import type { KwargsInput } from '../template-parts.ts';
import { asChat } from '../template-parts.ts';
import type { Mapping } from '../../mapping.ts';
import { compatibleDialect, fromText, openAiChat } from '../openai/chat-request.ts';

/** The arguments of a call of OpenRouter. */
export function openRouter(input: KwargsInput): Mapping {
  switch (input.apiType) {
    case 'images':
    case 'video':
      return fromText(input);
    case 'speech':
      return fromText(input, 'input');
    default:
      return openAiChat(asChat(input), compatibleDialect);
  }
}
