import type { KwargsInput } from '../template-parts.ts';
import { asChat } from '../template-parts.ts';
import type { Mapping } from '../../mapping.ts';
import type { ChatDialect } from '../openai/chat-request.ts';
import { openAiChat } from '../openai/chat-request.ts';

const dialect: ChatDialect = {
  hasDeveloper: false,
  anyTool: 'any',
  names: () => ({ seed: 'random_seed' }),
};

/** The arguments of a call of Mistral. */
export const mistral = (input: KwargsInput): Mapping => openAiChat(asChat(input), dialect);
