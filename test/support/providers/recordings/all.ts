import { cohere } from './cohere.ts';
import { openAiChat } from './openai-chat.ts';
import { openAiOther } from './openai-other.ts';
import { openAiResponses } from './openai-responses.ts';
import { openAiShell } from './openai-shell.ts';
import type { Recording } from './recording.ts';
import { relatives } from './relatives.ts';

/** OpenAI's language and its relatives. */
export const recordings: readonly Recording[] = [
  ...openAiChat,
  ...openAiOther,
  ...openAiResponses,
  openAiShell,
  ...relatives,
  ...cohere,
];
