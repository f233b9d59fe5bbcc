import type { KwargsInput } from '../template-parts.ts';
import type { Mapping } from '../../mapping.ts';
import type { ChatDialect } from './chat-request.ts';
import {
  compatibleDialect,
  fromText,
  openAiChat,
  openAiCompletion,
  openAiDialect,
} from './chat-request.ts';
import { openAiResponses } from './response-request.ts';

const inDialect = (input: KwargsInput, dialect: ChatDialect): Mapping =>
  input.template.type === 'completion' ? openAiCompletion(input) : openAiChat(input, dialect);

/** The arguments of a call of OpenAI, at OpenAI or Azure. */
export function openAi(input: KwargsInput): Mapping {
  switch (input.apiType) {
    case 'responses':
      return openAiResponses(input);
    case 'images':
      return fromText(input);
    default:
      return inDialect(input, openAiDialect);
  }
}

/** The arguments of a call of a server that speaks as OpenAI does. */
export const compatible = (input: KwargsInput): Mapping => inDialect(input, compatibleDialect);
