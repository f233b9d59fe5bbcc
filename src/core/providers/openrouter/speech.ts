import { base64Of } from '../base64.ts';
import type { Address } from '../openai/address.ts';
import { argumentsFor } from '../openai/arguments.ts';
import { audioTypeOf } from '../openai/audio-types.ts';
import { snakeArguments } from '../openai/snake-case.ts';
import { streamError } from '../provider-error.ts';
import type { Provider } from '../provider.ts';
import { ReplyBuilder } from '../reply.ts';
import { readSpeech } from './schema.ts';

const defaultFormat = 'mp3';

/** Speech. The answer is sound and no JSON: the response holds it as base64. */
export function openRouterSpeech(address: Address): Provider {
  const prepare: Provider['prepare'] = (call, context) =>
    address(
      'audio/speech',
      { response_format: defaultFormat, ...snakeArguments(argumentsFor(call)) },
      { ...call, stream: false },
      context,
    );
  return {
    functionName: 'openrouter.tts.create_speech',
    prepare,
    streaming: undefined,
    complete: async (call, context) => {
      const { bytes, type } = await context.fetchBytes(await prepare(call, context));
      if (/\bjson\b/.test(type)) {
        throw streamError(call.provider, parsed(new TextDecoder().decode(bytes)));
      }
      const kwargs = snakeArguments(call.kwargs);
      const format = readSpeech(kwargs)?.response_format ?? defaultFormat;
      return {
        model: call.model,
        format,
        content_type: type.startsWith('audio/') ? type : audioTypeOf(format),
        data: base64Of(bytes),
      };
    },
    replyOf: (response) => {
      const builder = new ReplyBuilder();
      const speech = readSpeech(response);
      if (speech?.data !== undefined) {
        builder.part('audio', {
          type: 'output_media',
          url: speech.data,
          mime_type: speech.content_type,
          media_type: 'audio',
        });
      }
      return builder.reply();
    },
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // It said that it is JSON; its words are worth telling all the same.
    return text;
  }
}
