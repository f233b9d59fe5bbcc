/** A model in OpenAI's language: what it was asked, and answers. */
import type { ProviderAnswerScript, ProviderRequestSeen, ProviderScript } from './fake-provider.ts';

const textOf = (content: unknown): string =>
  typeof content === 'string' ? content : ((content as { text: string }[])[0]?.text ?? '');

/** The last message that the model was sent. */
export const askedOf = ({ json }: ProviderRequestSeen): string =>
  textOf((json['messages'] as { content: unknown }[]).at(-1)?.content);

export const chatReply = (text: string, tokens: readonly [number, number] = [10, 5]): object => ({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1_700_000_000,
  model: 'gpt-4o-mini',
  choices: [
    {
      index: 0,
      message: { role: 'assistant', content: text, refusal: null },
      finish_reason: 'stop',
    },
  ],
  usage: {
    prompt_tokens: tokens[0],
    completion_tokens: tokens[1],
    total_tokens: tokens[0] + tokens[1],
  },
});

/** Answers what `reply` makes of the last message. */
export const saying =
  (reply: (asked: string) => string): ProviderScript =>
  (request): ProviderAnswerScript => ({ body: chatReply(reply(askedOf(request))) });

/** The config of a prompt that stands in the column or node itself. */
export const promptOf = (
  text: string,
  variables: readonly string[],
  model: object = { provider: 'openai', name: 'gpt-4o-mini', parameters: {} },
): object => ({
  inline_template: {
    inline: true,
    prompt_template: {
      type: 'chat',
      messages: [
        {
          role: 'user',
          input_variables: variables,
          template_format: 'f-string',
          content: [{ type: 'text', text }],
        },
      ],
      input_variables: variables,
    },
    metadata: { model },
  },
});
