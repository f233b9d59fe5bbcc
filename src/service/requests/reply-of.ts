import type { PromptTemplate } from '../../api/template.ts';
import type { Mapping } from '../../core/mapping.ts';
import { isMapping } from '../../core/mapping.ts';
import type { ModelCall } from '../../core/providers/provider.ts';
import { findProvider } from '../../core/providers/registry.ts';
import type { Reply } from '../../core/providers/reply.ts';
import { emptyReply } from '../../core/providers/reply.ts';
import type { Log } from '../log.ts';
import { errorText } from '../log.ts';

/** `openai.responses.create` -> `responses`; undefined where the name does not say. */
export function apiTypeOf(functionName: string): string | undefined {
  if (/\.responses\./.test(functionName)) return 'responses';
  if (/\.images\./.test(functionName)) return 'images';
  if (/video/.test(functionName)) return 'video';
  if (/tts|speech/.test(functionName)) return 'speech';
  if (/^openai\..*(?:chat\.)?completions\./.test(functionName)) return 'chat-completions';
  return undefined;
}

/** The messages of a reply alone, as a template of the same type as what was asked. */
export function replyTemplate(type: string, { content, tool_calls }: Reply): PromptTemplate {
  if (type === 'completion') return { type, content, input_variables: [] };
  return {
    type: 'chat',
    messages: [
      {
        role: 'assistant',
        input_variables: [],
        template_format: 'f-string',
        content,
        tool_calls,
      },
    ],
    input_variables: [],
  };
}

export interface Answered {
  readonly provider: string;
  readonly model: string;
  readonly functionName: string;
  readonly type: string;
  readonly kwargs: Mapping;
  readonly response: unknown;
}

/** What a provider's answer says, in the words of the blueprint; nothing when it can't be read. */
export async function replyOf(
  { provider, model, functionName, type, kwargs, response }: Answered,
  log: Log,
): Promise<Reply> {
  if (!isMapping(response) || Object.keys(response).length === 0) return emptyReply;
  const call: ModelCall = {
    provider,
    apiType: apiTypeOf(functionName),
    templateType: type === 'completion' ? 'completion' : 'chat',
    model,
    kwargs,
    stream: false,
    baseURL: undefined,
    apiKey: undefined,
  };
  try {
    return (await findProvider(call)).replyOf(response, call);
  } catch (error) {
    // The log keeps the answer as it came; only its blueprint lacks the reply.
    log.warn('The reply in a logged answer was not understood', {
      provider,
      functionName,
      error: errorText(error),
    });
    return emptyReply;
  }
}
